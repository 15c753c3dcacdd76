/** A message in its SMTP wire format, without its end. */
export interface SmtpBody {
  bytes: Buffer
  /** The bytes that end the message: a dot on its own line. */
  terminator: Buffer
  /** Whether it has bytes that are not ASCII. */
  eightBit: boolean
}

const cr = 13
const lf = 10
const dot = 46

const afterLine = Buffer.from('.\r\n')
const afterCr = Buffer.from('\n.\r\n')
const afterText = Buffer.from('\r\n.\r\n')
const inserted = { cr: Buffer.from('\r'), lf: Buffer.from('\n'), dot: Buffer.from('.'), lfDot: Buffer.from('\n.') }

/**
 * Doubles leading dots and ends every line with CRLF. A lone CR also counts as a line end: a server that accepts it as one would
 * otherwise see the end of the message if a dot follows.
 */
export function encodeBody(raw: Buffer): SmtpBody {
  const pieces: Buffer[] = []
  let from = 0
  let bits = 0
  let before = lf
  for (let at = 0; at < raw.length; at++) {
    const byte = raw[at] as number
    bits |= byte
    const missing = missingBefore(byte, before)
    if (missing !== null) {
      pieces.push(raw.subarray(from, at), missing)
      from = at
    }
    before = byte
  }
  return {
    bytes: pieces.length === 0 ? raw : Buffer.concat([...pieces, raw.subarray(from)]),
    // For an empty message, `before` says that a line has ended, but no bytes were written for it.
    terminator: raw.length === 0 ? afterText : before === lf ? afterLine : before === cr ? afterCr : afterText,
    eightBit: bits > 127,
  }
}

function missingBefore(byte: number, before: number): Buffer | null {
  if (before === cr) return byte === lf ? null : byte === dot ? inserted.lfDot : inserted.lf
  if (byte === lf) return inserted.cr
  return byte === dot && before === lf ? inserted.dot : null
}
