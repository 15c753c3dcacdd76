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
import { toStandardName, withNames } from '@overture/ground/text/variable-names.ts'
import { WeightedCache } from './weighted-cache.ts'

const missingNamesMax = 25
const cachedNamesBytesMax = 4 * 1024 * 1024

export type TemplateResult =
  | { kind: 'rendered'; text: string }
  | { kind: 'missing_variable'; names: string[] }
  | { kind: 'template_error'; message: string }

/**
 * Renders a template. A variable without a value (absent, null or blank) and without `default` is never rendered as a blank.
 * Instead the names of all such variables are returned together. With `html` the values of variables are escaped.
 */
export function renderTemplate(text: string, scope: Scope, options: { seed: string; html: boolean }): TemplateResult {
  try {
    return renderNamed(text, withNames(scope, variableNames(text)), options)
  } catch (error) {
    return { kind: 'template_error', message: describe(error) }
  }
}

/** Renders a template with a scope that has a value for each way in which the template writes a name. */
function renderNamed(text: string, scope: Scope, options: { seed: string; html: boolean }): TemplateResult {
  const dialect = options.html ? htmlDialect : plain
  // One allowance for all attempts, so that a text with missing variables doesn't get more.
  const allowance = new Allowance()
  const names: string[] = []
  let filled = withoutBlanks(scope)
  while (names.length <= missingNamesMax) {
    try {
      const rendered = renderOnce(dialect, text, { scope: filled, seed: options.seed, allowance })
      return names.length === 0 ? { kind: 'rendered', text: rendered } : missing(names)
    } catch (error) {
      const name = undefinedName(error)
      if (name === null || names.includes(name)) {
        return names.length === 0 ? { kind: 'template_error', message: describe(error) } : missing(names)
      }
      names.push(name)
      filled = withPlaceholder(filled, name)
    }
  }
  return missing(names)
}

function missing(written: readonly string[]): TemplateResult {
  return { kind: 'missing_variable', names: [...new Set(written.map(toStandardName))] }
}

/**
 * Names that these templates need and the scope lacks. A template is only rendered if it uses a blank variable, to see whether
 * `default` or `if` covers it. So the check is cheap if nothing is missing.
 */
export function missingVariables(texts: readonly string[], scope: Scope): string[] {
  const missing = new Set<string>()
  for (const text of texts) {
    const names = variableNames(text)
    const named = withNames(scope, names)
    if (names.every((name) => hasValue(named, name))) continue
    const result = renderTemplate(text, scope, { seed: '', html: false })
    if (result.kind === 'missing_variable') for (const name of result.names) missing.add(name)
  }
  return [...missing]
}

const namesByTemplate = new WeightedCache<string[]>(cachedNamesBytesMax)

/** The variables that a template uses, without those that it defines. Throws if it can't be parsed. */
export function variableNames(text: string): string[] {
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

/** The scope with a placeholder value for this variable, named as in a template. */
export function withPlaceholder(scope: Scope, name: string): Scope {
  const [first = '', ...rest] = name.split('.')
  if (rest.length === 0) return { ...scope, [first]: '?' }
  const inner = scope[first]
  return {
    ...scope,
    [first]: withPlaceholder(typeof inner === 'object' && inner !== null ? (inner as Scope) : {}, rest.join('.')),
  }
}
