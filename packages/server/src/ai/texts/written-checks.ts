import { foreignLinks } from './links.ts'
import { mayBeLanguage, type LanguageDetector } from './language.ts'
import { bodyLengthMax, listFacts, subjectLengthMax, type WritingTask, type WrittenEmail } from './writing.ts'

/** The problems of a returned text. Empty if it may be shown and sent. Source: docs/contract.md, "AI and credits". */
export function findProblems(written: WrittenEmail, task: WritingTask, detect: LanguageDetector): string[] {
  const known = [task.prompt, ...listFacts(task.lead).map(([, value]) => value)].join('\n')
  const texts = [written.body, ...written.subjects]
  const problems: string[] = []
  if (written.body.trim() === '') problems.push('the body is empty')
  if (written.body.length > bodyLengthMax[task.length]) problems.push('the body is too long')
  if (written.subjects.length < task.subjectCount) problems.push('there are too few subject lines')
  for (const subject of written.subjects) problems.push(...subjectProblems(subject))
  for (const text of texts) {
    problems.push(...findFlaws(text))
    if (hasFiller(text)) problems.push(leftover)
    if (foreignLinks(text, known).length > 0)
      problems.push('it contains a link that is not in the prompt or the data of the lead')
    if (hasForeignNumber(text, known))
      problems.push('it contains a number that is not in the prompt or the data of the lead')
  }
  if (task.language !== null && !mayBeLanguage(written.body, task.language, detect))
    problems.push(`the language is not ${task.language}`)
  return [...new Set(problems)]
}

function subjectProblems(subject: string): string[] {
  const problems: string[] = []
  if (subject.trim() === '') problems.push('a subject is empty')
  if (subject.length > subjectLengthMax || /[\r\n\u2028\u2029]/.test(subject)) problems.push('a subject is too long')
  return [...problems, ...falseAnswer(subject)]
}

/** The flaws that no text may have, whether a model or a person wrote it. Texts are sent as they are, without variables or markup. */
export function findFlaws(text: string): string[] {
  const problems: string[] = []
  if (placeholders.some((pattern) => pattern.test(text))) problems.push(leftover)
  if (markup.test(text)) problems.push('the plain text contains markup')
  if (hidden.test(text)) problems.push('it contains invisible characters')
  return problems
}

/** Whether a subject looks like an answer although there was no earlier message. */
export function falseAnswer(subject: string): string[] {
  const isFalse = answerPrefix.test(subject)
  return isFalse ? ['a subject pretends to be a reply'] : []
}

// The prefixes that mail programs of several countries use.
const answerPrefix =
  /^\s*(?:re|fwd?|aw|wg|tr|rv|sv|vs|antw|antwort|odp|rif|rép|réf|ynt|enc|ответ|отв|回复|回覆|答复|答覆|转发|轉寄|返信)\s*(?:\[\d+\])?\s*[:：]/iu

export const leftover = 'it contains an unfilled placeholder'

const placeholders = [
  /\{\{|\}\}|\{%|%\}/,
  /\[\[|\]\]/,
  /\[[A-Za-z][A-Za-z0-9' _./-]{1,60}\]/,
  /<[A-Za-z][A-Za-z' _-]{1,40}>/,
  /\{[A-Za-z][A-Za-z ._-]{0,40}\}/,
  /%[A-Z][A-Z_]{2,40}%|\*\|[A-Z_:]{2,40}\|\*/,
]

// Words that a model writes in place of a name. A person may use them on purpose.
const fillers = [/\b(?:your name|insert [a-z ]{1,20} here|lorem ipsum|undefined|as an ai)\b/i, /\b(?:XX+|TBD)\b|_{3,}/]

/** Whether a model left a word in place of a name. */
export function hasFiller(text: string): boolean {
  return fillers.some((pattern) => pattern.test(text))
}

// Texts are sent as plain text, so nothing in them is rendered as HTML.
const markup = /<\/?[a-z!][^<>]{0,500}>|\[[^\]\n]{1,200}\]\([^)\n]{1,500}\)/i
const hidden = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/

// Single digits read as words ("2 minutes"). Misleading are larger numbers, prices, percentages and multiples.
const figure =
  /\d[\d.,]*\d|(?<=[$€£¥]\s?)\d|\d(?=\s?(?:[%€£]|[kx×]\b|percent|per cent|times\b|million|billion|thousand|bn\b))/gi

/** Whether a text has a figure that is not in the known texts. */
export function hasForeignNumber(text: string, known: string): boolean {
  const given = new Set([...findNumbers(known), ...(known.match(/(?<!\d)\d(?!\d)/g) ?? [])])
  return findNumbers(text).some((number) => !given.has(number))
}

function findNumbers(text: string): string[] {
  return (text.normalize('NFKC').match(figure) ?? []).map((found) => found.replace(/[.,](?=\d{3}\b)/g, ''))
}
