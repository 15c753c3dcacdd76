import { findField, variableName } from '@overture/ground/text/merge-tag-names.ts'

export interface TranslatedText {
  text: string
  /** Custom variables that the text uses. */
  variables: string[]
  /** Tags without a counterpart, as they were written. */
  unknown: string[]
}

export interface Dialect {
  /** Tags that are not a column of a lead, by their `variableName`, with their counterpart in Overture. */
  own: Readonly<Record<string, string>>
  /** Whether `{Hi|Hello}` in single braces is a random choice. */
  spinsInBraces?: true
  /** Whether a block is a random choice: `{% spin %}Hi|Hello{% endspin %}`. */
  spinsInBlocks?: true
}

/** Filters with the same meaning in both products. */
const filtersKept = ['upcase', 'downcase', 'capitalize', 'strip']

/** Translates the merge tags of another product. It lists the tags that it can't translate, and never drops them silently. */
export function translateTags(text: string, dialect: Dialect): TranslatedText {
  const found: TranslatedText = { text: '', variables: [], unknown: [] }
  const prepared = dialect.spinsInBlocks === true ? blocksAsRandom(text) : text
  const pieces = splitPieces(prepared, dialect.spinsInBraces === true)
  for (const piece of pieces) {
    const translated = translatePiece(piece, dialect, found)
    // A brace of the text directly before a tag would be read as part of the tag.
    const between = found.text.endsWith('{') && translated.startsWith('{') ? ' ' : ''
    found.text += between + translated
  }
  return { text: found.text, variables: unique(found.variables), unknown: unique(found.unknown) }
}

interface Piece {
  kind: 'text' | 'tag' | 'spin' | 'block'
  /** Returns the text within the braces of a tag or a spin. */
  text: string
}

/** Reads braces in pairs, so that a tag within a spin belongs to it. For each brace it reads 4,000 characters ahead at most. */
function splitPieces(text: string, spinsInBraces: boolean): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  let at = 0
  const close = (end: number) => {
    if (end > from) pieces.push({ kind: 'text', text: text.slice(from, end) })
  }
  while (at < text.length) {
    const opens = ['{{', '{%', ...(spinsInBraces ? ['{'] : [])].find((mark) => text.startsWith(mark, at))
    const end = opens === undefined ? -1 : findEnd(text, at, opens)
    const inner = end < 0 ? '' : text.slice(at + opens!.length, end)
    if (opens === undefined || end < 0 || (opens === '{' && !inner.includes('|'))) {
      at += 1
      continue
    }
    close(at)
    const width = opens.length
    pieces.push({ kind: pieceKind(opens, inner), text: opens === '{%' ? text.slice(at, end + width) : inner })
    at = from = end + width
  }
  close(text.length)
  return pieces
}

const tagCharactersMax = 4_000

function findEnd(text: string, at: number, opens: string): number {
  if (opens === '{%') return blockEnd(text, at)
  let depth = 0
  for (let index = at; index < Math.min(text.length, at + tagCharactersMax); index++) {
    if (text[index] === '{') depth += 1
    if (text[index] === '}') depth -= 1
    if (depth === 0) return index - (opens.length - 1)
  }
  return -1
}

function blockEnd(text: string, at: number): number {
  const end = text.slice(at, at + tagCharactersMax + 2).indexOf('%}')
  return end < 0 ? -1 : at + end
}

function pieceKind(opens: string, inner: string): Piece['kind'] {
  if (opens === '{%') return 'block'
  return opens === '{' || /^\s*(?:random|spin)\s*\|/i.test(inner) ? 'spin' : 'tag'
}

function translatePiece({ kind, text }: Piece, dialect: Dialect, found: TranslatedText): string {
  if (kind === 'text') return text
  if (kind === 'block') return leftOut(text, found)
  if (kind === 'tag') return translateTag(text, dialect, found)
  const options = text
    .replace(/^\s*(?:random|spin)\s*\|/i, '')
    .split('|')
    .map((option) => option.trim())
  const quote = ['"', "'"].find((mark) => !text.includes(mark))
  if (quote !== undefined && !/[{}\\]/.test(text)) return `{{ ${quote}${options.join('|')}${quote} | spin }}`
  // Our random choice contains words only. A choice with a tag in it is replaced by its first option and reported.
  found.unknown.push(`{{${text}}}`)
  const first = firstOption(text)
  const translated = translateTags(first, dialect)
  found.variables.push(...translated.variables)
  found.unknown.push(...translated.unknown)
  return translated.text
}

/** Returns the text up to the first separator outside braces. */
function firstOption(text: string): string {
  const inner = text.replace(/^\s*(?:random|spin)\s*\|/i, '')
  let depth = 0
  for (let index = 0; index < inner.length; index++) {
    if (inner[index] === '{') depth += 1
    if (inner[index] === '}') depth -= 1
    if (inner[index] === '|' && depth === 0) return inner.slice(0, index).trim()
  }
  return inner.trim()
}

function translateTag(inner: string, dialect: Dialect, found: TranslatedText): string {
  const [written = '', ...filters] = inner.split('|').map((part) => part.trim())
  if (!/^[\p{Letter}_][\p{Letter}\p{Number}_ .-]*$/u.test(written)) return leftOut(`{{${inner}}}`, found)
  const target = translateName(written, dialect, found)
  const translated = filters.map((filter) => translateFilter(filter, filters.length))
  if (translated.includes(null)) found.unknown.push(`{{${inner}}}`)
  return `{{ ${[target, ...translated.filter((one) => one !== null)].join(' | ')} }}`
}

function translateName(written: string, dialect: Dialect, found: TranslatedText): string {
  const name = variableName(written)
  if (Object.hasOwn(dialect.own, name)) return dialect.own[name]!
  const field = findField(written)
  if (field !== null) return field
  found.variables.push(name)
  return `customVariables.${name}`
}

/** Returns a filter with the same meaning. A bare word becomes the default for a missing value. Returns null for anything else. */
function translateFilter(filter: string, count: number): string | null {
  if (filtersKept.includes(filter.toLowerCase()) || /^default\s*:\s*(["'])[^"'{}\\]*\1$/.test(filter)) return filter
  const words = filter.replace(/^(["'])(.*)\1$/, '$2')
  return count > 1 || filter.includes(':') || /["{}\\]/.test(words) ? null : `default: "${words}"`
}

/** Reports the tag and leaves it out of the text, where it would be a template error. */
function leftOut(text: string, found: TranslatedText): string {
  found.unknown.push(text)
  return ''
}

function blocksAsRandom(text: string): string {
  return text.replaceAll(
    /\{[{%]\s*spin\s*[%}]\}([^{}]{0,4000})\{[{%]\s*endspin\s*[%}]\}/gi,
    (_whole, options: string) => `{{RANDOM|${options}}}`,
  )
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}
