import { z } from 'zod'
import { namedEncoding, namedSheet } from '../campaigns/imports.ts'
import { listOf, namedObject, pageQuery, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { suppressionListName, suppressionSource } from './suppressions.ts'

const count = z.number().int()

export const suppressionImport = namedObject('SuppressionImport', {
  id: z.string(),
  list: z.string(),
  mode: z.enum(['add', 'replace']),
  status: z.enum(['pending', 'running', 'completed', 'failed']),
  rowsTotal: count.meta({ description: 'Rows of the file without the header.' }),
  rowsRead: count,
  added: count.meta({ description: 'Entries that the list did not have.' }),
  updated: count.meta({ description: 'Rows whose entry the list had already, or that are in the file twice.' }),
  removed: count.meta({ description: 'Entries that `replace` removed.' }),
  failed: count,
  errorsUrl: z.string().nullable(),
  error: z.string().nullable(),
  createdAt: timestamp,
  completedAt: timestamp.nullable(),
})
export type SuppressionImport = z.infer<typeof suppressionImport>

const suppressionListSummary = namedObject('SuppressionListSummary', {
  name: z.string(),
  entries: count.meta({ description: 'Entries of the list, including those that have run out.' }),
})

export const suppressionListEndpoints = {
  importSuppressions: endpoint({
    operationId: 'importSuppressions',
    call: 'suppressions.import',
    method: 'POST',
    path: '/v2/suppressions/import',
    environment: 'both',
    scope: 'write',
    tag: 'Suppressions',
    summary: 'Import a suppression list from CSV',
    description:
      'Streams a file with up to 1,000,000 rows and 256 MiB (the operator can change the limits) into the list `list`. One ' +
      'file at a time per key; a second one is 409. The header names the columns `email`, `domain`, `sha256`, `reason` and ' +
      '`expiresAt`; other columns are ignored. Each row has exactly one of `email`, `domain` and `sha256`, which is the ' +
      'SHA-256 of the lower-case address in hexadecimal. `expiresAt` is a time in ISO 8601, or a date, which includes that ' +
      'day in UTC. An entry that the list has already gets the reason and the end of its row. `mode=replace` also removes ' +
      'the entries of this list that are not in the file. It removes no entry of another list, and none without a list ' +
      'such as the opt-out of a recipient. Delimiters and encodings are those of an import of leads.',
    query: z.strictObject({
      list: suppressionListName,
      mode: z.enum(['add', 'replace']).default('add'),
      encoding: namedEncoding,
      sheet: namedSheet,
    }),
    bodyType: 'text/csv',
    success: [202],
    output: suppressionImport,
    errors: ['CONFLICT'],
  }),
  getSuppressionImport: endpoint({
    operationId: 'getSuppressionImport',
    call: 'suppressions.imports.get',
    method: 'GET',
    path: '/v2/suppressions/imports/:id',
    environment: 'both',
    scope: 'read',
    tag: 'Suppressions',
    summary: 'Get an import of a suppression list',
    description: 'Returns the progress. `completed` and `failed` are final. Rejected rows can be downloaded as a file.',
    success: [200],
    output: suppressionImport,
    errors: ['NOT_FOUND'],
  }),
  getSuppressionImportErrors: endpoint({
    operationId: 'getSuppressionImportErrors',
    exports: true,
    call: 'suppressions.imports.errors',
    method: 'GET',
    path: '/v2/suppressions/imports/:id/errors',
    environment: 'both',
    scope: 'read',
    tag: 'Suppressions',
    summary: 'Get the rejected rows of an import of a suppression list',
    description:
      'The original rows as CSV, with their number and the reason in the first two columns. An import ignores these two ' +
      'columns, so you can fix the file and upload it with `mode=add`.',
    success: [200],
    output: z.unknown().meta({ type: 'string' }),
    outputType: 'text/csv',
    examples: { output: 'row,reason,email\n2,invalid_email,not an address\n' },
    errors: ['NOT_FOUND'],
  }),
  exportSuppressions: endpoint({
    operationId: 'exportSuppressions',
    exports: true,
    call: 'suppressions.export',
    method: 'GET',
    path: '/v2/suppressions/export',
    environment: 'both',
    scope: 'read',
    tag: 'Suppressions',
    summary: 'Export suppressions as CSV',
    description:
      'Streams the entries, newest first, with the columns `email`, `domain`, `sha256`, `list`, `source`, `reason`, ' +
      '`expiresAt` and `createdAt`. The file can be imported. Entries that have run out and erased people are not in it.',
    query: z.strictObject({ list: suppressionListName.optional(), source: suppressionSource.optional() }),
    success: [200],
    output: z.unknown().meta({ type: 'string' }),
    outputType: 'text/csv',
    examples: {
      output:
        'email,domain,sha256,list,source,reason,expiresAt,createdAt\n' +
        'ada@example.com,,,customers,customer,,,2026-03-02T09:30:00.000Z\n',
    },
  }),
  listSuppressionLists: endpoint({
    operationId: 'listSuppressionLists',
    call: 'suppressions.lists',
    method: 'GET',
    path: '/v2/suppressions/lists',
    environment: 'both',
    scope: 'read',
    tag: 'Suppressions',
    summary: 'List suppression lists',
    description: 'By name. A list exists while it has entries.',
    query: z.strictObject(pageQuery),
    success: [200],
    output: listOf(suppressionListSummary),
  }),
}
