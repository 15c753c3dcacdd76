import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { IssuedTokens } from './issued-tokens.ts'
import { gmail } from './provider-words.ts'
import type { DoubleMessage } from './imap-syntax.ts'
import { ImapConversation, type DoubleMailbox } from './imap-conversation.server.ts'
import type { ImapWords } from './imap-login.ts'

export interface ImapDoubleOptions {
  /** Passwords by login. */
  users: Record<string, string>
  /** Access tokens by login; no password mechanism accepts them. */
  tokens?: IssuedTokens
  /** Greeting, capabilities and refusal of a real server. Default: Gmail's refusal of a token, and a server with every feature. */
  words?: ImapWords
  /** Folders besides INBOX, with their special use. */
  folders?: { path: string; use?: string }[]
  capabilities?: string[]
  /** Search results contain each UID twice, as with some servers. */
  repeatUids?: boolean
  /** STATUS always reports an empty folder, like the stale cache of some servers. */
  staleStatus?: boolean
}

interface DeliveryOptions extends Partial<Pick<DoubleMessage, 'internalDate' | 'emailId' | 'labels' | 'category'>> {
  folder?: string
  silent?: boolean
}

export interface ImapDouble {
  readonly port: number
  /** Every received command line without its tag; logins without their secrets. */
  readonly commands: string[]
  /** Mechanisms of all logins, in order. */
  readonly mechanisms: readonly string[]
  readonly openConnections: number
  /** Open connections that idle. */
  readonly idleConnections: number
  /** Puts a message into a folder, notifies the connections that idle in it, and returns its UID. */
  deliver(user: string, raw: string | Buffer, options?: DeliveryOptions): number
  messages(user: string, folder: string): { uid: number; raw: Buffer; flags: string[] }[]
  /** Replaces every UID of a folder, as after a restored backup. */
  renewUidValidity(user: string, folder: string): void
  /** Drops the connection once, right after it reads this command (`before`) or responds to it (`after`). */
  dropAt(command: string, when: 'before' | 'after'): void
  /** Ignores this command once, without a response. */
  stallAt(command: string): void
  dropAll(): void
  /** Rejects if an access token was sent as a password. */
  stop(): Promise<void>
}

const defaultCapabilities = ['IMAP4rev1', 'IDLE', 'SPECIAL-USE', 'UIDPLUS', 'SASL-IR', 'AUTH=PLAIN', 'AUTH=XOAUTH2']

const defaultFolders = [
  { path: 'Sent', use: '\\Sent' },
  { path: 'Junk', use: '\\Junk' },
]

/** An IMAP server in this process for machines without Dovecot. Loopback only. */
export async function startImapDouble(options: ImapDoubleOptions): Promise<ImapDouble> {
  const mailboxes = new Map<string, Map<string, DoubleMailbox>>()
  const folders = options.folders ?? defaultFolders
  for (const user of [...Object.keys(options.users), ...Object.keys(options.tokens ?? {})]) {
    const own = new Map<string, DoubleMailbox>()
    for (const folder of [{ path: 'INBOX' }, ...folders])
      own.set(folder.path, newMailbox(folder.path, 'use' in folder ? folder.use : undefined))
    mailboxes.set(user, own)
  }
  const commands: string[] = []
  const mechanisms: string[] = []
  const leaks: string[] = []
  const faults: { command: string; kind: 'before' | 'after' | 'stall' }[] = []
  const conversations = new Set<ImapConversation>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const conversation = new ImapConversation(socket, {
      users: options.users,
      mailboxes,
      tokens: options.tokens ?? {},
      mechanisms,
      leaks,
      words: options.words ?? createWords(options.capabilities ?? defaultCapabilities),
      commands,
      repeatUids: options.repeatUids ?? false,
      staleStatus: options.staleStatus ?? false,
      takeFault(command) {
        const index = faults.findIndex((fault) => fault.command === command)
        return index < 0 ? null : (faults.splice(index, 1)[0]?.kind ?? null)
      },
      changed: (mailbox) => conversations.forEach((other) => other.tell(mailbox)),
    })
    conversations.add(conversation)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      conversations.delete(conversation)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const findMailbox = (user: string, folder: string): DoubleMailbox => {
    const found = mailboxes.get(user)?.get(folder)
    if (found === undefined) throw new Error(`No folder ${folder} of ${user}.`)
    return found
  }
  return {
    port: (server.address() as AddressInfo).port,
    commands,
    mechanisms,
    get openConnections() {
      return sockets.size
    },
    get idleConnections() {
      return [...conversations].filter((conversation) => conversation.idle).length
    },
    deliver(user, raw, { folder = 'INBOX', internalDate = new Date(), silent = false, ...gmail } = {}) {
      const mailbox = findMailbox(user, folder)
      const uid = mailbox.uidNext++
      mailbox.messages.push({ uid, raw: Buffer.from(raw as string), flags: [], internalDate, ...gmail })
      if (!silent) for (const conversation of conversations) conversation.tell(mailbox)
      return uid
    },
    messages: (user, folder) => findMailbox(user, folder).messages,
    renewUidValidity(user, folder) {
      const mailbox = findMailbox(user, folder)
      mailbox.uidValidity++
      mailbox.messages.forEach((message, index) => (message.uid = index + 1))
      mailbox.uidNext = mailbox.messages.length + 1
    },
    dropAt: (command, when) => void faults.push({ command, kind: when }),
    stallAt: (command) => void faults.push({ command, kind: 'stall' }),
    dropAll: () => sockets.forEach((socket) => socket.destroy()),
    async stop() {
      sockets.forEach((socket) => socket.destroy())
      await new Promise((resolve) => server.close(resolve))
      if (leaks.length > 0) throw new Error(`An access token was sent by ${leaks.join(', ')}.`)
    },
  }
}

function createWords(capabilities: readonly string[]): ImapWords {
  const { tokenChallenge, refused } = gmail.imap
  return { greeting: `* OK [CAPABILITY ${capabilities.join(' ')}] ready`, capabilities, tokenChallenge, refused }
}

function newMailbox(path: string, use: string | undefined): DoubleMailbox {
  return { path, use, uidValidity: 1, uidNext: 1, messages: [] }
}
