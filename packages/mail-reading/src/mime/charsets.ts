import iconv from 'iconv-lite'
import { decodeWindows1252 } from '@overture/ground/text/windows-1252.ts'

/**
 * Decodes by the charset names that mail uses. The platform's decoder knows the names of the WHATWG standard, but some of its
 * charsets are incomplete in Node.js 20. iconv-lite has the complete charsets and further names.
 */
export function decodeNamed(bytes: Uint8Array, label: string): string | null {
  const name = aliases.get(label) ?? label
  if (name === 'hz-gb-2312') return decodeHz(bytes)
  if (name === 'windows-1252') return decodeWindows1252(bytes)
  if (ownSets.has(name)) return iconv.decode(Buffer.from(bytes), name)
  const decoder = decoderFor(name)
  if (decoder !== null) return decoder.encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder.decode(bytes)
  return /^[\w.:-]{2,40}$/.test(name) && isText(name) ? iconv.decode(Buffer.from(bytes), name) : null
}

const aliases = new Map(
  Object.entries({
    cp1252: 'windows-1252',
    'win-1252': 'windows-1252',
    latin1: 'windows-1252',
    'iso-8859-1': 'windows-1252',
    ansi: 'windows-1252',
    'cp-850': 'cp850',
    cp932: 'shift_jis',
    'x-sjis': 'shift_jis',
    'ks_c_5601-1987': 'cp949',
    'ks_c_5601-1989': 'cp949',
    ksc5601: 'cp949',
    ksc_5601: 'cp949',
    'euc-kr': 'cp949',
    uhc: 'cp949',
    'windows-949': 'cp949',
    ms949: 'cp949',
    gb2312: 'gb18030',
    gbk: 'gb18030',
    'x-gbk': 'gb18030',
    cp936: 'gb18030',
    ms936: 'gb18030',
    'windows-936': 'gb18030',
    big5: 'cp950',
    'windows-950': 'cp950',
    hz: 'hz-gb-2312',
    cp1251: 'windows-1251',
    koi8r: 'koi8-r',
    'iso-8859-8-i': 'iso-8859-8',
    'iso-2022-jp-ms': 'iso-2022-jp',
    cp50220: 'iso-2022-jp',
    tis620: 'windows-874',
    'unicode-1-1-utf-7': 'utf-7',
  }),
)

/** Charsets that the platform's decoder lacks or has only in part. */
const ownSets = new Set(['cp949', 'cp950', 'cp850', 'utf-7', 'iso-8859-16'])

/** Excludes encodings of iconv-lite that are not for text. */
function isText(name: string): boolean {
  return (
    !/^(?:base64|hex|binary|internal|singlebyte|dbcs|utf16|utf-?16|utf32|utf-?32|ucs)/i.test(name) &&
    iconv.encodingExists(name)
  )
}

type Decoder = InstanceType<typeof TextDecoder>

const decodersMax = 200
const decoders = new Map<string, Decoder | null>()

function decoderFor(label: string): Decoder | null {
  const known = decoders.get(label)
  if (known !== undefined) return known
  let decoder: Decoder | null = null
  try {
    decoder = new TextDecoder(label)
  } catch {
    decoder = null
  }
  if (decoders.size < decodersMax) decoders.set(label, decoder)
  return decoder
}

/** RFC 1843: two-byte letters of GB 2312 without their high bits, between `~{` and `~}`. */
function decodeHz(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1').replace(/~\n/g, '')
  return text
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
