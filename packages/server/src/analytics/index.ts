import type { Route } from '../platform/http/route.ts'
import { activityRoutes } from './activity.routes.ts'
import { statisticsRoutes, type AnalyticsTools } from './analytics.routes.ts'

export { createStatisticsWorker, rollUpAll } from './statistics.worker.ts'
export { groupedAnalytics } from './grouped.queries.ts'
export { countSql } from './counters.ts'
export { findDefaultTimezone } from './analytics-facts.sql.ts'
export { listGroups } from './groups.sql.ts'
export { eventStreamRoutes } from './activity.routes.ts'
export { createEventStreams, type EventStreams, type StreamTools } from './event-streams.shell.ts'
export { listVariantEvidence } from './evidence.sql.ts'
export { selectByReplies, type Evidence } from '../campaigns/sequence/variant-selection.ts'

/** Statistics, analytics, summary, definitions, activity feeds and the event log. */
export function analyticsRoutes(tools: AnalyticsTools): Route[] {
  return [...statisticsRoutes(tools), ...activityRoutes()]
}
