import { distance } from 'fastest-levenshtein'
import { foldedName, isStandard, standardNames } from '@overture/ground/text/variable-names.ts'

export interface UnknownName {
  name: string
  /** The known name that was probably meant, or null. */
  meant: string | null
}

const shortLength = 5

/** The names that are neither standard nor among the custom variables of leads. */
export function unknownNames(names: readonly string[], customNames: readonly string[]): UnknownName[] {
  const known = new Set(customNames.map(foldedName))
  return names
    .filter((name) => !isStandard(name) && !known.has(foldedName(name)))
    .map((name) => ({ name, meant: nearest(name, [...standardNames, ...customNames]) }))
}

function nearest(name: string, known: readonly string[]): string | null {
  const folded = foldedName(name).replaceAll('-', '')
  const allowed = folded.length <= shortLength ? 1 : 2
  const near = known
    .map((one) => ({ one, far: distance(folded, foldedName(one)) }))
    .toSorted((a, b) => a.far - b.far)[0]
  return near !== undefined && near.far <= allowed ? near.one : null
}

/** The place of a variable's first use within a tag of the text, or null. */
export function placeOfName(text: string, name: string): [number, number] | null {
  const word = new RegExp(`(?<![\\w.-])${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?![\\w-])`)
  for (const tag of text.matchAll(/\{\{[^{}]{0,2000}\}\}|\{%[^{}]{0,2000}%\}/g)) {
    const shown = tag[0].replaceAll(/"[^"]*"|'[^']*'/g, (quoted) => ' '.repeat(quoted.length))
    const found = word.exec(shown)
    if (found !== null) return [tag.index + found.index, tag.index + found.index + name.length]
  }
  return null
}
