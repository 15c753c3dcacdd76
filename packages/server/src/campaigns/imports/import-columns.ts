import { unguardCell } from '@overture/ground/text/spreadsheet-cell.ts'
import { invalid } from '@overture/contract/errors.ts'
import { leadFields, prototypeNames, variableNameMax } from '@overture/contract/campaigns/lead-fields.ts'
import { isImportTarget } from '@overture/contract/campaigns/imports.ts'
import { restColumn } from '@overture/contract/vocabularies.ts'
import { foreignField } from './column-names.ts'
import { errorColumns, isErrorFile } from '@overture/ground/text/refused-rows.ts'

const known = new Map(
  ['email', ...Object.keys(leadFields).filter((field) => field !== 'customVariables')].map((field) => [
    simple(field),
    field,
  ]),
)
const aliases = new Map([
  ['emailaddress', 'email'],
  ['mail', 'email'],
  ['workemail', 'email'],
  ['first', 'firstName'],
  ['givenname', 'firstName'],
  ['last', 'lastName'],
  ['surname', 'lastName'],
  ['familyname', 'lastName'],
  ['title', 'jobTitle'],
  ['position', 'jobTitle'],
  ['companyname', 'company'],
  ['organization', 'company'],
  ['domain', 'companyDomain'],
  ['website', 'companyDomain'],
  ['linkedin', 'linkedinUrl'],
  ['linkedinprofile', 'linkedinUrl'],
  ['phone', 'mobile'],
  ['mobilephone', 'mobile'],
  ['zone', 'timezone'],
])

/**
 * The meaning of a CSV column: a field of the lead, a custom variable, several variables of an exported file, or null for a column that
 * is left out.
 */
export type ImportColumn = { kind: 'field' | 'variable' | 'rest'; name: string } | null

const variableTitle = /^customVariables\.([A-Za-z_]\w*)$/

/**
 * Reads the header. No two columns become the same field or variable, and no column is lost, whatever its title. If several titles mean
 * one field, the column with the field's own name is the field, else the first English one, else the first one. The others become
 * variables.
 */
export function readHeader(header: readonly string[]): ImportColumn[] {
  if (header.at(-1)?.trim() === restColumn) return header.map((title) => readExportedTitle(title.trim()))
  const before = isErrorFile(header) ? errorColumns.length : 0
  const owners = fieldOwners(header)
  const exact = exactVariables(header)
  const taken = new Set<string>([...known.values(), ...prototypeNames, ...exact.values()])
  return header.map((title, index) => {
    if (index < before) return null
    const named = exact.get(index)
    if (named !== undefined) return { kind: 'variable', name: named }
    const field = fieldOfTitle(title)
    if (field !== undefined && owners.get(field) === index) return { kind: 'field', name: field }
    // The file of refused rows has further columns in front, and its rows get the same variables.
    const name = freeName(variableName(title) || `column${index - before + 1}`, taken)
    taken.add(name)
    return { kind: 'variable', name }
  })
}

/** The variables of the columns that are titled like one. A title that is no valid name, or is used twice, is read like any other. */
function exactVariables(header: readonly string[]): Map<number, string> {
  const found = new Map<number, string>()
  const names = new Set<string>()
  for (const [index, title] of header.entries()) {
    const name = variableTitle.exec(title.trim())?.[1]
    if (name === undefined || names.has(name) || !isImportTarget(title.trim())) continue
    names.add(name)
    found.set(index, name)
  }
  return found
}

/** The column of each field: titled with its name, else in English, else in another language. */
function fieldOwners(header: readonly string[]): Map<string, number> {
  const owners = new Map<string, number>()
  for (const read of [ownName, englishField, foreignField]) {
    for (const [index, title] of header.entries()) {
      const field = read(title)
      if (field !== undefined && !owners.has(field)) owners.set(field, index)
    }
  }
  return owners
}

/** An exported file also has columns that no one can set, such as ids and times. They are left out. */
function readExportedTitle(title: string): ImportColumn {
  if (title === restColumn) return { kind: 'rest', name: restColumn }
  const variable = variableTitle.exec(title)?.[1]
  if (variable !== undefined) return { kind: 'variable', name: variable }
  return known.get(simple(title)) === title ? { kind: 'field', name: title } : null
}

function ownName(title: string): string | undefined {
  return known.get(simple(title))
}

function englishField(title: string): string | undefined {
  return ownName(title) ?? aliases.get(simple(title))
}

function fieldOfTitle(title: string): string | undefined {
  return englishField(title) ?? foreignField(title)
}

function variableName(title: string): string {
  const name = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .trim()
    .replace(/[^A-Za-z0-9_]+(.)?/g, (_match, next: string | undefined) => (next ?? '').toUpperCase())
  return (/^\d/.test(name) ? `_${name}` : name).slice(0, variableNameMax)
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number++) {
    free = `${name.slice(0, variableNameMax - String(number).length)}${number}`
  }
  return free
}

/** Reads the columns as the caller names them: `email`, a field of the lead or `customVariables.x`. Null leaves a column out. */
export function toImportColumns(targets: readonly (string | null)[]): ImportColumn[] {
  return targets.map((target) => {
    if (target === null) return null
    if (target === restColumn) return { kind: 'rest', name: restColumn }
    const variable = /^customVariables\.(.+)$/s.exec(target)?.[1]
    return variable === undefined ? { kind: 'field', name: target } : { kind: 'variable', name: variable }
  })
}

/** The inverse of `toImportColumns`. */
export function columnTarget(column: ImportColumn): string | null {
  if (column === null) return null
  return column.kind === 'variable' ? `customVariables.${column.name}` : column.name
}

/** Throws if the first row of a file has no column for addresses, or if `given` names another number of columns. */
export function checkLeadHeader(header: readonly string[], given: readonly (string | null)[] | null): void {
  if (given !== null) {
    if (given.length === header.length) return
    const message = `The file has ${header.length} columns, but the field columns lists ${given.length}.`
    throw invalid({ path: 'columns', rule: 'length', message })
  }
  if (readHeader(header).some((column) => column?.kind === 'field' && column.name === 'email')) return
  throw invalid({ path: 'email', rule: 'required', message: 'A column "email" is required in the first row.' })
}

/** One row as a lead of `POST /:id/leads`. Empty cells are absent. The apostrophe before a value such as `=1+1` is removed. */
export function rowToLead(columns: readonly ImportColumn[], fields: readonly string[]): Record<string, unknown> {
  const lead: Record<string, unknown> = {}
  const variables: Record<string, string> = {}
  columns.forEach((column, index) => {
    const value = unguardCell(fields[index]?.trim() ?? '').trim()
    if (column === null || !value) return
    if (column.kind === 'rest') {
      const rest = readRest(value)
      if (rest === null) lead[restColumn] = value
      else Object.assign(variables, rest)
    } else if (column.kind === 'field') lead[column.name] = column.name === 'trackingConsent' ? yesOrNo(value) : value
    else variables[column.name] = value
  })
  return Object.keys(variables).length > 0 ? { ...lead, customVariables: variables } : lead
}

/** The variables among the fields without a column. Null if the cell is none that this server exported. */
function readRest(value: string): Record<string, string> | null {
  const parsed = parseObject(value)
  if (parsed === null) return null
  return Object.fromEntries(
    Object.entries(parsed).flatMap(([title, cell]) => {
      const name = variableTitle.exec(title)?.[1]
      return name === undefined ? [] : [[name, unguardCell(String(cell))]]
    }),
  )
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

const yes = ['true', 'yes', '1']
const no = ['false', 'no', '0']

/** Any other text stays a text, so that the row is refused with the name of the field. */
function yesOrNo(text: string): boolean | string {
  const word = text.toLowerCase()
  return yes.includes(word) || (no.includes(word) ? false : text)
}

function simple(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]/g, '')
}
