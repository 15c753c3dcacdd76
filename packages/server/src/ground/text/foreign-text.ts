/** What is kept of an answer of somebody else's machine, in UTF-16 units. */
export const foreignTextLengthMax = 1_000

/**
 * Text of somebody else's machine, made fit to be stored, shown and sent on: PostgreSQL takes no NUL in a text and no
 * half of a surrogate pair in a JSON value, and a terminal obeys controls. Line breaks (as `\n`) and tabs stay; what is
 * too long is cut, never in the middle of a pair. Doing it twice changes nothing.
 */
export function foreignText(text: string, lengthMax: number = foreignTextLengthMax): string {
  // Most of it is plain, and there is much of it.
  if (plain.test(text)) return text.length > lengthMax ? text.slice(0, lengthMax) : text
  const readable = text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\t\n]/gu, '')
  // A first half at the very end was cut off from its second, here or by whoever sent it.
  return readable
    .slice(0, lengthMax)
    .replace(/[\ud800-\udbff]$/, '')
    .toWellFormed()
}

const plain = /^[ -~]*$/
