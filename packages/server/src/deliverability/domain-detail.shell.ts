import type {
  DeliverabilityDomain,
  DeliverabilityDomainDetail,
} from '@overture/contract/deliverability/deliverability.ts'
import type { SignalReason } from '@overture/contract/sending-accounts/deliverability.ts'
import { signalScore } from '@overture/planner/deliverability/signals.ts'
import { consumerDomains } from '@overture/ground/recipient-provider.ts'
import { dayMs } from '@overture/ground/time/spans.ts'
import { listGroups } from '../analytics/index.ts'
import type { App } from '../platform/app.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { suggestedRecipients } from '../sending-accounts/budgets/recipient-budget.ts'
import { checkHealth, findCoveredAddresses, findSender } from '../sending-accounts/index.ts'
import { domainAndAbove } from './domain-names.ts'
import {
  countComplainingLeads,
  findReportedPolicy,
  listBouncesByProvider,
  listDomainSenders,
  listDomainStates,
  listPlacementDays,
  listReportedDays,
  listReportedSums,
  listSources,
  type DaySpan,
  type DomainSenderRow,
  type OwnDomainRow,
  type PlacementDay,
} from './domains.sql.ts'

const sourcesMax = 50
const sendersMax = 200
/** The newest messages that are counted by provider, over all senders of a domain. */
const sampleMax = 20_000
const groupsMax = 10_000

interface DomainQuery extends DaySpan {
  domain: string
  own: OwnDomainRow
  now: Date
}

/** A domain with its DNS records, what receivers reported, and the results of its senders. */
export async function getDomain(app: App, tenant: Tenant, query: DomainQuery): Promise<DeliverabilityDomainDetail> {
  const { domain, now } = query
  const senders = await listDomainSenders(app.db, tenant, { domain, now, limit: sendersMax })
  const [judged] = await listDomainStates(app.db, tenant, { domains: [domain], now })
  const senderIds = senders.map(({ sendingAccountId }) => sendingAccountId)
  const [days, dns, dmarc, results] = await Promise.all([
    listPlacementDays(app.db, tenant, { senderIds, from: query.from, to: query.to }),
    readDns(app, tenant, senders[0]),
    readReports(app, tenant, query),
    readResults(app, tenant, { ...query, senders }),
  ])
  return {
    domain,
    from: query.from,
    to: query.to,
    dailyExternalRecipients: query.own.dailyExternalRecipients,
    suggestedDailyExternalRecipients: suggestedRecipients(query.own.licences),
    dns,
    dmarc,
    ...results,
    placement: days.length === 0 ? null : sumDays(days),
    placementDays: days,
    score: senders.length === 0 ? null : Math.min(...senders.map(scoreNow)),
    state: judged?.state ?? null,
  }
}

function sumDays(days: readonly PlacementDay[]): Omit<PlacementDay, 'date'> {
  const sum = (field: Exclude<keyof PlacementDay, 'date'>) => days.reduce((total, day) => total + day[field], 0)
  return { inbox: sum('inbox'), tab: sum('tab'), spam: sum('spam'), missing: sum('missing') }
}

function scoreNow(sender: DomainSenderRow): number {
  return signalScore({ reasons: reasonsNow(sender) })
}

/** A sender that is healthy again keeps no reasons. */
function reasonsNow({ state, reasons }: DomainSenderRow): SignalReason[] {
  return state === 'healthy' ? [] : (reasons ?? [])
}

/** Adds what receivers reported to domains of a list. */
export async function presentDomains(
  db: Executor,
  tenant: Tenant,
  { rows, span, now }: { rows: readonly OwnDomainRow[]; span: DaySpan; now: Date },
): Promise<DeliverabilityDomain[]> {
  const domains = rows.map(({ domain }) => domain)
  const sums = new Map((await listReportedSums(db, tenant, { domains, ...span })).map((row) => [row.domain, row]))
  const states = new Map((await listDomainStates(db, tenant, { domains, now })).map((row) => [row.domain, row.state]))
  return rows.map(({ licences, ...row }) => {
    const state = states.get(row.domain) ?? null
    const { messages = 0, spfAligned = 0, dkimAligned = 0, passed = 0, lastOn = null } = sums.get(row.domain) ?? {}
    return {
      ...row,
      suggestedDailyExternalRecipients: suggestedRecipients(licences),
      reported: { messages, spfAligned, dkimAligned, passed },
      lastReportOn: lastOn,
      state,
    }
  })
}

/** The records are those of the domain, so any of its senders is asked. A tracking domain has no sender. */
async function readDns(
  app: App,
  tenant: Tenant,
  first: DomainSenderRow | undefined,
): Promise<DeliverabilityDomainDetail['dns']> {
  const sender = first === undefined ? null : await findSender(app.db, tenant, first.sendingAccountId)
  if (sender === null) return null
  const { spf, dkim, dmarc, mx, checkedAt } = await checkHealth(app, tenant, sender)
  return { spf, dkim, dmarc, mx, checkedAt }
}

async function readReports(app: App, tenant: Tenant, query: DomainQuery): Promise<DeliverabilityDomainDetail['dmarc']> {
  const { db } = app
  const [policy, days, rows] = await Promise.all([
    findReportedPolicy(db, tenant, domainAndAbove(query.domain)),
    listReportedDays(db, tenant, query),
    listSources(db, tenant, { ...query, limit: sourcesMax }),
  ])
  const addresses = [...new Set(rows.map(({ ip }) => ip))]
  // The test environment opens no connection, so nothing is known about an address.
  const covered =
    tenant.environment === 'test'
      ? new Set<string>()
      : await findCoveredAddresses(app.config.network.dnsServers, { domain: query.domain, addresses })
  const sum = (field: 'messages' | 'spfAligned' | 'dkimAligned' | 'passed') =>
    days.reduce((total, day) => total + day[field], 0)
  return {
    policy,
    messages: sum('messages'),
    spfAligned: sum('spfAligned'),
    dkimAligned: sum('dkimAligned'),
    passed: sum('passed'),
    sources: rows.map((row) => ({ ...row, known: covered.has(row.ip) })),
    days,
  }
}

async function readResults(
  app: App,
  tenant: Tenant,
  { from, to, senders }: DomainQuery & { senders: readonly DomainSenderRow[] },
): Promise<Pick<DeliverabilityDomainDetail, 'complaints' | 'bouncesByProvider' | 'senders'>> {
  const { db } = app
  const range = { from: new Date(`${from}T00:00:00.000Z`), to: new Date(Date.parse(`${to}T00:00:00.000Z`) + dayMs) }
  const senderIds = senders.map(({ sendingAccountId }) => sendingAccountId)
  const sampled = { senderIds, ...range, perSenderMax: Math.ceil(sampleMax / Math.max(1, senders.length)) }
  const unfiltered = { campaignId: null, sendingAccountId: null, tagId: null }
  const groups = { groupBy: ['sender' as const], timezone: 'UTC', ...unfiltered, groupsMax }
  const [complaints, byProvider, bySender] = await Promise.all([
    countComplainingLeads(db, tenant, sampled),
    listBouncesByProvider(db, tenant, { ...sampled, known: consumerDomains }),
    senders.length === 0 ? [] : listGroups(db, tenant, { ...groups, ...range }),
  ])
  const counts = new Map(bySender.map((group) => [group.firstKey, group]))
  return {
    complaints,
    bouncesByProvider: byProvider.map((row) => ({ ...row, provider: row.provider ?? 'unknown' })),
    senders: senders.map((sender) => {
      const { sent = 0, bounced = 0 } = counts.get(sender.sendingAccountId) ?? {}
      return { ...sender, reasons: reasonsNow(sender), sent, bounced }
    }),
  }
}
