/** The characters 0x80–0x9F. Source: the WHATWG's Encoding standard. */
const upper = Array.from('€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ')

/**
 * Decodes Windows-1252, which is often declared as ISO 8859-1. The TextDecoder of Node.js 20 reads 0x80–0x9F as control
 * characters, although they are common quotes, dashes and the euro sign of Outlook.
 */
export function decodeWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (found) => upper[found.charCodeAt(0) - 0x80] ?? found)
}
