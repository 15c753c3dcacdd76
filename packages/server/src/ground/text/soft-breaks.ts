/** What a line of quoted-printable may bear, its soft break included (RFC 2045, 6.7). */
const lineLengthMax = 76
const softBreak = '=\r\n'
const quotedPart = 'Content-Transfer-Encoding: quoted-printable'
/** As `compose/message-bytes.ts` writes them. */
const boundary = /^--[am]-[0-9a-f]{24}(?:--)?$/

/**
 * A line of quoted-printable, its escapes written, as lines of at most 76 characters. Stored messages are read by it
 * (`packed.ts`): who breaks lines in another way packs them under another mark.
 */
export function breakSoftly(escaped: string): string {
  if (escaped.length <= lineLengthMax) return escaped
  const lines: string[] = []
  let start = 0
  while (escaped.length - start > lineLengthMax) {
    let end = start + lineLengthMax - 1
    // A line ends before an escape, never inside it.
    if (escaped[end - 1] === '=') end -= 1
    else if (escaped[end - 2] === '=') end -= 2
    lines.push(escaped.slice(start, end))
    start = end
  }
  lines.push(escaped.slice(start))
  return lines.join(softBreak)
}

/**
 * A message of ours without the soft breaks of its parts, which fall elsewhere in each message of the same text; null: it
 * has none, or one where we write none.
 */
export function withoutSoftBreaks(message: Buffer): Buffer | null {
  const text = message.toString('latin1')
  const joined = ofQuotedParts(text, (lines) => lines.join('\r\n').replaceAll(softBreak, ''))
  return joined.length < text.length && breakLines(joined) === text ? Buffer.from(joined, 'latin1') : null
}

/** The message that they were taken out of. */
export function withSoftBreaks(joined: Buffer): Buffer {
  return Buffer.from(breakLines(joined.toString('latin1')), 'latin1')
}

function breakLines(joined: string): string {
  return ofQuotedParts(joined, (lines) => lines.map(breakSoftly).join('\r\n'))
}

/** The message with other lines in its parts that are quoted-printable. */
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
