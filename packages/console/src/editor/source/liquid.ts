/** A complete piece of Liquid: a comment or raw part with its content, a tag, or an output. */
const complete = new RegExp(
  [
    String.raw`\{%-?\s*(raw|comment)\s*-?%\}[\s\S]*?\{%-?\s*end\1\s*-?%\}`,
    String.raw`\{\{(?:"[^"]*"|'[^']*'|[^"'{]|\{(?![{%]))*?\}\}`,
    String.raw`\{%(?:"[^"]*"|'[^']*'|[^"'{]|\{(?![{%]))*?%\}`,
  ].join('|'),
  'g',
)

export type LiquidPart = { kind: 'text'; text: string } | { kind: 'liquid'; source: string }

/** Divides a text into its Liquid and the text between. An unfinished piece is text. */
export function liquidParts(text: string): LiquidPart[] {
  const parts: LiquidPart[] = []
  let from = 0
  for (const { 0: source, index } of text.matchAll(complete)) {
    if (index > from) parts.push({ kind: 'text', text: text.slice(from, index) })
    parts.push({ kind: 'liquid', source })
    from = index + source.length
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) })
  return parts
}

export interface Variable {
  name: string
  fallback: string | null
}

const variable = /^\{\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*(?:\|\s*default:\s*(?:"([^"]*)"|'([^']*)')\s*)?\}\}$/u

/** The variable that a piece of Liquid prints, with nothing but a fallback, else null. */
export function parseVariable(source: string): Variable | null {
  const found = variable.exec(source)
  return found === null ? null : { name: found[1]!, fallback: found[2] ?? found[3] ?? null }
}

/** Writes a variable. A fallback can't contain both kinds of quotes, so then the double ones become single ones. */
export function variableSource({ name, fallback }: Variable): string {
  if (fallback === null || fallback.trim() === '') return `{{ ${name} }}`
  const quote = fallback.includes('"') && !fallback.includes("'") ? "'" : '"'
  return `{{ ${name} | default: ${quote}${quote === '"' ? fallback.replaceAll('"', "'") : fallback}${quote} }}`
}

/** The options of spintax, else null. */
export function parseSpinOptions(source: string): string[] | null {
  const found = /^\{\{\s*(?:"([^"]*)"|'([^']*)')\s*\|\s*spin\s*\}\}$/.exec(source)
  return found === null ? null : (found[1] ?? found[2] ?? '').split('|').map((option) => option.trim())
}

/** Writes spintax. A quote would end the text, so it becomes a typographic one. */
export function spinSource(typed: string): string {
  const options = typed.split('|').map((option) => option.trim())
  return `{{ "${options.join('|').replaceAll('"', '”')}" | spin }}`
}
