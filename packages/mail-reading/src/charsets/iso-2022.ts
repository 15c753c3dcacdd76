import iconv from 'iconv-lite'

/**
 * Whether a name means a charset with escape sequences (RFC 1468, RFC 1554, RFC 1557, RFC 2237) or a Windows form of one. The
 * platform's decoder has only ISO-2022-JP, without the JIS X 0212 of ISO-2022-JP-1.
 */
export function isIso2022Name(name: string): boolean {
  return /^(?:(?:cs)?iso-?2022-?(?:jp|kr|cn)(?:-?(?:1|2|3|ms|2004|ext))?|cp5022[0-2]|jis)$/.test(name)
}

/** Whether the bytes contain an escape sequence of these charsets. */
export function looksLikeIso2022(bytes: Uint8Array): boolean {
  // oxlint-disable-next-line no-control-regex -- ESC begins every sequence
  return /\x1b(?:\$[@ABC]|\$\([ABCD]|\$\)[AC]|\([IJ])/.test(latin1(bytes.subarray(0, sampleBytesMax)))
}

const sampleBytesMax = 4_000

/** `half`: half-width Katakana of JIS X 0201. */
type CodeSet = 'ascii' | 'roman' | 'half' | 'jis0208' | 'jis0212' | 'gb2312' | 'ks1001'

/** Sequences after ESC that choose the first set (G0). JIS X 0213 contains JIS X 0208 at the same places. */
const firstSets: Readonly<Record<string, CodeSet>> = {
  '(B': 'ascii',
  '(J': 'roman',
  '(H': 'roman',
  '(I': 'half',
  '$@': 'jis0208',
  $B: 'jis0208',
  '$(B': 'jis0208',
  '$(O': 'jis0208',
  '$(Q': 'jis0208',
  '$(D': 'jis0212',
  $A: 'gb2312',
  '$(A': 'gb2312',
  '$(C': 'ks1001',
}

/** The second set (G1), which is between SO and SI. */
const secondSets: Readonly<Record<string, CodeSet>> = { ')I': 'half', '$)C': 'ks1001', '$)A': 'gb2312' }

export function decodeIso2022(bytes: Uint8Array): string {
  const out: string[] = []
  let first: CodeSet = 'ascii'
  let second: CodeSet = 'half'
  let isShifted = false
  const pieces = latin1(bytes).matchAll(
    // oxlint-disable-next-line no-control-regex -- ESC, SO and SI change the set
    /\x1b(\$[@AB]|\$[()][A-Z]|[()][A-Z])|([\x0e\x0f])|(\n)|([^\x1b\x0e\x0f\n]+)|\x1b/g,
  )
  for (const [, escape, shift, lineEnd, text] of pieces) {
    if (escape !== undefined) {
      first = firstSets[escape] ?? first
      second = secondSets[escape] ?? second
    } else if (shift !== undefined) isShifted = shift === '\x0e'
    else if (lineEnd !== undefined) {
      // Every line ends in ASCII (RFC 1468). A cut line must not change the meaning of the next one.
      out.push('\n')
      first = 'ascii'
      isShifted = false
    } else out.push(text === undefined ? replacement : decodeRun(text, isShifted ? second : first))
  }
  return out.join('')
}

const replacement = '\ufffd'

/** Decodes text of one set. Half-width Katakana with the high bit (JIS X 0201 in 8 bits) may be anywhere. */
function decodeRun(text: string, set: CodeSet): string {
  if (set === 'ascii') return text.replace(/[\x80-\xff]/g, halfWidth)
  if (set === 'roman') return text.replace(/[\\~\x80-\xff]/g, romanLetter)
  if (set === 'half') return text.replace(/[!-\xff]/g, halfWidth)
  return text.replace(/[!-~]+|[\x80-\xff]/g, (run) => (run > '\x7f' ? halfWidth(run) : decodePairs(run, set)))
}

function romanLetter(letter: string): string {
  if (letter === '\\') return '¥'
  return letter === '~' ? '‾' : halfWidth(letter)
}

function halfWidth(letter: string): string {
  const place = (letter.charCodeAt(0) & 0x7f) - 0x21
  return place >= 0 && place <= 0x3e ? String.fromCharCode(0xff61 + place) : replacement
}

/** Decodes pairs of 7-bit bytes by the charset that has the same pairs with the high bit. */
function decodePairs(run: string, set: Exclude<CodeSet, 'ascii' | 'roman' | 'half'>): string {
  const whole = run.slice(0, run.length - (run.length % 2))
  const bytes = Buffer.from(whole, 'latin1').map((byte) => byte | 0x80)
  const rest = whole.length === run.length ? '' : replacement
  if (set === 'gb2312') return iconv.decode(Buffer.from(bytes), 'gbk') + rest
  if (set === 'ks1001') return iconv.decode(Buffer.from(bytes), 'cp949') + rest
  return new TextDecoder('euc-jp').decode(set === 'jis0212' ? withThirdByte(bytes) : bytes) + rest
}

/** EUC-JP has JIS X 0212 after the byte 0x8F. */
function withThirdByte(bytes: Uint8Array): Uint8Array {
  const out = Buffer.alloc((bytes.length / 2) * 3, 0x8f)
  for (let at = 0; at < bytes.length; at++) out[Math.floor(at / 2) * 3 + 1 + (at % 2)] = bytes[at]!
  return out
}

/** RFC 1843: two-byte letters of GB 2312 without their high bits, between `~{` and `~}`. */
export function decodeHz(bytes: Uint8Array): string {
  return latin1(bytes)
    .replace(/~\n/g, '')
    .split('~{')
    .map((piece, at) => {
      if (at === 0) return piece.replaceAll('~~', '~')
      const end = piece.indexOf('~}')
      const letters = end === -1 ? piece : piece.slice(0, end)
      const wide = Buffer.from(letters, 'latin1').map((byte) => (byte > 0x20 && byte < 0x7f ? byte | 0x80 : byte))
      const rest = end === -1 ? '' : piece.slice(end + 2).replaceAll('~~', '~')
      return iconv.decode(Buffer.from(wide), 'gbk') + rest
    })
    .join('')
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
