import type { TextHint } from '@overture/contract/templates/check.ts'
import { otherSpellings } from './language/other-spellings.ts'
import { placeOfName, type UnknownName } from './language/unknown-names.ts'
import { linkShorteners, spamWords } from './spam-words.ts'
import { templateParts, type TemplatePart } from './template-text.ts'

/** The largest number of hints per text; further ones are dropped. */
const hintsMax = 50
const wordsMax = 150
const linksMax = 2
const subjectCharsMax = 60
const capitalsMin = 2
const capitalShareMax = 0.3
const lettersMin = 40

/**
 * These patterns are replaced by blanks one after the other. So tags and addresses are neither counted nor searched, and
 * positions in the text stay the same.
 */
const markup = /\{\{[^{}]{0,2000}\}\}|\{%[^{}]{0,2000}%\}|<[^<>]{0,2000}>/g
const address = /\bhttps?:\/\/[^\s"'<>)]{1,2000}/gi
const spinning = /\{\{\s*(["'])(?:[^"'{}\\]{0,2000})\1\s*\|\s*spin\s*\}\}/g
/** A variable that is not one of the sender or the message: a field of the lead, or a custom variable. */
const leadVariable = /\{\{-?\s*(?!sender\b|unsubscribe_?url\b|meeting_?url\b)[A-Za-z_]/i
const answerMarks = ['re', 'fw', 'fwd', 'aw', 'wg', 'sv', 'vs', 'tr', 'rv', 'antw', 'odp']
const answerMark = new RegExp(String.raw`^\s*(?:${answerMarks.join('|')})\s?(?:\[\d{1,4}\])?\s?:`, 'i')
const words = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${spamWords.map(escaped).toSorted(longestFirst).join('|')})(?![\p{L}\p{N}])`,
  'giu',
)

type PlainHint = Omit<TextHint, 'replacement'>

/** Suggestions for a text. They never prevent sending it. */
export function findHints(texts: Record<TemplatePart, string>, customNames: readonly string[] = []): TextHint[] {
  const spelled = templateParts.flatMap((field) => spellingHints(field, texts[field], customNames))
  const plain = plainHints(texts).map((hint) => ({ ...hint, replacement: null }))
  return [...spelled, ...plain].slice(0, hintsMax)
}

/** A hint for each name that no lead has. `haveLeads` tells whether there are leads that could have it. */
export function unknownHints(
  texts: Record<TemplatePart, string>,
  unknown: readonly UnknownName[],
  haveLeads: boolean,
): TextHint[] {
  return unknown.flatMap(({ name, meant }) => {
    const advice = meant === null ? 'Import a column with this name first.' : `Did you mean ${meant}?`
    const message = haveLeads ? `No lead has a value for ${name}. ${advice}` : `There is no field ${name}. ${advice}`
    return templateParts.flatMap((field) => {
      const at = placeOfName(texts[field], name)
      return at === null
        ? []
        : [{ code: 'unknown_variable', severity: 'warning', field, message, at, replacement: meant }]
    })
  })
}

function spellingHints(field: TemplatePart, text: string, customNames: readonly string[]): TextHint[] {
  return otherSpellings(text, customNames).map((found) => ({
    code: 'other_spelling',
    severity: 'warning',
    field,
    ...found,
  }))
}

function plainHints({ subject, body }: Record<TemplatePart, string>): PlainHint[] {
  return [
    ...subjectHints(subject),
    ...spamHints('subject', subject),
    ...spamHints('body', body),
    ...linkHints(body),
    ...lengthHints(body),
    ...capitalHints('subject', subject),
    ...capitalHints('body', body),
    ...variableHints(subject, body),
  ]
}

function subjectHints(subject: string): PlainHint[] {
  const hints: PlainHint[] = []
  const mark = answerMark.exec(subject)
  if (mark !== null)
    hints.push({
      code: 'false_re',
      severity: 'warning',
      field: 'subject',
      message: 'The subject pretends to be a reply. Recipients and spam filters notice.',
      at: [0, mark[0].length],
    })
  const length = shown(subject).trim().length
  if (length > subjectCharsMax)
    hints.push({
      code: 'long_subject',
      severity: 'info',
      field: 'subject',
      message: `${length} characters. Phones show about ${subjectCharsMax}.`,
      at: null,
    })
  return hints
}

function spamHints(field: TemplatePart, text: string): PlainHint[] {
  return Array.from(shown(text).matchAll(words), (match) => ({
    code: 'spam_word',
    severity: 'warning',
    field,
    message: `"${match[0]}" sounds like advertising.`,
    at: [match.index, match.index + match[0].length],
  }))
}

function linkHints(body: string): PlainHint[] {
  const found = [...body.matchAll(address)]
  const hints: PlainHint[] = found.flatMap((match) => {
    const host = /^https?:\/\/(?:[^/@\s]{0,200}@)?([^/:?#]{1,255})/i.exec(match[0])?.[1]?.toLowerCase() ?? ''
    if (!linkShorteners.includes(host.replace(/^www\./, ''))) return []
    return {
      code: 'short_link',
      severity: 'warning',
      field: 'body',
      message: `${host} hides where the link leads; filters hold that against it.`,
      at: [match.index, match.index + match[0].length],
    }
  })
  const different = new Set(found.map(([url]) => url)).size
  if (different > linksMax)
    hints.push({
      code: 'links',
      severity: 'warning',
      field: 'body',
      message: `${different} links; mail from one person to another has ${linksMax} at most.`,
      at: null,
    })
  return hints
}

function lengthHints(body: string): PlainHint[] {
  const count = shown(body).match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0
  if (count <= wordsMax) return []
  const message = `${count} words. Messages under ${wordsMax} words get more replies.`
  return [{ code: 'length', severity: 'info', field: 'body', message, at: null }]
}

function capitalHints(field: TemplatePart, text: string): PlainHint[] {
  const plain = shown(text)
  const loud = [...plain.matchAll(/(?<![\p{L}\p{N}])\p{Lu}{4,}(?![\p{L}\p{N}])/gu)]
  const letters = plain.match(/\p{L}/gu)?.length ?? 0
  const share = (plain.match(/\p{Lu}/gu)?.length ?? 0) / Math.max(1, letters)
  if (loud.length < capitalsMin && (letters < lettersMin || share <= capitalShareMax)) return []
  const [first] = loud
  return [
    {
      code: 'capitals',
      severity: 'warning',
      field,
      message: 'Words in capital letters look like shouting.',
      at: first === undefined ? null : [first.index, first.index + first[0].length],
    },
  ]
}

function variableHints(subject: string, body: string): PlainHint[] {
  if (body.trim() === '' || leadVariable.test(subject) || leadVariable.test(body)) return []
  const message = 'Every lead gets the same text. Add a name or a company.'
  return [{ code: 'no_variable', severity: 'info', field: 'body', message, at: null }]
}

// Blanks out tags, except the options of a spin, which are read as words.
function shown(text: string): string {
  const blank = (found: string) => ' '.repeat(found.length)
  return text
    .replace(spinning, (found) => found.replaceAll(/\{\{|\}\}|\|\s*spin/g, blank))
    .replace(markup, blank)
    .replace(address, blank)
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(' ', String.raw`\s+`)
}

function longestFirst(a: string, b: string): number {
  return b.length - a.length
}
