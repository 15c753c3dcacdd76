/**
 * The JSON in an answer that says more than it: models without structured output put it in a code fence, or say
 * something before or after it. Null where there is none.
 */
export function barePart(text: string): string | null {
  const said = text.replace(/^\s*<think>[^]*?<\/think>/, '')
  const from = said.indexOf('{')
  const to = said.lastIndexOf('}')
  return from < 0 || to < from ? null : said.slice(from, to + 1)
}
