import { randomUUID } from 'node:crypto'
import { Gauge } from 'prom-client'
import { wakePlanner } from '../../campaigns/index.ts'
import { minuteMs } from '../../ground/time/spans.ts'
import { monotonicMs } from '../../platform/clock.ts'
import type { App } from '../../platform/app.ts'
import { createPollingWorker, createSignal } from '../../platform/lifecycle/polling.worker.ts'
import type { Worker } from '../../platform/lifecycle/worker.ts'
import { metrics } from '../../platform/metrics.shell.ts'
import type { MailReader } from '../reading/mail-reader.ts'
import { createReadingThreads } from '../reading/reading-threads.client.ts'
import type { ReceiveHooks } from '../receive/receive.commands.ts'
import {
  claimMailboxesAcrossAccounts,
  insertMissingMailboxesAcrossAccounts,
  renewMailboxLeasesAcrossAccounts,
  updateMailboxesReadAcrossAccounts,
} from './mailboxes.sql.ts'
import type { ClaimedMailbox, ReadMailbox } from './mailboxes.sql.ts'
import { listSetAsideToRetryAcrossAccounts, type MessageToRetry } from './set-aside.sql.ts'
import { joinInboxWorkersAcrossAccounts, leaveInboxWorkersAcrossAccounts } from './sharing.sql.ts'
import { SharedBudget } from './shared-budget.ts'
import { fairShare } from './sharing.ts'
import type { MailboxTools } from './folder.shell.ts'
import { watchMailbox, type Watching } from './watch.shell.ts'

const leaseMs = 45_000
const tickMs = 5_000
const claimedAtOnce = 25
/** Of what is above the share, in one tick: readers are never all on the move. */
const handedBackAtOnce = 50
/** What waits no longer than this for its next try counts as work to share. */
const soonMs = 60_000
/** In these mailboxes one process idles; the others are visited in turn, so many at once. */
const watchedMax = 2_000
const visitsAtOnce = 100
const loginsAtOnce = 50
/** Nothing is sent any more from a mailbox that was not read for so long (delivery/planner/pacing.ts). */
const unreadMs = 15 * minuteMs
/** Of one mailbox it is noted no more often that it was read. */
const readNotedMs = minuteMs
const pollMs = 60_000
const firstReadingMs = 7 * 24 * 60 * 60 * 1000
/** Of all messages that are being read. */
const bytesUnderWayMax = 64 * 1024 * 1024
const retriesAtOnce = 100

interface Watched {
  watching: Watching
  stopping: AbortController
  done: Promise<void>
}

export interface InboxWorkerOptions {
  tickMs?: number
  pollMs?: number
  /** How many mailboxes it idles in. */
  watchedMax?: number
  hooks?: ReceiveHooks
  /** Who reads what strangers sent; threads of this worker's own unless given. */
  reader?: MailReader
}

const mailboxesGauge = new Gauge({
  name: 'overture_inbox_mailboxes',
  help: 'Mailboxes that this process reads now: watched by IDLE, or visited in turn.',
  labelNames: ['how'],
  registers: [metrics],
})
const unreadGauge = new Gauge({
  name: 'overture_inbox_mailboxes_not_read',
  help: 'Mailboxes of active sending accounts that nobody has read for 15 minutes; nothing is sent from them.',
  registers: [metrics],
})

/**
 * Reads mailboxes: takes free ones under a lease, up to its share of all, idles in each, hands what arrives to
 * `receiveMessage`. Where there are more than all workers can idle in, the rest are visited in turn, the ones that were read
 * longest ago first. What is above the share, because more workers came, is read to the message's end and given back.
 */
export function createInboxWorker(app: App, options: InboxWorkerOptions = {}): Worker {
  const token = randomUUID()
  const threads = createReadingThreads({ log: app.log, ...app.config.inbox })
  const tools: MailboxTools = {
    app,
    reader: options.reader ?? threads,
    budget: new SharedBudget(bytesUnderWayMax),
    logins: new SharedBudget(loginsAtOnce),
    hooks: options.hooks ?? {},
  }
  const watched = new Map<string, Watched>()
  const read = new ReadNotes()

  async function tick(): Promise<boolean> {
    const mine = new Set((await renewMailboxLeasesAcrossAccounts(app.db, { token, leaseMs })).map(keyOf))
    // A lease that was lost, or a sender that was deleted: somebody else reads there now.
    for (const [key, one] of watched) if (!mine.has(key)) one.stopping.abort()
    await noteRead()
    const firstReadingAt = new Date(app.clock.now().getTime() - firstReadingMs)
    await insertMissingMailboxesAcrossAccounts(app.db, firstReadingAt)
    const lease = { token, leaseMs, soonMs, longMs: unreadMs }
    const crew = await joinInboxWorkersAcrossAccounts(app.db, lease)
    unreadGauge.set(crew.unread)
    const more = await takeMailboxes(fairShare(crew, Number.MAX_SAFE_INTEGER))
    for (const place of await listSetAsideToRetryAcrossAccounts(app.db, { token, limit: retriesAtOnce })) retry(place)
    return more
  }

  async function takeMailboxes(ofAll: number): Promise<boolean> {
    const idleMax = options.watchedMax ?? watchedMax
    const share = Math.min(ofAll, idleMax)
    const kept = handBackAbove(share)
    const visits = count(({ watching }) => watching.visit)
    mailboxesGauge.set({ how: 'idle' }, kept)
    mailboxesGauge.set({ how: 'visit' }, visits)
    const visit = kept >= idleMax && ofAll > idleMax
    const places = visit ? visitsAtOnce - visits : share - kept
    const limit = Math.min(claimedAtOnce, places)
    const claimed = limit <= 0 ? [] : await claimMailboxesAcrossAccounts(app.db, { token, leaseMs, limit })
    for (const box of claimed) start(box, visit)
    return claimed.length === claimedAtOnce
  }

  // The planner looks again at accounts whose mailboxes nobody had read for long.
  async function noteRead(): Promise<void> {
    const mailboxes = read.take()
    if (mailboxes.length === 0) return
    const long = await updateMailboxesReadAcrossAccounts(app.db, { mailboxes, longMs: unreadMs })
    const tenants = new Map(
      long.map(({ accountId, environment }) => [`${accountId} ${environment}`, { accountId, environment }]),
    )
    for (const tenant of tenants.values()) await app.db.transaction((tx) => wakePlanner(tx, tenant, app.clock.now()))
  }

  function count(which: (one: Watched) => boolean): number {
    return [...watched.values()].filter((one) => !one.stopping.signal.aborted && which(one)).length
  }

  // The ones taken last go first. A lease ends when its mailbox was closed, so that no two ever read in it.
  function handBackAbove(share: number): number {
    const kept = [...watched.values()].filter((one) => !one.watching.visit && !one.stopping.signal.aborted)
    const surplus = kept.slice(Math.max(share, kept.length - handedBackAtOnce))
    for (const one of surplus) one.stopping.abort()
    if (surplus.length > 0) app.log.info({ event: 'inbox.handed_back', mailboxes: surplus.length, share })
    return kept.length
  }

  function start(box: ClaimedMailbox, visit: boolean): void {
    const key = keyOf(box)
    const { sendingAccountId } = box
    const stopping = new AbortController()
    const { signal } = stopping
    const every = options.pollMs ?? pollMs
    const onRead = () => read.note(box)
    const wake = createSignal()
    const watching: Watching = { box, token, signal, wake, pollMs: every, retries: [], visit, onRead }
    const done = watchMailbox(tools, watching)
      .catch((error: unknown) =>
        app.log.error({ event: 'inbox.failed', sendingAccountId, reason: (error as Error).message }),
      )
      .finally(() => watched.delete(key))
    watched.set(key, { watching, stopping, done })
  }

  function retry(place: MessageToRetry): void {
    const watching = watched.get(keyOf(place))?.watching
    if (
      watching === undefined ||
      watching.retries.some(({ folder, uid }) => folder === place.folder && uid === place.uid)
    )
      return
    watching.retries.push(place)
    watching.wake.raise()
  }

  const loop = createPollingWorker({ name: 'inbox', log: app.log, pollMs: options.tickMs ?? tickMs, run: tick })
  return {
    name: 'inbox',
    start: () => loop.start(),
    async stop() {
      await loop.stop()
      const all = [...watched.values()]
      for (const one of all) one.stopping.abort()
      await leaveInboxWorkersAcrossAccounts(app.db, token)
      await Promise.all(all.map((one) => one.done))
      await threads.stop()
    },
  }
}

function keyOf(box: Pick<ClaimedMailbox, 'accountId' | 'environment' | 'sendingAccountId'>): string {
  return `${box.accountId} ${box.environment} ${box.sendingAccountId}`
}

/** Which mailboxes were read since it was last asked, each no more often than once per minute. */
class ReadNotes {
  private readonly noted = new Map<string, number>()
  private readonly fresh = new Map<string, ReadMailbox>()

  note({ accountId, environment, sendingAccountId }: ReadMailbox): void {
    this.fresh.set(keyOf({ accountId, environment, sendingAccountId }), { accountId, environment, sendingAccountId })
  }

  take(): ReadMailbox[] {
    const nowMs = monotonicMs()
    for (const [key, atMs] of this.noted) if (nowMs - atMs >= readNotedMs) this.noted.delete(key)
    const due = [...this.fresh].filter(([key]) => !this.noted.has(key))
    for (const [key] of due) {
      this.noted.set(key, nowMs)
      this.fresh.delete(key)
    }
    return due.map(([, mailbox]) => mailbox)
  }
}
