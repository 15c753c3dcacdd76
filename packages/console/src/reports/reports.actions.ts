import type { CreateReportInput, Report, UpdateReportInput } from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'
import { key, reportList } from './reports.queries.ts'

const stale = () => [key]

/** Creates a report, or changes one. */
export function useSaveReport(id: string | null, done: (report: Report) => void) {
  return useAction<CreateReportInput, Report>({
    act: (api, input) => (id === null ? api.reports.create(input) : api.reports.update(id, input)),
    stale,
    done,
  })
}

export function useUpdateReport(id: string, done: (report: Report) => void) {
  return useAction<UpdateReportInput, Report>({ act: (api, input) => api.reports.update(id, input), stale, done })
}

export function useRunReport(id: string, done: () => void) {
  return useAction<void, Report>({ act: (api) => api.reports.run(id), stale, done })
}

/** Only the list is read again, because the page of the report is left. */
export function useDeleteReport(id: string, done: () => void) {
  return useAction({ act: (api) => api.reports.delete(id), deletes: id, stale: () => [reportList.key], done })
}
