import { monotonicMs } from '../../platform/clock.ts'
import type { createSignal } from '../../platform/lifecycle/polling.worker.ts'
import { recordMailboxFailure, recordMailboxRecovered } from '../../sending-accounts/index.ts'
import { readFolder, retryMessage, type MailboxTools, type OpenMailbox } from './folder.shell.ts'
import { createSeenMail, foldersToRead, inboxFolder, openInbox } from './mailbox-session.client.ts'
import { releaseMailbox, type ClaimedMailbox } from './mailboxes.sql.ts'
import type { MessagePlace } from './set-aside.sql.ts'

const failuresBorne = 2
const retryMs = { first: 10_000, max: 15 * 60_000 }

export interface Watching {
  box: ClaimedMailbox
  token: string
  pollMs: number
  signal: AbortSignal
  /** Raised when there may be something to do. */
  wake: ReturnType<typeof createSignal>
  /** Messages that somebody wants to have tried again, taken from here. */
  retries: MessagePlace[]
}

interface Failure {
  status: 'connection_error' | 'auth_required'
  message: string
}

/** One mailbox, until the lease ends or the connection breaks; then it is given back with a growing wait. */
export async function watchMailbox(tools: MailboxTools, watching: Watching): Promise<void> {
  const { app } = tools
  const { box, token, signal } = watching
  const { sendingAccountId } = box
  const tenant = { accountId: box.accountId, environment: box.environment }
  const startedAtMs = monotonicMs()
  let failure: Failure | null = null
  let nothingToRead = false
  try {
    const opened = await openInbox(app, tenant, sendingAccountId)
    if (opened.kind === 'failed') failure = opened
    else if (opened.kind === 'none') nothingToRead = true
    else {
      await app.db.transaction((tx) => recordMailboxRecovered(tx, tenant, sendingAccountId, app.clock.now()))
      const { session } = opened
      await readUntilStopped({ tools, tenant, sendingAccountId, session, signal }, watching)
    }
  } catch (error) {
    app.log.warn({ event: 'inbox.disconnected', sendingAccountId, reason: (error as Error).message })
  }
  // Replies that are not read would be written past; a short break of the mailbox's server is no such thing.
  const lasting = failure?.status === 'auth_required' || box.retryCount >= failuresBorne
  if (failure !== null && lasting) await recordFailure(tools, box, failure)
  const retryCount = signal.aborted || monotonicMs() - startedAtMs > retryMs.max ? 0 : box.retryCount + 1
  const waitMs = nothingToRead ? retryMs.max : Math.min(retryMs.max, retryMs.first * 2 ** Math.min(10, retryCount - 1))
  const retryAt = signal.aborted ? null : new Date(app.clock.now().getTime() + waitMs)
  await releaseMailbox(app.db, tenant, { sendingAccountId, token, retryAt, retryCount })
}

async function recordFailure({ app }: MailboxTools, box: ClaimedMailbox, failure: Failure): Promise<void> {
  const tenant = { accountId: box.accountId, environment: box.environment }
  const { status, message: error } = failure
  await app.db.transaction((tx) =>
    recordMailboxFailure(tx, tenant, box.sendingAccountId, { status, error, now: app.clock.now() }),
  )
}

async function readUntilStopped(mailbox: OpenMailbox, watching: Watching): Promise<void> {
  const { box, pollMs, signal, wake, retries } = watching
  const { session } = mailbox
  const closed = new AbortController()
  session.onClose(() => {
    closed.abort()
    wake.raise()
  })
  try {
    const [inbox = inboxFolder('INBOX'), ...others] = foldersToRead(await session.listFolders())
    // Only where something stands in two folders is it worth knowing what was read.
    const seen = others.some((folder) => folder.all) ? createSeenMail() : null
    await session.watch(inbox.path, { pollMs, onChange: () => wake.raise() })
    let othersReadAtMs = Number.NEGATIVE_INFINITY
    while (!signal.aborted && !closed.signal.aborted) {
      wake.reset()
      for (let place = retries.shift(); place !== undefined; place = retries.shift())
        await retryMessage(mailbox, place, others)
      await readFolder({ mailbox, folder: inbox, since: box.since, seen })
      if (monotonicMs() - othersReadAtMs >= pollMs) {
        othersReadAtMs = monotonicMs()
        for (const folder of others) await readFolder({ mailbox, folder, since: box.since, seen })
      }
      if (retries.length === 0) await wake.wait(pollMs, signal)
    }
  } finally {
    await session.close()
  }
}
