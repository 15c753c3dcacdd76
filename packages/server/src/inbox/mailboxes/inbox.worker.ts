import { randomUUID } from 'node:crypto'
import type { App } from '../../platform/app.ts'
import { sleep } from '../../platform/clock.ts'
import { createPollingWorker } from '../../platform/lifecycle/polling.worker.ts'
import type { Worker } from '../../platform/lifecycle/worker.ts'
import type { MailboxSession } from '../../platform/mail/imap-session.client.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { recordMailboxFailure, recordMailboxRecovered } from '../../sending-accounts/index.ts'
import { createSeenMail, foldersToRead, openInbox } from './mailbox-session.client.ts'
import type { FolderToRead, SeenMail } from './mailbox-session.client.ts'
import {
  claimMailboxesAcrossAccounts,
  findFolderPosition,
  insertMissingMailboxesAcrossAccounts,
  releaseMailbox,
  renewMailboxLeasesAcrossAccounts,
  upsertFolderPosition,
} from './mailboxes.sql.ts'
import type { ClaimedMailbox } from './mailboxes.sql.ts'
import { receiveMessage, type ReceiveHooks } from '../receive/receive.commands.ts'
import { joinInboxWorkersAcrossAccounts, leaveInboxWorkersAcrossAccounts } from './sharing.sql.ts'
import { fairShare } from './sharing.ts'

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
const failuresBorne = 2
const retryMs = { first: 10_000, max: 15 * 60_000 }

interface Watched {
  box: ClaimedMailbox
  stopping: AbortController
  done: Promise<void>
}

/**
 * Watches mailboxes: takes free ones under a lease, up to its share of all, idles in each, hands what arrives to
 * `receiveMessage`. What is above the share, because more workers came, is read to the message's end and given back.
 */
export function createInboxWorker(
  app: App,
  options: { tickMs?: number; pollMs?: number; hooks?: ReceiveHooks } = {},
): Worker {
  const token = randomUUID()
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
    const done = watchMailbox(app, box, {
      token,
      signal: stopping.signal,
      pollMs: options.pollMs ?? pollMs,
      hooks: options.hooks ?? {},
    })
      .catch((error: unknown) =>
        app.log.error({ event: 'inbox.failed', sendingAccountId, reason: (error as Error).message }),
      )
      .finally(() => watched.delete(key))
    watched.set(key, { box, stopping, done })
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
    },
  }
}

function keyOf(box: Pick<ClaimedMailbox, 'accountId' | 'environment' | 'sendingAccountId'>): string {
  return `${box.accountId} ${box.environment} ${box.sendingAccountId}`
}

interface WatchOptions {
  token: string
  signal: AbortSignal
  pollMs: number
  hooks: ReceiveHooks
}

/** One mailbox, until the lease ends or the connection breaks; then it is given back with a growing wait. */
async function watchMailbox(
  app: App,
  box: ClaimedMailbox,
  { token, signal, pollMs: every, hooks }: WatchOptions,
): Promise<void> {
  const tenant: Tenant = { accountId: box.accountId, environment: box.environment }
  const { sendingAccountId } = box
  const startedAt = app.clock.now().getTime()
  let failure: { status: 'connection_error' | 'auth_required'; message: string } | null = null
  let nothingToRead = false
  try {
    const opened = await openInbox(app, tenant, sendingAccountId)
    if (opened.kind === 'failed') failure = opened
    else if (opened.kind === 'none') nothingToRead = true
    else {
      await app.db.transaction((tx) => recordMailboxRecovered(tx, tenant, sendingAccountId, app.clock.now()))
      await readUntilStopped(app, tenant, { box, session: opened.session, signal, pollMs: every, hooks })
    }
  } catch (error) {
    app.log.warn({ event: 'inbox.disconnected', sendingAccountId, reason: (error as Error).message })
  }
  // Replies that are not read would be written past; a short break of the mailbox's server is no such thing.
  const lasting = failure?.status === 'auth_required' || box.retryCount >= failuresBorne
  if (failure !== null && lasting) await recordFailure(app, tenant, sendingAccountId, failure)
  const lastedMs = app.clock.now().getTime() - startedAt
  const retryCount = signal.aborted || lastedMs > retryMs.max ? 0 : box.retryCount + 1
  const waitMs = nothingToRead ? retryMs.max : Math.min(retryMs.max, retryMs.first * 2 ** Math.min(10, retryCount - 1))
  const retryAt = signal.aborted ? null : new Date(app.clock.now().getTime() + waitMs)
  await releaseMailbox(app.db, tenant, { sendingAccountId, token, retryAt, retryCount })
}

async function recordFailure(
  app: App,
  tenant: Tenant,
  id: string,
  failure: { status: 'connection_error' | 'auth_required'; message: string },
): Promise<void> {
  await app.db.transaction((tx) =>
    recordMailboxFailure(tx, tenant, id, { status: failure.status, error: failure.message, now: app.clock.now() }),
  )
}

interface Reading {
  box: ClaimedMailbox
  session: MailboxSession
  signal: AbortSignal
  pollMs: number
  hooks: ReceiveHooks
}

async function readUntilStopped(
  app: App,
  tenant: Tenant,
  { box, session, signal, pollMs: every, hooks }: Reading,
): Promise<void> {
  const closed = new AbortController()
  let wake = (): void => undefined
  session.onClose(() => {
    closed.abort()
    wake()
  })
  const stop = (): void => wake()
  signal.addEventListener('abort', stop)
  try {
    const folders = foldersToRead(await session.listFolders())
    const [inbox = { path: 'INBOX', all: false }, ...others] = folders
    // Only where something stands in two folders is it worth knowing what was read.
    const seen = others.some((folder) => folder.all) ? createSeenMail() : null
    const read = (folder: FolderToRead) => readFolder(app, tenant, { box, session, folder, seen, signal, hooks })
    let changed = true
    await session.watch(inbox.path, {
      pollMs: every,
      onChange: () => {
        changed = true
        wake()
      },
    })
    let othersReadAtMs = 0
    while (!signal.aborted && !closed.signal.aborted) {
      changed = false
      await read(inbox)
      if (app.clock.now().getTime() - othersReadAtMs >= every) {
        othersReadAtMs = app.clock.now().getTime()
        for (const folder of others) await read(folder)
      }
      if (changed || signal.aborted || closed.signal.aborted) continue
      const waiting = new AbortController()
      wake = () => waiting.abort()
      await sleep(every, waiting.signal)
    }
  } finally {
    signal.removeEventListener('abort', stop)
    await session.close()
  }
}

interface FolderReading extends Omit<Reading, 'pollMs'> {
  folder: FolderToRead
  seen: SeenMail | null
}

async function readFolder(
  app: App,
  tenant: Tenant,
  { box, session, folder: { path: folder, all }, seen, signal, hooks }: FolderReading,
): Promise<void> {
  const { sendingAccountId } = box
  const position = await findFolderPosition(app.db, tenant, { sendingAccountId, folder })
  const found = await session.readNew({
    folder,
    uidValidity: position.uidValidity,
    lastUid: position.lastUid,
    since: box.since,
    ...(all && seen !== null && { skip: seen.skips }),
  })
  const known = found.reset ? 0 : position.lastUid
  if (found.reset)
    await upsertFolderPosition(app.db, tenant, { sendingAccountId, folder, uidValidity: found.uidValidity, lastUid: 0 })
  let lastUid = known
  for await (const mail of found.messages) {
    if (signal.aborted) return
    const { raw, uid, internalDate } = mail
    const now = app.clock.now()
    const input = { sendingAccountId, raw, folder, uid, receivedAt: internalDate ?? now, now }
    await receiveMessage(app, tenant, input, hooks).catch((error: unknown) => {
      if (!isFaultOfMessage(error)) throw error
      // One message that cannot be taken must not hold back all that come after it.
      app.log.error({ event: 'inbox.message_failed', sendingAccountId, uid, reason: (error as Error).message })
    })
    seen?.add(mail.emailId)
    lastUid = Math.max(lastUid, uid)
    await upsertFolderPosition(app.db, tenant, { sendingAccountId, folder, uidValidity: found.uidValidity, lastUid })
  }
  const last = found.uids.at(-1)
  if (last !== undefined && last > lastUid)
    await upsertFolderPosition(app.db, tenant, {
      sendingAccountId,
      folder,
      uidValidity: found.uidValidity,
      lastUid: last,
    })
}

// Values that the database refuses, and our own mistakes; a broken connection or a lock is none of them.
function isFaultOfMessage(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string') return /^(?:22|23|54)\w{3}$/.test(code)
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError
}
