/** The largest size of one reply, all lines together. RFC 5321 limits a line to 512 bytes. */
export const answerBytesMax = 64 * 1024

/** Splits the bytes of a server into replies, however the network fragments them. */
export class AnswerReader {
  /** Bytes as characters: they are decoded when the reply is complete. */
  #rest = ''
  /** The lines of a reply whose last line has not arrived. */
  #lines = ''

  /** Adds received bytes and calls `answer` for each complete reply. Returns false if a reply exceeds the size limit. */
  feed(bytes: Buffer, answer: (text: string) => void): boolean {
    const came = bytes.toString('latin1')
    // A line that arrives byte by byte is not searched from its beginning each time.
    if (!came.includes('\n')) {
      this.#rest += came
      return this.#rest.length <= answerBytesMax
    }
    const text = this.#rest + came
    let start = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const line = text.slice(start, text.charCodeAt(end - 1) === 13 ? end - 1 : end)
      start = end + 1
      if (isFollowed(line)) this.#lines += `${line}\n`
      else if (line.trim() !== '' || this.#lines !== '') this.#end(line, answer)
      if (this.#lines.length > answerBytesMax) return false
    }
    this.#rest = text.slice(start)
    return this.#rest.length <= answerBytesMax
  }

  #end(line: string, answer: (text: string) => void): void {
    const whole = this.#lines + line
    this.#lines = ''
    answer(decoded(whole))
  }
}

/** `250-…` announces more lines of the same reply. */
function isFollowed(line: string): boolean {
  return line.charCodeAt(3) === 45 && /^\d{3}-/.test(line)
}

/** Decodes as UTF-8 if the bytes are valid UTF-8, else as one character per byte. */
function decoded(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the whole of ASCII is meant
  if (/^[\u0000-\u007f]*$/.test(text)) return text
  const asUtf8 = Buffer.from(text, 'latin1').toString('utf8')
  return asUtf8.includes('\ufffd') ? text : asUtf8
}

/** The parts of a server's EHLO reply that a message needs. */
export interface SmtpExtensions {
  pipelining: boolean
  eightBitMime: boolean
  smtpUtf8: boolean
  /** Null if the server does not support SIZE; 0 if it has no limit. */
  sizeMax: number | null
}

export function parseExtensions(greeting: string): SmtpExtensions {
  // The first line is the greeting.
  const lines = greeting.split('\n').slice(1)
  const offered = new Map(
    lines
      .map((line) => /^\d{3}[ -](\S+)\s*(.*)$/.exec(line.trim()))
      .map((found) => [found?.[1]?.toUpperCase() ?? '', found?.[2] ?? '']),
  )
  const size = offered.get('SIZE')
  return {
    pipelining: offered.has('PIPELINING'),
    eightBitMime: offered.has('8BITMIME'),
    smtpUtf8: offered.has('SMTPUTF8'),
    sizeMax: size === undefined ? null : Number(/^\d{1,15}/.exec(size)?.[0] ?? 0),
  }
}
