import { startEmbeddedPostgres } from '@overture/server/platform/db/embedded/embedded.shell.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createCaller,
  expectOk,
  liftLimits,
  printedLiveKey,
  pause,
  printedTestKey,
  type Caller,
} from '../kills/product-caller.ts'
import { startNodeProcess } from '../kills/node-process.ts'
import { replyTo } from '../kills/reply.ts'
import { startImapDouble, type ImapDouble } from '../mail/imap-double.server.ts'
import { startSmtpDouble, type SmtpDouble } from '../mail/smtp-double.server.ts'
import { startBadReceivers, startSlowClients } from './hostile-clients.ts'
import { hostileMail } from './hostile-mail.ts'
import { quantile, residentMb } from '../measured.ts'
import { anyTime } from '../schedules.ts'

export interface HostileRun {
  seconds: number
  /** The campaign with a steady schedule: messages sent, messages that its gap allows, and how late they were, in ms. */
  sent: number
  planned: number
  lateMs: { p50: number; p95: number; max: number }
  /** Response times of `GET /v2/account` during the run. */
  apiMs: { p50: number; p99: number; failed: number }
  /** The time until a reply of a real lead stopped the lead. */
  replyStopMs: { p50: number; max: number; unheard: number }
  hostileMails: number
  processMb: { first: number; last: number }
}

export interface HostileOptions {
  seconds: number
  progress?: (text: string) => void
}

const sender = 'ada@sender.test'
const gapSeconds = 2
const mailEveryMs = 1_500
const slowClients = 30
const replyEvery = 10

/** Runs the product under hostile load and measures how a well-behaved tenant is served. */
export async function runHostileMix(options: HostileOptions): Promise<HostileRun> {
  const folder = await mkdtemp(join(tmpdir(), 'overture-hostile-'))
  const smtp = await startSmtpDouble({ users: { [sender]: 'secret' } })
  const imap = await startImapDouble({ users: { [sender]: 'secret' } })
  const receivers = await startBadReceivers()
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: createLogger('silent'), kind: 'server' })
  const node = await startNodeProcess({
    DATABASE_URL: postgres.url,
    OVERTURE_DATA_DIR: join(folder, 'data'),
    OVERTURE_ENCRYPTION_KEY: 'one key for this run',
    OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
    PORT: '0',
  })
  try {
    await liftLimits(postgres.url)
    const live = createCaller(() => node.url, printedLiveKey(node))
    const test = createCaller(() => node.url, printedTestKey(node))
    const campaignId = await launchCampaign(live, { smtp: smtp.port, imap: imap.port, count: options.seconds })
    await harm(test, live, receivers.urls)
    const slow = startSlowClients({ url: node.url, key: printedTestKey(node), campaignId, count: slowClients })
    const first = await residentMb(node.pid)
    const endMs = performance.now() + options.seconds * 1_000
    const [api, replies, hostileMails] = await Promise.all([
      watchApi(live, endMs),
      answerSome({ live, smtp, imap, campaignId, endMs }),
      sendHostileMail({ smtp, imap, endMs, progress: options.progress }),
    ])
    const last = await residentMb(node.pid)
    slow.stop()
    return {
      seconds: options.seconds,
      sent: smtp.accepted.length,
      planned: Math.floor(options.seconds / gapSeconds),
      lateMs: lateness(smtp, endMs),
      apiMs: { p50: quantile(api.ms, 0.5), p99: quantile(api.ms, 0.99), failed: api.failed },
      replyStopMs: { p50: quantile(replies.ms, 0.5), max: quantile(replies.ms, 1), unheard: replies.unheard },
      hostileMails,
      processMb: { first, last },
    }
  } finally {
    await node.stop()
    await receivers.stop()
    await postgres.stop()
    await smtp.stop()
    await imap.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function launchCampaign(live: Caller, at: { smtp: number; imap: number; count: number }): Promise<string> {
  const server = (port: number) => ({ host: '127.0.0.1', port, security: 'none', username: sender, password: 'secret' })
  await expectOk(live('PUT', '/v2/account', { postalAddress: '1 Main Street, Springfield' }))
  const made = await expectOk(
    live('POST', '/v2/sending-accounts', {
      email: sender,
      fromName: 'Ada',
      provider: 'smtp',
      smtp: server(at.smtp),
      imap: server(at.imap),
      dailyLimit: 10_000,
      minGapSeconds: gapSeconds,
      maxGapSeconds: gapSeconds,
    }),
  )
  const campaign = await expectOk(
    live('POST', '/v2/campaigns/launch', {
      name: 'On time',
      sendingAccountIds: [made['id']],
      schedule: anyTime,
      settings: { dailyLimit: null, dailyNewLeadLimit: null, bounceProtection: { enabled: false } },
      steps: [
        { variants: [{ subject: 'Hello', body: 'Hi {{ firstName }}.' }] },
        { waitBefore: { value: 1, unit: 'days' }, variants: [{ body: 'Again.' }] },
      ],
      leads: Array.from({ length: Math.min(1_000, at.count) }, (_, index) => ({
        email: `p${index}@r${index % 50}.test`,
        firstName: 'Ada',
      })),
    }),
  )
  return String(campaign['id'])
}

/** Creates templates with the highest allowed cost, and webhooks to hosts that don't resolve or servers that never respond. */
async function harm(test: Caller, live: Caller, urls: readonly string[]): Promise<void> {
  const dead = Array.from({ length: 10 }, (_, index) => `https://dead${index}.invalid/hook`)
  for (const url of [...urls, ...dead]) await live('POST', '/v2/webhooks', { url, events: ['message.sent'] })
  const made = await expectOk(
    test('POST', '/v2/sending-accounts', { email: 'm@outreach.test', fromName: 'M', provider: 'sandbox' }),
  )
  const loops = '{% for i in (1..1000) %}{% for j in (1..1000) %}{% assign x = i | plus: j %}{% endfor %}{% endfor %}'
  // The launch may be rejected or its rendering stopped: other tenants must not notice either.
  await test('POST', '/v2/campaigns/launch', {
    name: 'Slow words',
    sendingAccountIds: [made['id']],
    steps: [{ variants: [{ subject: 'Hello', body: `{% if nope %}{% endif %}${loops}` }] }],
    leads: Array.from({ length: 500 }, (_, index) => ({ email: `h${index}@prospects.test` })),
  })
}

async function watchApi(live: Caller, endMs: number): Promise<{ ms: number[]; failed: number }> {
  const ms: number[] = []
  let failed = 0
  while (performance.now() < endMs) {
    const startMs = performance.now()
    const ok = await live('GET', '/v2/account').then(
      ({ status }) => status === 200,
      () => false,
    )
    if (!ok) failed++
    ms.push(performance.now() - startMs)
    await pause(200)
  }
  return { ms, failed }
}

async function answerSome(run: {
  live: Caller
  smtp: SmtpDouble
  imap: ImapDouble
  campaignId: string
  endMs: number
}) {
  const ms: number[] = []
  let unheard = 0
  let seen = 0
  while (performance.now() < run.endMs - 30_000) {
    const mail = run.smtp.accepted[seen]
    const [to = ''] = mail?.to ?? []
    if (!mail?.messageId) {
      await pause(200)
      continue
    }
    seen += replyEvery
    await pause(3_000)
    run.imap.deliver(sender, replyTo(to, sender, mail.messageId))
    const startMs = performance.now()
    const path = `/v2/campaigns/${run.campaignId}/leads?email=${encodeURIComponent(to)}`
    let status = ''
    while (status !== 'replied' && performance.now() < startMs + 60_000) {
      const answer = await run.live('GET', path).catch(() => null)
      status = (answer?.body['results'] as { status: string }[] | undefined)?.[0]?.status ?? ''
      await pause(100)
    }
    if (status === 'replied') ms.push(performance.now() - startMs)
    else unheard++
  }
  return { ms, unheard }
}

async function sendHostileMail(run: {
  smtp: SmtpDouble
  imap: ImapDouble
  endMs: number
  progress: ((text: string) => void) | undefined
}): Promise<number> {
  let count = 0
  while (performance.now() < run.endMs) {
    const ours = count % 2 === 0 ? (run.smtp.accepted.at(-1)?.messageId ?? null) : null
    run.imap.deliver(sender, hostileMail(count, sender, ours))
    count++
    run.progress?.(`${Math.round((run.endMs - performance.now()) / 1000)} s left, ${count} hostile mails`)
    await pause(mailEveryMs)
  }
  return count
}

/** By how much the time between two messages exceeded the gap. A missing message counts as late until the end. */
function lateness(smtp: SmtpDouble, endMs: number): HostileRun['lateMs'] {
  const times = [...smtp.accepted.map((mail) => mail.atMs).filter((atMs) => atMs < endMs), endMs]
  const late = times.slice(1).map((atMs, index) => Math.max(0, atMs - (times[index] ?? atMs) - gapSeconds * 1_000))
  return { p50: quantile(late, 0.5), p95: quantile(late, 0.95), max: quantile(late, 1) }
}
