import { leadFields } from '@overture/contract/lead-fields.ts'

const known = new Map(
  ['email', ...Object.keys(leadFields).filter((field) => field !== 'customVariables')].map((field) => [
    simple(field),
    field,
  ]),
)
const aliases: Record<string, string> = {
  emailaddress: 'email',
  mail: 'email',
  workemail: 'email',
  first: 'firstName',
  givenname: 'firstName',
  last: 'lastName',
  surname: 'lastName',
  familyname: 'lastName',
  title: 'jobTitle',
  position: 'jobTitle',
  companyname: 'company',
  organization: 'company',
  domain: 'companyDomain',
  website: 'companyDomain',
  linkedin: 'linkedinUrl',
  linkedinprofile: 'linkedinUrl',
  phone: 'mobile',
  mobilephone: 'mobile',
  zone: 'timezone',
}

/** What a CSV column means: a lead's field, or a custom variable of that name (null: a column without a name). */
export type ImportColumn = { kind: 'field'; name: string } | { kind: 'variable'; name: string } | null

/** The columns that a file of refused rows has in front; with them it can be mended and uploaded as it is. */
export const errorColumns = ['row', 'reason'] as const

// What a spreadsheet takes for the beginning of a formula.
const formula = /^[=+\-@\t\r\n]/
const guarded = /^'[=+\-@\t\r\n]/

/** A cell that no spreadsheet runs: with an apostrophe in front where it could be a formula. */
export function guardCell(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell
}

function unguardCell(cell: string): string {
  return guarded.test(cell) ? cell.slice(1) : cell
}

export function readHeader(header: readonly string[]): ImportColumn[] {
  const isErrorFile = errorColumns.every((title, index) => header[index] === title)
  return header.map((title, index) => {
    if (isErrorFile && index < errorColumns.length) return null
    const field = known.get(simple(title)) ?? aliases[simple(title)]
    if (field !== undefined) return { kind: 'field', name: field }
    const name = title
      .trim()
      .replace(/[^A-Za-z0-9_]+(.)?/g, (_match, next: string | undefined) => (next ?? '').toUpperCase())
    return name === '' ? null : { kind: 'variable', name: /^[A-Za-z_]/.test(name) ? name : `_${name}` }
  })
}

/** One row as a lead of `POST /:id/leads`. Empty cells are absent, the apostrophe before `=1+1` is none of its value. */
export function rowToLead(columns: readonly ImportColumn[], fields: readonly string[]): Record<string, unknown> {
  const lead: Record<string, unknown> = {}
  const variables: Record<string, string> = {}
  columns.forEach((column, index) => {
    const value = unguardCell(fields[index]?.trim() ?? '').trim()
    if (column === null || !value) return
    if (column.kind === 'field') lead[column.name] = value
    else variables[column.name] = value
  })
  return Object.keys(variables).length > 0 ? { ...lead, customVariables: variables } : lead
}

function simple(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]/g, '')
}
