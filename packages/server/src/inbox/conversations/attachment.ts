/** What a browser may be told of a file without running anything in it; all else are octets. */
const toldTypes: ReadonlySet<string> = new Set([
  'application/pdf',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/csv',
  'text/plain',
])
const numberPattern = /^[1-9]\d{0,3}$/

/** Null for what is the number of no file. */
export function attachmentNumber(text: string): number | null {
  return numberPattern.test(text) ? Number(text) : null
}

export function toldType(contentType: string): string {
  return toldTypes.has(contentType) ? contentType : 'application/octet-stream'
}
