import type { Settings, Step } from '@overture/contract/campaigns/campaigns.ts'
import type { Preflight, PreflightWarning } from '@overture/contract/delivery/preflight.ts'
import { findAccountFooter } from '../write/compose.sql.ts'
import {
  findStartBlockers,
  listCustomNames,
  listSteps,
  type AiStartCheck,
  type CampaignRow,
} from '../../campaigns/index.ts'
import type { App } from '../../platform/app.ts'
import { linksReachRecipients } from '../../platform/public-url.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { listSenders } from '../../sending-accounts/index.ts'
import { providerOfServers } from '@overture/contract/vocabularies.ts'
import { senderWarnings as accountWarningsOf } from '../../sending-accounts/sender-warnings.ts'
import type { Sender } from '../../sending-accounts/sending-account.ts'
import type { ExplainTools } from '../delivery.shell.ts'
import { campaignCapacity } from '@overture/planner/capacity.ts'
import {
  addressWarnings,
  contactWarnings,
  countLeadsLacking,
  leadWarnings,
  optOutWarnings,
  senderWarnings,
  stepWarnings,
  taskWarnings,
} from '@overture/planner/preflight-warnings.ts'
import type { ForecastState } from '@overture/planner/forecast-run.ts'
import type { GateName } from '@overture/planner/plan.types.ts'
import { recipientsAhead } from '@overture/planner/recipients-ahead.ts'
import { consentWarnings, noticeWarnings, tracksWithoutConsent } from './privacy-warnings.ts'
import { listLeadsByCountry, listOverlaps } from './explain.sql.ts'
import { countLeadsWithoutPhone, listActiveAssignees } from './task-steps.sql.ts'
import { loadCampaignAhead, runAhead } from './forecast.queries.ts'
import { textWarnings } from './text-warnings.shell.ts'

const overlapsMax = 20

interface PreflightTools extends ExplainTools {
  checkAi: AiStartCheck
}

/** Reports what prevents a campaign from starting, and warnings to read before its start. */
export async function getPreflight(
  app: App,
  tenant: Tenant,
  input: PreflightTools & { campaignId: string; now: Date },
): Promise<Preflight> {
  const { db } = app
  const { campaignId, now, checkAi } = input
  const { campaign, state, cut } = await loadCampaignAhead(app, tenant, input)
  const steps = (await listSteps(db, tenant, [campaignId])).get(campaignId) ?? []
  const linksReach = linksReachRecipients(app.config)
  const [blockers, senders, overlaps, ahead] = await Promise.all([
    findStartBlockers(db, tenant, { row: campaign, steps, checkAi, linksReach, now }),
    listSenders(db, tenant, campaign.sendingAccountIds),
    listOverlaps(db, tenant, { campaignId, limit: overlapsMax }),
    forecastLeads(state, campaignId),
  ])
  const leads = state.leads.filter((lead) => lead.campaignId === campaignId)
  const lacking = countLeadsLacking(leads)
  const customNames = await listCustomNames(db, tenant, campaignId)
  const planned = state.campaigns.find(({ id }) => id === campaignId)
  return {
    ready: blockers.length === 0,
    blockers,
    warnings: [
      ...leadWarnings(lacking),
      ...addressWarnings(leads),
      ...contactWarnings(leads, state.contacts, now),
      ...allSenderWarnings(app, senders, { unsubscribe: campaign.settings.unsubscribe, now }),
      ...overlaps.map(overlapWarning),
      ...(await privacyWarnings(app, tenant, campaign)),
      ...stepWarnings(steps, { reached: ahead.reachedSteps, leads }),
      ...(await warningsOfTasks(app, tenant, { campaignId, steps })),
      ...(await textWarnings(input.renderer, tenant, { steps, lacking, customNames, hasLeads: leads.length > 0 })),
    ],
    recipients: {
      ...recipientsAhead({ leads, ...ahead }),
      firstMessageAt: ahead.firstMessageAt,
      partial: cut,
    },
    capacityPerDay: planned === undefined ? 0 : campaignCapacity(planned, state.senders, now.getTime()),
    finishesOn: ahead.finishesOn,
  }
}

/** Runs the forecast, and records the leads and steps that it reaches. */
async function forecastLeads(state: ForecastState, campaignId: string) {
  const reachedSteps = new Set<string>()
  const reachedIds = new Set<string>()
  const heldBy = new Map<string, GateName>()
  let firstMs = Infinity
  const { finishesOn } = await runAhead(state, {
    campaignId,
    onSend({ leadId, stepId, ...send }, atMs) {
      if (send.campaignId !== campaignId) return
      reachedSteps.add(stepId)
      reachedIds.add(leadId)
      firstMs = Math.min(firstMs, atMs)
    },
    onLeft: ({ id }, gate) => void heldBy.set(id, gate),
  })
  const firstMessageAt = firstMs === Infinity ? null : new Date(firstMs).toISOString()
  return { finishesOn, reachedSteps, reachedIds, heldBy, firstMessageAt }
}

async function privacyWarnings(
  { db }: App,
  tenant: Tenant,
  { id, settings }: Pick<CampaignRow, 'id' | 'settings'>,
): Promise<PreflightWarning[]> {
  const tracks = tracksWithoutConsent(settings)
  if (!tracks && settings.privacyNotice === 'off') return []
  const leads = await listLeadsByCountry(db, tenant, id)
  const footer = await findAccountFooter(db, tenant)
  return [...(tracks ? consentWarnings(leads) : []), ...noticeWarnings(settings.privacyNotice, leads, footer)]
}

async function warningsOfTasks(
  { db }: App,
  tenant: Tenant,
  { campaignId, steps }: { campaignId: string; steps: readonly Step[] },
): Promise<PreflightWarning[]> {
  const tasks = steps.filter(({ type }) => type === 'task')
  if (tasks.length === 0) return []
  const assigneeIds = tasks.flatMap(({ assigneeId }) => assigneeId ?? [])
  const active = assigneeIds.length === 0 ? [] : await listActiveAssignees(db, tenant, assigneeIds)
  const counts = tasks.some(({ channel }) => channel === 'call')
    ? await countLeadsWithoutPhone(db, tenant, campaignId)
    : []
  const before = ({ position }: Step) =>
    counts.reduce((sum, { currentStep, count }) => (currentStep < position ? sum + count : sum), 0)
  return taskWarnings(tasks, {
    activeUserIds: new Set(active.map(({ id }) => id)),
    withoutPhone: new Map(tasks.map((step) => [step.id, before(step)])),
  })
}

function allSenderWarnings(
  app: App,
  senders: readonly Sender[],
  { unsubscribe, now }: { unsubscribe: Settings['unsubscribe']; now: Date },
): PreflightWarning[] {
  return [
    ...senderWarnings(
      senders.map((sender) => ({ ...sender, readsReplies: sender.imap !== null || sender.provider === 'sandbox' })),
    ),
    ...optOutWarnings(
      unsubscribe,
      senders.map((sender) => ({ ...sender, mailProvider: providerOfServers(sender) })),
    ),
    ...senders.flatMap((sender) => accountWarnings(app, sender, now)),
  ]
}

function accountWarnings(app: App, sender: Sender, now: Date): PreflightWarning[] {
  const { secretExpiresOn } = app.config.oauth.microsoft
  return accountWarningsOf(sender, { now, secretExpiresOn }).map(({ code, message }) => ({
    code,
    message: `${sender.email}: ${message}`,
    ref: sender.id,
    count: null,
  }))
}

function overlapWarning({
  campaignId,
  name,
  count,
}: {
  campaignId: string
  name: string
  count: number
}): PreflightWarning {
  const message = `${count} of the leads are also in the campaign ${JSON.stringify(name)}.`
  return { code: 'overlap', message, ref: campaignId, count }
}
