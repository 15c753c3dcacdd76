import { Context, Liquid, UndefinedVariableError, type Template } from 'liquidjs'
import { spin } from './spintax.ts'
import { WeightedCache } from './weighted-cache.ts'

export type Scope = Record<string, unknown>

/** Of what is stored; what is written may be as long as `templateLengthMax`. */
const parsedLengthMax = 200_000
const stepsMax = 10_000
/** Characters and items that the filters and ranges of one text may make. */
const memoryMax = 500_000
const cachedBytesMax = 32 * 1024 * 1024
/** Measured: a character costs up to 142 bytes in a tag, and 1 beside them. */
const bytesPerTagCharacter = 150
const bytesPerCharacter = 2
const fileTags = ['include', 'render', 'layout', 'block'] as const
const seedName = '$seed'

/** A text that costs more than any message may. */
class TooCostlyError extends Error {
  override readonly name = 'TooCostlyError'
}

/**
 * What rendering a text may take, in counts that are the same on every machine: they end loops. What is slow within one
 * step is ended with the thread that it runs in.
 */
export class Allowance {
  private steps = 0
  private memory = 0

  /** Liquid asks before each part of a template, and in each turn of a loop. */
  check(): void {
    this.steps += 1
    if (this.steps > stepsMax) throw new TooCostlyError(`It takes more than ${stepsMax} steps to render`)
  }

  use(count: number): void {
    if (!(Number(count) > 0)) return
    this.memory += Number(count)
    if (this.memory > memoryMax) throw new TooCostlyError('It makes more than a message can hold')
  }
}

/** Liquid as templates speak it: no files, nothing inherited, and no variable without a value. */
interface Dialect {
  engine: Liquid
  parsed: WeightedCache<Template[]>
}

export const plain = createDialect(false)
/** What variables bring is escaped. */
export const html = createDialect(true)

function createDialect(escape: boolean): Dialect {
  const engine = new Liquid({
    ownPropertyOnly: true,
    strictVariables: true,
    strictFilters: true,
    // `default` and `if` may ask for what is not there.
    lenientIf: true,
    parseLimit: parsedLengthMax,
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
  return { engine, parsed: new WeightedCache(cachedBytesMax) }
}

/** Parsing costs several times what rendering does. */
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

/** Throws what Liquid throws, and `TooCostlyError` within it. */
export function renderOnce(
  dialect: Dialect,
  text: string,
  { scope, seed, allowance }: { scope: Scope; seed: string; allowance: Allowance },
): string {
  const limits = { memoryLimit: allowance, renderLimit: allowance, liquid: dialect.engine }
  const options = { sync: true, globals: { [seedName]: seed } }
  // The type of Liquid's own limits has private members; what it calls is `check` and `use`.
  const context = new Context(scope, dialect.engine.options, options, limits as never)
  return String(dialect.engine.renderSync(parsed(dialect, text), context))
}

/** Whether an error of Liquid's says that a variable has no value, and which one. */
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
  if (originalError(error) instanceof RangeError) return 'It is nested too deeply.'
  return error instanceof Error ? (error.message.split('\n')[0] ?? error.message) : 'The template does not parse.'
}
