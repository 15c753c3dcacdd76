/**
 * A text from outside as the database takes it: cut to so many characters, without NUL, and with a sign of replacement for each
 * half of a surrogate pair, also for the one that the cut has made.
 */
export function storable(text: string, charsMax: number): string {
  return text
    .slice(0, charsMax)
    .replaceAll('\u0000', '')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
}
