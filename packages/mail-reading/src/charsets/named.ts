import iconv from 'iconv-lite'
import { decodeWindows1252 } from '@overture/ground/text/windows-1252.ts'
import { decodeHz, decodeIso2022, isIso2022Name } from './iso-2022.ts'
import { decodeUtf16, isUtf16Name } from './utf-16.ts'

/**
 * Decodes by the charset names that mail uses. The platform's decoder knows the names of the WHATWG standard, but some of its
 * charsets are incomplete in Node.js 20. iconv-lite has the complete charsets and further names. Null if the name is unknown.
 */
export function decodeNamed(bytes: Uint8Array, label: string): string | null {
  const name = charsetName(label)
  if (name === null) return null
  if (name === 'hz-gb-2312') return decodeHz(bytes)
  if (isIso2022Name(name)) return decodeIso2022(bytes)
  if (isUtf16Name(name)) return decodeUtf16(bytes, name)
  if (name === 'windows-1252') return decodeWindows1252(bytes)
  if (ownSets.has(name)) return iconv.decode(Buffer.from(bytes), name)
  return decoderFor(name)?.decode(bytes) ?? iconv.decode(Buffer.from(bytes), name)
}

/** The one name of a charset that has several. Null if no decoder knows it. */
export function charsetName(label: string): string | null {
  const short = label.replace(/^cp[-_ ](?=\d)/, 'cp').replace(/^8859-/, 'iso-8859-')
  const name = aliases.get(short) ?? short
  if (ownSets.has(name) || isIso2022Name(name) || isUtf16Name(name) || name === 'hz-gb-2312') return name
  const standard = decoderFor(name)?.encoding
  if (standard !== undefined) return complete.get(standard) ?? standard
  return /^[\w.:-]{2,40}$/.test(name) && isText(name) ? name : null
}

/** Whether the charset has characters of two bytes, so that a byte outside ASCII is not a letter of its own. */
export function isDoubleByte(name: string): boolean {
  return doubleByte.has(name)
}

const doubleByte = new Set(['gb18030', 'gbk', 'big5hkscs', 'cp949', 'shift_jis', 'euc-jp'])

/** Charsets of the platform that are incomplete, with the complete ones of iconv-lite. */
const complete = new Map([
  ['euc-kr', 'cp949'],
  ['big5', 'big5hkscs'],
])

/** Names that the WHATWG standard does not have. */
const aliases = new Map(
  Object.entries({
    'win-1252': 'windows-1252',
    ansi: 'windows-1252',
    cp932: 'shift_jis',
    cp943: 'shift_jis',
    'ibm-943': 'shift_jis',
    'x-ms-cp932': 'shift_jis',
    eucjp: 'euc-jp',
    'eucjp-ms': 'euc-jp',
    'eucjp-win': 'euc-jp',
    cp51932: 'euc-jp',
    ujis: 'euc-jp',
    euckr: 'cp949',
    uhc: 'cp949',
    ms949: 'cp949',
    'x-windows-949': 'cp949',
    cp51949: 'cp949',
    cp936: 'gb18030',
    ms936: 'gb18030',
    'windows-936': 'gb18030',
    'x-windows-936': 'gb18030',
    gb2312: 'gb18030',
    gbk: 'gb18030',
    'gb-18030': 'gb18030',
    'cn-gb': 'gb18030',
    'euc-cn': 'gb18030',
    euccn: 'gb18030',
    cp950: 'big5hkscs',
    'windows-950': 'big5hkscs',
    'x-windows-950': 'big5hkscs',
    'big5-eten': 'big5hkscs',
    'big5-hkscs': 'big5hkscs',
    hz: 'hz-gb-2312',
    koi8r: 'koi8-r',
    koi8u: 'koi8-u',
    tis620: 'windows-874',
    'unicode-1-1-utf-7': 'utf-7',
  }),
)

/** Charsets that the platform's decoder lacks or has only in part. */
const ownSets = new Set(['cp949', 'big5hkscs', 'cp850', 'utf-7', 'iso-8859-16'])

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
