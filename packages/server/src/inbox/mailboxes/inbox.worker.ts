import { randomUUID } from 'node:crypto'
import type { App } from '../../platform/app.ts'
import { createPollingWorker, createSignal } from '../../platform/lifecycle/polling.worker.ts'
import type { Worker } from '../../platform/lifecycle/worker.ts'
import type { MailReader } from '../reading/mail-reader.ts'
import { createReadingThreads } from '../reading/reading-threads.client.ts'
import type { ReceiveHooks } from '../receive/receive.commands.ts'
import { ByteBudget } from './byte-budget.ts'
import {
  claimMailboxesAcrossAccounts,
  insertMissingMailboxesAcrossAccounts,
  renewMailboxLeasesAcrossAccounts,
} from './mailboxes.sql.ts'
import type { ClaimedMailbox } from './mailboxes.sql.ts'
import { listSetAsideToRetryAcrossAccounts, type MessageToRetry } from './set-aside.sql.ts'
import { joinInboxWorkersAcrossAccounts, leaveInboxWorkersAcrossAccounts } from './sharing.sql.ts'
import { fairShare } from './sharing.ts'
import { watchMailbox, type Watching } from './watch.shell.ts'

const leaseMs = 45_000
const tickMs = 5_000
const claimedAtOnce = 25
/** Of what is above the share, in one tick: readers are never all on the move. */
const handedBackAtOnce = 50
/** What waits no longer than this for its next try counts as work to share. */
const soonMs = 60_000
const watchedMax = 2_000
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
  hooks?: ReceiveHooks
  /** Who reads what strangers sent; threads of this worker's own unless given. */
  reader?: MailReader
}

/**
 * Watches mailboxes: takes free ones under a lease, up to its share of all, idles in each, hands what arrives to
 * `receiveMessage`. What is above the share, because more workers came, is read to the message's end and given back.
 */
export function createInboxWorker(app: App, options: InboxWorkerOptions = {}): Worker {
  const token = randomUUID()
  const threads = createReadingThreads({ log: app.log, ...app.config.inbox })
  const budget = new ByteBudget(bytesUnderWayMax)
  const tools = { app, reader: options.reader ?? threads, budget, hooks: options.hooks ?? {} }
  const watched = new Map<string, Watched>()

  async function tick(): Promise<boolean> {
    const now = app.clock.now()
    const until = new Date(now.getTime() + leaseMs)
    const mine = new Set((await renewMailboxLeasesAcrossAccounts(app.db, { token, until })).map(keyOf))
    // A lease that was lost, or a sender that was deleted: somebody else reads there now.
    for (const [key, one] of watched) if (!mine.has(key)) one.stopping.abort()
    await insertMissingMailboxesAcrossAccounts(app.db, new Date(now.getTime() - firstReadingMs))
    const soon = new Date(now.getTime() + soonMs)
    const share = fairShare(await joinInboxWorkersAcrossAccounts(app.db, { token, now, until, soon }), watchedMax)
    const kept = handBackAbove(share)
    const limit = Math.min(claimedAtOnce, share - kept, watchedMax - watched.size)
    const claimed = limit <= 0 ? [] : await claimMailboxesAcrossAccounts(app.db, { token, until, now, limit })
    for (const box of claimed) start(box)
    for (const place of await listSetAsideToRetryAcrossAccounts(app.db, { token, limit: retriesAtOnce })) retry(place)
    return claimed.length === claimedAtOnce
  }

  // The ones taken last go first. A lease ends when its mailbox was closed, so that no two ever read in it.
  function handBackAbove(share: number): number {
    const kept = [...watched.values()].filter((one) => !one.stopping.signal.aborted)
    const surplus = kept.slice(Math.max(share, kept.length - handedBackAtOnce))
    for (const one of surplus) one.stopping.abort()
    if (surplus.length > 0) app.log.info({ event: 'inbox.handed_back', mailboxes: surplus.length, share })
    return kept.length
  }

  function start(box: ClaimedMailbox): void {
    const key = keyOf(box)
    const { sendingAccountId } = box
    const stopping = new AbortController()
    const { signal } = stopping
    const every = options.pollMs ?? pollMs
    const watching: Watching = { box, token, signal, wake: createSignal(), pollMs: every, retries: [] }
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
