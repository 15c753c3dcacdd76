import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '@overture/ground/chance/seeded.ts'
import { launchCampaign, listAll, settle } from './kill-campaign.ts'
import { startPostgresProcess } from './postgres-process.ts'
import { createCaller, liftLimits, printedLiveKey, pause } from './product-caller.ts'
import { createDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { startImapDouble } from '../mail/imap-double.server.ts'
import { startSmtpDouble } from '../mail/smtp-double.server.ts'
import { type Findings, type FinalLead, judgeRun } from './kill-judge.ts'
import { startLoad } from './kill-load.ts'
import { type NodeProcess, startNodeProcess } from './node-process.ts'

export interface KillRun extends Findings {
  kills: Record<Victim, number>
  seconds: number
}

export type Victim = 'api' | 'worker' | 'database'

export interface KillOptions {
  kills: number
  /** Determines the order of victims and the pauses between kills. */
  seed: number
  /** Time between a victim's restart and the next kill, in ms. */
  pauseMs: { min: number; max: number }
  settleMs: number
  /** Called with each kill and each step that is waited for. */
  progress?: (text: string) => void
}

const victims: readonly Victim[] = ['api', 'worker', 'worker', 'database']
const sender = 'ada@sender.test'
const secret = { OVERTURE_ENCRYPTION_KEY: 'one key for every node', OVERTURE_ALLOW_PRIVATE_TARGETS: '1' }

/**
 * Runs one API process, two workers and a PostgreSQL under load and kills them with SIGKILL in an order given by the seed. Then it
 * waits until the work is finished, and compares the result with the receiving mail server.
 */
export async function runKills(options: KillOptions): Promise<KillRun> {
  const folder = await mkdtemp(join(tmpdir(), 'overture-kills-'))
  const smtp = await startSmtpDouble({ users: { [sender]: 'secret' } })
  const imap = await startImapDouble({ users: { [sender]: 'secret' } })
  const postgres = await startPostgresProcess(folder)
  const environment = { ...secret, DATABASE_URL: postgres.url, PORT: '0' }
  const nodes: NodeProcess[] = []
  const startedMs = performance.now()
  try {
    const api = await startNodeProcess({ ...environment, OVERTURE_ROLE: 'api', OVERTURE_DATA_DIR: join(folder, 'api') })
    nodes.push(api)
    for (const name of ['one', 'two']) {
      const data = { OVERTURE_ROLE: 'worker', OVERTURE_DATA_DIR: join(folder, name) }
      nodes.push(await startNodeProcess({ ...environment, ...data }))
    }
    await liftLimits(postgres.url)
    const key = printedLiveKey(api)
    const caller = createCaller(() => api.url, key)
    const campaignId = await launchCampaign(caller, { sender, smtp: smtp.port, imap: imap.port })
    const load = startLoad({ url: () => api.url, key, campaignId, sender, smtp, imap })
    const kills = await killInOrder(options, { nodes, folder, postgresUrl: postgres.url })
    await load.stop()
    options.progress?.('waiting until every lead is settled')
    const read = async () => ({
      accepted: smtp.accepted,
      acknowledged: load.acknowledged,
      leads: await listAll<FinalLead>(caller, `/v2/campaigns/${campaignId}/leads`),
      suppressions: new Set(
        (await listAll<{ email: string | null }>(caller, '/v2/suppressions')).map(({ email }) => email ?? ''),
      ),
      steps: 1,
    })
    const findings = await settle(async () => judgeRun(await read()), options.settleMs)
    return { ...findings, kills, seconds: (performance.now() - startedMs) / 1000 }
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    await postgres.stop()
    await smtp.stop()
    await imap.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function killInOrder(
  options: KillOptions,
  world: { nodes: readonly NodeProcess[]; folder: string; postgresUrl: string },
): Promise<Record<Victim, number>> {
  const kills = { api: 0, worker: 0, database: 0 }
  const random = seededRandom(String(options.seed))
  const [api, ...workers] = world.nodes
  for (let kill = 0; kill < options.kills; kill++) {
    await pause(options.pauseMs.min + random() * (options.pauseMs.max - options.pauseMs.min))
    const victim = victims[Math.floor(random() * victims.length)] ?? 'worker'
    kills[victim]++
    options.progress?.(`kill ${kill + 1} of ${options.kills}: ${victim}`)
    if (victim === 'api') await api?.killAndRestart()
    else if (victim === 'worker') await workers[Math.floor(random() * workers.length)]?.killAndRestart()
    else await killDatabase(world.folder, world.postgresUrl)
  }
  return kills
}

/** Kills the postmaster. The keeper process starts PostgreSQL again. */
async function killDatabase(folder: string, url: string): Promise<void> {
  const readPid = async () =>
    Number.parseInt(await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '0'), 10)
  const before = await readPid()
  if (before > 0) process.kill(before, 'SIGKILL')
  const db = createDatabase({ url, log: createLogger('silent'), connectionsMax: 1 })
  try {
    await waitFor(async () => {
      const pid = await readPid()
      return (
        pid > 0 &&
        pid !== before &&
        (await db.query('select 1').then(
          () => true,
          () => false,
        ))
      )
    }, 60_000)
  } finally {
    await db.close()
  }
}

async function waitFor(check: () => Promise<boolean>, withinMs: number): Promise<void> {
  const endMs = performance.now() + withinMs
  while (!(await check())) {
    if (performance.now() > endMs) throw new Error('The database did not come back.')
    await pause(50)
  }
}
