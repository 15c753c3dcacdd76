/** A comment, a quoted text, a name, the body of a function, or the end of a statement. */
const token = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|;/g

const comment = /--[^\n]*|\/\*[\s\S]*?\*\//g

/** The statements of a migration, without their semicolons. A semicolon in a text, a comment or a function's body ends none. */
export function statementsIn(text: string): string[] {
  const ends = [...text.matchAll(token)].filter(([found]) => found === ';').map(({ index }) => index)
  return [...ends, text.length]
    .map((end, at) => text.slice(at === 0 ? 0 : ends[at - 1]! + 1, end).trim())
    .filter((statement) => statement.replaceAll(comment, '').trim() !== '')
}
