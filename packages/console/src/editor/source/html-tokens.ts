import { decodeEntity } from './entities.ts'
import { liquidParts } from './liquid.ts'

export type HtmlToken =
  | { kind: 'open'; name: string; attributes: Record<string, string>; written: string }
  | { kind: 'close'; name: string; written: string }
  | { kind: 'text'; text: string }
  | { kind: 'space' }
  | { kind: 'lineBreak' }
  | { kind: 'liquid'; source: string }
  /** HTML that the editor does not know. */
  | { kind: 'other'; written: string }

/** Liquid is rendered before the HTML is read, so here each piece is one character that no text contains. */
const hidden = /\uE000(\d+)\uE001/g
const reserved = /[\uE000\uE001]/
const token = new RegExp(
  [
    String.raw`<(\/?)([a-z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>`,
    String.raw`\uE000(\d+)\uE001`,
    String.raw`&(#?\w+);`,
    String.raw`(\n)`,
    String.raw`([ \t\r\f]+)`,
    String.raw`(<[a-z!?/])`,
    String.raw`([^<&\n \t\r\f\uE000]+|[<&])`,
  ].join('|'),
  'giy',
)
const attribute = /\s*([^\s=/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?|\s*\//gy
const writtenLengthMax = 60

/** Divides HTML into tokens. Returns null for a text with characters that are reserved for this module. */
export function htmlTokens(source: string, { liquid }: { liquid: boolean }): HtmlToken[] | null {
  if (reserved.test(source)) return null
  const pieces: string[] = []
  const masked = liquid
    ? liquidParts(source)
        .map((part) => (part.kind === 'text' ? part.text : `\uE000${pieces.push(part.source) - 1}\uE001`))
        .join('')
    : source
  const shown = (text: string): string => text.replaceAll(hidden, (_, index: string) => pieces[Number(index)]!)
  return Array.from(masked.matchAll(token), (found) => toToken(found, pieces, shown))
}

function toToken(found: RegExpExecArray, pieces: readonly string[], shown: (text: string) => string): HtmlToken {
  const [written, closing, name, rest = '', index, entity, lineBreak, space, unknown, text = ''] = found
  const other: HtmlToken = { kind: 'other', written: cut(shown(written)) }
  if (name !== undefined) {
    if (closing === '/') return { kind: 'close', name: name.toLowerCase(), written: cut(written) }
    const attributes = parseAttributes(rest, shown)
    if (attributes === null || reserved.test(name)) return other
    return { kind: 'open', name: name.toLowerCase(), attributes, written: cut(shown(written)) }
  }
  if (index !== undefined) return { kind: 'liquid', source: pieces[Number(index)]! }
  if (entity !== undefined) {
    const character = decodeEntity(entity)
    return character === null ? other : character === ' ' ? { kind: 'space' } : { kind: 'text', text: character }
  }
  if (lineBreak !== undefined) return { kind: 'lineBreak' }
  if (space !== undefined) return { kind: 'space' }
  return unknown === undefined ? { kind: 'text', text } : other
}

function cut(written: string): string {
  return written.length > writtenLengthMax ? `${written.slice(0, writtenLengthMax)}…` : written
}

/** The attributes of a tag, or null if they can't be read or one is repeated. */
function parseAttributes(written: string, shown: (text: string) => string): Record<string, string> | null {
  const attributes: Record<string, string> = {}
  const text = written.trim()
  let end = 0
  for (const { 0: whole, 1: name, 2: double, 3: single, 4: bare, index } of text.matchAll(attribute)) {
    end = index + whole.length
    if (name === undefined) continue
    const lower = name.toLowerCase()
    if (reserved.test(name) || Object.hasOwn(attributes, lower)) return null
    const value = (double ?? single ?? bare ?? '').replaceAll(/&(#?\w+);/g, (entity, inner: string) => {
      return decodeEntity(inner) ?? entity
    })
    attributes[lower] = shown(value)
  }
  return end === text.length ? attributes : null
}
