import { Liquid, UndefinedVariableError, type Template } from 'liquidjs'
import { spin } from './spintax.ts'

export const templateLengthMax = 200_000
const memoryLimit = 2_000_000
const renderLimitMs = 1000
const missingNamesMax = 25
const parsedTemplatesMax = 500
const fileTags = ['include', 'render', 'layout', 'block'] as const
const seedName = '$seed'

export type Scope = Record<string, unknown>

export type TemplateResult =
  | { kind: 'rendered'; text: string }
  | { kind: 'missing_variable'; names: string[] }
  | { kind: 'template_error'; message: string }

/** What is wrong with a Liquid template, for refusing it when it is written (400); null when it parses. */
export function checkTemplate(text: string): string | null {
  if (text.length > templateLengthMax) return `A template has ${templateLengthMax} characters at most.`
  try {
    plain.engine.parse(text)
    return null
  } catch (error) {
    return describe(error)
  }
}

/**
 * Renders a template. A variable without value (absent, null or blank) and without `default` is never rendered as
 * a blank: all such names are answered together. With `html` what variables bring is escaped.
 */
export function renderTemplate(text: string, scope: Scope, options: { seed: string; html: boolean }): TemplateResult {
  const dialect = options.html ? html : plain
  const names: string[] = []
  let filled = withoutBlanks(scope)
  while (names.length <= missingNamesMax) {
    try {
      const rendered = dialect.engine.renderSync(parsed(dialect, text), filled, {
        globals: { [seedName]: options.seed },
      })
      return names.length === 0 ? { kind: 'rendered', text: String(rendered) } : { kind: 'missing_variable', names }
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

const namesByTemplate = new Map<string, string[]>()

function namesOf(text: string): string[] {
  const known = namesByTemplate.get(text)
  if (known !== undefined) return known
  const names = plain.engine.globalFullVariablesSync(parsed(plain, text))
  if (namesByTemplate.size >= parsedTemplatesMax) namesByTemplate.clear()
  namesByTemplate.set(text, names)
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

interface Dialect {
  engine: Liquid
  parsed: Map<string, Template[]>
}

const plain = createDialect(false)
const html = createDialect(true)

function createDialect(escape: boolean): Dialect {
  const engine = new Liquid({
    ownPropertyOnly: true,
    strictVariables: true,
    strictFilters: true,
    // `default` and `if` may ask for what is not there.
    lenientIf: true,
    memoryLimit,
    renderLimit: renderLimitMs,
    parseLimit: templateLengthMax,
    templates: {},
    ...(escape ? { outputEscape: 'escape' as const } : {}),
  })
  for (const tag of fileTags) delete engine.tags[tag]
  engine.registerFilter('spin', {
    // What is spun is the author's own markup.
    raw: true,
    handler(this: { context: { globals: object } }, value: unknown) {
      const globals = this.context.globals as Record<string, unknown>
      const seed = globals[seedName]
      return spin(typeof value === 'string' ? value : '', typeof seed === 'string' ? seed : '')
    },
  })
  return { engine, parsed: new Map() }
}

// Parsing costs several times what rendering does; the bound keeps a campaign's worth of templates.
function parsed(dialect: Dialect, text: string): Template[] {
  const known = dialect.parsed.get(text)
  if (known !== undefined) return known
  const templates = dialect.engine.parse(text)
  if (dialect.parsed.size >= parsedTemplatesMax) dialect.parsed.clear()
  dialect.parsed.set(text, templates)
  return templates
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

function withPlaceholder(scope: Scope, name: string): Scope {
  const [first = '', ...rest] = name.split('.')
  if (rest.length === 0) return { ...scope, [first]: '?' }
  const inner = scope[first]
  return {
    ...scope,
    [first]: withPlaceholder(typeof inner === 'object' && inner !== null ? (inner as Scope) : {}, rest.join('.')),
  }
}

function undefinedName(error: unknown): string | null {
  const original = originalError(error)
  if (!UndefinedVariableError.is(original)) return null
  return /undefined variable: (.+?)(?:, line:|$)/m.exec((original as Error).message)?.[1]?.trim() ?? null
}

function originalError(error: unknown): unknown {
  if (UndefinedVariableError.is(error)) return error
  const inner = (error as { originalError?: unknown }).originalError
  return inner === undefined ? error : originalError(inner)
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? error.message) : 'The template does not parse.'
}
