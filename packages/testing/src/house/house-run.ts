import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtProgram } from '../programs/program.ts'
import { startEmbeddedPostgres } from '@overture/server/platform/db/embedded/embedded.shell.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { startNodeProcess, type NodeProcess } from '../kills/node-process.ts'
import { expectOk, pause } from '../kills/product-caller.ts'
import { quantile, residentMb } from '../measured.ts'
import type { DeliveredReply, DoublesNews } from './house-doubles.ts'
import { furnishHouse, gapSeconds, type HouseCampaign, type HouseSize } from './house-world.ts'

/** The measurements of a simulated company's working day. Times are in ms. */
export interface HouseDay {
  furnishedSeconds: number
  /** Messages sent in the day, messages that the gaps allow, and addresses that got a second message. */
  sent: number
  planned: number
  repeated: number
  /** Lateness against the schedule that the campaign's start and the gaps of its mailboxes give. */
  late: { p50: number; p95: number; max: number; withinMinute: number }
  /** The time from a reply's arrival in its mailbox until its lead is `replied`. */
  replies: { count: number; p50: number; p95: number; max: number; unheard: number }
  /** `refusals` contains the first failed responses. */
  api: { count: number; p50: number; p99: number; failed: number; refusals: string[] }
  /** Resident memory of all product processes, after a fifth of the day and at its end. */
  processMb: { early: number; last: number }
}

const lookAgainMs = 150
/** Polling late replies more often would delay them further. */
const lookAgainMsMax = 1_000
/** Longer than a minute, since every mailbox is polled each minute even without a notification. */
const replyMsMax = 90_000
const callsOpenMax = 500
const refusalsMax = 5
/** Replies that arrive within this time before the end are not waited for. */
const lastRepliesMs = 5_000

/** Simulates a company on one machine: the product in one or two processes, its mail servers in another, and users who call the API. */
export async function runHouse(size: HouseSize, progress: (text: string) => void): Promise<HouseDay> {
  const folder = await mkdtemp(join(tmpdir(), 'overture-house-'))
  const doubles = await startDoubles(size)
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    log: createLogger('silent'),
    kind: 'server',
    settings: JSON.parse(process.env['OVERTURE_BENCH_PG_SETTINGS'] ?? '{}'),
  })
  const nodes = await startNodes(size, { folder, databaseUrl: postgres.url })
  try {
    const begunMs = performance.now()
    const at = { url: nodes[0]!.url, databaseUrl: postgres.url, ...doubles.ports }
    const campaigns = await furnishHouse(at, size, progress)
    const furnishedSeconds = (performance.now() - begunMs) / 1_000
    const startsMs = await startCampaigns(campaigns)
    const endMs = performance.now() + size.daySeconds * 1_000
    const [api, replies, processMb] = await Promise.all([
      callApi(campaigns, { endMs, perSecond: size.requestsPerSecond }),
      watchReplies(campaigns, doubles, endMs),
      watchMemory(nodes, { endMs, daySeconds: size.daySeconds, progress }),
    ])
    const accepted = await doubles.accepted()
    return {
      furnishedSeconds: Math.round(furnishedSeconds),
      ...punctuality({ byMailbox: accepted.byMailbox, startsMs, size, endedMs: Date.now() }),
      repeated: accepted.repeated,
      replies,
      api,
      processMb,
    }
  } finally {
    for (const node of nodes) await node.stop()
    await postgres.stop()
    doubles.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Starts the product's processes. The first one serves requests. */
async function startNodes(
  { isApart }: HouseSize,
  { folder, databaseUrl }: { folder: string; databaseUrl: string },
): Promise<NodeProcess[]> {
  const nodes: NodeProcess[] = []
  for (const role of isApart ? ['api', 'worker'] : ['all'])
    nodes.push(
      await startNodeProcess({
        DATABASE_URL: databaseUrl,
        OVERTURE_ROLE: role,
        OVERTURE_DATA_DIR: join(folder, role),
        OVERTURE_ENCRYPTION_KEY: 'one key for this run',
        OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
        PORT: '0',
      }),
    )
  return nodes
}

interface Doubles {
  ports: { smtp: number; imap: number }
  onReply: ((reply: DeliveredReply) => void) | null
  accepted(): Promise<Extract<DoublesNews, { kind: 'accepted' }>>
  stop(): void
}

async function startDoubles(size: HouseSize): Promise<Doubles> {
  const script = await builtProgram(new URL('./house-doubles.ts', import.meta.url))
  const child = fork(script, [String(size.mailboxes), String(size.answerEvery)], { execArgv: [] })
  const next = <Kind extends DoublesNews['kind']>(kind: Kind) =>
    new Promise<Extract<DoublesNews, { kind: Kind }>>((resolve, reject) => {
      child.once('exit', () => reject(new Error('The mail servers ended.')))
      child.on('message', (news: DoublesNews) => {
        if (news.kind === kind) resolve(news as Extract<DoublesNews, { kind: Kind }>)
      })
    })
  const { smtp, imap } = await next('ports')
  const doubles: Doubles = {
    ports: { smtp, imap },
    onReply: null,
    accepted() {
      const accepted = next('accepted')
      child.send('report')
      return accepted
    },
    stop: () => void child.kill(),
  }
  child.on('message', (news: DoublesNews) => {
    if (news.kind === 'reply') doubles.onReply?.(news.reply)
  })
  return doubles
}

/** Starts the campaigns and returns the start time (wall clock) by mailbox. */
async function startCampaigns(campaigns: readonly HouseCampaign[]): Promise<Map<string, number>> {
  const startsMs = new Map<string, number>()
  for (const { id, call, mailboxes } of campaigns) {
    await expectOk(call('POST', `/v2/campaigns/${id}/start`))
    for (const mailbox of mailboxes) startsMs.set(mailbox, Date.now())
  }
  return startsMs
}

/** Sends typical requests of people and programs at a fixed rate, whether or not earlier ones were answered. */
async function callApi(
  campaigns: readonly HouseCampaign[],
  { endMs, perSecond }: { endMs: number; perSecond: number },
): Promise<HouseDay['api']> {
  const times: number[] = []
  const refusals: string[] = []
  let failed = 0
  let open = 0
  let number = 0
  const begunMs = performance.now()
  const ask = async ({ id, call }: HouseCampaign, which: number): Promise<void> => {
    const askedMs = performance.now()
    open++
    const refusal = await request(call, id, which).then(
      ({ status, body }) => (status < 300 ? null : `${status} ${JSON.stringify(body)}`),
      (error: unknown) => String(error),
    )
    open--
    if (refusal !== null) {
      failed++
      if (refusals.length < refusalsMax) refusals.push(refusal)
    }
    times.push(performance.now() - askedMs)
  }
  while (performance.now() < endMs) {
    const due = Math.floor(((performance.now() - begunMs) / 1_000) * perSecond)
    for (; number < due; number++) {
      if (open >= callsOpenMax) failed++
      else void ask(campaigns[number % campaigns.length]!, number)
    }
    await pause(10)
  }
  while (open > 0) await pause(lookAgainMs)
  return { count: times.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99), failed, refusals }
}

function request(call: HouseCampaign['call'], id: string, which: number): ReturnType<HouseCampaign['call']> {
  const paths = [
    `/v2/campaigns/${id}`,
    `/v2/campaigns/${id}/leads?limit=50`,
    '/v2/campaigns?limit=50',
    `/v2/campaigns/${id}/stats`,
    '/v2/conversations?limit=25',
    '/v2/account',
    '/v2/events?limit=100',
    '/v2/sending-accounts?limit=50',
  ]
  const turn = which % (paths.length + 1)
  if (turn < paths.length) return call('GET', paths[turn]!)
  return call('POST', '/v2/suppressions', { email: `away${which}@gone.test` })
}

async function watchReplies(
  campaigns: readonly HouseCampaign[],
  doubles: Doubles,
  endMs: number,
): Promise<HouseDay['replies']> {
  const byMailbox = new Map(
    campaigns.flatMap((campaign) => campaign.mailboxes.map((name) => [name, campaign] as const)),
  )
  const times: number[] = []
  const watches: Promise<void>[] = []
  let unheard = 0
  const watch = async ({ to, from, atMs }: DeliveredReply): Promise<void> => {
    const { id, call } = byMailbox.get(to)!
    const path = `/v2/campaigns/${id}/leads?email=${encodeURIComponent(from)}`
    for (let waitMs = lookAgainMs; Date.now() < atMs + replyMsMax; waitMs = Math.min(waitMs * 1.5, lookAgainMsMax)) {
      const answer = await call('GET', path).catch(() => null)
      const leads = (answer?.body['results'] ?? []) as { status: string }[]
      if (leads[0]?.status === 'replied') return void times.push(Date.now() - atMs)
      await pause(waitMs)
    }
    unheard++
  }
  doubles.onReply = (reply) => {
    if (performance.now() < endMs - lastRepliesMs) watches.push(watch(reply))
  }
  while (performance.now() < endMs) await pause(lookAgainMs)
  doubles.onReply = null
  await Promise.all(watches)
  return {
    count: watches.length,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    max: quantile(times, 1),
    unheard,
  }
}

async function watchMemory(
  nodes: readonly NodeProcess[],
  { endMs, daySeconds, progress }: { endMs: number; daySeconds: number; progress: (text: string) => void },
): Promise<HouseDay['processMb']> {
  const earlyMs = endMs - daySeconds * 800
  const used = async (): Promise<number> => {
    const each = await Promise.all(nodes.map(({ pid }) => residentMb(pid)))
    return each.reduce((sum, mb) => sum + mb, 0)
  }
  let early = 0
  while (performance.now() < endMs) {
    if (early === 0 && performance.now() > earlyMs) early = await used()
    progress(`${Math.round((endMs - performance.now()) / 1_000)} s of the day are left`)
    await pause(1_000)
  }
  return { early, last: await used() }
}

/** Measures how late each message of a mailbox was. A missing message counts as late until the end. */
function punctuality(day: {
  byMailbox: Readonly<Record<string, number[]>>
  startsMs: ReadonlyMap<string, number>
  size: HouseSize
  endedMs: number
}): Pick<HouseDay, 'sent' | 'planned' | 'late'> {
  const gapMs = gapSeconds(day.size) * 1_000
  const late: number[] = []
  let sent = 0
  for (const [mailbox, startMs] of day.startsMs) {
    const times = day.byMailbox[mailbox] ?? []
    sent += times.length
    for (let turn = 0; turn < day.size.messagesPerMailbox; turn++) {
      const plannedMs = startMs + turn * gapMs
      if (plannedMs > day.endedMs) break
      late.push(Math.max(0, (times[turn] ?? day.endedMs) - plannedMs))
    }
  }
  const inTime = late.filter((ms) => ms <= 60_000).length / Math.max(1, late.length)
  return {
    sent,
    planned: late.length,
    late: { p50: quantile(late, 0.5), p95: quantile(late, 0.95), max: quantile(late, 1), withinMinute: inTime },
  }
}
