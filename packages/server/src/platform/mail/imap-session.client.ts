import { minuteMs } from '@overture/ground/time/spans.ts'
import type { ImapFlow } from 'imapflow'
import { foreignText } from '@overture/ground/text/foreign-text.ts'
import { monotonicMs } from '../clock.ts'
import { addressesTriedMax, checkTarget, type Reach } from './network-guard.client.ts'
import { tlsOptions, type MailAuth, type MailSecurity } from './smtp-connect.client.ts'
import { imapFailure, type ImapFailure } from './imap-failure.client.ts'
import {
  fetchMessage,
  findCopy,
  findReceived,
  type CopyIds,
  type ReceivedCopy,
  readNew,
  type FetchedMail,
  type MessageToFetch,
  type NewMail,
  type ReadNewInput,
} from './imap-read.client.ts'
import { folderUse, type MailFolder } from './imap-folders.ts'
import { loginTurns } from './login-turns.ts'

export type { ImapFailure } from './imap-failure.client.ts'
export { UidValidityChanged } from './imap-read.client.ts'
export type { MailFolder } from './imap-folders.ts'
export type { ReceivedCopy } from './imap-read.client.ts'
export type { FetchedMail, LabelledMail, NewMail, ReadNewInput } from './imap-read.client.ts'

export interface ImapConnectOptions {
  host: string
  port: number
  security: MailSecurity
  auth: MailAuth
  /** The limit for name lookup, TCP, TLS, greeting and login together, over all addresses. */
  connectTimeoutMs: number
  reach: Reach
  /** The largest number of bytes of one message; a longer one is cut and marked. Default 24 MiB. */
  messageBytesMax?: number
}

interface FolderState {
  uidValidity: string
  /** The highest UID assigned so far, even if its message was deleted. */
  highestUid: number
}

export interface MailboxSession {
  readonly usable: boolean
  listFolders(): Promise<MailFolder[]>
  createFolder(path: string): Promise<void>
  readNew(input: ReadNewInput): Promise<NewMail>
  /** The state of a folder without selecting it (RFC 3501 6.3.10); null if the server does not report it. */
  findState(folder: string): Promise<FolderState | null>
  /** Fetches one message; null if it was deleted. Throws `UidValidityChanged` if its UID is no longer valid. */
  fetch(message: MessageToFetch): Promise<FetchedMail | null>
  /**
   * Selects a folder and idles in it now, and again after every other call. Calls `onChange` for new mail, and every `pollMs`
   * anyway, because servers miss notifications.
   */
  watch(folder: string, options: { onChange: () => void; pollMs: number }): Promise<void>
  /** Returns the Message-ID of the copy that has exactly one of these ids (brackets included), or null. */
  findCopy(folder: string, ids: CopyIds): Promise<{ messageId: string } | null>
  /** Finds the message with this token in a folder that is opened for reading only (EXAMINE). */
  findReceived(folder: string, ref: string, since: Date): Promise<ReceivedCopy | null>
  /** Stores a message. Returns its UID if the server reports it. */
  append(folder: string, raw: Buffer, flags: readonly string[]): Promise<number | null>
  onClose(callback: (failure: ImapFailure) => void): void
  close(): Promise<void>
}

export type OpenedMailbox = { kind: 'open'; mailbox: MailboxSession } | ImapFailure

const autoIdleDelayMs = 50
// Below the 30 minutes after which servers log out, and below the idle timeout of most NAT routers.
const idleRenewMs = 4 * minuteMs
const messageBytesDefault = 24 * 1024 * 1024
const closeTimeoutMs = 2_000

/**
 * Connects, secures and logs in when the server's login queue allows it. Failures are results; calls on an open session throw if
 * it breaks.
 */
export function openMailbox(options: ImapConnectOptions): Promise<OpenedMailbox> {
  return loginTurns.run(options, () => connectAndLogIn(options))
}

async function connectAndLogIn(options: ImapConnectOptions): Promise<OpenedMailbox> {
  const { host, port, reach, connectTimeoutMs } = options
  const endMs = monotonicMs() + connectTimeoutMs
  const checked = await checkTarget({ host, port }, reach, connectTimeoutMs)
  if (checked.kind !== 'allowed') {
    const reason = checked.kind === 'forbidden' ? 'forbidden_target' : 'unresolved'
    return { kind: 'failed', stage: 'connect', reason, message: checked.message }
  }
  const ownCertificate = reach.allowPrivate && checked.target.loopback
  const addresses = checked.target.addresses.slice(0, addressesTriedMax)
  let failure: ImapFailure | null = null
  for (const [index, address] of addresses.entries()) {
    const leftMs = Math.max(endMs - monotonicMs(), 1)
    // Each address gets a share of the time, so that one that drops packets leaves time for the next.
    const connectMs = leftMs / (addresses.length - index)
    const client = await createClient(options, address, { ownCertificate, connectMs })
    failure = await connect(client, leftMs)
    if (failure === null)
      return { kind: 'open', mailbox: new ImapSession(client, options.messageBytesMax ?? messageBytesDefault) }
    if (failure.kind === 'refused') break
  }
  return failure ?? { kind: 'failed', stage: 'connect', reason: 'closed', message: 'No address to connect to.' }
}

async function createClient(
  options: ImapConnectOptions,
  address: string,
  { ownCertificate, connectMs }: { ownCertificate: boolean; connectMs: number },
): Promise<ImapFlow> {
  // Imported with the first mailbox, because the module takes 5 MB of memory.
  const { ImapFlow } = await import('imapflow')
  const { auth, security } = options
  const tls = tlsOptions(options.host, ownCertificate)
  const client = new ImapFlow({
    host: address,
    servername: tls.servername,
    port: options.port,
    secure: security === 'tls',
    doSTARTTLS: security === 'starttls' ? true : security === 'none' ? false : undefined,
    tls: { rejectUnauthorized: tls.rejectUnauthorized, minVersion: tls.minVersion },
    auth:
      auth.kind === 'password'
        ? { user: auth.username, pass: auth.password }
        : { user: auth.username, accessToken: auth.accessToken },
    clientInfo: { name: 'Overture' },
    logger: false,
    disableCompression: true,
    autoIdleDelay: autoIdleDelayMs,
    maxIdleTime: idleRenewMs,
    missingIdleCommand: 'NOOP',
    connectionTimeout: Math.ceil(connectMs),
    greetingTimeout: options.connectTimeoutMs,
    // The response of a partial fetch is a little longer than the requested bytes.
    maxLiteralSize: (options.messageBytesMax ?? messageBytesDefault) + 1024 * 1024,
  })
  // Without a listener, the error of a lost idle connection would end the process. `onClose` reports the loss.
  client.on('error', () => {})
  return client
}

async function connect(client: ImapFlow, timeoutMs: number): Promise<ImapFailure | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(Object.assign(new Error('The server did not answer in time.'), { code: 'ETIMEDOUT' })),
      timeoutMs,
    )
  })
  try {
    await Promise.race([client.connect(), late])
    return null
  } catch (error) {
    client.close()
    return imapFailure(error, 'connect')
  } finally {
    clearTimeout(timer)
  }
}

class ImapSession implements MailboxSession {
  readonly #client: ImapFlow
  readonly #bytesMax: number
  #watched: { folder: string; onChange: () => void; poll: NodeJS.Timeout } | null = null

  constructor(client: ImapFlow, bytesMax: number) {
    this.#client = client
    this.#bytesMax = bytesMax
    client.on('exists', (event) => {
      if (this.#watched !== null && event.path === this.#watched.folder) this.#watched.onChange()
    })
    client.on('close', () => this.#stopPolling())
  }

  get usable(): boolean {
    return this.#client.usable
  }

  async listFolders(): Promise<MailFolder[]> {
    const folders = await this.#client.list()
    return (
      folders
        // Skips a name that changes when it is cleaned: the server would not know the cleaned name.
        .filter((folder) => !folder.flags.has('\\Noselect') && folder.path === foreignText(folder.path))
        .map((folder) => ({ path: folder.path, use: folderUse(folder.path, folder.specialUse) }))
    )
  }

  async createFolder(path: string): Promise<void> {
    await this.#client.mailboxCreate(path)
  }

  readNew(input: ReadNewInput): Promise<NewMail> {
    const client = this.#client
    const bytesMax = this.#bytesMax
    const inFolder = this.#inFolder
    return inFolder(input.folder, () => readNew(client, input, { bytesMax, inFolder }))
  }

  async findState(folder: string): Promise<FolderState | null> {
    const status = await this.#client.status(folder, { uidNext: true, uidValidity: true })
    if (status === false || status.uidNext === undefined || status.uidValidity === undefined) return null
    return { uidValidity: status.uidValidity.toString(), highestUid: status.uidNext - 1 }
  }

  fetch(message: MessageToFetch): Promise<FetchedMail | null> {
    const bytesMax = Math.min(message.bytesMax, this.#bytesMax)
    return this.#inFolder(message.folder, () => fetchMessage(this.#client, { ...message, bytesMax }))
  }

  async watch(folder: string, { onChange, pollMs }: { onChange: () => void; pollMs: number }): Promise<void> {
    this.#stopPolling()
    await select(this.#client, folder)
    this.#watched = { folder, onChange, poll: setInterval(onChange, pollMs) }
    this.#watched.poll.unref()
    this.#client.idle().catch(() => {})
  }

  findCopy(folder: string, ids: CopyIds): Promise<{ messageId: string } | null> {
    return this.#inFolder(folder, () => findCopy(this.#client, ids))
  }

  async findReceived(folder: string, ref: string, since: Date): Promise<ReceivedCopy | null> {
    const lock = await this.#client.getMailboxLock(folder, { readOnly: true })
    try {
      return await findReceived(this.#client, ref, since)
    } finally {
      lock.release()
    }
  }

  async append(folder: string, raw: Buffer, flags: readonly string[]): Promise<number | null> {
    const stored = await this.#client.append(folder, raw, [...flags])
    return stored === false ? null : (stored.uid ?? null)
  }

  onClose(callback: (failure: ImapFailure) => void): void {
    let failure: ImapFailure = {
      kind: 'failed',
      stage: 'session',
      reason: 'closed',
      message: 'The server closed the connection.',
    }
    this.#client.on('error', (error) => {
      failure = imapFailure(error, 'session')
    })
    this.#client.once('close', () => callback(failure))
  }

  close(): Promise<void> {
    return logout(this.#client)
  }

  #stopPolling(): void {
    if (this.#watched !== null) clearInterval(this.#watched.poll)
  }

  // Other folders are read under a lock. Afterwards the client selects the watched folder again and continues idling.
  readonly #inFolder = async <Result>(folder: string, run: () => Promise<Result>): Promise<Result> => {
    const lock = await this.#client.getMailboxLock(folder)
    try {
      return await run()
    } finally {
      lock.release()
      const watched = this.#watched
      if (watched !== null && watched.folder !== folder && this.#client.usable)
        await select(this.#client, watched.folder)
    }
  }
}

async function select(client: ImapFlow, folder: string): Promise<void> {
  const lock = await client.getMailboxLock(folder)
  lock.release()
}

async function logout(client: ImapFlow): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, closeTimeoutMs)
  })
  await Promise.race([client.logout().catch(() => {}), late])
  clearTimeout(timer)
  client.close()
}
