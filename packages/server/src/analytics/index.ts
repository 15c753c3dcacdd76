import type { Route } from '../platform/http/route.ts'
import { activityRoutes } from './activity.routes.ts'
import { statisticsRoutes, type AnalyticsDeps } from './analytics.routes.ts'

export { createStatisticsWorker, rollUpAll } from './statistics.worker.ts'
export { countOf } from './counters.ts'
export { eventStreamRoutes } from './activity.routes.ts'
export { createEventStreams, type EventStreams, type StreamSources } from './event-streams.shell.ts'
export { listVariantEvidence } from './evidence.sql.ts'
export { selectByReplies, type Evidence } from '../campaigns/sequence/variant-selection.ts'

/** Statistics, analytics, summary, definitions, activity feeds and the event log. */
export function analyticsRoutes(deps: AnalyticsDeps): Route[] {
  return [...statisticsRoutes(deps), ...activityRoutes()]
}
