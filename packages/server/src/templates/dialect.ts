import { Context, Liquid, UndefinedVariableError, type Template } from 'liquidjs'
import { spin } from './spintax.ts'
import { WeightedCache } from './weighted-cache.ts'

export type Scope = Record<string, unknown>

/** The limit for stored texts. New texts are limited to `templateLengthMax`. */
const parsedLengthMax = 200_000
const stepsMax = 10_000
/** The number of characters and items that the filters and ranges of one text may create. */
const memoryMax = 500_000
const cachedBytesMax = 32 * 1024 * 1024
/** Measured: a character costs up to 142 bytes inside a tag, and 1 byte outside. */
const bytesPerTagCharacter = 150
const bytesPerCharacter = 2
const fileTags = ['include', 'render', 'layout', 'block'] as const
const seedName = '$seed'

/** The text exceeds the limits of rendering. */
class TooCostlyError extends Error {
  override readonly name = 'TooCostlyError'
}

/**
 * The limits of rendering a text. They are counts, so they are the same on every machine, and they end loops. A single slow step
 * is ended together with its thread.
 */
export class Allowance {
  #steps = 0
  #memory = 0

  /** Liquid calls this before each part of a template and in each iteration of a loop. */
  check(): void {
    this.#steps += 1
    if (this.#steps > stepsMax) throw new TooCostlyError(`The template needs more than ${stepsMax} steps to render`)
  }

  use(count: number): void {
    if (!(Number(count) > 0)) return
    this.#memory += Number(count)
    if (this.#memory > memoryMax)
      throw new TooCostlyError('The template renders a text that is too large for a message')
  }
}

/** Liquid as templates may use it: no files, no inherited properties, and no variable without a value. */
interface Dialect {
  engine: Liquid
  parsed: WeightedCache<Template[]>
}

export const plain = createDialect(false)
/** The values of variables are escaped. */
export const html = createDialect(true)

function createDialect(escape: boolean): Dialect {
  const engine = new Liquid({
    ownPropertyOnly: true,
    strictVariables: true,
    strictFilters: true,
    // `default` and `if` may test missing variables.
    lenientIf: true,
    parseLimit: parsedLengthMax,
    templates: {},
    ...(escape ? { outputEscape: 'escape' as const } : {}),
  })
  for (const tag of fileTags) delete engine.tags[tag]
  engine.registerFilter('spin', {
    // The options of a spin are the author's own markup, so they are not escaped.
    raw: true,
    handler(this: { context: { globals: object } }, value: unknown) {
      const globals = this.context.globals as Record<string, unknown>
      const seed = globals[seedName]
      return spin(typeof value === 'string' ? value : '', typeof seed === 'string' ? seed : '')
    },
  })
  return { engine, parsed: new WeightedCache(cachedBytesMax) }
}

/** Parsing costs several times as much as rendering, so the result is cached. */
export function parsed(dialect: Dialect, text: string): Template[] {
  const known = dialect.parsed.get(text)
  if (known !== undefined) return known
  const templates = dialect.engine.parse(text)
  dialect.parsed.set(text, templates, parsedBytes(text))
  return templates
}

function parsedBytes(text: string): number {
  return text.length * bytesPerCharacter + tagCharacters(text) * bytesPerTagCharacter
}

function tagCharacters(text: string): number {
  let characters = 0
  for (let from = text.indexOf('{'); from >= 0; from = text.indexOf('{', from + 1)) {
    const close = text[from + 1] === '{' ? '}}' : text[from + 1] === '%' ? '%}' : null
    if (close === null) continue
    const end = text.indexOf(close, from)
    const next = end < 0 ? text.length : end
    characters += next - from
    from = next
  }
  return characters
}

/** Throws errors of Liquid, which may wrap a `TooCostlyError`. */
export function renderOnce(
  dialect: Dialect,
  text: string,
  { scope, seed, allowance }: { scope: Scope; seed: string; allowance: Allowance },
): string {
  const limits = { memoryLimit: allowance, renderLimit: allowance, liquid: dialect.engine }
  const options = { sync: true, globals: { [seedName]: seed } }
  // The type of Liquid's own limits has private members, but Liquid only calls `check` and `use`.
  const context = new Context(scope, dialect.engine.options, options, limits as never)
  return String(dialect.engine.renderSync(parsed(dialect, text), context))
}

/** The name of the variable if an error of Liquid is about a variable without a value, else null. */
export function undefinedName(error: unknown): string | null {
  const original = originalError(error)
  if (!UndefinedVariableError.is(original)) return null
  return /undefined variable: (.+?)(?:, line:|$)/m.exec((original as Error).message)?.[1]?.trim() ?? null
}

function originalError(error: unknown): unknown {
  if (UndefinedVariableError.is(error)) return error
  const inner = (error as { originalError?: unknown } | null)?.originalError
  return inner === undefined ? error : originalError(inner)
}

export function describe(error: unknown): string {
  if (originalError(error) instanceof RangeError) return 'The template is nested too deeply.'
  return error instanceof Error ? (error.message.split('\n')[0] ?? error.message) : 'The template has a syntax error.'
}
