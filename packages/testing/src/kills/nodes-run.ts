import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey } from '@overture/server/api-keys/index.ts'
import { createAccount } from '@overture/server/accounts/index.ts'
import { initialiseCredits } from '@overture/server/credits/index.ts'
import { seededRandom } from '@overture/ground/chance/seeded.ts'
import { createDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { startImapDouble } from '../mail/imap-double.server.ts'
import { startSmtpDouble } from '../mail/smtp-double.server.ts'
import { launchCampaign, listAll, settle } from './kill-campaign.ts'
import { type FinalLead, type Findings, judgeRun } from './kill-judge.ts'
import { startLoad } from './kill-load.ts'
import { startNodeProcess, type NodeProcess } from './node-process.ts'
import { followLog, logFaults, mostWithin, probe, useUp } from './node-watchers.ts'
import { startPostgresProcess } from './postgres-process.ts'
import { createCaller, liftLimits, printedLiveKey, pause } from './product-caller.ts'
import { startRoundRobin } from './round-robin.server.ts'

export interface NodesOptions {
  kills: number
  /** Determines which nodes are killed. */
  seed: number
  everyMs: number
  /** Messages that one sender may send per day, and the gap between two of them. */
  dailyLimit: number
  gapSeconds: number
  settleMs: number
  progress?: (text: string) => void
}

export interface NodesRun extends Findings {
  kills: { api: number; worker: number }
  seconds: number
  /** Messages of the sender with a limit that the receiving server accepted. */
  sentOfLimited: number
  /** Events that a follower of the log missed, got twice or got in a different order, and the total number of events. */
  logFaults: string[]
  events: number
  /** Admitted requests of a key with a rate limit: the most within a minute, the most within a second, and all. */
  admitted: { perMinute: number; perSecond: number; all: number }
  /** Response times of a campaign page, requested ten times a second through the proxy. */
  answers: { p50Ms: number; p99Ms: number; answered: number; failed: number }
}

/** The rate limit of the key that sends as many requests as it may. */
export const rate = { perMinute: 240, perSecond: 8 }
const [sender, limitedSender] = ['ada@sender.test', 'bob@sender.test']
const secret = { OVERTURE_ENCRYPTION_KEY: 'one key for every node', OVERTURE_ALLOW_PRIVATE_TARGETS: '1' }
const minuteMs = 60_000
const secondMs = 1_000

/**
 * Runs two API processes behind a round-robin proxy and three workers on one PostgreSQL. Under load, one of the five is killed at a
 * steady rate. The result is checked by the receiving mail server, a follower of the event log and a client that uses up a rate
 * limit.
 */
export async function runNodes(options: NodesOptions): Promise<NodesRun> {
  const folder = await mkdtemp(join(tmpdir(), 'overture-nodes-'))
  const users = { [sender]: 'secret', [limitedSender]: 'secret' }
  const [smtp, imap] = [await startSmtpDouble({ users }), await startImapDouble({ users })]
  const postgres = await startPostgresProcess(folder)
  const nodes: NodeProcess[] = []
  const start = async (role: string, name: string) => {
    const own = { OVERTURE_ROLE: role, OVERTURE_DATA_DIR: join(folder, name) }
    nodes.push(await startNodeProcess({ ...secret, DATABASE_URL: postgres.url, PORT: '0', ...own }))
  }
  const proxy = await startRoundRobin(() => nodes.slice(0, 2).map(({ url }) => url))
  const startedMs = performance.now()
  try {
    for (const name of ['api-one', 'api-two']) await start('api', name)
    for (const name of ['one', 'two', 'three']) await start('worker', name)
    await liftLimits(postgres.url)
    const key = printedLiveKey(nodes[0] as NodeProcess)
    const caller = createCaller(() => proxy.url, key)
    const ports = { smtp: smtp.port, imap: imap.port }
    const campaignId = await launchCampaign(caller, { sender, ...ports })
    const leads = Array.from({ length: options.dailyLimit * 2 }, (_, index) => `limited${index}@r.test`)
    const { dailyLimit, gapSeconds } = options
    await launchCampaign(caller, { sender: limitedSender, ...ports, dailyLimit, gapSeconds, leads })
    const load = startLoad({ url: () => proxy.url, key, campaignId, sender, smtp, imap })
    const followed = followLog({ url: proxy.url, key })
    const probed = probe({ url: proxy.url, key }, `/v2/campaigns/${campaignId}/leads?limit=10`)
    const used = useUp({ url: proxy.url, key: await keyWithRate(postgres.url) })
    const kills = await killAtPace(options, nodes)
    const [answers, admitted] = [await probed.stop(), await used.stop()]
    await load.stop()
    options.progress?.('waiting until every lead is settled')
    const mailFrom = (from: string) => smtp.accepted.filter((mail) => mail.from === from)
    const read = async () => ({
      accepted: mailFrom(sender),
      acknowledged: load.acknowledged,
      leads: await listAll<FinalLead>(caller, `/v2/campaigns/${campaignId}/leads`),
      suppressions: new Set(
        (await listAll<{ email: string | null }>(caller, '/v2/suppressions')).map(({ email }) => email ?? ''),
      ),
      steps: 1,
    })
    const findings = await settle(async () => judgeRun(await read()), options.settleMs)
    await waitFor(() => mailFrom(limitedSender).length >= dailyLimit, options.settleMs)
    const log = await followToTheEnd(
      followed.seen,
      () => listAll<{ id: string }>(caller, '/v2/events'),
      options.settleMs,
    )
    await followed.stop()
    return {
      ...findings,
      kills,
      seconds: (performance.now() - startedMs) / 1000,
      sentOfLimited: mailFrom(limitedSender).length,
      logFaults: logFaults(followed.seen.slice(0, log.length), log),
      events: log.length,
      admitted: {
        perMinute: mostWithin(admitted, minuteMs),
        perSecond: mostWithin(admitted, secondMs),
        all: admitted.length,
      },
      answers: {
        p50Ms: percentile(answers.tookMs, 0.5),
        p99Ms: percentile(answers.tookMs, 0.99),
        answered: answers.tookMs.length,
        failed: answers.failed,
      },
    }
  } finally {
    await proxy.stop()
    await Promise.all(nodes.map((node) => node.stop()))
    await postgres.stop()
    await smtp.stop()
    await imap.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Creates a key with the rate limit, in a new account. */
async function keyWithRate(databaseUrl: string): Promise<string> {
  const db = createDatabase({ url: databaseUrl, log: createLogger('silent'), connectionsMax: 1 })
  try {
    const now = new Date()
    return await db.transaction(async (tx) => {
      const account = await createAccount(tx, { name: 'Other', plan: 'self_hosted', now }, initialiseCredits)
      const { accountId } = account
      await tx.execute('update accounts set requests_per_minute = $2, burst_per_second = $3 where account_id = $1', [
        accountId,
        rate.perMinute,
        rate.perSecond,
      ])
      const made = await createKey(tx, { accountId, environment: 'live', scopes: ['read'], expiresAt: null, now })
      return made.key
    })
  } finally {
    await db.close()
  }
}

async function killAtPace(options: NodesOptions, nodes: readonly NodeProcess[]): Promise<NodesRun['kills']> {
  const kills = { api: 0, worker: 0 }
  const random = seededRandom(String(options.seed))
  for (let kill = 0; kill < options.kills; kill++) {
    const atMs = performance.now() + options.everyMs
    const victim = Math.floor(random() * nodes.length)
    kills[victim < 2 ? 'api' : 'worker']++
    options.progress?.(`kill ${kill + 1} of ${options.kills}: node ${victim + 1}`)
    await nodes[victim]?.killAndRestart()
    await pause(Math.max(0, atMs - performance.now()))
  }
  return kills
}

/** Returns the whole log once the follower has reached its end and nothing more is written. */
async function followToTheEnd(
  followed: readonly string[],
  list: () => Promise<{ id: string }[]>,
  withinMs: number,
): Promise<string[]> {
  const endMs = performance.now() + withinMs
  for (;;) {
    const log = (await list()).map(({ id }) => id)
    if ((log.length > 0 && log.at(-1) === followed.at(-1)) || performance.now() > endMs) return log
    await pause(secondMs)
  }
}

async function waitFor(check: () => boolean, withinMs: number): Promise<void> {
  const endMs = performance.now() + withinMs
  while (!check() && performance.now() < endMs) await pause(50)
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)
}
