import type { AccountExport, CreateExportInput } from '@overture/sdk'
import { useEffect } from 'react'
import { useAction } from '../platform/api/action.ts'
import { useListReading, useReading, useStale } from '../platform/api/query.ts'

const againMs = 500
const key = ['exports'] as const
const list = [...key, 'list'] as const

export const isRunning = ({ status }: AccountExport): boolean => status === 'pending' || status === 'running'

export function useExports({ enabled }: { enabled: boolean }) {
  return useListReading<AccountExport>({ key: list, page: (api, place) => api.exports.list(place).page(), enabled })
}

/** An export of the list. Its progress is read until it has ended. Then the list is read again. */
export function useExport(listed: AccountExport): AccountExport {
  const stale = useStale()
  const { data, isError } = useReading<AccountExport>({
    key: [...key, 'one', listed.id],
    read: (api) => api.exports.get(listed.id),
    enabled: isRunning(listed),
    againMs: (known) => (known === undefined || isRunning(known) ? againMs : false),
  })
  // An error means that another user deleted the export, or that the list can't be read either.
  const hasEnded = isRunning(listed) && (isError || (data !== undefined && !isRunning(data)))
  useEffect(() => {
    if (hasEnded) void stale(list)
  }, [hasEnded])
  return isRunning(listed) ? (data ?? listed) : listed
}

export function useCreateExport(done: () => void) {
  return useAction<CreateExportInput, AccountExport>({
    act: (api, input) => api.exports.create(input),
    stale: () => [list],
    done,
  })
}

export function useDeleteExport(id: string, done: () => void) {
  return useAction({ act: (api) => api.exports.delete(id), deletes: id, stale: () => [list], done })
}
