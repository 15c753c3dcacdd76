import type { GroupedAnalytics, Report, ReportRun } from '@overture/sdk'
import { useCampaigns } from '../campaigns/index.ts'
import { type ListReading, useReading } from '../platform/api/query.ts'
import { useSenders } from '../sending-accounts/index.ts'
import { useTagChoices } from '../tags/index.ts'
import { useColleagues } from '../users/index.ts'
import { type GroupNames, nameGroups } from './group-names.ts'
import type { Names } from './report-text.ts'
import { text } from './reports.messages.ts'

export const key = ['reports'] as const
const runningMs = 1_000
/** No event reports that a report was mailed, so reports are polled. */
const againMs = 10_000

export const isRunning = (report: Report | undefined): boolean => report?.lastRun?.status === 'running'

export const reportList: ListReading<Report> = {
  key: [...key, 'list'],
  page: (api, place) => api.reports.list(place).page(),
  againMs,
}

export function useReport(id: string) {
  return useReading<Report>({
    key: [...key, 'one', id],
    read: (api, signal) => api.reports.get(id, { signal }),
    againMs: (report) => (isRunning(report) ? runningMs : againMs),
  })
}

/** The zone of the days of the numbers. */
export const numbersZone = ({ query, timezone }: Report): string => query.timezone ?? timezone

/** The numbers of a run: those of the query in the days of the run. */
export function useNumbers(report: Report, { from, to, at }: ReportRun) {
  const { groupBy, campaignId, sendingAccountId, tagId } = report.query
  const query = {
    groupBy,
    from,
    to,
    timezone: numbersZone(report),
    ...(campaignId !== undefined && { campaignId }),
    ...(sendingAccountId !== undefined && { sendingAccountId }),
    ...(tagId !== undefined && { tagId }),
  }
  return useReading<GroupedAnalytics>({
    key: ['analytics', 'report', query, at],
    read: (api) => api.analytics.grouped(query),
  })
}

/** The names of the groups of the numbers. Null until the lists are read. */
export function useGroupNames(zone: string): GroupNames {
  const campaigns = useCampaigns().data?.results
  const senders = useSenders().data?.results
  return campaigns === undefined || senders === undefined ? null : nameGroups({ campaigns, senders, zone })
}

/** The names that reports are shown with. */
export function useNames(): Names {
  const campaigns = useCampaigns().data?.results
  const senders = useSenders().data?.results
  const tags = useTagChoices()
  const users = useColleagues()
  const named = (name: string | undefined, known: boolean, other: string): string =>
    name ?? (known ? other : text.nameLoading)
  return {
    campaign: (id) =>
      campaigns === undefined ? text.nameLoading : (campaigns.find((one) => one.id === id)?.name ?? null),
    sender: (id) => named(senders?.find((one) => one.id === id)?.email, senders !== undefined, text.otherSender),
    tag: (id) => tags.choices.find(({ value }) => value === id)?.label ?? (tags.areRead ? null : text.nameLoading),
    // An account has at least one user.
    user: (id) => named(users.find((one) => one.id === id)?.name, users.length > 0, text.otherUser),
  }
}
