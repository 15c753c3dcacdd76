import { z } from 'zod'
import { invisibleCharacterIn } from './addresses.ts'

/** Ids are opaque: any string is accepted, one that names nothing is 404. Source: docs/contract.md, "Conventions". */
export const id = z.string()

/** ISO 8601 in UTC with milliseconds and `Z`. Source: docs/contract.md, "Conventions". */
export const timestamp = z.iso.datetime({ precision: 3 })

/** On input any offset is accepted. */
export const timestampInput = z.iso.datetime({ offset: true })

/** `YYYY-MM-DD`. */
export const calendarDate = z.iso.date()

/** `HH:MM`, 24 hours. */
export const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use HH:MM, 00:00 to 23:59.')

/** The end of a span of a day: also `24:00`, the end of the day itself. */
export const clockTimeEnd = z.union([clockTime, z.literal('24:00')])

/** A strict object with a name of its own, in the document and in every client that is made from it. */
export function namedObject<const Shape extends z.core.$ZodLooseShape>(name: string, shape: Shape) {
  return z.strictObject(shape).meta({ id: name })
}

export const weekday = z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']).meta({ id: 'Weekday' })
export type Weekday = z.infer<typeof weekday>

/** An IANA zone name, checked against the zones that this runtime knows. */
export const timezone = z.string().max(64).refine(isTimezone, 'Not an IANA time zone.')

export const environment = z.enum(['live', 'test']).meta({ id: 'Environment' })

// Both cases are spelled out: the document shows the pattern, and JSON Schema knows no flags.
const letter = String.raw`A-Za-z0-9\u0080-\uffff`
/** What a domain looks like, to its end. */
export const domainSyntax = String.raw`(?:[${letter}](?:[${letter}-]{0,61}[${letter}])?\.)+[${letter}-]{2,63}$`
const emailSyntax = new RegExp(String.raw`^[^\s@"(),:;<>[\]\\]{1,64}@${domainSyntax}`, 'u')

export const domainName = z
  .string()
  .trim()
  .max(253)
  .check(refuseInvisible)
  .regex(new RegExp(`^${domainSyntax}`, 'u'), 'Not a domain name.')

/** Whose something is, to be found again by it: everybody sees and changes it as before. */
export const ownerId = z.string().nullable().meta({
  description: 'The user whose it is; null: nobody’s, or that of somebody who has gone. It is a filter, and no right.',
})

/**
 * A mailbox as people write it; case and spaces at the ends are normalised by the receiver. Dots at the ends of the local
 * part are accepted, because such mailboxes exist.
 */
export const email = z
  .string()
  .trim()
  .max(254)
  .check(refuseInvisible)
  .regex(emailSyntax, 'Not an email address.')
  .refine(isPlainWhenFolded, 'Not an email address: it contains a character that stands for one of the syntax.')

/**
 * Refuses a text with an invisible character and names the character. It stops the checks that follow, so that a field has
 * one issue.
 */
export function refuseInvisible(payload: z.core.ParsePayload<string>): void {
  const character = invisibleCharacterIn(payload.value)
  if (character === null) return
  const message = `Contains the invisible character ${character}. Type it again without that character.`
  payload.issues.push({ code: 'custom', message, params: { rule: 'invisible' }, input: payload.value, continue: false })
}

// The comparison reads a full-width `＠` as `@`, so that it may not add what the syntax refuses. Anything else that is no
// address has its issue from the syntax already.
function isPlainWhenFolded(address: string): boolean {
  return !emailSyntax.test(address) || emailSyntax.test(address.normalize('NFKC'))
}

/** A switch in a query. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

/** The subject of a message or of a template: one line, or it would end the header that it stands in. */
export const subject = z.string().max(998).refine(isOneLine, 'A subject is one line.')

// Digits alone: `Number` would read '', '0x10', '1e1' and ' 5' too.
const fromDigits = (value: unknown): unknown => (typeof value === 'string' && /^\d+$/.test(value) ? +value : value)
export const countUpTo = (max: number) => z.preprocess(fromDigits, z.number().int().min(1).max(max))

export const pageQuery = {
  page: countUpTo(1000).optional(),
  limit: countUpTo(100).default(25),
  cursor: z.string().max(500).optional(),
  /** Only what the operation's own answer is made of: `format=csv` gives all of the list as a file. */
  format: z.enum(['json', 'csv']).optional(),
  /** Of a session that asks for a file by a link, which sends no headers. */
  environment: z.enum(['live', 'test']).optional(),
}

export const pagination = namedObject('Pagination', {
  currentPage: z.number().int(),
  totalPages: z.number().int(),
  totalCount: z
    .number()
    .int()
    .describe('Exact; a search by `q`, and the log of events, count to 10,000 and no further.'),
})

/** The list envelope of docs/contract.md, "Conventions". */
export function listOf<Item extends z.ZodType>(item: Item) {
  return namedObject(`${nameOf(item)}List`, { results: z.array(item), pagination, nextCursor: z.string().nullable() })
}

const shownSchemas = new WeakMap<object, z.ZodType>()

/** Takes anything, for the operation itself checks what it holds; the document shows the schema given. */
export function checkedLater(shown: z.ZodType): z.ZodUnknown {
  const anything = z.unknown()
  shownSchemas.set(anything, shown)
  return anything
}

/** The schema that the document shows in place of one that takes anything. */
export function shownFor(schema: object): z.ZodType | undefined {
  return shownSchemas.get(schema)
}

/** What a schema is called in the document. */
export function nameOf(schema: z.ZodType): string {
  const name = schema.meta()?.id
  if (name === undefined) throw new Error('A schema that others are named after needs a name itself.')
  return name
}

export const deleted = namedObject('Deleted', { id: z.string(), deleted: z.literal(true) })

const idLengthShown = 200

// An id of whatever form names something or nothing (docs/contract.md, "Conventions"); one that is no string is told back as JSON.
function idOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '').slice(0, idLengthShown)
}

/** The ids that an operation on many takes: one of a wrong type names nothing, and never fails the call. */
export function bulkIds(max: number) {
  return z.array(z.preprocess(idOf, id)).min(1).max(max)
}

/**
 * `{ids: [≤ 100]}` and what became of each: one of a wrong type is not found, as any that names nothing. Source:
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

/** False for what a mail program could read as the beginning of another header. */
export function isOneLine(text: string): boolean {
  return !/[\r\n\u2028\u2029]/.test(text)
}

// A runtime knows some 600 zones; their names are read in any case, so that there are more ways to write them.
const knownZonesMax = 2_000
const knownZones = new Set<string>()

function isTimezone(name: string): boolean {
  // Asking the runtime takes 50 µs, and a file of leads names the same few zones in each of its rows.
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
