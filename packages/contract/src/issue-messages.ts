import { z } from 'zod'

type ZodIssue = z.core.$ZodIssue

const { localeError: zodMessage } = z.locales.en()
const valuesShownMax = 20

/** The message of an issue: that of the schema if the schema has one, else a plain sentence instead of Zod's. */
export function issueMessage(issue: ZodIssue): string {
  const { message, ...raw } = issue
  // Zod's message for a wrong type names the type of the value, which an issue no longer contains.
  const isZods =
    issue.code === 'invalid_type'
      ? message.startsWith('Invalid input: expected ')
      : message === zodMessage(raw as Parameters<typeof zodMessage>[0])
  return isZods ? (plainMessage(issue) ?? message) : message
}

const typeNames: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

function plainMessage(issue: ZodIssue): string | null {
  switch (issue.code) {
    case 'too_small':
      return sizeMessage(issue.origin, { limit: issue.minimum, inclusive: issue.inclusive !== false, least: true })
    case 'too_big':
      return sizeMessage(issue.origin, { limit: issue.maximum, inclusive: issue.inclusive !== false, least: false })
    case 'invalid_type': {
      const name = typeNames[issue.expected]
      return name === undefined ? null : `Must be ${name}.`
    }
    case 'invalid_value': {
      const values = issue.values.slice(0, valuesShownMax).map((value) => JSON.stringify(value))
      if (values.length === 1) return `Must be ${values[0]!}.`
      return `Must be one of ${values.join(', ')}${issue.values.length > values.length ? ' and others' : ''}.`
    }
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}.`
    case 'invalid_format':
      return formatMessages[issue.format] ?? null
    case 'invalid_key': {
      const [first] = issue.issues
      return first === undefined ? null : issueMessage(first)
    }
    case 'custom':
    case 'invalid_element':
    case 'invalid_union':
    case 'unrecognized_keys':
      return null
  }
}

const formatMessages: Record<string, string> = {
  email: 'Not an email address.',
  url: 'Not a web address.',
  datetime: 'Must be a time such as 2026-11-27T09:00:00Z.',
  date: 'Must be a date such as 2026-11-27.',
}

interface Size {
  limit: number | bigint
  inclusive: boolean
  /** Whether the limit is the least value. */
  least: boolean
}

function sizeMessage(origin: string, { limit, inclusive, least }: Size): string | null {
  const bound = `${least ? 'at least' : 'at most'} ${limit}`
  const many = limit !== 1
  switch (origin) {
    case 'string':
      return least && limit === 1 ? 'Must not be empty.' : `Must have ${bound} character${many ? 's' : ''}.`
    case 'array':
    case 'set':
      return least && limit === 1 ? 'Must not be empty.' : `Must have ${bound} item${many ? 's' : ''}.`
    case 'number':
    case 'int':
    case 'bigint':
      return inclusive ? `Must be ${bound}.` : `Must be ${least ? 'greater' : 'less'} than ${limit}.`
    default:
      return null
  }
}
