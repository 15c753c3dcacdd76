/** 0x80–0x9F. Source: the WHATWG's Encoding standard. */
const upper = Array.from('€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ')

/**
 * Bytes of Windows-1252, and of ISO 8859-1 by whose name it goes, as text. Node.js 20's TextDecoder takes 0x80–0x9F for
 * control characters: quotes, dashes and the euro sign of half the world's Outlook.
 */
export function decodeWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (found) => upper[found.charCodeAt(0) - 0x80] ?? found)
}
