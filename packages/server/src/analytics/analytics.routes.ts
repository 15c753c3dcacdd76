import { campaignStatus } from '@overture/contract/campaigns/campaigns.ts'
import { leadStatus } from '@overture/contract/campaigns/leads.ts'
import {
  analyticsEndpoints,
  returnedCampaignsMax,
  type AiCost,
  type Analytics,
  type Summary,
} from '@overture/contract/analytics/analytics.ts'
import { notFound } from '@overture/contract/errors.ts'
import { metricDefinitions } from '@overture/contract/analytics/metric-definitions.ts'
import type { Executor } from '../platform/db/database.ts'
import { query, type RequestContext, type Route } from '../platform/http/route.ts'
import type { Tenant } from '../platform/tenant.ts'
import {
  countCampaignsByStatus,
  countLeadsByStatus,
  countNotSent,
  countUncertain,
  findCampaignFacts,
  findToday,
  listCampaignNames,
  listCampaignsMissingValues,
  listReturnedCampaigns,
} from './analytics-facts.sql.ts'
import { findTotals, listBreakdown } from './analytics.sql.ts'
import { buildBreakdown, type Names } from './breakdown.ts'
import { groupedAnalytics } from './grouped.queries.ts'
import { listTaskLines } from './step-tasks.sql.ts'
import { computeStats } from './measures.ts'
import { listVariantEvidence } from './evidence.sql.ts'
import { countReached, countReachedInOrder, countWaiting, listPaths } from './paths.sql.ts'
import { parseRangeBound, splitIntoPeriods, type Interval } from './periods.ts'

export interface AnalyticsTools {
  /** The tenant's credits (credits/index.ts). */
  readBalance(db: Executor, tenant: Tenant): Promise<number>
  /** The AI cost of a campaign (ai/index.ts). */
  sumAiCost(db: Executor, tenant: Tenant, campaignId: string): Promise<AiCost>
}

export function statisticsRoutes(tools: AnalyticsTools): Route[] {
  return [
    query(analyticsEndpoints.getCampaignStats, (context, { params }) => campaignStats(context, params.id, tools)),
    query(analyticsEndpoints.getCampaignAnalytics, (context, { params, query }) =>
      campaignAnalytics(context, params.id, query),
    ),
    query(analyticsEndpoints.getGroupedAnalytics, ({ app, tenant }, { query: statsQuery }) =>
      groupedAnalytics(app.db, tenant, statsQuery),
    ),
    query(analyticsEndpoints.getAccountSummary, (context) => accountSummary(context, tools)),
    query(analyticsEndpoints.listMetricDefinitions, async () => ({ results: [...metricDefinitions] })),
  ]
}

async function campaignStats({ app, tenant, now }: RequestContext, id: string, tools: AnalyticsTools) {
  const campaign = await findCampaignFacts(app.db, tenant, id)
  if (!campaign) throw notFound()
  const counts = await findTotals(app.db, tenant, id)
  const uncertain = await countUncertain(app.db, tenant, id)
  const notSent = await countNotSent(app.db, tenant, { campaignId: id, now })
  const ai = await tools.sumAiCost(app.db, tenant, id)
  return { ...computeStats({ ...counts, leads: campaign.leadCount, uncertain }, notSent), ai }
}

interface AnalyticsQuery {
  from?: string | undefined
  to?: string | undefined
  interval: Interval
  timezone?: string | undefined
}

async function campaignAnalytics(context: RequestContext, id: string, statsQuery: AnalyticsQuery): Promise<Analytics> {
  const { app, tenant, now } = context
  const campaign = await findCampaignFacts(app.db, tenant, id)
  if (!campaign) throw notFound()
  const timezone = statsQuery.timezone ?? campaign.timezone
  const to = statsQuery.to === undefined ? new Date(now.getTime() + 1) : parseRangeBound(statsQuery.to, timezone, 'to')
  const from =
    statsQuery.from === undefined ? earlier(campaign.createdAt, to) : parseRangeBound(statsQuery.from, timezone, 'from')
  const periods = splitIntoPeriods({ from, to, interval: statsQuery.interval, timezone })
  const starts = periods.map((period) => period.startAt)
  const lines = await listBreakdown(app.db, tenant, { campaignId: id, from, to, starts })
  const names = await campaignNames(app.db, tenant, id)
  const paths = await listPaths(app.db, tenant, { campaignId: id, from, to })
  const tasks = await listTaskLines(app.db, tenant, { campaignId: id, from, to })
  const inOrder = paths.length === 0 && names.steps.every((step) => step.type === 'email' && step.then === null)
  const reached = await (inOrder ? countReachedInOrder : countReached)(app.db, tenant, id)
  const waiting = await countWaiting(app.db, tenant, id)
  return {
    campaignId: id,
    from: from.toISOString(),
    to: to.toISOString(),
    interval: statsQuery.interval,
    timezone,
    ...buildBreakdown(lines, periods, names, { paths, reached, waiting, tasks }),
  }
}

async function campaignNames(db: Executor, tenant: Tenant, id: string): Promise<Names> {
  const names = await listCampaignNames(db, tenant, id)
  const stepIds = names.variants.filter((variant) => variant.variantSelection === 'auto').map(({ stepId }) => stepId)
  const lines = stepIds.length === 0 ? [] : await listVariantEvidence(db, tenant, { campaignIds: [id], stepIds })
  const byId = new Map(lines.map((line) => [line.variantId, line]))
  const variantEvidence = (variant: (typeof names.variants)[number]) =>
    variant.variantSelection === 'auto' ? (byId.get(variant.id) ?? { delivered: 0, replied: 0 }) : null
  return { ...names, variants: names.variants.map((variant) => ({ ...variant, evidence: variantEvidence(variant) })) }
}

async function accountSummary({ app, tenant, now }: RequestContext, tools: AnalyticsTools): Promise<Summary> {
  const campaigns = await countCampaignsByStatus(app.db, tenant)
  const leads = await countLeadsByStatus(app.db, tenant)
  const totals = await findTotals(app.db, tenant, null)
  const uncertain = await countUncertain(app.db, tenant, null)
  const notSent = await countNotSent(app.db, tenant, { campaignId: null, now })
  const leadTotal = sumCounts(leads)
  return {
    campaigns: { total: sumCounts(campaigns), byStatus: filled(campaignStatus.options, campaigns) },
    leads: { total: leadTotal, byStatus: filled(leadStatus.options, leads) },
    today: await findToday(app.db, tenant, now),
    totals: computeStats({ ...totals, leads: leadTotal, uncertain }, notSent),
    credits: { balance: await tools.readBalance(app.db, tenant) },
    returned: await listReturnedCampaigns(app.db, tenant, returnedCampaignsMax),
    missingValues: await listCampaignsMissingValues(app.db, tenant, returnedCampaignsMax),
  }
}

function filled(names: readonly string[], counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, counts[name] ?? 0]))
}

function sumCounts(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

// The range of a campaign that was created at this very moment must not be empty.
function earlier(createdAt: Date, to: Date): Date {
  return createdAt < to ? createdAt : new Date(to.getTime() - 1)
}
