import { z } from 'zod'
import { deleted, environment, listOf, namedObject, pageQuery, timestamp, timestampInput } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** The tables of an export, in the order in which its files are written. Source: docs/moving-out.md. */
export const exportTables = [
  'campaigns',
  'templates',
  'sending_accounts',
  'tags',
  'lists',
  'list_members',
  'people',
  'leads',
  'suppressions',
  'conversations',
  'messages',
  'meetings',
  'tasks',
  'events',
] as const
export const exportTable = z.enum(exportTables).meta({ id: 'ExportTable' })
export type ExportTable = z.infer<typeof exportTable>

export const exportStatuses = ['pending', 'running', 'completed', 'failed', 'removed'] as const
export const exportFormats = ['csv', 'ndjson'] as const
/** How long the files can be downloaded. */
export const exportDays = 7

const count = z.number().int()

const exportFile = namedObject('ExportFile', {
  table: exportTable,
  rows: count.meta({ description: 'Rows written so far, without the header of a CSV file.' }),
  bytes: count.meta({ description: 'The size of the file so far.' }),
  sha256: z.string().nullable().meta({
    description: 'The SHA-256 of the file in hexadecimal; null until the file is complete.',
  }),
  url: z.string().nullable().meta({
    description: 'The address of the file, which needs the same rights; null until the file is complete.',
  }),
})

export const accountExport = namedObject('AccountExport', {
  id: z.string(),
  status: z.enum(exportStatuses).meta({
    description:
      '`completed`, `failed` and `removed` are final. `removed`: a person was erased, so the files were deleted. Start a ' +
      'new export.',
  }),
  format: z.enum(exportFormats),
  from: timestamp.nullable(),
  to: timestamp.nullable(),
  files: z.array(exportFile).meta({ description: 'One for each table, in the order in which they are written.' }),
  error: z.string().nullable(),
  createdAt: timestamp,
  completedAt: timestamp.nullable(),
  expiresAt: timestamp.meta({ description: 'When the export and its files are deleted.' }),
})
export type AccountExport = z.infer<typeof accountExport>

const createExportInput = z
  .strictObject({
    tables: z.array(exportTable).min(1).max(exportTables.length).optional(),
    all: z.literal(true).optional().meta({ description: 'Exports every table.' }),
    format: z.enum(exportFormats),
    from: timestampInput.optional().meta({ description: 'Only rows that were created at this time or later.' }),
    to: timestampInput.optional().meta({ description: 'Only rows that were created before this time.' }),
  })
  .refine(({ tables, all }) => (tables === undefined) !== (all === undefined), {
    message: 'Send either tables or all.',
    path: ['tables'],
  })
  .refine(({ from, to }) => from === undefined || to === undefined || Date.parse(from) < Date.parse(to), {
    message: 'Must be later than from.',
    path: ['to'],
  })
  .meta({ id: 'CreateExportInput' })
export type CreateExportInput = z.output<typeof createExportInput>

const exampleId = 'exp_1m3q8z0c0n7t5w2k9x'
const begun: AccountExport = {
  id: exampleId,
  status: 'pending',
  format: 'csv',
  from: null,
  to: null,
  files: [{ table: 'leads', rows: 0, bytes: 0, sha256: null, url: null }],
  error: null,
  createdAt: '2026-03-02T09:30:00.000Z',
  completedAt: null,
  expiresAt: '2026-03-09T09:30:00.000Z',
}
const done: AccountExport = {
  ...begun,
  status: 'completed',
  files: [
    {
      table: 'leads',
      rows: 1_204,
      bytes: 260_113,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      url: `https://overture.example.com/v2/exports/${exampleId}/files/leads`,
    },
  ],
  completedAt: '2026-03-02T09:30:04.000Z',
}

const area = { environment: 'both', scope: 'admin', tag: 'Exports' } as const

export const exportEndpoints = {
  createExport: endpoint({
    ...area,
    operationId: 'createExport',
    call: 'exports.create',
    method: 'POST',
    path: '/v2/exports',
    summary: 'Export data',
    description:
      'Writes the rows of the given tables to files, one per table, and returns at once. Read the progress with `GET ' +
      '/v2/exports/:id`. A row is the same as in the list of the API, so no file contains a password or a key. One export ' +
      `runs at a time per environment; another one is 409. Exports are kept for ${exportDays} days. When a person is erased, ` +
      'all exports of the environment are removed, because their files may contain the person.',
    body: createExportInput,
    success: [202],
    output: accountExport,
    errors: ['CONFLICT'],
    examples: { body: { tables: ['leads'], format: 'csv' }, output: begun },
  }),
  listExports: endpoint({
    ...area,
    operationId: 'listExports',
    call: 'exports.list',
    method: 'GET',
    path: '/v2/exports',
    summary: 'List exports',
    description: 'Newest first, without those that have expired.',
    query: z.strictObject(pageQuery),
    success: [200],
    output: listOf(accountExport),
  }),
  getExport: endpoint({
    ...area,
    operationId: 'getExport',
    call: 'exports.get',
    method: 'GET',
    path: '/v2/exports/:id',
    summary: 'Get an export',
    description: 'Returns the progress. Each file can be downloaded as soon as it is complete.',
    success: [200],
    output: accountExport,
    errors: ['NOT_FOUND'],
    examples: { output: done },
  }),
  downloadExportFile: endpoint({
    ...area,
    operationId: 'downloadExportFile',
    exports: true,
    call: 'exports.download',
    method: 'GET',
    path: '/v2/exports/:id/files/:table',
    summary: 'Download a file of an export',
    description:
      'Returns the rows of one table as CSV, or as one JSON object per line. The bytes are always the same, and ' +
      '`sha256` of the export is their hash. A file that is not complete is 409.',
    query: z.strictObject({
      environment: environment.optional().meta({
        description: 'For a session that downloads the file through a link, which can’t send headers.',
      }),
    }),
    success: [200],
    output: z.unknown().meta({ type: 'string', format: 'binary' }),
    outputType: 'application/octet-stream',
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  deleteExport: endpoint({
    ...area,
    operationId: 'deleteExport',
    call: 'exports.delete',
    method: 'DELETE',
    path: '/v2/exports/:id',
    summary: 'Delete an export',
    description: 'Deletes the files. An export that is running ends.',
    success: [200],
    output: deleted,
    errors: ['NOT_FOUND'],
    examples: { output: { id: exampleId, deleted: true } },
  }),
}
