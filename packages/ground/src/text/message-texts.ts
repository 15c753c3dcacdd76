interface MessageTexts {
  text: string | null
  html: string | null
}

interface Part {
  headers: string
  body: Buffer
}

const blankLine = Buffer.from('\r\n\r\n')
const boundaryPattern = /^content-type: multipart\/[^\r\n]*boundary="([^"]+)"/im
const nestingMax = 4

/**
 * Reads back the texts from which one of our messages was composed, since they are stored only in its bytes. It supports only
 * what `composeMessage` writes, which is 7bit and quoted-printable. Line ends are converted to LF.
 */
export function readMessageTexts(raw: Buffer): MessageTexts {
  const texts: MessageTexts = { text: null, html: null }
  readPart(raw, texts, nestingMax)
  return texts
}

function readPart(bytes: Buffer, texts: MessageTexts, depth: number): void {
  const part = split(bytes)
  const boundary = boundaryPattern.exec(part.headers)?.[1]
  if (boundary !== undefined) {
    if (depth > 0) for (const inner of splitParts(part.body, boundary)) readPart(inner, texts, depth - 1)
    return
  }
  if (/^content-disposition: attachment/im.test(part.headers)) return
  if (/^content-type: text\/plain/im.test(part.headers)) texts.text ??= decode(part)
  else if (/^content-type: text\/html/im.test(part.headers)) texts.html ??= decode(part)
}

function split(bytes: Buffer): Part {
  const end = bytes.indexOf(blankLine)
  if (end < 0) return { headers: bytes.toString('latin1'), body: Buffer.alloc(0) }
  return { headers: bytes.toString('latin1', 0, end), body: bytes.subarray(end + blankLine.length) }
}

function splitParts(body: Buffer, boundary: string): Buffer[] {
  const parts: Buffer[] = []
  const delimiter = Buffer.from(`--${boundary}`)
  for (let start = body.indexOf(delimiter); start >= 0;) {
    const next = body.indexOf(delimiter, start + delimiter.length)
    if (next < 0) break
    // The part begins after the line end of its delimiter, and ends before the line end that belongs to the next delimiter.
    parts.push(body.subarray(start + delimiter.length + 2, next - 2))
    start = next
  }
  return parts
}

function decode({ headers, body }: Part): string {
  const quoted = /^content-transfer-encoding: quoted-printable/im.test(headers)
  const bytes = quoted ? fromQuotedPrintable(body.toString('latin1')) : body
  return bytes.toString('utf8').replaceAll('\r\n', '\n')
}

function fromQuotedPrintable(text: string): Buffer {
  const octets = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
  return Buffer.from(octets, 'latin1')
}
