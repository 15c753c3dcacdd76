import type { z } from 'zod'
import type { CampaignSettingsInput, LeadItem, ScheduleInput, StepInput } from '@overture/sdk'
import { findField, variableName } from '@overture/ground/text/merge-tag-names.ts'
import { translateTags, type Dialect } from './merge-tags.ts'

export const products = ['instantly', 'smartlead', 'lemlist'] as const
export type ProductName = (typeof products)[number]

/** A campaign of another product, converted to a draft. */
export interface MovedCampaign {
  /** The id in the other product, by which its leads are found. */
  sourceId: string | null
  name: string
  steps: StepInput[]
  schedule: ScheduleInput
  settings: CampaignSettingsInput
  /** Custom variables that its texts use. */
  variables: string[]
  /** Sentences about parts that could not be translated. */
  notes: string[]
}

/** The status of a row. Leads who opted out or bounced are not written to, and leads who were contacted before don't start again. */
export type RowStatus =
  | { kind: 'new' }
  | { kind: 'contacted'; why: string }
  | { kind: 'opted_out'; why: string }
  | { kind: 'unknown'; why: string }

export type Row = Readonly<Record<string, string>>

/** The parts of the move that differ between products. */
export interface Product {
  dialect: Dialect
  campaigns(document: unknown): MovedCampaign[]
  standing(row: Row): RowStatus
  /** Columns with the product's own bookkeeping, by their `variableName`. */
  ledger: readonly string[]
}

/** The content of a file does not match its name. The message includes the place in the file. */
export class FormatError extends Error {}

/** Reads the campaigns of an export, which is one campaign or a list. */
export function readCampaigns<Campaign>(
  document: unknown,
  schema: z.ZodType<Campaign>,
  toCampaign: (given: Campaign) => MovedCampaign,
): MovedCampaign[] {
  const documents = Array.isArray(document) ? document : [document]
  return documents.map((file) => {
    const found = schema.safeParse(file)
    if (found.success) return toCampaign(found.data)
    const [issue] = found.error.issues
    throw new FormatError(`${issue!.path.join('.') || 'the document'}: ${issue!.message}`)
  })
}

/** Returns a note about steps that are not emails. */
export function leftOutNotes(all: readonly unknown[], emails: readonly unknown[]): string[] {
  return emails.length < all.length ? [`${all.length - emails.length} steps are not emails and are left out.`] : []
}

/**
 * The cells of a row by column name. Columns without a title are left out. If several columns have the same name, the first cell that is
 * not empty counts.
 */
export function toRow(titles: readonly string[], cells: readonly string[]): Row {
  const row: Record<string, string> = {}
  for (const [index, title] of titles.entries()) {
    if (title.trim() === '') continue
    const name = variableName(title)
    const value = (cells[index] ?? '').trim()
    if (value !== '' && row[name] === undefined) row[name] = value
  }
  return row
}

const emailColumns = ['email', 'emailAddress', 'leadEmail']
export const addressColumns = [...emailColumns, 'value', 'blValue', 'emailOrDomain', 'domain', 'contact']

/** The address of a row, or a domain in lists of opt-outs. If a row has several addresses, it is the one that the lead gets. */
export function leadAddress(row: Row): string | null {
  const email = Object.keys(row).find((name) => emailColumns.includes(name))
  const name = email ?? addressColumns.find((one) => row[one] !== undefined)
  return name === undefined ? null : row[name]!
}

export const campaignColumns = ['campaign', 'campaignName', 'campaignId']

/** The campaign that a row names, or null if it names none. */
export function campaignName(row: Row): string | null {
  const name = campaignColumns.find((one) => row[one] !== undefined)
  return name === undefined ? null : row[name]!
}

const variablesMax = 100
const valueCharactersMax = 10_000

/** Converts a row to a lead. Columns that are fields become fields, bookkeeping is left out, and the rest become custom variables. */
export function toLead(row: Row, ledger: readonly string[]): LeadItem {
  const lead: Record<string, unknown> = {}
  const customVariables: Record<string, string> = {}
  for (const [name, value] of Object.entries(row)) {
    const field = findField(name)
    if (field === 'companyDomain') lead[field] ??= hostName(value)
    else if (field !== null) lead[field] ??= value
    else if (!ledger.includes(name) && !campaignColumns.includes(name)) customVariables[name] = value
  }
  for (const [name, value] of Object.entries(jsonVariables(row))) customVariables[name] ??= value
  const kept = Object.entries(customVariables).slice(0, variablesMax)
  if (kept.length > 0)
    lead['customVariables'] = Object.fromEntries(
      kept.map(([name, value]) => [name, value.slice(0, valueCharactersMax)]),
    )
  return lead as LeadItem
}

/** Some exports keep all custom fields in one column, as JSON. */
export const jsonColumns = ['customFields', 'payload']

function jsonVariables(row: Row): Record<string, string> {
  const text = jsonColumns.map((name) => row[name]).find((value) => value !== undefined)
  if (text === undefined || !text.startsWith('{')) return {}
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>)
    return Object.fromEntries(
      entries.flatMap(([name, value]) =>
        ['string', 'number', 'boolean'].includes(typeof value) && value !== ''
          ? [[variableName(name), String(value)]]
          : [],
      ),
    )
  } catch {
    return {}
  }
}

function hostName(value: string): string {
  const url = /^[a-z]+:\/\//i.test(value) ? value : `http://${value}`
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : value
}

export interface TextToMove {
  subject: string
  body: string
  weight?: number
  enabled?: boolean
}

export interface StepToMove {
  /** The wait between the step before and this one. */
  wait: StepInput['waitBefore']
  variants: readonly TextToMove[]
}

/** Translates the tags of steps. A step without its own subject is a reply in the thread. */
export function movedSteps(steps: readonly StepToMove[], dialect: Dialect) {
  const variables = new Set<string>()
  const notes: string[] = []
  const translate = (text: string, step: number) => {
    const { text: ours, variables: used, unknown } = translateTags(text, dialect)
    for (const name of used) variables.add(name)
    for (const tag of unknown) notes.push(`Step ${step}: ${tag} has no counterpart. Check the text.`)
    return ours
  }
  const moved = steps.map(({ wait, variants }, index): StepInput => {
    const threaded = index > 0 && variants.every(({ subject }) => subject.trim() === '')
    return {
      ...(index > 0 && wait !== undefined && { waitBefore: wait }),
      ...(index > 0 && { sameThread: threaded }),
      variants: variants.map(({ subject, body, ...rest }) => ({
        ...(!threaded && { subject: translate(subject, index + 1) }),
        body: translate(body, index + 1),
        ...rest,
      })),
    }
  })
  return { steps: moved, variables: [...variables], notes: [...new Set(notes)] }
}

/** Variables that the texts use and that no column has. Leads without them would wait for them. */
export function missingVariables(campaign: MovedCampaign, columns: ReadonlySet<string>): string[] {
  return campaign.variables.filter((name) => !columns.has(name))
}

export function wait(value: number, unit: 'minutes' | 'hours' | 'days' = 'days'): StepInput['waitBefore'] {
  return { value: Math.max(0, Math.round(value)), unit }
}
