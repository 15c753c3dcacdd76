import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { insertTestAccount } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { rollUpAll } from '../packages/server/src/analytics/index.ts'
import { findTotals, listBreakdown } from '../packages/server/src/analytics/analytics.sql.ts'
import { sleep } from '../packages/server/src/platform/clock.ts'
import { appendEvents } from '@overture/server/platform/events/events.sql.ts'
import type { Tenant } from '../packages/server/src/platform/tenant.ts'
import { createWebhookWorker } from '../packages/server/src/webhooks/index.ts'
import { insertWebhook } from '../packages/server/src/webhooks/webhooks.sql.ts'
import { line, measure, median, type Stage } from './stage.ts'

const eventsMost = Number(process.env.OVERTURE_BENCH_EVENTS ?? 10_000)
const batch = 1_000
const samples = 15

/**
 * Measures deliveries to two receivers while a third receiver responds, and while a third never responds. It also measures statistics
 * over a long event log.
 */
export async function benchWebhooks(stage: Stage): Promise<void> {
  const receiver = await startReceiver()
  try {
    const beside = await deliver(stage, receiver, { third: 'ok', withThird: false })
    const healthy = await deliver(stage, receiver, { third: 'ok', withThird: true })
    const stalled = await deliver(stage, receiver, { third: 'stall', withThird: true })
    line(
      '(w) two receivers, a third stalls / there is none',
      stalled.rate / beside.rate,
      `${eventsMost} events: ${Math.round(stalled.rate)}/s against ${Math.round(beside.rate)}/s; with three that ` +
        `answer ${Math.round(healthy.rate)}/s to the two`,
    )
    line('(w) requests that the stalled one got', stalled.third, 'of a request each, 15 s apart')
  } finally {
    receiver.server.closeAllConnections()
    receiver.server.close()
  }
  await benchStatistics(stage)
}

interface Receiver {
  server: Server
  url: string
  counts: Map<string, number>
}

async function startReceiver(): Promise<Receiver> {
  const counts = new Map<string, number>()
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    counts.set(path, (counts.get(path) ?? 0) + 1)
    request.resume()
    if (!path.startsWith('/stall')) response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, counts }
}

async function append({ db }: Stage, tenant: Tenant, count: number): Promise<void> {
  for (let done = 0; done < count; done += batch) {
    const events = Array.from({ length: batch }, (_, index) => ({
      type: 'message.sent' as const,
      occurredAt: new Date(Date.UTC(2026, 2, 1) + (index % 96) * 900_000),
      campaignId: 'cmp_bench',
      stepId: `stp_${index % 4}`,
      variantId: `var_${index % 8}`,
      sendingAccountId: `snd_${index % 5}`,
      data: { kind: 'campaign' as const, first: true },
    }))
    await db.transaction((tx) => appendEvents(tx, tenant, events))
  }
}

async function deliver(
  stage: Stage,
  receiver: Receiver,
  { third, withThird }: { third: 'ok' | 'stall'; withThird: boolean },
): Promise<{ rate: number; third: number }> {
  const { app, db } = stage
  const tenant = await insertTestAccount(stage.db)
  const run = tenant.accountId
  const paths = [`/a/${run}`, `/b/${run}`, ...(withThird ? [`/${third}/${run}`] : [])]
  for (const [index, path] of paths.entries()) {
    const id = `whk_${run}_${index}`
    const secret = app.secrets.encrypt(`whsec_${Buffer.alloc(24).toString('base64')}`, `webhook ${id}`)
    const row = {
      id,
      url: `${receiver.url}${path}`,
      events: ['*'],
      createdBy: null,
      campaignIds: [],
      enabled: true,
      secret,
      now: app.clock.now(),
    }
    await insertWebhook(db, tenant, row)
  }
  await append(stage, tenant, eventsMost)
  const worker = createWebhookWorker(app)
  const measured = await measure(async () => {
    await worker.start()
    while ([0, 1].some((index) => (receiver.counts.get(paths[index]!) ?? 0) < eventsMost)) await sleep(20)
  })
  await worker.stop()
  return { rate: (2 * eventsMost) / measured.seconds, third: receiver.counts.get(paths[2] ?? '') ?? 0 }
}

/** The cost of stats and analytics with ten times the events in the log, after rollup. */
async function benchStatistics(stage: Stage): Promise<void> {
  const tenant = await insertTestAccount(stage.db)
  await append(stage, tenant, eventsMost)
  await rollUpAll(stage)
  await stage.db.execute('vacuum analyze')
  const few = await msOfStatistics(stage, tenant)
  await append(stage, tenant, 9 * eventsMost)
  const rolled = await measure(async () => void (await rollUpAll(stage)))
  await stage.db.execute('vacuum analyze')
  const many = await msOfStatistics(stage, tenant)
  line(
    `(w) stats and analytics, ${10 * eventsMost} events / ${eventsMost}`,
    many / few,
    `${many.toFixed(1)} ms against ${few.toFixed(1)} ms; rolled up at ${Math.round((9 * eventsMost) / rolled.seconds)} events/s`,
  )
}

async function msOfStatistics({ db }: Stage, tenant: Tenant): Promise<number> {
  const [from, to] = [new Date('2026-02-28T23:00:00Z'), new Date('2026-03-02T11:00:00Z')]
  const times: number[] = []
  for (let sample = 0; sample < samples; sample++) {
    const { seconds } = await measure(async () => {
      await findTotals(db, tenant, 'cmp_bench')
      await listBreakdown(db, tenant, { campaignId: 'cmp_bench', from, to, starts: [from] })
    })
    times.push(seconds * 1000)
  }
  return median(times)
}
