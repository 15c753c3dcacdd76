/** Types that may be named to a browser, because it runs nothing in such files. All other files are sent as plain bytes. */
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

/** Returns null if the text can't be the number of a file. */
export function attachmentNumber(text: string): number | null {
  return numberPattern.test(text) ? Number(text) : null
}

export function toldType(contentType: string): string {
  return toldTypes.has(contentType) ? contentType : 'application/octet-stream'
}
