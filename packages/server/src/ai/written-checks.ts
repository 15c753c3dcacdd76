import { bodyLengthMax, factsOf, subjectLengthMax, type WritingTask, type Written } from './writing.ts'

/** What is wrong with a text that came back; empty: it may be shown and sent. Source: contract 10. */
export function problemsOf(written: Written, task: WritingTask): string[] {
  const known = [task.prompt, ...factsOf(task.lead).map(([, value]) => value)].join('\n').toLowerCase()
  const texts = [written.body, ...written.subjects]
  const problems: string[] = []
  if (written.body.trim() === '') problems.push('the body is empty')
  if (written.body.length > bodyLengthMax[task.length]) problems.push('the body is too long')
  if (written.subjects.length < task.subjectCount) problems.push('there are too few subject lines')
  for (const subject of written.subjects) {
    if (subject.trim() === '') problems.push('a subject is empty')
    if (subject.length > subjectLengthMax || /[\r\n]/.test(subject)) problems.push('a subject is too long')
    if (/^\s*(re|fwd?|aw|wg|tr|rv|sv|vs)\s*:/i.test(subject)) problems.push('a subject pretends to be an answer')
  }
  for (const text of texts) {
    if (hasPlaceholder(text)) problems.push('a placeholder is left over')
    const link = linksOf(text).find((found) => !known.includes(found.toLowerCase()))
    if (link !== undefined) problems.push('there is a link that nobody gave')
    const number = numbersOf(text).find((found) => !numbersOf(known).includes(found))
    if (number !== undefined) problems.push('there is a number that nobody gave')
  }
  return [...new Set(problems)]
}

const placeholders = [
  /\{\{|\}\}|\{%|%\}/,
  /\[[A-Za-z][A-Za-z' _-]{1,40}\]/,
  /<[A-Za-z][A-Za-z' _-]{1,40}>/,
  /\{[A-Za-z][A-Za-z ._-]{0,40}\}/,
  /\b(your name|insert [a-z ]{1,20} here|lorem ipsum|undefined|as an ai)\b/i,
  /\b(XX+|TBD)\b/,
]

function hasPlaceholder(text: string): boolean {
  return placeholders.some((pattern) => pattern.test(text))
}

function linksOf(text: string): string[] {
  const urls = text.match(/\b(?:https?:\/\/|www\.)[^\s<>"')\]]{1,500}/gi) ?? []
  const addresses = text.match(/\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}\b/g) ?? []
  return [...urls.map((url) => url.replace(/[.,;:!?]+$/, '')), ...addresses]
}

// Single digits are words to a reader ("2 minutes"); what misleads is a figure, a price, a share.
function numbersOf(text: string): string[] {
  return (text.match(/\d[\d.,]*\d|\d+%|\d{2,}/g) ?? []).map((found) => found.replace(/[.,](?=\d{3}\b)/g, ''))
}
