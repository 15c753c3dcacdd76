import type { ListImport, ListOfPeople } from '@overture/sdk'
import { useReading } from '../platform/api/query.ts'

const listsShown = 100
const againMs = 400

/** The lists that a user can choose from. */
export function useLists() {
  return useReading<ListOfPeople[]>({
    key: ['lists', 'all'],
    read: async (api) => (await api.lists.list({ limit: listsShown }).page()).results,
  })
}

export function useList(id: string) {
  return useReading<ListOfPeople>({ key: ['lists', 'one', id], read: (api) => api.lists.get(id) })
}

export function useMemberImport(id: string) {
  return useReading<ListImport>({
    key: ['lists', 'import', id],
    read: (api) => api.lists.imports.get(id),
    againMs: (data) => (data?.completedAt === null || data === undefined ? againMs : false),
  })
}
