import type { Import, InspectedFile, SpreadsheetEncoding } from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'
import { useReading } from '../platform/api/query.ts'

export interface InspectedColumn {
  title: string
  target: string | null
  samples: string[]
  filled: number
}

export type Inspection = InspectedFile

/** The beginning of a large file is enough to recognize its columns. */
const inspectedBytes = 1024 * 1024

export interface FileToInspect {
  file: File
  /** Null if the server should detect it. */
  encoding: SpreadsheetEncoding | null
}

/** Only the server reads files. It returns what it recognized, and the user can correct it. */
export function useInspect(done: (inspection: Inspection) => void) {
  return useAction<FileToInspect, Inspection>({
    act: (api, { file, encoding }) =>
      api.call<Inspection>('POST', '/v2/imports/inspect', {
        body: fileBeginning(file),
        type: 'text/csv',
        query: encoding === null ? {} : { encoding },
      }),
    done,
  })
}

// A workbook can only be read as a whole.
function fileBeginning(file: File): Blob {
  return file.size <= inspectedBytes || /\.xlsx$/i.test(file.name) ? file : file.slice(0, inspectedBytes)
}

const uploadTimeoutMs = 30 * 60_000

export interface ImportOrder {
  file: File
  /** The field that each column becomes, or null if the column is ignored. */
  columns: (string | null)[]
  onDuplicate: 'skip' | 'update'
  encoding: SpreadsheetEncoding | null
  /** Whether the addresses are verified after the import. */
  verify: boolean
}

export function useStartImport(campaignId: string) {
  return useAction<ImportOrder, Import>({
    act: (api, { file, columns, onDuplicate, encoding, verify }) =>
      api.call<Import>('POST', `/v2/campaigns/${campaignId}/leads/import`, {
        body: file,
        type: 'text/csv',
        query: {
          onDuplicate,
          columns: JSON.stringify(columns),
          ...(encoding === null ? {} : { encoding }),
          ...(verify ? { verify: 'true' } : {}),
        },
        options: { timeoutMs: uploadTimeoutMs },
      }),
  })
}

const againMs = 400

export function useImport(id: string | null) {
  return useReading<Import>({
    key: ['imports', 'one', id],
    read: (api) => api.imports.get(id ?? ''),
    enabled: id !== null,
    againMs: (data) => (data?.completedAt === null || data === undefined ? againMs : false),
  })
}
