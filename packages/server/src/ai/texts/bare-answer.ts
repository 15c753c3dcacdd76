/**
 * Returns the JSON in an answer, or null if it has none. Models without structured output often add a code fence or sentences
 * around it.
 */
export function barePart(text: string): string | null {
  const answer = text.replace(/^\s*<think>[^]*?<\/think>/, '')
  const from = answer.indexOf('{')
  const to = answer.lastIndexOf('}')
  return from < 0 || to < from ? null : answer.slice(from, to + 1)
}
