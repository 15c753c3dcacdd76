import { withoutTokensInLines } from '@overture/ground/text/link-tokens.ts'

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

const textTypes = /^(?:text|message)\/|^application\/(?:ics|xhtml\+xml)$/

/** A calendar or an enclosed message can contain our mail, whose links act for its recipient. Other files stay as they are. */
export function withoutLinkTokensIn(content: Uint8Array, contentType: string): Uint8Array {
  if (!textTypes.test(contentType)) return content
  const text = Buffer.from(content).toString('latin1')
  const shown = withoutTokensInLines(text)
  return shown === text ? content : Buffer.from(shown, 'latin1')
}
