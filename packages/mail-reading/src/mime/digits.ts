/** Arabic, Persian and Devanagari digits as 0 to 9. */
export function asciiDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g, (digit) => {
    const code = digit.codePointAt(0)!
    return String(code >= 0x966 ? code - 0x966 : code & 0xf)
  })
}
