import type { SuppressionImport, SuppressionListSummary } from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'
import { useReading } from '../platform/api/query.ts'

/** The lists that a user can choose from. */
export function useLists() {
  return useReading<SuppressionListSummary[]>({
    key: ['suppressions', 'lists'],
    read: async (api) => (await api.suppressions.lists({ limit: 100 }).page()).results,
  })
}

const uploadTimeoutMs = 30 * 60_000

export interface ListFile {
  file: File
  /** The sheet of a workbook. Null for the first visible one. */
  sheet: string | null
  list: string
  mode: 'add' | 'replace'
}

export function useImportList() {
  return useAction<ListFile, SuppressionImport>({
    act: (api, { file, sheet, list, mode }) =>
      api.call<SuppressionImport>('POST', '/v2/suppressions/import', {
        body: file,
        type: 'text/csv',
        query: { list, mode, ...(sheet !== null && { sheet }) },
        options: { timeoutMs: uploadTimeoutMs },
      }),
  })
}

const againMs = 400

export function useListImport(id: string) {
  return useReading<SuppressionImport>({
    key: ['suppressions', 'import', id],
    read: (api) => api.suppressions.imports.get(id),
    againMs: (data) => (data?.completedAt === null || data === undefined ? againMs : false),
  })
}
