/** The largest length of a stored response of another server, in UTF-16 units. */
export const foreignTextLengthMax = 1_000

/**
 * Cleans text from another server so that it can be stored, shown and sent. PostgreSQL accepts no NUL in a text and no half
 * surrogate pair in a JSON value, and terminals obey control characters. Line breaks (as `\n`) and tabs are kept. A longer text
 * is cut, but never inside a surrogate pair. The function is idempotent.
 */
export function foreignText(text: string, lengthMax: number = foreignTextLengthMax): string {
  // A fast path, since most texts are plain and there are many.
  if (plain.test(text)) return text.length > lengthMax ? text.slice(0, lengthMax) : text
  const readable = text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\t\n]/gu, '')
  // A half surrogate pair at the end was cut here or by the sender.
  return readable
    .slice(0, lengthMax)
    .replace(/[\ud800-\udbff]$/, '')
    .toWellFormed()
}

const plain = /^[ -~]*$/
