import { z } from 'zod'

/** One setting for operators: its valid values, its default, and its purpose. */
export interface Setting<Value = unknown> {
  /** Parses the text of a variable to the value for the server. The message says what is expected. */
  schema: z.ZodType<Value, string>
  /** The default as an operator would write it; null for none. */
  default: string | null
  /** The meaning of an unset value, if it has one. */
  otherwise: string | null
  /** Whether the value must never be printed. */
  secret: boolean
  help: string
  /** The type in the JSON Schema of the file. */
  type: 'string' | 'integer' | 'boolean' | 'array'
  choices: readonly string[] | null
  bounds: { min: number; max: number } | null
}

interface Facts<Default extends string | null> {
  help: string
  default?: Default
  otherwise?: string
  secret?: boolean
}

type SettingOf<Value, Default extends string | null> = Setting<Default extends string ? Value : Value | null>

type Rest = Pick<Setting, 'type'> & Partial<Pick<Setting, 'choices' | 'bounds'>>

function setting<Value, Default extends string | null = null>(
  schema: z.ZodType<Value, string>,
  facts: Facts<Default>,
  rest: Rest,
): SettingOf<Value, Default> {
  return {
    schema,
    choices: null,
    bounds: null,
    ...rest,
    help: facts.help,
    default: facts.default ?? null,
    otherwise: facts.otherwise ?? null,
    secret: facts.secret ?? false,
  } as SettingOf<Value, Default>
}

export function text<Default extends string | null = null>(facts: Facts<Default>): SettingOf<string, Default> {
  return setting(z.string(), facts, { type: 'string' })
}

/** Parts separated by commas; empty if not set. */
export function list(
  facts: Facts<string | null> & { each?: (part: string) => boolean; expected?: string },
): Setting<string[]> {
  const { each = () => true, expected = '' } = facts
  const parts = z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .refine((found) => found.every(each), expected)
  return setting(parts, { ...facts, default: facts.default ?? '' }, { type: 'array' })
}

export function integer<Default extends string | null = null>(
  facts: Facts<Default> & { min: number; max: number },
): SettingOf<number, Default> {
  const { min, max } = facts
  const isIn = (value: string) => /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max
  const schema = z
    .string()
    .refine(isIn, { error: ({ input }) => `a whole number from ${min} to ${max}, not "${String(input)}".` })
    .transform(Number)
  return setting(schema, facts, { type: 'integer', bounds: { min, max } })
}

export function choice<const Choice extends string, Default extends Choice | null = null>(
  choices: readonly Choice[],
  facts: Facts<Default>,
): SettingOf<Choice, Default> {
  const schema = z
    .string()
    .refine((value): value is Choice => (choices as readonly string[]).includes(value), {
      error: ({ input }) => `use one of ${choices.join(', ')}, not "${String(input)}".`,
    })
    .transform((value) => value as Choice)
  return setting(schema, facts, { type: 'string', choices })
}

const yes = ['1', 'true', 'on', 'yes']
const no = ['0', 'false', 'off', 'no']

export function flag(facts: Facts<'0' | '1'> & { default: '0' | '1' }): Setting<boolean> {
  const schema = z
    .string()
    .refine((value) => [...yes, ...no].includes(value.toLowerCase()), {
      error: ({ input }) => `use 1 or 0, not "${String(input)}".`,
    })
    .transform((value) => yes.includes(value.toLowerCase()))
  return setting<boolean, '0' | '1'>(schema, facts, { type: 'boolean' })
}

/** The value is not repeated in messages, because a URL may contain a password. */
export function url<Default extends string | null = null>(
  protocols: readonly string[],
  facts: Facts<Default>,
): SettingOf<string, Default> {
  const isOne = (value: string) => protocols.includes(value.slice(0, value.indexOf(':') + 1)) && URL.canParse(value)
  const expected = `a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`
  return setting(z.string().refine(isOne, expected), facts, { type: 'string' })
}

/** A text of which every part must match a pattern. */
export function like(
  pattern: (value: string) => boolean,
  expected: string,
  facts: Facts<null>,
): Setting<string | null> {
  return setting(z.string().refine(pattern, expected), facts, { type: 'string' })
}
