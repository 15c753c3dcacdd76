/** A piece of prose of a file, with the line on which it begins. */
export interface Prose {
  line: number
  kind: 'comment' | 'test name' | 'message' | 'page'
  text: string
}

export interface ProseProblem {
  line: number
  rule: string
  found: string
}

/** The words and phrases that make a reader stop, each with what to write instead. */
const words: readonly [pattern: RegExp, advice: string][] = [
  [/\b(?:whoever|whom|nobody|somebody|anybody|whomever)\b/gi, 'name the user, the row or the process'],
  [/\banew\b/gi, 'write "again"'],
  [/\bfor good\b/gi, 'write "permanently"'],
  [/\bmend(?:s|ed|ing)?\b/gi, 'write "fix"'],
  [/\bgo(?:es)? on\b/gi, 'write "continues" or "is resumed"'],
  [/\b(?:of ours|of our own)\b/gi, 'write "our own" before the noun'],
]

/** A comment that begins so hides its subject. */
const starts = /^(?:Of|What|Who|Whom|Whoever|Whose|Those|One that|Behind|Whatever)\s/

const sentenceWordsMax = 35

/** What is wrong with a piece of prose. */
export function findProblems({ line, kind, text }: Prose): ProseProblem[] {
  const plain = withoutCode(text)
  const problems: ProseProblem[] = []
  for (const [pattern, advice] of words)
    for (const [found] of plain.matchAll(pattern)) problems.push({ line, rule: advice, found })
  if (kind === 'message' || kind === 'test name') return problems
  if (kind === 'comment' && starts.test(plain)) {
    problems.push({ line, rule: 'begin with the subject', found: plain.split(/\s+/).slice(0, 3).join(' ') })
  }
  for (const sentence of plain.split(/(?<=[.!?:])\s+(?=[A-Z`"([])/)) {
    const count = sentence.split(/\s+/).filter((word) => /[A-Za-z]/.test(word)).length
    if (count > sentenceWordsMax) {
      const rule = `a sentence has ${sentenceWordsMax} words at most, this one ${count}`
      problems.push({ line, rule, found: `${sentence.slice(0, 40)}…` })
    }
  }
  return problems
}

/** Names in backticks, addresses and paths are no words. */
function withoutCode(text: string): string {
  return text
    .replaceAll(/`[^`]*`/g, 'X')
    .replaceAll(/https?:\/\/\S+/g, 'x')
    .trim()
}
