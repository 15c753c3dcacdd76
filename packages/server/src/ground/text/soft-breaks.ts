/** The longest line of quoted-printable, including its soft break (RFC 2045, 6.7). */
const lineLengthMax = 76
const softBreak = '=\r\n'
const quotedPart = 'Content-Transfer-Encoding: quoted-printable'
/** The boundaries that `compose/message-bytes.ts` writes. */
const boundary = /^--[am]-[0-9a-f]{24}(?:--)?$/

/**
 * Breaks a quoted-printable line into lines of at most 76 characters. Stored messages are restored with this function
 * (`packed.ts`), so another way of breaking lines needs another mark there.
 */
export function breakSoftly(escaped: string): string {
  if (escaped.length <= lineLengthMax) return escaped
  const lines: string[] = []
  let start = 0
  while (escaped.length - start > lineLengthMax) {
    let end = start + lineLengthMax - 1
    // A line may end before an escape but not inside it.
    if (escaped[end - 1] === '=') end -= 1
    else if (escaped[end - 2] === '=') end -= 2
    lines.push(escaped.slice(start, end))
    start = end
  }
  lines.push(escaped.slice(start))
  return lines.join(softBreak)
}

/**
 * One of our messages without the soft breaks in its parts, whose places differ among messages of the same text. Null if it has
 * no soft breaks, or one in a place where we write none.
 */
export function withoutSoftBreaks(message: Buffer): Buffer | null {
  const text = message.toString('latin1')
  const joined = ofQuotedParts(text, (lines) => lines.join('\r\n').replaceAll(softBreak, ''))
  return joined.length < text.length && breakLines(joined) === text ? Buffer.from(joined, 'latin1') : null
}

/** Restores the message from the result of `withoutSoftBreaks`. */
export function withSoftBreaks(joined: Buffer): Buffer {
  return Buffer.from(breakLines(joined.toString('latin1')), 'latin1')
}

function breakLines(joined: string): string {
  return ofQuotedParts(joined, (lines) => lines.map(breakSoftly).join('\r\n'))
}

/** The message with changed lines in its quoted-printable parts. */
function ofQuotedParts(message: string, write: (lines: readonly string[]) => string): string {
  const written: string[] = []
  let quoted: string[] = []
  let place: 'header' | 'quoted header' | 'quoted' | 'other' = 'header'
  const endQuoted = (): void => {
    if (place === 'quoted') written.push(write(quoted))
    quoted = []
  }
  for (const line of message.split('\r\n')) {
    if (boundary.test(line)) {
      endQuoted()
      place = 'header'
    }
    if (place === 'quoted') {
      quoted.push(line)
      continue
    }
    written.push(line)
    if (place === 'header' && line === quotedPart) place = 'quoted header'
    else if (line === '') place = place === 'quoted header' ? 'quoted' : 'other'
  }
  endQuoted()
  return written.join('\r\n')
}
