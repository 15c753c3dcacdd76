import type { FetchMessageObject, ImapFlow } from 'imapflow'
import { foreignText } from '@overture/ground/text/foreign-text.ts'

export interface FetchedMail {
  uid: number
  raw: Buffer
  /** Whether only the first bytes were read, up to the limit. */
  truncated: boolean
  /** Size of the whole message in bytes, as the server reports it. */
  sizeBytes: number
  internalDate: Date | null
  /** The id of the message at Gmail or by RFC 8474, the same in every folder; null if the server has none. */
  emailId: string | null
}

/** The id and labels that Gmail reports of a message in All Mail before it is fetched. */
export interface LabelledMail {
  emailId: string | null
  labels: ReadonlySet<string>
}

export interface NewMail {
  /** Store it with the last UID: a UID is only valid together with its UIDVALIDITY. */
  uidValidity: string
  /** True if the folder was never read or its UIDs were reassigned, so it is read from `since`. */
  reset: boolean
  /** The UIDs of the messages, ascending. */
  uids: number[]
  /** The highest UID assigned so far. Store it after all messages were read, so that older mail is not read later. */
  highestUid: number
  /** Throws if the connection breaks; messages yielded before remain valid. */
  messages: AsyncGenerator<FetchedMail>
}

export interface ReadNewInput {
  folder: string
  /** The stored value; null if the folder was never read. */
  uidValidity: string | null
  /** The highest UID read so far. */
  lastUid: number
  /** The date from which a first reading starts. */
  since: Date
  /** Called before a message is fetched, if the server has labels. Returning true skips the message. */
  skip?: (mail: LabelledMail) => boolean
  /** The largest number of bytes of one message. A longer one is cut and marked. Defaults to the limit of the connection. */
  bytesMax?: number
  /** Called before a message is fetched. Resolving to false skips the message. */
  begin?: (uid: number) => Promise<boolean>
}

export interface MessageToFetch {
  folder: string
  uidValidity: string
  uid: number
  bytesMax: number
}

const labelsAtOnce = 500

/** Searches the selected folder for new mail now. The generator fetches the messages one by one as they are consumed. */
export async function readNew(
  client: ImapFlow,
  input: ReadNewInput,
  tools: { bytesMax: number; inFolder: <Result>(folder: string, run: () => Promise<Result>) => Promise<Result> },
): Promise<NewMail> {
  const mailbox = client.mailbox
  if (mailbox === false) throw new Error('No folder is selected.')
  const uidValidity = mailbox.uidValidity.toString()
  const reset = input.uidValidity !== uidValidity
  // If nothing was read yet, the date bounds the search: `1:*` would fetch the mail of years.
  const known = reset ? 0 : input.lastUid
  const found = await client.search(known === 0 ? { since: input.since } : { uid: `${known + 1}:*` }, { uid: true })
  if (!Array.isArray(found)) throw new Error('The server refused to search the folder.')
  // `n:*` includes the last message even if its UID is below n, and a folder may list a UID twice.
  const uids = [...new Set(found)].filter((uid) => uid > known).sort((a, b) => a - b)
  const bytesMax = Math.min(tools.bytesMax, input.bytesMax ?? tools.bytesMax)
  async function* messages(): AsyncGenerator<FetchedMail> {
    const { skip, folder } = input
    const skipped = skip === undefined ? new Set() : await tools.inFolder(folder, () => skippedUids(client, uids, skip))
    for (const uid of uids) {
      if (skipped.has(uid) || (await input.begin?.(uid)) === false) continue
      const mail = await tools.inFolder(folder, () => fetchMessage(client, { folder, uidValidity, uid, bytesMax }))
      if (mail !== null) yield mail
    }
  }
  // Some servers do not report UIDNEXT.
  const uidNext = mailbox.uidNext || 1
  return {
    uidValidity,
    reset,
    uids,
    highestUid: Math.max(uidNext - 1, known, uids.at(-1) ?? 0),
    messages: messages(),
  }
}

/** A message of the selected folder; null if it no longer exists. */
export async function fetchMessage(
  client: ImapFlow,
  { uidValidity, uid, bytesMax }: MessageToFetch,
): Promise<FetchedMail | null> {
  const current = client.mailbox
  // The folder was recreated meanwhile, so these UIDs now belong to other messages.
  if (current === false || current.uidValidity.toString() !== uidValidity)
    throw new UidValidityChanged('UIDVALIDITY changed while reading.')
  const query = { uid: true, size: true, internalDate: true, source: { start: 0, maxLength: bytesMax } }
  const fetched = await client.fetchOne(uid, query, { uid: true })
  return fetched === false || fetched === undefined ? null : toFetched(fetched, bytesMax)
}

export class UidValidityChanged extends Error {}

async function skippedUids(
  client: ImapFlow,
  uids: readonly number[],
  skip: (mail: LabelledMail) => boolean,
): Promise<Set<number>> {
  const skipped = new Set<number>()
  if (!client.capabilities.has('X-GM-EXT-1')) return skipped
  for (let at = 0; at < uids.length; at += labelsAtOnce) {
    const range = uids.slice(at, at + labelsAtOnce).join(',')
    for await (const { uid, emailId, labels } of client.fetch(range, { uid: true, labels: true }, { uid: true }))
      if (skip({ emailId: namedBy({ emailId }), labels: labels ?? new Set() })) skipped.add(uid)
  }
  return skipped
}

/** Returns null if the message was deleted meanwhile. */
function toFetched(fetched: FetchMessageObject, bytesMax: number): FetchedMail | null {
  if (fetched.source === undefined) return null
  const sizeBytes = fetched.size ?? fetched.source.length
  const internalDate = new Date(fetched.internalDate ?? Number.NaN)
  return {
    uid: fetched.uid,
    raw: fetched.source,
    truncated: sizeBytes > bytesMax,
    sizeBytes,
    internalDate: Number.isNaN(internalDate.getTime()) ? null : internalDate,
    emailId: namedBy(fetched),
  }
}

function namedBy({ emailId }: { emailId?: string | undefined }): string | null {
  return emailId === undefined ? null : foreignText(emailId)
}

/** The ids in a copy of our message: its Message-ID, which servers may replace, and `X-Overture-Ref`, which they keep. */
export interface CopyIds {
  rfcMessageId: string
  ref: string
}

const refHeader = 'x-overture-ref'
/** The header in which Microsoft keeps a Message-ID that it replaced. */
const ownHeaders = ['message-id', 'x-microsoft-original-message-id']
const copiesMax = 20

/** Returns the Message-ID of the copy in the selected folder that has exactly one of these ids. */
export async function findCopy(client: ImapFlow, ids: CopyIds): Promise<{ messageId: string } | null> {
  const sought = [...ownHeaders.map((name) => [name, ids.rfcMessageId] as const), [refHeader, ids.ref] as const]
  const query = { or: sought.map(([name, value]) => ({ header: { [name]: value } })) }
  const found = await client.search(query, { uid: true })
  // SEARCH matches any part of a header, so the whole value is compared here.
  for (const uid of (found === false || found === undefined ? [] : found).slice(-copiesMax)) {
    const headers = [...ownHeaders, refHeader]
    const fetched = await client.fetchOne(uid, { uid: true, headers }, { uid: true })
    const text = fetched === false || fetched === undefined ? '' : (fetched.headers?.toString('latin1') ?? '')
    const values = headerValues(text)
    const messageId = values.get('message-id')
    if (messageId !== undefined && sought.some(([name, value]) => values.get(name) === value)) return { messageId }
  }
  return null
}

export interface ReceivedCopy {
  /** The headers, up to the limit. */
  headers: Buffer
  receivedAt: Date | null
  /** Whether Gmail shows the message in another category than Primary. */
  inCategory: boolean
}

const headerBytesMax = 256 * 1024

/** Finds the message with this token in the selected folder. Reads its headers and changes nothing. */
export async function findReceived(client: ImapFlow, ref: string, since: Date): Promise<ReceivedCopy | null> {
  const found = await client.search({ since, header: { [refHeader]: ref } }, { uid: true })
  for (const uid of (found === false || found === undefined ? [] : found).slice(-copiesMax)) {
    const query = { uid: true, internalDate: true, source: { start: 0, maxLength: headerBytesMax } }
    const fetched = await client.fetchOne(uid, query, { uid: true })
    if (fetched === false || fetched === undefined || fetched.source === undefined) continue
    // SEARCH matches any part of a header, so the whole value is compared here.
    if (headerValues(fetched.source.toString('latin1')).get(refHeader) !== ref) continue
    const receivedAt = new Date(fetched.internalDate ?? Number.NaN)
    return {
      headers: fetched.source,
      receivedAt: Number.isNaN(receivedAt.getTime()) ? null : receivedAt,
      inCategory: await isInCategory(client, uid),
    }
  }
  return null
}

async function isInCategory(client: ImapFlow, uid: number): Promise<boolean> {
  if (!client.capabilities.has('X-GM-EXT-1')) return false
  const found = await client.search({ uid: String(uid), gmraw: '-category:primary' }, { uid: true })
  return Array.isArray(found) && found.includes(uid)
}

function headerValues(text: string): Map<string, string> {
  const lines = text.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  return new Map(
    lines.flatMap((line) => {
      const match = /^([\w-]{1,60}):\s{0,9}(\S{1,1000})/.exec(line)
      return match === null ? [] : [[match[1]!.toLowerCase(), match[2]!] as const]
    }),
  )
}
