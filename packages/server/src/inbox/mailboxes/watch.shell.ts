import { minuteMs } from '@overture/ground/time/spans.ts'
import { monotonicMs } from '../../platform/clock.ts'
import { isUnavailable } from '../../platform/db/errors.ts'
import type { createSignal } from '../../platform/lifecycle/polling.worker.ts'
import { recordMailboxFailure, recordMailboxRecovered } from '../../sending-accounts/index.ts'
import { readsSentMail } from '../receive/manual-mail.commands.ts'
import { mayHaveNews, readFolder, retryMessage, type MailboxTools, type OpenMailbox } from './folder.shell.ts'
import {
  createSeenMail,
  foldersToRead,
  inboxFolder,
  openInbox,
  findSentFolder,
  type OpenedInbox,
} from './mailbox-session.client.ts'
import { releaseMailbox, type ClaimedMailbox } from './mailboxes.sql.ts'
import type { MessagePlace } from './set-aside.sql.ts'

const failuresBorne = 2
/** Every so many polls the other folders are all selected, because some servers report a wrong STATUS. */
const wholeLookEvery = 10
const retryMs = { first: 10_000, max: 15 * minuteMs }

export interface MailboxWatch {
  box: ClaimedMailbox
  token: string
  pollMs: number
  signal: AbortSignal
  /** Raised when there may be something to do. */
  wake: ReturnType<typeof createSignal>
  /** Messages for which another try was requested. The reader removes them from this list. */
  retries: MessagePlace[]
  /** Whether the mailbox is read once and released, because there are more mailboxes than places to idle in. */
  visit: boolean
  /** Called whenever everything in the mailbox was read. */
  onRead: () => void
}

interface Failure {
  status: 'connection_error' | 'auth_required'
  message: string
}

/** Watches one mailbox until its lease ends or its connection breaks. Then the mailbox is released, with a growing delay after failures. */
export async function watchMailbox(tools: MailboxTools, watching: MailboxWatch): Promise<void> {
  const { app } = tools
  const { box, token, signal } = watching
  const { sendingAccountId } = box
  const tenant = { accountId: box.accountId, environment: box.environment }
  const startedAtMs = monotonicMs()
  let failure: Failure | null = null
  let nothingToRead = false
  let visited = false
  let databaseAway = false
  try {
    const opened = await logIn(tools, { tenant, sendingAccountId, signal })
    if (opened.kind === 'failed') failure = opened
    else if (opened.kind === 'none') nothingToRead = true
    else {
      await app.db.transaction((tx) => recordMailboxRecovered(tx, tenant, sendingAccountId, app.clock.now()))
      const { session, sentFolder } = opened
      const mailbox = { tools, tenant, sendingAccountId, session, positions: new Map(), signal }
      visited = await readUntilStopped(mailbox, { ...watching, sentFolder })
    }
  } catch (error) {
    databaseAway = isUnavailable(error)
    app.log.warn({ event: 'inbox.disconnected', sendingAccountId, reason: (error as Error).message })
  }
  // While replies can't be read, leads that replied would get more messages, so a lasting failure is recorded. A short outage
  // of the mailbox's server does not count.
  const lasting = failure?.status === 'auth_required' || box.retryCount >= failuresBorne
  if (failure !== null && lasting) await recordFailure(tools, box, failure)
  const fine = signal.aborted || visited || monotonicMs() - startedAtMs > retryMs.max
  // An outage of the database says nothing about the mailbox, so any worker may claim it at once.
  const retryCount = fine ? 0 : databaseAway ? box.retryCount : box.retryCount + 1
  const retryInMs = Math.min(retryMs.max, retryMs.first * 2 ** Math.min(10, Math.max(0, retryCount - 1)))
  const awayMs =
    signal.aborted || databaseAway ? null : visited ? watching.pollMs : nothingToRead ? retryMs.max : retryInMs
  await releaseMailbox(app.db, tenant, { sendingAccountId, token, awayMs, retryCount })
}

async function logIn(
  { app, logins }: MailboxTools,
  { tenant, sendingAccountId, signal }: Pick<OpenMailbox, 'tenant' | 'sendingAccountId' | 'signal'>,
): Promise<OpenedInbox> {
  const release = await logins.acquire()
  try {
    return signal.aborted ? { kind: 'none' } : await openInbox(app, tenant, sendingAccountId)
  } finally {
    release()
  }
}

async function recordFailure({ app }: MailboxTools, box: ClaimedMailbox, failure: Failure): Promise<void> {
  const tenant = { accountId: box.accountId, environment: box.environment }
  const { status, message: error } = failure
  await app.db.transaction((tx) =>
    recordMailboxFailure(tx, tenant, box.sendingAccountId, { status, error, now: app.clock.now() }),
  )
}

/** Returns true if a visit was completed. */
async function readUntilStopped(
  mailbox: OpenMailbox,
  watching: MailboxWatch & { sentFolder: string | null },
): Promise<boolean> {
  const { box, pollMs, signal, wake, retries } = watching
  const { tools, tenant, sendingAccountId, session } = mailbox
  let lendNoMore = (): void => undefined
  const closed = new AbortController()
  session.onClose(() => {
    closed.abort()
    wake.raise()
  })
  try {
    const folders = await session.listFolders()
    const sentFolder = watching.sentFolder ?? findSentFolder(folders)
    const [inbox = inboxFolder('INBOX'), ...others] = foldersToRead(folders, sentFolder)
    // Needed only if a message can be in two folders.
    const seen = others.some((folder) => folder.all) ? createSeenMail() : null
    if (!watching.visit) await session.watch(inbox.path, { pollMs, onChange: () => wake.raise() })
    if (!watching.visit) lendNoMore = tools.open.add(tenant, sendingAccountId, { session, sentFolder })
    let othersReadAtMs = Number.NEGATIVE_INFINITY
    let pollCount = 0
    while (!signal.aborted && !closed.signal.aborted) {
      wake.reset()
      for (let place = retries.shift(); place !== undefined; place = retries.shift())
        await retryMessage(mailbox, place, others)
      await readFolder({ mailbox, folder: inbox, since: box.since, seen })
      if (monotonicMs() - othersReadAtMs >= pollMs) {
        othersReadAtMs = monotonicMs()
        const whole = pollCount++ % wholeLookEvery === 0
        const readsSent = await readsSentMail(tools.app.db, tenant)
        for (const folder of others) {
          if (folder.sent && !readsSent) continue
          if (!whole && !(await mayHaveNews(mailbox, folder.path))) continue
          await readFolder({ mailbox, folder, since: box.since, seen })
          // The server does not report new mail of the inbox while another folder is selected.
          wake.raise()
        }
      }
      if (!signal.aborted) watching.onRead()
      if (watching.visit) return true
      if (retries.length === 0) await wake.wait(pollMs, signal)
    }
    return false
  } finally {
    lendNoMore()
    await session.close()
  }
}
