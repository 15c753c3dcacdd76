import { z } from 'zod'
import { invisibleCharacterIn } from './addresses.ts'

/** Ids are opaque. Any string is accepted, and an id that does not exist gets 404. Source: docs/contract.md, "Conventions". */
export const id = z.string()

/** ISO 8601 in UTC with milliseconds and `Z`. Source: docs/contract.md, "Conventions". */
export const timestamp = z.iso.datetime({ precision: 3 })

const yearsMs = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')] as const

/** Responses contain only years of four digits. A text that is no time is refused before. */
function hasYearInUtc(text: string): boolean {
  const ms = Date.parse(text)
  return Number.isNaN(ms) || (ms >= yearsMs[0] && ms <= yearsMs[1])
}

/** A time in a request may have any offset. */
export const timestampInput = z.iso
  .datetime({ offset: true })
  .refine(hasYearInUtc, 'The year in UTC is not between 0000 and 9999.')

/** `YYYY-MM-DD`. */
export const calendarDate = z.iso.date()

/** `HH:MM`, 24 hours. */
export const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use HH:MM, 00:00 to 23:59.')

/** The end of a time span within a day. `24:00` is the end of the day. */
export const clockTimeEnd = z.union([clockTime, z.literal('24:00')])

/** A strict object with its own name, in the document and in every client that is generated from it. */
export function namedObject<const Shape extends z.core.$ZodLooseShape>(name: string, shape: Shape) {
  return z.strictObject(shape).meta({ id: name })
}

export const weekday = z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']).meta({ id: 'Weekday' })
export type Weekday = z.infer<typeof weekday>

/** An IANA zone name, checked against the zones that this runtime knows. */
export const timezone = z.string().max(64).refine(isTimezone, 'Not an IANA time zone.')

export const environment = z.enum(['live', 'test']).meta({ id: 'Environment' })

// Both cases are written out, because the document contains the pattern and JSON Schema has no flags.
const letter = String.raw`A-Za-z0-9\u0080-\uffff`
/** The syntax of a domain up to the end of the text. */
export const domainSyntax = String.raw`(?:[${letter}](?:[${letter}-]{0,61}[${letter}])?\.)+[${letter}-]{2,63}$`
const emailSyntax = new RegExp(String.raw`^[^\s@"(),:;<>[\]\\]{1,64}@${domainSyntax}`, 'u')

export const domainName = z
  .string()
  .trim()
  .max(253)
  .check(refuseInvisible)
  .regex(new RegExp(`^${domainSyntax}`, 'u'), 'Not a domain name.')

/** The user who owns something. It is only a filter: every user can see and change it. */
export const ownerId = z.string().nullable().meta({
  description:
    'The user who owns it. Null if it has no owner or the owner was removed. It is only a filter and gives no permission.',
})

/**
 * A mailbox as people write it. The receiver normalizes case and spaces at the ends. Dots at the ends of the local part are accepted,
 * because such mailboxes exist.
 */
export const email = z
  .string()
  .trim()
  .max(254)
  .check(refuseInvisible)
  .regex(emailSyntax, 'Not an email address.')
  .refine(
    isPlainWhenFolded,
    'Not an email address, because it contains a character that looks like one of the address syntax.',
  )

/**
 * Refuses a text with an invisible character and names the character. It stops the checks that follow, so that a field has only one issue.
 */
export function refuseInvisible(payload: z.core.ParsePayload<string>): void {
  const character = invisibleCharacterIn(payload.value)
  if (character === null) return
  const message = `Contains the invisible character ${character}. Type it again without that character.`
  payload.issues.push({ code: 'custom', message, params: { rule: 'invisible' }, input: payload.value, continue: false })
}

// The comparison reads a full-width `＠` as `@`, so folding must not add characters that the syntax refuses. A text that is not an address
// at all already has an issue from the syntax check.
function isPlainWhenFolded(address: string): boolean {
  return !emailSyntax.test(address) || emailSyntax.test(address.normalize('NFKC'))
}

/** A boolean in a query. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

/** The subject of a message or of a template. It has one line, since a line break would end its header. */
export const subject = z.string().max(998).refine(isOneLine, 'A subject can’t contain a line break.')

// Only digits are accepted, since `Number` would also parse '', '0x10', '1e1' and ' 5'.
const fromDigits = (value: unknown): unknown => (typeof value === 'string' && /^\d+$/.test(value) ? +value : value)
export const countUpTo = (max: number) => z.preprocess(fromDigits, z.number().int().min(1).max(max))
export const yearNumber = z.preprocess(fromDigits, z.number().int().min(2000).max(2100))

export const pageQuery = {
  page: countUpTo(1000).optional(),
  limit: countUpTo(100).default(25),
  cursor: z.string().max(500).optional(),
  /** Only for operations that return a list: `format=csv` returns the whole list as a file. */
  format: z.enum(['json', 'csv']).optional(),
  /** For a session that downloads a file through a link, which can't send headers. */
  environment: z.enum(['live', 'test']).optional(),
}

/** A search by `q`, and the event log, count up to this number. */
export const totalCountMax = 10_000

export const pagination = namedObject('Pagination', {
  currentPage: z.number().int(),
  totalPages: z.number().int(),
  totalCount: z.number().int().describe('Exact, except that a search by `q` and the event log count only to 10,000.'),
})

/** The list envelope of docs/contract.md, "Conventions". */
export function listOf<Item extends z.ZodType>(item: Item) {
  return namedObject(`${schemaName(item)}List`, {
    results: z.array(item),
    pagination,
    nextCursor: z.string().nullable(),
  })
}

const shownSchemas = new WeakMap<object, z.ZodType>()

/** Accepts any value, since the operation checks the content itself. The document shows the given schema. */
export function checkedLater(shown: z.ZodType): z.ZodUnknown {
  const anything = z.unknown()
  shownSchemas.set(anything, shown)
  return anything
}

/** The schema that the document shows for a schema that accepts any value. */
export function shownFor(schema: object): z.ZodType | undefined {
  return shownSchemas.get(schema)
}

/** The name of a schema in the document. */
export function schemaName(schema: z.ZodType): string {
  const name = schema.meta()?.id
  if (name === undefined) throw new Error('A schema that others are named after needs a name itself.')
  return name
}

export const deleted = namedObject('Deleted', { id: z.string(), deleted: z.literal(true) })

const idLengthShown = 200

// An id of any form exists or does not exist (docs/contract.md, "Conventions"). An id that is not a string is repeated in the answer as
// JSON.
function readId(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '').slice(0, idLengthShown)
}

/** The ids for an operation on many resources. An id of a wrong type is one that does not exist, and never fails the call. */
export function bulkIds(max: number) {
  return z.array(z.preprocess(readId, id)).min(1).max(max)
}

/**
 * `{ids: [≤ 100]}` and the result of each id. An id of a wrong type is not found, like any id that does not exist. Source:
 * docs/contract.md, "Campaigns".
 */
export const bulkDeleteInput = namedObject('BulkDeleteInput', { ids: bulkIds(100) })
export const bulkDeleteOutput = namedObject('BulkDeleteResults', {
  results: z.array(
    namedObject('BulkDeleteResult', {
      id: z.string(),
      outcome: z.enum(['deleted', 'not_found', 'conflict']),
      message: z.string().nullable(),
    }),
  ),
})

/** False for a text that a mail program could read as the start of another header. */
export function isOneLine(text: string): boolean {
  return !/[\r\n\u2028\u2029]/.test(text)
}

// A runtime knows some 600 zones. Their names are not case-sensitive, so each has several spellings.
const knownZonesMax = 2_000
const knownZones = new Set<string>()

function isTimezone(name: string): boolean {
  // The runtime needs 50 µs for the check, and a file of leads has the same few zones in all of its rows.
  if (knownZones.has(name)) return true
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    return false
  }
  if (!/^[A-Za-z]/.test(name)) return false
  if (knownZones.size >= knownZonesMax) knownZones.clear()
  knownZones.add(name)
  return true
}
