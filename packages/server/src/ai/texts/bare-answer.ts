/**
 * Returns the JSON in an answer, or null if it has none. Models without structured output often add a code fence or sentences
 * around it.
 */
export function barePart(text: string): string | null {
  const said = text.replace(/^\s*<think>[^]*?<\/think>/, '')
  const from = said.indexOf('{')
  const to = said.lastIndexOf('}')
  return from < 0 || to < from ? null : said.slice(from, to + 1)
}
