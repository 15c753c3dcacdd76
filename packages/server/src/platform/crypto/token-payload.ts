const asItIs = /^[\w-]*$/

/**
 * Fields of a token as the part of a URL that is signed, between dots: ids as they are, and what a URL would not bear in
 * base 64 behind a tilde. A lone field, and none, stand as a list in JSON in base 64, which has no dot in it.
 */
export function payloadOf(fields: readonly string[]): string {
  if (fields.length < 2) return toBase64(JSON.stringify(fields))
  return fields.map((field) => (asItIs.test(field) ? field : `~${toBase64(field)}`)).join('.')
}

/** Of a payload whose signature is ours. Links of mail that left before there were dots are read for ever. */
export function fieldsOf(payload: string): string[] {
  if (!payload.includes('.')) return JSON.parse(fromBase64(payload)) as string[]
  return payload.split('.').map((piece) => (piece.startsWith('~') ? fromBase64(piece.slice(1)) : piece))
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64url')
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64url').toString()
}
