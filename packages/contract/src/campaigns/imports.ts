import { z } from 'zod'
import { countUpTo, flag, id, listOf, namedObject, pageQuery, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { restColumn, spreadsheetEncodings } from '../vocabularies.ts'
import { customVariables, profileFields, prototypeNames } from './lead-fields.ts'

export const importColumnsMax = 200
/** The size of the beginning of a file that is inspected. */
export const inspectedBytesMax = 1024 * 1024
const columnsTextMax = 40_000
const rejectedRowsMax = 1_000_000

const encoding = z.enum(spreadsheetEncodings).meta({ id: 'SpreadsheetEncoding' })
export type SpreadsheetEncoding = z.infer<typeof encoding>
export const namedEncoding = encoding.optional().meta({
  description:
    'The encoding of the file. Without it UTF-8 and UTF-16 are recognized, Cyrillic and Greek by their letters, ' +
    'and every other file is read as Windows-1252.',
})

export const namedSheet = z.string().min(1).max(31).optional().meta({
  description: 'The sheet of a workbook. Without it the first visible one is read.',
})

const count = z.number().int()

export const importJob = namedObject('Import', {
  id: z.string(),
  campaignId: z.string(),
  status: z.enum(['pending', 'running', 'completed', 'failed']),
  rowsTotal: count.meta({ description: 'Rows of the file without the header.' }),
  rowsRead: count,
  added: count,
  updated: count,
  skipped: count,
  failed: count,
  skippedReasons: z.record(z.string(), count).meta({ description: 'The number of skipped rows per reason.' }),
  errorsUrl: z.string().nullable(),
  error: z.string().nullable(),
  createdAt: timestamp,
  completedAt: timestamp.nullable(),
})
export type ImportJob = z.infer<typeof importJob>

const targets: readonly string[] = ['email', ...profileFields]

/** Whether a column may become this target: `email`, a field of a lead, `customVariables.x`, or `*`. */
export function isImportTarget(target: string): boolean {
  if (target === restColumn) return true
  const variable = /^customVariables\.(.+)$/s.exec(target)?.[1]
  if (variable === undefined) return targets.includes(target)
  if (prototypeNames.includes(variable)) return false
  return customVariables.safeParse({ [variable]: '' }).success
}

const columns = z.array(z.string().nullable()).max(importColumnsMax)

/** The target of each column of the file, or null to ignore the column: `["email",null,"customVariables.plan"]`. */
export const importColumns = z
  .string()
  .max(columnsTextMax)
  .transform((text, context) => {
    const parsed = columns.safeParse(parsedJson(text))
    const message = parsed.success ? columnsFault(parsed.data) : columnsForm
    if (parsed.success && message === null) return parsed.data
    context.addIssue({ code: 'custom', message: message ?? columnsForm })
    return z.NEVER
  })

const columnsForm = 'Send a JSON array with the field of each column, and null for ignored columns.'

/** The message about the targets of the columns, or null if they are valid. */
function columnsFault(given: readonly (string | null)[]): string | null {
  const named = given.filter((target) => target !== null)
  const unknown = named.find((target) => !isImportTarget(target))
  if (unknown?.startsWith('customVariables.')) {
    return `${quoted(unknown)} is no name of a variable. Use up to 64 letters, digits and _, starting with a letter.`
  }
  if (unknown !== undefined)
    return `Leads have no field ${quoted(unknown)}. Use a field such as "email" or "firstName".`
  const twice = named.find((target, index) => named.indexOf(target) !== index)
  if (twice !== undefined) return `The field ${quoted(twice)} is given for two columns.`
  return named.includes('email') ? null : 'No column has the field "email".'
}

const quotedCharsMax = 100

function quoted(target: string): string {
  return JSON.stringify(target.slice(0, quotedCharsMax))
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const inspectedFile = namedObject('InspectedFile', {
  encoding,
  likelyEncoding: encoding.optional().meta({
    description:
      'Set if the letters of the file look like this encoding. Cyrillic and Greek are then read in it (`encoding`); the others ' +
      'only if the import sets them, because a single foreign name in a Western file looks the same.',
  }),
  delimiter: z.string(),
  sheets: z.array(z.string()).meta({
    description: 'The names of the sheets of a workbook in their order, hidden ones included. Empty for other files.',
  }),
  sheet: z.string().nullable().meta({ description: 'The sheet that was read. Null for other files than workbooks.' }),
  columns: z.array(
    namedObject('InspectedColumn', {
      title: z.string(),
      target: z.string().nullable().meta({ description: 'What an import makes of the column by default.' }),
      samples: z.array(z.string()),
      filled: count.meta({ description: 'Rows with a value in this column.' }),
    }),
  ),
  issues: z.array(
    namedObject('InspectedIssue', {
      row: count.meta({ description: 'As in the refused rows of an import, from 1; 0 is the header.' }),
      code: z.enum([
        'empty_file',
        'no_email_column',
        'too_many_columns',
        'not_readable',
        'null_character',
        'invalid_email',
        'duplicate',
        'uneven_columns',
        'invalid_field',
        'other_encoding',
      ]),
      column: z.string().optional().meta({ description: 'The title of the column with the rejected value.' }),
      message: z.string().optional().meta({ description: 'What is wrong and what to do.' }),
    }),
  ),
})
export type InspectedFile = z.infer<typeof inspectedFile>

export const importEndpoints = {
  importCampaignLeads: endpoint({
    operationId: 'importCampaignLeads',
    call: 'campaigns.leads.import',
    method: 'POST',
    path: '/v2/campaigns/:id/leads/import',
    environment: 'both',
    scope: 'write',
    tag: 'Campaign leads',
    summary: 'Import campaign leads from a file',
    description:
      'Streams a file with up to 1,000,000 rows and 256 MiB (the operator can change the limits). One file at a time ' +
      'per key; a second one is 409. The header names lead fields. Other columns become custom variables: `Deal ' +
      'size` becomes `DealSize`, `Città` becomes `Citta`, and a title without a Latin letter or digit becomes `column` and its ' +
      'number. A second column of the same name becomes `DealSize2`. Columns are separated by commas, ' +
      'semicolons, tabs or vertical bars. UTF-8, UTF-16, Windows-1251, 1252, 1253 and KOI8-R are recognized, other ' +
      'encodings need `encoding`. Empty rows are not counted. ' +
      'A row is rejected if it has another number of cells than the header, a ' +
      'quote in the wrong place or a null character. Other rows are not affected. A quote that is never ' +
      'closed rejects the file, and the error names the line where it opens. `columns` sets the field of each column instead. ' +
      'An .xlsx workbook of up to 32 MiB is read as well: the values of one sheet, dates as `2026-11-29`, and a row with an ' +
      'error or a formula without a value is rejected. The content of the file says whether it is a workbook. Each accepted ' +
      'media type is fine: `text/csv`, `text/tab-separated-values`, the types of Excel, `application/zip` and ' +
      '`application/octet-stream`.',
    query: z.strictObject({
      onDuplicate: z.enum(['skip', 'update']).default('skip'),
      skipIfInOtherCampaign: flag.optional().meta({
        description:
          '`true` skips people who are a lead of another campaign. `skippedReasons.in_other_campaign` counts them.',
      }),
      columns: importColumns.optional().meta({
        description: 'The field that each column becomes, as a JSON array: `["email",null,"customVariables.plan"]`.',
      }),
      encoding: namedEncoding,
      sheet: namedSheet,
      verify: flag.optional().meta({
        description: '`true` verifies the addresses of the campaign when the import is completed.',
      }),
    }),
    bodyType: 'text/csv',
    success: [202],
    output: importJob,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  inspectImport: endpoint({
    operationId: 'inspectImport',
    call: 'imports.inspect',
    method: 'POST',
    path: '/v2/imports/inspect',
    environment: 'both',
    scope: 'write',
    tag: 'Campaign leads',
    summary: 'Inspect a file',
    description:
      'Reads the first mebibyte of a CSV file, or a whole workbook, and stores nothing. Returns the format, the field of each ' +
      'column, and the cells that would be rejected with row and column, a hundred issues at most. A last row that is cut off is ignored.',
    query: z.strictObject({ encoding: namedEncoding, sheet: namedSheet }),
    bodyType: 'text/csv',
    success: [200],
    output: inspectedFile,
    examples: {
      output: {
        encoding: 'utf-8',
        delimiter: ';',
        sheets: [],
        sheet: null,
        columns: [
          { title: 'E-mail', target: 'email', samples: ['ada@example.com'], filled: 12 },
          { title: 'Plan', target: 'customVariables.Plan', samples: ['pro', 'free'], filled: 9 },
        ],
        issues: [{ row: 7, code: 'invalid_email', column: 'E-mail', message: 'Not an email address.' }],
      },
    },
  }),
  listImports: endpoint({
    operationId: 'listImports',
    call: 'imports.list',
    method: 'GET',
    path: '/v2/imports',
    environment: 'both',
    scope: 'read',
    tag: 'Campaign leads',
    summary: 'List imports',
    description: 'Newest first.',
    query: z.strictObject({ ...pageQuery, campaignId: id.optional() }),
    success: [200],
    output: listOf(importJob),
  }),
  getImport: endpoint({
    operationId: 'getImport',
    call: 'imports.get',
    method: 'GET',
    path: '/v2/imports/:id',
    environment: 'both',
    scope: 'read',
    tag: 'Campaign leads',
    summary: 'Get an import',
    description: 'Returns the progress. `completed` and `failed` are final. Rejected rows can be downloaded as a file.',
    success: [200],
    output: importJob,
    errors: ['NOT_FOUND'],
  }),
  getImportErrors: endpoint({
    operationId: 'getImportErrors',
    exports: true,
    call: 'imports.errors',
    method: 'GET',
    path: '/v2/imports/:id/errors',
    environment: 'both',
    scope: 'read',
    tag: 'Campaign leads',
    summary: 'Get the rejected rows of an import',
    description:
      'The original rows as CSV, with their number and the reason in the first two columns. A cell that a spreadsheet would ' +
      'run as a formula (`=1+1`, `+1`, `-1`, `@x`) gets an apostrophe in front. An import removes the apostrophe and ' +
      'the two columns again, so you can fix the file and upload it as it is.',
    query: z.strictObject({
      limit: countUpTo(rejectedRowsMax).optional().meta({ description: 'The first rows only. The default is all.' }),
    }),
    success: [200],
    output: z.unknown().meta({ type: 'string' }),
    outputType: 'text/csv',
    examples: { output: 'row,reason,email,first name\n2,invalid_email,not an address,Ada\n' },
    errors: ['NOT_FOUND'],
  }),
}
