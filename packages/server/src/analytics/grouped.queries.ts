import { groupsMax, type GroupedAnalytics } from '@overture/contract/analytics/analytics.ts'
import type { GroupedAnalyticsQuery } from '@overture/contract/analytics/grouped-query.ts'
import { notFound } from '@overture/contract/errors.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { findTag } from '../tags/index.ts'
import { findCampaignFacts, findDefaultTimezone, findSenderExists } from './analytics-facts.sql.ts'
import { listGroups } from './groups.sql.ts'
import { buildGroups } from './groups.ts'
import { wholeQuarters } from './periods.ts'

/** The counts by one or two dimensions. A campaign, sender or tag that does not exist is 404. */
export async function groupedAnalytics(
  db: Executor,
  tenant: Tenant,
  statsQuery: GroupedAnalyticsQuery,
): Promise<GroupedAnalytics> {
  const campaign =
    statsQuery.campaignId === undefined ? null : await findCampaignFacts(db, tenant, statsQuery.campaignId)
  if (statsQuery.campaignId !== undefined && campaign === null) throw notFound()
  const { campaignId = null, sendingAccountId = null, tagId = null, groupBy } = statsQuery
  if (sendingAccountId !== null && !(await findSenderExists(db, tenant, sendingAccountId))) throw notFound()
  if (tagId !== null && (await findTag(db, tenant, tagId)) === undefined) throw notFound()
  const timezone = statsQuery.timezone ?? campaign?.timezone ?? (await findDefaultTimezone(db, tenant))
  const { from, to } = wholeQuarters({ from: statsQuery.from, to: statsQuery.to, timezone })
  const filter = { groupBy, timezone, from, to, campaignId, sendingAccountId, tagId, groupsMax }
  const lines = await listGroups(db, tenant, filter)
  return {
    groupBy,
    timezone,
    from: from?.toISOString() ?? null,
    to: to?.toISOString() ?? null,
    ...buildGroups(lines, groupBy),
  }
}
