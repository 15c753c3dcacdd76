import type { Import, InspectedFile, Overture, SpreadsheetEncoding } from '@overture/sdk'
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
  /** The sheet of a workbook. Null for the first visible one. */
  sheet: string | null
}

/** Only the server reads files. It returns what it recognized, and the user can correct it. */
export function useInspect(done: (inspection: Inspection) => void) {
  return useAction<FileToInspect, Inspection>({
    act: (api, { file, encoding, sheet }) => inspect(api, file, { encoding, sheet }),
    done,
  })
}

/** The sheets of a workbook. Other files are not read. */
export function useSheets(file: File | null) {
  return useReading<Inspection>({
    key: ['imports', 'sheets', file?.name, file?.size, file?.lastModified],
    read: (api) => inspect(api, file!, { encoding: null, sheet: null }),
    enabled: file !== null && isWorkbook(file),
  })
}

function inspect(api: Overture, file: File, { encoding, sheet }: Omit<FileToInspect, 'file'>) {
  return api.call<Inspection>('POST', '/v2/imports/inspect', {
    body: fileBeginning(file),
    type: 'text/csv',
    query: { ...(encoding !== null && { encoding }), ...(sheet !== null && { sheet }) },
  })
}

// A workbook can only be read as a whole.
function fileBeginning(file: File): Blob {
  return file.size <= inspectedBytes || isWorkbook(file) ? file : file.slice(0, inspectedBytes)
}

function isWorkbook({ name }: File): boolean {
  return /\.xlsx$/i.test(name)
}

const uploadTimeoutMs = 30 * 60_000

export interface ImportOrder {
  file: File
  /** The field that each column becomes, or null if the column is ignored. */
  columns: (string | null)[]
  onDuplicate: 'skip' | 'update'
  encoding: SpreadsheetEncoding | null
  sheet: string | null
  /** Whether the addresses are verified after the import. */
  verify: boolean
  /** Whether people who are in another campaign are left out. */
  skipIfInOtherCampaign: boolean
}

export function useStartImport(campaignId: string) {
  return useAction<ImportOrder, Import>({
    act: (api, { file, columns, onDuplicate, encoding, sheet, verify, skipIfInOtherCampaign }) =>
      api.call<Import>('POST', `/v2/campaigns/${campaignId}/leads/import`, {
        body: file,
        type: 'text/csv',
        query: {
          onDuplicate,
          columns: JSON.stringify(columns),
          ...(encoding === null ? {} : { encoding }),
          ...(sheet === null ? {} : { sheet }),
          ...(verify ? { verify: 'true' } : {}),
          ...(skipIfInOtherCampaign ? { skipIfInOtherCampaign: 'true' } : {}),
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
