import { cleanFilename } from './filename.ts'
import { decodeTransfer, decodeWords } from './mime-decode.ts'
import { readParameters } from './mime-headers.ts'
import { findHeader, type MimePart } from './mime.ts'

/** The limit per message. Further attachments are not listed. */
export const attachmentsMax = 100
const contentTypeCharsMax = 100
const fallbackType = 'application/octet-stream'

export interface FoundAttachment {
  filename: string
  /** `type/subtype`, as the sender calls it. */
  contentType: string
  /** In bytes, after decoding. */
  size: number
  /** Whether this is the last part. If the message was cut, this file was cut. */
  isLast: boolean
}

/** The file extensions of attachments without a name. */
const endings: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'message/rfc822': 'eml',
  'text/calendar': 'ics',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/plain': 'txt',
}

/** The files of a message in order, as a mail program lists them. Each enclosed message is one file; reports have none. */
export function listAttachments(root: MimePart): FoundAttachment[] {
  const parts = attachmentParts(root)
  const last = lastPart(root)
  return parts.map((part, at) => ({
    filename: chooseFilename(part, at + 1),
    contentType: readContentType(part),
    size: decodeContent(part).byteLength,
    isLast: part === last,
  }))
}

/** The bytes of file number `n`, counted from 1. Null if there is none. */
export function readAttachment(root: MimePart, n: number): Uint8Array | null {
  const part = attachmentParts(root)[n - 1]
  return part === undefined ? null : decodeContent(part)
}

function attachmentParts(root: MimePart): MimePart[] {
  return root.type === 'multipart/report' ? [] : [...files(root)].slice(0, attachmentsMax)
}

// An enclosed message is one file, whatever it contains.
function* files(part: MimePart): Generator<MimePart> {
  if (part.type.startsWith('multipart/')) for (const child of part.parts) yield* files(child)
  else if (part.attachment || givenName(part) !== '' || !part.type.startsWith('text/')) yield part
}

function lastPart(part: MimePart): MimePart {
  const child = part.type.startsWith('multipart/') ? part.parts.at(-1) : undefined
  return child === undefined ? part : lastPart(child)
}

function decodeContent(part: MimePart): Uint8Array {
  return decodeTransfer(part.body, findHeader(part, 'content-transfer-encoding'))
}

function readContentType({ type }: MimePart): string {
  return type.length <= contentTypeCharsMax ? type : fallbackType
}

function chooseFilename(part: MimePart, n: number): string {
  const given = cleanFilename(givenName(part))
  if (given !== '') return given
  const ending = endings[part.type]
  if (part.type === 'message/rfc822') {
    const subject = findHeader(part.parts[0] ?? part, 'subject') ?? ''
    const title = decodeWords(subject).replaceAll(/[/\\]/g, '-')
    if (cleanFilename(title) !== '') return cleanFilename(`${title}.eml`)
  }
  return ending === undefined ? `attachment-${n}` : `attachment-${n}.${ending}`
}

// The name in the disposition (RFC 2183), else the one in the type, as older programs write it. It may be encoded in any way or
// not at all.
function givenName(part: MimePart): string {
  const disposition = readParameters(findHeader(part, 'content-disposition') ?? '').parameters
  const name = disposition.get('filename') ?? part.parameters.get('name') ?? ''
  const isDecoded = /[\u0100-\uffff]/.test(name)
  return (isDecoded ? name : decodeWords(name)).trim()
}
