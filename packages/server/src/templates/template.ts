import {
  Allowance,
  describe,
  html as htmlDialect,
  parsed,
  plain,
  renderOnce,
  undefinedName,
  type Scope,
} from './dialect.ts'
import { WeightedCache } from './weighted-cache.ts'

const missingNamesMax = 25
const cachedNamesBytesMax = 4 * 1024 * 1024

export type TemplateResult =
  | { kind: 'rendered'; text: string }
  | { kind: 'missing_variable'; names: string[] }
  | { kind: 'template_error'; message: string }

/**
 * Renders a template. A variable without value (absent, null or blank) and without `default` is never rendered as
 * a blank: all such names are answered together. With `html` what variables bring is escaped.
 */
export function renderTemplate(text: string, scope: Scope, options: { seed: string; html: boolean }): TemplateResult {
  const dialect = options.html ? htmlDialect : plain
  // One for all turns: a text is not given more for what it lacks.
  const allowance = new Allowance()
  const names: string[] = []
  let filled = withoutBlanks(scope)
  while (names.length <= missingNamesMax) {
    try {
      const rendered = renderOnce(dialect, text, { scope: filled, seed: options.seed, allowance })
      return names.length === 0 ? { kind: 'rendered', text: rendered } : { kind: 'missing_variable', names }
    } catch (error) {
      const name = undefinedName(error)
      if (name === null || names.includes(name)) {
        return names.length === 0
          ? { kind: 'template_error', message: describe(error) }
          : { kind: 'missing_variable', names }
      }
      names.push(name)
      filled = withPlaceholder(filled, name)
    }
  }
  return { kind: 'missing_variable', names }
}

/**
 * Names that these templates need and the scope lacks. Cheap where nothing is missing: only a template that names
 * something blank is rendered, to see whether `default` or `if` covers it.
 */
export function missingVariables(texts: readonly string[], scope: Scope): string[] {
  const missing = new Set<string>()
  for (const text of texts) {
    if (namesOf(text).every((name) => hasValue(scope, name))) continue
    const result = renderTemplate(text, scope, { seed: '', html: false })
    if (result.kind === 'missing_variable') for (const name of result.names) missing.add(name)
  }
  return [...missing]
}

const namesByTemplate = new WeightedCache<string[]>(cachedNamesBytesMax)

/** The variables that a template asks for, none that it makes itself. Throws where it does not parse. */
export function namesOf(text: string): string[] {
  const known = namesByTemplate.get(text)
  if (known !== undefined) return known
  const names = plain.engine.globalFullVariablesSync(parsed(plain, text))
  namesByTemplate.set(text, names, text.length * 4)
  return names
}

function hasValue(scope: Scope, name: string): boolean {
  let value: unknown = scope
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return false
    value = (value as Scope)[part]
  }
  return typeof value === 'string' ? value.trim() !== '' : value !== null && value !== undefined
}

function withoutBlanks(scope: Scope): Scope {
  const kept: Scope = {}
  for (const [name, value] of Object.entries(scope)) {
    if (value === null || value === undefined) continue
    if (typeof value === 'string' && value.trim() === '') continue
    kept[name] = typeof value === 'object' && !Array.isArray(value) ? withoutBlanks(value as Scope) : value
  }
  return kept
}

/** A scope in which this variable, named as in a template, has some value. */
export function withPlaceholder(scope: Scope, name: string): Scope {
  const [first = '', ...rest] = name.split('.')
  if (rest.length === 0) return { ...scope, [first]: '?' }
  const inner = scope[first]
  return {
    ...scope,
    [first]: withPlaceholder(typeof inner === 'object' && inner !== null ? (inner as Scope) : {}, rest.join('.')),
  }
}
