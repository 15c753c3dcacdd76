import { foreignText } from './foreign-text.ts'

const snippetLength = 200
/** What is looked at: white space that runs on is not read to its end. */
const readLength = 4 * snippetLength

/** The first words of a text for a list, on one line; never half a character. */
export function snippetOf(text: string): string {
  return foreignText(text.slice(0, readLength).replaceAll(/\s+/g, ' ').trim(), snippetLength)
}
