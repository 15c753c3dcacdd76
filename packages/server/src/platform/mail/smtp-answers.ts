/** What a server may say in one answer, all of its lines together. RFC 5321 asks for lines of at most 512 bytes. */
export const answerBytesMax = 64 * 1024

/** Cuts what a server writes into answers, however it comes apart on its way. */
export class AnswerReader {
  /** Bytes as characters: what they mean is decided when the answer is whole. */
  #rest = ''
  /** Lines of an answer whose last line has not come. */
  #lines = ''

  /** Adds what has come; `answer` hears of each whole answer. False: an answer has no end. */
  feed(bytes: Buffer, answer: (text: string) => void): boolean {
    const came = bytes.toString('latin1')
    // A line that comes byte by byte is not searched from its beginning each time.
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

/** `250-…` says that more lines of this answer come. */
function isFollowed(line: string): boolean {
  return line.charCodeAt(3) === 45 && /^\d{3}-/.test(line)
}

/** UTF-8 where it is that, and else each byte by itself. */
function decoded(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the whole of ASCII is meant
  if (/^[\u0000-\u007f]*$/.test(text)) return text
  const asUtf8 = Buffer.from(text, 'latin1').toString('utf8')
  return asUtf8.includes('\ufffd') ? text : asUtf8
}

/** What a server offers in its answer to EHLO, as far as a message needs it. */
export interface SmtpExtensions {
  pipelining: boolean
  eightBitMime: boolean
  smtpUtf8: boolean
  /** Null: it does not take the size; 0: it has no limit. */
  sizeMax: number | null
}

export function extensionsOf(greeting: string): SmtpExtensions {
  // The first line greets.
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
