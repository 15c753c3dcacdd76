/** A line of pure base64 that is at least this long shows that the body continues. */
const surelyBase64Chars = 24
/** Words of a language are shorter than the lines of any encoder. */
const wordCharsMax = 20

/**
 * Decodes base64 as it occurs in mail: in several padded pieces, or with plain text above or below it, which is
 * dropped. Plain text that is declared as base64 stays as it is.
 */
export function decodeBase64Body(body: string): Buffer {
  if (!/[^A-Za-z0-9+/=\n]/.test(body)) return decodePieces(body)
  const lines = body.split('\n')
  const clean = lines.map((line) => /^[A-Za-z0-9+/]{1,}={0,2}[ \t]{0,20}$/.test(line))
  if (!clean.includes(true) && isPlain(body)) return Buffer.from(body, 'latin1')
  const last = clean.findLastIndex((isClean, at) => isClean && lines[at]!.trim().length >= surelyBase64Chars)
  const isFooter = (at: number) => at > last && /[^A-Za-z0-9+/=\s]/.test(lines[at]!)
  const first = clean.indexOf(true)
  const footer = first === -1 ? -1 : lines.findIndex((_, at) => at > first && isFooter(at))
  const banner = last === -1 ? 0 : lines.findIndex((line, at) => clean[at] && line.trim().length >= surelyBase64Chars)
  return decodePieces(lines.slice(banner, footer === -1 ? undefined : footer).join('\n'))
}

/** Decodes pieces that each end with their padding. */
function decodePieces(text: string): Buffer {
  const bare = text.replace(/[^A-Za-z0-9+/=]/g, '')
  const pieces = bare.split(/=+/).filter((piece) => piece !== '')
  return pieces.length === 1
    ? Buffer.from(pieces[0]!, 'base64')
    : Buffer.concat(pieces.map((one) => Buffer.from(one, 'base64')))
}

function isPlain(body: string): boolean {
  const words = body.trim().split(/\s+/, 200)
  const chars = words.reduce((sum, word) => sum + word.length, 0)
  return words.length > 1 && chars / words.length <= wordCharsMax
}
