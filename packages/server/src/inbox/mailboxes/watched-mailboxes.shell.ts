import { minuteMs } from '@overture/ground/time/spans.ts'
import { monotonicMs } from '../../platform/clock.ts'
import { createSignal } from '../../platform/lifecycle/polling.worker.ts'
import type { MailboxTools } from './folder.shell.ts'
import type { ClaimedMailbox, ReadMailbox } from './mailboxes.sql.ts'
import type { MessageToRetry } from './set-aside.sql.ts'
import { watchMailbox, type MailboxWatch } from './watch.shell.ts'

/** Every so many renewals the leases are compared one by one, even if as many mailboxes are leased as watched. */
const wholeListEvery = 12
/** "Last read" is written at most once a minute per mailbox, unless another mailbox of its account is written anyway. */
const readNotedMs = minuteMs

interface WatchedMailbox {
  watching: MailboxWatch
  stopping: AbortController
  done: Promise<void>
}

/** The mailboxes that one process reads. */
export class WatchedMailboxes {
  readonly read = new ReadNotes()
  readonly #tools: MailboxTools
  readonly #options: { token: string; pollMs: number }
  readonly #watched = new Map<string, WatchedMailbox>()
  #kept = 0

  constructor(tools: MailboxTools, options: { token: string; pollMs: number }) {
    this.#tools = tools
    this.#options = options
  }

  start(box: ClaimedMailbox, visit: boolean): void {
    const key = mailboxKey(box)
    const { sendingAccountId } = box
    const stopping = new AbortController()
    const watching: MailboxWatch = {
      ...this.#options,
      box,
      signal: stopping.signal,
      wake: createSignal(),
      retries: [],
      visit,
      onRead: () => this.read.note(box),
    }
    const done = watchMailbox(this.#tools, watching)
      .catch((error: unknown) =>
        this.#tools.app.log.error({ event: 'inbox.failed', sendingAccountId, reason: (error as Error).message }),
      )
      .finally(() => this.#watched.delete(key))
    this.#watched.set(key, { watching, stopping, done })
  }

  /**
   * Renews the leases and stops watching mailboxes without one. Such a lease was lost or the sender was deleted, and another
   * worker may read the mailbox now.
   * Returns mailboxes that are leased but not watched: the database was unavailable when they were to be released. If as many
   * are leased as watched, the leases are not listed: that would be thousands of rows every five seconds.
   */
  async keep(held: { renew: () => Promise<number>; list: () => Promise<ClaimedMailbox[]> }): Promise<ClaimedMailbox[]> {
    // A mailbox that is being released right now must not be reported as leased and unwatched.
    const before = new Set(this.#watched.keys())
    const count = await held.renew()
    if (this.#kept++ % wholeListEvery !== 0 && count === before.size && count === this.#watched.size) return []
    const mine = await held.list()
    const keys = new Set(mine.map(mailboxKey))
    for (const [key, mailbox] of this.#watched) if (before.has(key) && !keys.has(key)) mailbox.stopping.abort()
    return mine.filter((box) => !before.has(mailboxKey(box)) && !this.#watched.has(mailboxKey(box)))
  }

  /**
   * Releases mailboxes above the share, at most `atOnceMax`, most recently claimed first. Returns how many were watched before.
   * A lease ends only after its mailbox is closed, so two workers never read in it at once.
   */
  handBackAbove(share: number, atOnceMax: number): number {
    const kept = this.#open().filter(({ watching }) => !watching.visit)
    const surplus = kept.slice(Math.max(share, kept.length - atOnceMax))
    for (const mailbox of surplus) mailbox.stopping.abort()
    if (surplus.length > 0) this.#tools.app.log.info({ event: 'inbox.handed_back', mailboxes: surplus.length, share })
    return kept.length
  }

  countVisits(): number {
    return this.#open().filter(({ watching }) => watching.visit).length
  }

  retry(place: MessageToRetry): void {
    const watching = this.#watched.get(mailboxKey(place))?.watching
    if (
      watching === undefined ||
      watching.retries.some(({ folder, uid }) => folder === place.folder && uid === place.uid)
    )
      return
    watching.retries.push(place)
    watching.wake.raise()
  }

  abort(): void {
    for (const mailbox of this.#watched.values()) mailbox.stopping.abort()
  }

  async ended(): Promise<void> {
    await Promise.all([...this.#watched.values()].map((one) => one.done))
  }

  #open(): WatchedMailbox[] {
    return [...this.#watched.values()].filter((one) => !one.stopping.signal.aborted)
  }
}

type MailboxKey = Pick<ClaimedMailbox, 'accountId' | 'environment' | 'sendingAccountId'>

function mailboxKey(box: MailboxKey): string {
  return `${box.accountId} ${box.environment} ${box.sendingAccountId}`
}

/**
 * Collects the mailboxes that were read since the last `take`, each at most once per minute. If one mailbox is due, all others
 * of its account that were read come with it. So an account is written once per minute, however many mailboxes it has.
 */
class ReadNotes {
  readonly #noted = new Map<string, number>()
  readonly #fresh = new Map<string, ReadMailbox>()

  note({ accountId, environment, sendingAccountId }: ReadMailbox): void {
    this.#fresh.set(mailboxKey({ accountId, environment, sendingAccountId }), {
      accountId,
      environment,
      sendingAccountId,
    })
  }

  take(): ReadMailbox[] {
    const nowMs = monotonicMs()
    for (const [key, atMs] of this.#noted) if (nowMs - atMs >= readNotedMs) this.#noted.delete(key)
    const fresh = [...this.#fresh]
    const accounts = new Set(fresh.filter(([key]) => !this.#noted.has(key)).map(([, { accountId }]) => accountId))
    const due = fresh.filter(([, { accountId }]) => accounts.has(accountId))
    for (const [key] of due) {
      this.#noted.set(key, nowMs)
      this.#fresh.delete(key)
    }
    return due.map(([, mailbox]) => mailbox)
  }
}
