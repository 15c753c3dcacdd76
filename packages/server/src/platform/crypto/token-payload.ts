const asItIs = /^[\w-]*$/

/**
 * The signed part of a token in a URL: fields separated by dots. Ids are unchanged; a field with other characters is base64 after
 * a tilde. A list of one field or none is JSON in base64, which contains no dot.
 */
export function encodePayload(fields: readonly string[]): string {
  if (fields.length < 2) return toBase64(JSON.stringify(fields))
  return fields.map((field) => (asItIs.test(field) ? field : `~${toBase64(field)}`)).join('.')
}

/** Reads a payload with a valid signature. */
export function decodePayload(payload: string): string[] {
  if (!payload.includes('.')) return JSON.parse(fromBase64(payload)) as string[]
  return payload.split('.').map((piece) => (piece.startsWith('~') ? fromBase64(piece.slice(1)) : piece))
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64url')
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64url').toString()
}
