import type { App } from '../../platform/app.ts'
import { openMailbox } from '../../platform/mail/imap-session.client.ts'
import type { LabelledMail, MailFolder, MailboxSession } from '../../platform/mail/imap-session.client.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { imapOptions, openSecrets } from '../../sending-accounts/index.ts'
import { Copies, type CopyTarget } from './copies.client.ts'
import type { OpenMailboxes } from './open-mailboxes.ts'
import type { CopyIds } from '../../platform/mail/imap-read.client.ts'

const copyFlags = ['\\Seen']

export type OpenedInbox =
  /** `sentFolder` is the name that the owner configured, or null. */
  | { kind: 'open'; session: MailboxSession; sentFolder: string | null }
  /** The sender has no mailbox to read, or was deleted. */
  | { kind: 'none' }
  | { kind: 'failed'; status: 'connection_error' | 'auth_required'; message: string }

/** Logs in to a sender's mailbox. */
export async function openInbox(app: App, tenant: Tenant, sendingAccountId: string): Promise<OpenedInbox> {
  const credentials = await openSecrets(app, tenant, sendingAccountId)
  if (credentials.kind === 'auth_required')
    return { kind: 'failed', status: 'auth_required', message: credentials.message }
  if (credentials.kind === 'unavailable')
    return { kind: 'failed', status: 'connection_error', message: credentials.message }
  if (credentials.kind !== 'ready' || credentials.imap === null) return { kind: 'none' }
  const options = imapOptions(app, credentials)
  if (options === null) return { kind: 'none' }
  const opened = await openMailbox(options)
  if (opened.kind === 'open') return { kind: 'open', session: opened.mailbox, sentFolder: credentials.imap.sentFolder }
  return {
    kind: 'failed',
    status: opened.kind === 'refused' ? 'auth_required' : 'connection_error',
    message: opened.message,
  }
}

/**
 * The folders that may contain replies: the inbox, Gmail's All Mail, to which filters move mail, and the junk folder. Behind them the
 * folder of sent mail, which shows what the owner wrote by hand.
 */
export function foldersToRead(folders: readonly MailFolder[], sentFolder: string | null): FolderToRead[] {
  const inbox = folders.find((folder) => folder.use === 'inbox')?.path ?? 'INBOX'
  const others = folders
    .filter((folder) => folder.use === 'junk' || folder.use === 'all')
    .map(({ path, use }) => ({ path, all: use === 'all', junk: use === 'junk', sent: false }))
  const known = [inbox, ...others.map(({ path }) => path)]
  const isOwnFolder = sentFolder !== null && !known.includes(sentFolder)
  const sent = isOwnFolder ? [{ path: sentFolder, all: false, junk: false, sent: true }] : []
  return [inboxFolder(inbox), ...others, ...sent]
}

export interface FolderToRead {
  path: string
  /** Whether this is Gmail's All Mail, which contains the inbox's messages again, and drafts. */
  all: boolean
  /** Whether the provider puts junk into this folder. */
  junk: boolean
  /** Whether this is the folder of sent mail. */
  sent: boolean
}

export function inboxFolder(path: string): FolderToRead {
  return { path, all: false, junk: false, sent: false }
}

const seenMax = 5_000

export interface SeenMail {
  add: (emailId: string | null) => void
  skips: (mail: LabelledMail) => boolean
}

/** Remembers the messages that a session has read by the server's own ids, so that All Mail does not read them again. */
export function createSeenMail(): SeenMail {
  const seen = new Set<string>()
  return {
    add(emailId) {
      if (emailId === null) return
      // Drops the oldest ids. Their messages would be fetched once more and then recognized as duplicates.
      if (seen.size >= seenMax) for (const oldest of [...seen].slice(0, seenMax / 10)) seen.delete(oldest)
      seen.add(emailId)
    },
    skips: ({ emailId, labels }) => labels.has('\\Draft') || (emailId !== null && seen.has(emailId)),
  }
}

interface SentFolderReader {
  /** Returns null if no copy was found or the folder could not be read. Null proves nothing. */
  find(tenant: Tenant, sendingAccountId: string, copy: CopyIds): Promise<{ messageId: string } | null>
  append(tenant: Tenant, sendingAccountId: string, raw: Buffer): Promise<void>
  /** Resolves once every copy is stored. */
  stop(): Promise<void>
}

/** A longer copy gets its own connection, because the shared one does not report new mail during an append. */
const lentBytesMax = 1024 * 1024
/** The largest number of mailboxes that append over their reading connection at the same time. */
const lentMax = 5_000
const noFolder = 'The mailbox has no folder for copies.'

interface SenderKey {
  tenant: Tenant
  sendingAccountId: string
}

/**
 * The Sent folder of each sender: finds copies that settle uncertain messages, and stores copies of sent messages. Copies use
 * the connection over which this process reads the mailbox, if it does.
 */
export function createSentFolder(app: App, mailboxes: OpenMailboxes): SentFolderReader {
  const lent = new Copies((key) => lend(mailboxes, JSON.parse(key) as SenderKey), { keptMs: 0, mailboxesMax: lentMax })
  const own = new Copies((key) => openForCopies(app, JSON.parse(key) as SenderKey))
  return {
    async find(tenant, sendingAccountId, copy) {
      const sent = await openSent(app, tenant, sendingAccountId).catch(() => null)
      if (sent === null) return null
      try {
        return await sent.session.findCopy(sent.folder, copy)
      } catch {
        return null
      } finally {
        await sent.session.close()
      }
    },
    async append({ accountId, environment }, sendingAccountId, raw) {
      const sender: SenderKey = { tenant: { accountId, environment }, sendingAccountId }
      const read = raw.length > lentBytesMax ? null : mailboxes.find(sender.tenant, sendingAccountId)
      if (read?.sentFolder === null) throw new Error(noFolder)
      const key = JSON.stringify(sender)
      if (read === null) return own.append(key, raw)
      return lent.append(key, raw).catch((error: Error) => {
        if (read.session.usable) throw error
        // The reader has closed the connection meanwhile.
        return own.append(key, raw)
      })
    },
    async stop() {
      await lent.stop()
      await own.stop()
    },
  }
}

function lend(mailboxes: OpenMailboxes, { tenant, sendingAccountId }: SenderKey): Promise<CopyTarget | null> {
  const read = mailboxes.find(tenant, sendingAccountId)
  if (read === null || read.sentFolder === null) return Promise.resolve(null)
  const { session, sentFolder } = read
  const append = (raw: Buffer) => session.append(sentFolder, raw, copyFlags)
  return Promise.resolve({ append, close: () => Promise.resolve() })
}

async function openForCopies(app: App, { tenant, sendingAccountId }: SenderKey): Promise<CopyTarget | null> {
  const sent = await openSent(app, tenant, sendingAccountId)
  if (sent === null) return null
  const { session, folder } = sent
  return { append: (raw) => session.append(folder, raw, copyFlags), close: () => session.close() }
}

async function openSent(app: App, tenant: Tenant, sendingAccountId: string) {
  const opened = await openInbox(app, tenant, sendingAccountId)
  if (opened.kind !== 'open') return null
  const { session } = opened
  try {
    const folder = opened.sentFolder ?? findSentFolder(await session.listFolders())
    if (folder !== null) return { session, folder }
  } catch (error) {
    await session.close()
    throw error
  }
  await session.close()
  return null
}

/** The usual names of the folder for sent messages, for servers that flag none. */
const sentNames = new Set(
  [
    ['sent', 'sent items', 'sent messages', 'sent mail', 'sent-mail'],
    ['gesendet', 'gesendete elemente', 'gesendete objekte', 'gesendete nachrichten'],
    ['envoyés', 'éléments envoyés', 'messages envoyés', 'courrier envoyé'],
    ['enviados', 'elementos enviados', 'mensajes enviados', 'itens enviados'],
    ['inviati', 'posta inviata', 'elementi inviati', 'verzonden', 'verzonden items'],
  ].flat(),
)

/** The folder for sent messages: the one that the server flags, else one with a usual name. Null if none is found. */
export function findSentFolder(folders: readonly MailFolder[]): string | null {
  const flagged = folders.find(({ use }) => use === 'sent')
  return (flagged ?? folders.find(hasSentName))?.path ?? null
}

function hasSentName({ path, use }: MailFolder): boolean {
  return (
    use === null &&
    sentNames.has(
      path
        .normalize('NFC')
        .toLowerCase()
        .replace(/^inbox[./]/, ''),
    )
  )
}
