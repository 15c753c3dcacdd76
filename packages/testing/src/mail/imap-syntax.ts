export interface DoubleMessage {
  uid: number
  raw: Buffer
  flags: string[]
  internalDate: Date
  /** Gmail's id of the message (X-GM-EXT-1). */
  emailId?: string
  labels?: readonly string[]
  /** The tab of Gmail's inbox that shows the message. IMAP names it in no label. Default: primary. */
  category?: GmailCategory
}

export type GmailCategory = 'primary' | 'social' | 'promotions' | 'updates' | 'forums'

/** Atoms and quoted strings of a command's arguments, unquoted. */
export function tokenize(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|[^\s()]+/g)].map((match) =>
    match[1] === undefined ? match[0] : match[1].replace(/\\(.)/g, '$1'),
  )
}

/** Splits the items of a FETCH, including those with brackets: `(UID BODY.PEEK[HEADER.FIELDS (FROM)])`. */
export function parseList(text: string): string[] {
  return [
    ...text
      .trim()
      .replace(/^\((.*)\)$/, '$1')
      .matchAll(/[\w.-]+(?:\[[^\]]*\])?(?:<[\d.]+>)?/g),
  ].map((match) => match[0])
}

/** Whether a sequence set such as `1,4:7,9:*` contains a number; `*` is the last one. */
export function sequenceHas(set: string, number: number, last: number): boolean {
  return set.split(',').some((part) => {
    const [from = 0, to = from] = part.split(':').map((edge) => (edge === '*' ? last : Number(edge)))
    return number >= Math.min(from, to) && number <= Math.max(from, to)
  })
}

/** Whether a message has the headers that a SEARCH requires: any of them after OR, else all (RFC 3501, 6.4.4). */
export function hasHeaders(search: string, raw: Buffer): boolean {
  const head = messageHead(raw)
    .toLowerCase()
    .replaceAll(/\r?\n[ \t]+/g, ' ')
  const found = [...search.matchAll(/\bHEADER "?([\w-]+)"? (?:"([^"]*)"|([^\s()]+))/gi)].map((match) => {
    const [, name = '', quoted, bare = ''] = match
    return head
      .split(/\r?\n/)
      .some((line) => line.startsWith(`${name.toLowerCase()}:`) && line.includes((quoted ?? bare).toLowerCase()))
  })
  return found.length === 0 || (/\bOR\b/.test(search) ? found.some(Boolean) : found.every(Boolean))
}

/**
 * Whether a message is found by the `X-GM-RAW` of a SEARCH, which has the words of Gmail's search field. True without one. Throws for words
 * that this double does not know, because Gmail would search for them.
 */
export function matchesGmailSearch(search: string, { category = 'primary' }: DoubleMessage): boolean {
  const [, quoted, bare] = /\bX-GM-RAW (?:"((?:[^"\\]|\\.)*)"|(\S+))/i.exec(search) ?? []
  const words = quoted ?? bare
  if (words === undefined) return true
  const [, not, wanted] = /^(-?)category:(primary|social|promotions|updates|forums)$/i.exec(words) ?? []
  if (wanted === undefined) throw new Error(`The double can't search for ${words}.`)
  return (category === wanted.toLowerCase()) === (not === '')
}

/** One item of a FETCH response with its leading space; empty for an unknown item. */
export function fetchItem(item: string, message: DoubleMessage): Buffer {
  const name = item.toUpperCase()
  if (name === 'FLAGS') return Buffer.from(` FLAGS (${message.flags.join(' ')})`)
  if (name === 'RFC822.SIZE') return Buffer.from(` RFC822.SIZE ${message.raw.length}`)
  if (name === 'INTERNALDATE') return Buffer.from(` INTERNALDATE "${internalDate(message.internalDate)}"`)
  if (name === 'X-GM-MSGID') return Buffer.from(` X-GM-MSGID ${message.emailId ?? `9${message.uid}`}`)
  if (name === 'X-GM-LABELS')
    return Buffer.from(
      ` X-GM-LABELS (${(message.labels ?? []).map((label) => `"${label.replaceAll('\\', '\\\\')}"`).join(' ')})`,
    )
  const body = /^BODY(?:\.PEEK)?\[([^\]]*)\](?:<(\d+)\.(\d+)>)?$/i.exec(item)
  if (body === null) return Buffer.alloc(0)
  const section = (body[1] ?? '').toUpperCase()
  const whole = section.startsWith('HEADER')
    ? Buffer.from(`${pickHeaders(section, messageHead(message.raw))}\r\n\r\n`, 'latin1')
    : message.raw
  const start = Number(body[2] ?? 0)
  const bytes = body[2] === undefined ? whole : whole.subarray(start, start + Number(body[3]))
  const label = body[2] === undefined ? `BODY[${body[1]}]` : `BODY[${body[1]}]<${start}>`
  return Buffer.concat([Buffer.from(` ${label} {${bytes.length}}\r\n`), bytes])
}

function pickHeaders(section: string, head: string): string {
  const names = /FIELDS \(([^)]*)\)/.exec(section)?.[1]?.replaceAll('"', '').split(' ') ?? []
  return head
    .split(/\r?\n(?![ \t])/)
    .filter((line) => names.length === 0 || names.includes((line.split(':')[0] ?? '').toUpperCase()))
    .join('\r\n')
}

/** The header section as text. */
export function messageHead(raw: Buffer): string {
  return raw.toString('latin1').split(/\r?\n\r?\n/, 1)[0] ?? ''
}

function internalDate(date: Date): string {
  const [, day = '', month = '', year = '', time = ''] =
    /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(date.toUTCString()) ?? []
  return `${day}-${month}-${year} ${time} +0000`
}
