import { createTransport } from 'nodemailer'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import {
  createSmtpTransport,
  openDelivery,
  noFaults,
  runPlanning,
  type DeliveryTools,
} from '../packages/server/src/delivery/index.ts'
import { createSmtpPool } from '../packages/server/src/platform/mail/smtp-pool.client.ts'
import type { Tenant } from '../packages/server/src/platform/tenant.ts'
import { perMessage, readCosts, type Costs } from './costs.ts'
import { line, measure, startSink, type Measured, type Stage } from './stage.ts'

const connections = 10
/** Messages before the measurement, during which V8 compiles the code. Without them a message takes a quarter more CPU time. */
const warmUp = 4000
/** Round trip times of a server in the same town and one in the same country. */
const serversAwayMs = [5, 20]
const messages = Number(process.env.OVERTURE_BENCH_MESSAGES ?? 2000)
const body =
  'Hi {{ firstName }},\n\n' +
  'I saw what {{ company }} does and thought that we might help with it. '.repeat(6) +
  '\n\nBest,\n{{ sender.fromName }}'

export const firstStep = { subject: 'Hello {{ firstName }}', body, waitDays: 0 }

/** (a) The whole engine, a durable gate and record for every message, against a bare pooled nodemailer loop. */
export async function benchEngine(stage: Stage): Promise<void> {
  const sink = await startSink()
  try {
    await bare(sink.port, warmUp)
    const beforeLoop = await sink.told()
    const loop = await bare(sink.port, messages)
    const sinkMs = ((await sink.told()).cpuMs - beforeLoop.cpuMs) / messages
    await client(stage, sink.port, warmUp)
    const alone = await client(stage, sink.port, messages)
    await engine(stage, sink.port, warmUp)
    // Analyzes the tables, as autovacuum does within seconds on a running server.
    await stage.app.db.execute('analyze')
    const whole = await engine(stage, sink.port, messages)
    line('(a) engine / bare nodemailer, per second', loop.seconds / whole.seconds, detail(whole, loop))
    line(
      '(a) engine / bare nodemailer, per CPU-second',
      loop.cpuSeconds / whole.cpuSeconds,
      `accepted ${(await sink.told()).accepted}`,
    )
    const { postgresMs, processMs, walBytes } = whole.costs
    line(
      '(a) CPU ms per message: PostgreSQL',
      postgresMs,
      `bare nodemailer: ${ofOne(loop)}, the sink: ${sinkMs.toFixed(2)}`,
    )
    line('(a) CPU ms per message: this process', processMs, `of it our SMTP client alone: ${ofOne(alone)}`)
    line('(a) kB of WAL per message', walBytes / 1000, '')
    line('(a) our SMTP client alone / bare nodemailer', loop.seconds / alone.seconds, detail(alone, loop))
  } finally {
    sink.stop()
  }
  for (const awayMs of serversAwayMs) await benchAway(stage, awayMs)
}

/** The same with the response time of a server in another network. CPU time limits neither side then. */
async function benchAway(stage: Stage, awayMs: number): Promise<void> {
  const sink = await startSink(awayMs)
  try {
    const loop = await bare(sink.port, messages)
    const whole = await engine(stage, sink.port, messages)
    line(`(a) the same, of a server ${awayMs} ms away`, loop.seconds / whole.seconds, detail(whole, loop))
  } finally {
    sink.stop()
  }
}

function detail(whole: Measured, loop: Measured): string {
  return `${Math.round(messages / whole.seconds)}/s against ${Math.round(messages / loop.seconds)}/s, ${connections} connections`
}

function ofOne({ cpuSeconds }: Measured): string {
  return ((cpuSeconds * 1000) / messages).toFixed(2)
}

/** The cost without plans, texts, gates and records: sends the same ready message repeatedly. */
async function client(stage: Stage, port: number, count: number): Promise<Measured> {
  const { engine: app } = stage
  const tenant = await insertTestAccount(app.db)
  const sendingAccountId = await insertTestSender(app.db, tenant, { port })
  const pool = createSmtpPool({ connectionsMax: connections, messagesPerConnectionMax: 1_000_000, idleCloseMs: 15_000 })
  const smtp = createSmtpTransport({ app, pool, faultsArmed: false })
  const bytes = Buffer.from(`Subject: Hello\r\n\r\n${body}\r\n<p>${body}</p>\r\n`.replaceAll(/\r?\n/g, '\r\n'))
  const { signal } = new AbortController()
  const measured = await measure(async () => {
    let next = 0
    await Promise.all(
      Array.from({ length: connections * 2 }, async () => {
        while (next < count) {
          const messageId = `msg_${next++}`
          const envelope = { from: 'eve@sender.test', to: [`${messageId}@acme.test`] }
          const request = { tenant, sendingAccountId, connectionVersion: 0, messageId, envelope, bytes, signal }
          const { kind } = await smtp.send({
            ...request,
            gate: () => Promise.resolve(true),
            hit: () => Promise.resolve(),
          })
          if (kind !== 'accepted') throw new Error(`A message was ${kind}.`)
        }
      }),
    )
  })
  await pool.close()
  return measured
}

async function bare(port: number, count: number): Promise<Measured> {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    secure: false,
    ignoreTLS: true,
    pool: true,
    maxConnections: connections,
    maxMessages: Infinity,
  })
  const text = body.replaceAll(/\{\{.*?\}\}/g, 'Acme')
  const html = text
    .split('\n\n')
    .map((paragraph) => `<p>${paragraph}</p>`)
    .join('\n')
  const measured = await measure(async () => {
    let next = 0
    await Promise.all(
      Array.from({ length: connections * 2 }, async () => {
        while (next < count) {
          const index = next++
          await transport.sendMail({
            from: '"Eve Sender" <eve@sender.test>',
            to: `p${index}@acme.test`,
            subject: `Hello ${index}`,
            text,
            html,
          })
        }
      }),
    )
  })
  transport.close()
  return measured
}

export async function engine(stage: Stage, port: number, count: number): Promise<Measured & { costs: Costs }> {
  const app = stage.engine
  const tenant = await insertTestAccount(app.db)
  const senderId = await insertTestSender(app.db, tenant, { port })
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId], steps: [firstStep] })
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count, dueAt: app.clock.now() })
  const before = await readCosts(app.db)
  const measured = await measure(() => sendAll(stage, tenant))
  const after = await readCosts(app.db)
  const [row] = await app.db.query<{ sent: number }>(
    `select count(*)::int as sent from messages where account_id = $1 and status = 'sent'`,
    [tenant.accountId],
  )
  if (row?.sent !== count) throw new Error(`The engine sent ${row?.sent} of ${count}.`)
  return { ...measured, costs: perMessage(before, after, count) }
}

/** Plans and sends until nothing more is due. */
export async function sendAll(stage: Stage, tenant: Tenant): Promise<void> {
  const app = stage.engine
  const pool = createSmtpPool({ connectionsMax: connections, messagesPerConnectionMax: 1_000_000, idleCloseMs: 15_000 })
  const smtp = createSmtpTransport({ app, pool, faultsArmed: false })
  const tools: DeliveryTools = {
    app,
    renderer: testRenderer,
    transportFor: () => smtp,
    faults: noFaults,
    sentFolder: null,
  }
  const delivery = openDelivery(tools, tenant, { now: app.clock.now(), currentTime: () => app.clock.now() })
  const batches: Promise<number>[] = []
  for (;;) {
    const planned = await runPlanning(tools, tenant, app.clock.now())
    if (planned.claimed === 0) break
    batches.push(delivery.deliver(planned.token))
    if (batches.length >= 2) await batches.shift()
  }
  await Promise.all(batches)
  await pool.close()
}
