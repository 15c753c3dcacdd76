import { decodeWindows1252 } from '../../ground/text/windows-1252.ts'

/** Takes base64 or quoted-printable off a body that has one character a byte. */
export function decodeTransfer(body: string, encoding: string | undefined): Uint8Array {
  const name = (encoding ?? '').trim().toLowerCase()
  if (name.startsWith('base64')) return Buffer.from(body.replace(/[^A-Za-z0-9+/]/g, ''), 'base64')
  if (name.startsWith('quoted-printable')) return Buffer.from(decodeQuotedPrintable(body), 'latin1')
  return Buffer.from(body, 'latin1')
}

function decodeQuotedPrintable(text: string): string {
  return text
    .replace(/=[ \t]{0,20}\n/g, '')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Decodes by the declared charset; by what the bytes look like where none is declared or it is not true. */
export function decodeCharset(bytes: Uint8Array, charset: string | undefined): string {
  const declared = (charset ?? '').trim().toLowerCase().replace(/^"|"$/g, '')
  if (
    declared === '' ||
    declared === 'us-ascii' ||
    declared === 'ascii' ||
    declared.startsWith('unknown') ||
    declared === 'utf-8' ||
    declared === 'utf8'
  ) {
    return decodeGuessed(bytes)
  }
  const decoder = decoderFor(charsetAliases[declared] ?? declared)
  if (decoder === null) return decodeGuessed(bytes)
  return decoder.encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder.decode(bytes)
}

/** Encoded words of RFC 2047; neighbours of one charset are joined before they are decoded. */
export function decodeWords(text: string): string {
  if (!text.includes('=?')) return /[\u0080-\u00ff]/.test(text) ? decodeGuessed(Buffer.from(text, 'latin1')) : text
  const joined = text.slice(0, 20_000).replace(/\?=[ \t\n]{1,20}=\?/g, '?==?')
  const out: string[] = []
  const pattern = /=\?([^?\s]{1,60})\?([bq])\?([^?\n]{0,4000})\?=/gi
  let at = 0
  let pending: { charset: string; bytes: Uint8Array[] } | null = null
  const flush = () => {
    if (pending !== null) out.push(decodeCharset(Buffer.concat(pending.bytes), pending.charset))
    pending = null
  }
  for (const match of joined.matchAll(pattern)) {
    if (match.index > at) {
      flush()
      out.push(joined.slice(at, match.index))
    }
    const charset = match[1]!.split('*')[0]!.toLowerCase()
    const bytes =
      match[2]!.toLowerCase() === 'b'
        ? Buffer.from(match[3]!, 'base64')
        : Buffer.from(decodeQuotedPrintable(match[3]!.replaceAll('_', ' ')), 'latin1')
    const open = pending as { charset: string; bytes: Uint8Array[] } | null
    if (open !== null && open.charset !== charset) flush()
    const current = pending as { charset: string; bytes: Uint8Array[] } | null
    if (current === null) pending = { charset, bytes: [bytes] }
    else current.bytes.push(bytes)
    at = match.index + match[0].length
  }
  flush()
  out.push(joined.slice(at))
  return out.join('')
}

const charsetAliases: Record<string, string> = {
  cp1252: 'windows-1252',
  'win-1252': 'windows-1252',
  'cp-850': 'windows-1252',
  latin1: 'iso-8859-1',
  cp932: 'shift_jis',
  'x-sjis': 'shift_jis',
  'ks_c_5601-1987': 'euc-kr',
  gb2312: 'gb18030',
  'hz-gb-2312': 'gb18030',
  cp1251: 'windows-1251',
  koi8r: 'koi8-r',
  'iso-8859-8-i': 'iso-8859-8',
  ansi: 'windows-1252',
  'iso-2022-jp-ms': 'iso-2022-jp',
  cp50220: 'iso-2022-jp',
}

type Decoder = InstanceType<typeof TextDecoder>

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
  if (decoders.size < 200) decoders.set(label, decoder)
  return decoder
}

function decodeGuessed(bytes: Uint8Array): string {
  if (looksLikeIso2022Jp(bytes)) return new TextDecoder('iso-2022-jp').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decodeWindows1252(bytes)
  }
}

function looksLikeIso2022Jp(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4_000)).includes('\u001b$')
}
