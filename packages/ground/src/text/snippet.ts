import { foreignText } from './foreign-text.ts'

const snippetLength = 200
/** The largest length that is read, so that long white space is not read to its end. */
const readLength = 4 * snippetLength

/** The first words of a text on one line, for a list. A character is never cut in half. */
export function makeSnippet(text: string): string {
  return foreignText(text.slice(0, readLength).replaceAll(/\s+/g, ' ').trim(), snippetLength)
}
