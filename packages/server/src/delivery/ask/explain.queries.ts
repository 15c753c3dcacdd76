import { notFound } from '@overture/contract/errors.ts'
import type { FollowupStatus } from '@overture/contract/delivery/delivery.ts'
import type { ExplanationOutput } from '@overture/contract/delivery/explanation.ts'
import {
  explainEntries,
  findCampaign,
  findLead,
  findLeadWithCampaign,
  type CampaignRow,
} from '../../campaigns/index.ts'
import { loadContactBook } from '../../contact-policy/index.ts'
import type { App } from '../../platform/app.ts'
import { toEventActor } from '../../platform/events/feed.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findSuppressed } from '../../suppressions/index.ts'
import { findRecipientProviders } from '../../deliverability/index.ts'
import { findAddressVerdicts } from '../../verification/index.ts'
import { type CandidateRow } from '../plan/leads.sql.ts'
import { listStepMessages } from '../plan/claims.sql.ts'
import { listThreadChains } from '../write/compose.sql.ts'
import {
  countBlocked,
  countByNextStep,
  countSentByStep,
  findPlanLead,
  listLeadHistory,
  type HistoryRow,
  type PlanLeadRow,
} from './explain.sql.ts'
import { explainGates, noStepPosition } from '@overture/planner/gates.ts'
import { presentMessage } from '../messages/messages.commands.ts'
import { listLeadMessages } from '../messages/messages.sql.ts'
import type { ExplainTools } from '../delivery.shell.ts'
import { findNextSendTime } from './next-send.queries.ts'
import { loadSenders } from '../plan/senders.sql.ts'
import { readPlanCampaign, withUsage } from '../plan/campaigns.sql.ts'
import { stepAhead } from './step-ahead.ts'
import { toPlanLead } from '../plan/plan-leads.shell.ts'
import type { PlanLead } from '@overture/planner/plan.types.ts'
import { listPlanSteps, type PlanStepRow } from '../plan/campaigns.sql.ts'
import { knowBranches, knowTasks, pickVariant } from '../plan/lead-facts.shell.ts'
import { listVariants } from '../plan/texts.sql.ts'
import { listWrittenTexts, missingText } from '../plan/written-texts.shell.ts'

const historyMax = 200

export interface LeadKey {
  campaignId: string
  leadId: string
}

export async function getLeadThread(app: App, tenant: Tenant, key: LeadKey) {
  if ((await findLeadWithCampaign(app.db, tenant, key)) === undefined) throw notFound()
  const messages = await listLeadMessages(app.db, tenant, key)
  return { leadId: key.leadId, campaignId: key.campaignId, messages: messages.map(presentMessage) }
}

export async function findThread(app: App, tenant: Tenant, key: LeadKey, step: Pick<PlanStepRow, 'sameThread'>) {
  const lead = await findLead(app.db, tenant, key)
  if (!step.sameThread || !lead?.threadId) return null
  return (await listThreadChains(app.db, tenant, [lead.threadId])).get(lead.threadId) ?? null
}

export async function loadLead(
  app: App,
  tenant: Tenant,
  key: LeadKey,
): Promise<{ campaign: CampaignRow; lead: PlanLeadRow; steps: PlanStepRow[] }> {
  const campaign = await findCampaign(app.db, tenant, key.campaignId)
  const lead = campaign && (await findPlanLead(app.db, tenant, key))
  if (campaign === undefined || lead === undefined) throw notFound()
  return { campaign, lead, steps: await listPlanSteps(app.db, tenant, [campaign.id]) }
}

export function possibleSenderIds(campaign: CampaignRow, lead: CandidateRow): string[] {
  return [
    ...new Set([...campaign.sendingAccountIds, ...(lead.sendingAccountId === null ? [] : [lead.sendingAccountId])]),
  ]
}

/** Every gate with its numbers, the next step and the history (docs/contract.md, "Leads", explain). */
export async function explainLead(
  app: App,
  tenant: Tenant,
  input: ExplainTools & LeadKey & { now: Date },
): Promise<ExplanationOutput> {
  const { campaign, lead, steps } = await loadLead(app, tenant, input)
  const plan = await readPlanCampaign(campaign, steps)
  const [campaigns, senders, planned, history, row, entries, contacts] = await Promise.all([
    withUsage(app.db, tenant, [plan], input.now),
    loadSenders(app.db, tenant, possibleSenderIds(campaign, lead), input.now),
    planOneLead(app, tenant, { ...input, lead, steps }),
    listLeadHistory(app.db, tenant, { ...input, limit: historyMax }),
    findLead(app.db, tenant, input),
    explainEntries(app.db, tenant, input),
    loadContactBook(app.db, tenant, { secrets: app.secrets, leads: [lead] }),
  ])
  const open = lead.status === 'pending' || lead.status === 'active'
  const isOpen = open || (row?.status === 'paused' && row.resumeAt !== null)
  const uncertain = row?.blockedReason === 'delivery_uncertain'
  const withDomain = campaigns[0] ?? plan
  const explanation = explainGates({
    now: input.now,
    lead: { ...planned, uncertain: planned.uncertain || uncertain },
    campaign: withDomain,
    senders,
    contacts,
  })
  return {
    leadId: lead.id,
    status: lead.status,
    blockedReason: open && explanation.next !== null ? explanation.blockedReason : null,
    next: !isOpen || explanation.next === null ? null : presentNext(explanation.next),
    gates: explanation.gates.map((gate) => ({ ...gate, until: gate.until?.toISOString() ?? null })),
    entries,
    history: history.map(presentHistory),
  }
}

function presentNext({ at, decision, ...next }: NonNullable<ReturnType<typeof explainGates>['next']>) {
  return {
    ...next,
    at: at?.toISOString() ?? null,
    decision: decision && { ...decision, decidesAt: decision.decidesAt?.toISOString() ?? null },
  }
}

async function planOneLead(
  app: App,
  tenant: Tenant,
  input: ExplainTools & { lead: CandidateRow; steps: readonly PlanStepRow[] },
): Promise<PlanLead> {
  const { lead, steps } = input
  const isOpen = lead.status === 'pending' || lead.status === 'active' || lead.status === 'paused'
  const step = isOpen ? stepAhead(steps, lead) : undefined
  // After the last step every gate is still reported, for a step that doesn't exist.
  const nextStep = step ?? {
    campaignId: lead.campaignId,
    id: '',
    position: noStepPosition,
    sameThread: true,
    waitValue: 0,
    waitUnit: 'days' as const,
    type: 'email' as const,
    then: null,
    branches: [],
    task: null,
    byHand: false,
  }
  const keys = { campaignIds: [lead.campaignId], leadIds: [lead.id], stepIds: [nextStep.id] }
  const [variants, existing, suppressed, addresses, providers] = await Promise.all([
    listVariants(app.db, tenant, keys),
    listStepMessages(app.db, tenant, keys),
    findSuppressed(app.db, tenant, { secrets: app.secrets, emails: [lead.email] }),
    findAddressVerdicts(app.db, tenant, [lead]),
    findRecipientProviders(app.db, tenant, [lead]),
  ])
  const texts = await listWrittenTexts(app.db, tenant, { variants, leadIds: [lead.id] })
  const planned = await toPlanLead(input.renderer, tenant, {
    row: lead,
    step: nextStep,
    ...pickVariant(variants, texts, { leadId: lead.id, stepId: nextStep.id }),
    existing: existing[0],
    suppressed: suppressed.has(lead.email),
    address: addresses.get(lead.id),
    recipientProvider: providers.get(lead.id),
    meetingUrl: input.meetingUrl(tenant, { campaignId: lead.campaignId, leadId: lead.id }),
    ...(await knowBranches(app.db, tenant, { next: [{ row: lead, step: nextStep }], steps: [nextStep] })).get(lead.id),
    tasks: (await knowTasks(app.db, tenant, [{ row: lead, step: nextStep }])).get(lead.id),
  })
  const key = { campaignId: lead.campaignId, leadId: lead.id, stepId: nextStep.id }
  const unwritten = missingText(variants, texts, key)?.replaces === null
  return step === undefined ? { ...planned, awaitingApproval: false } : { ...planned, unwritten }
}

function presentHistory(row: HistoryRow) {
  const reason = row.data['reason'] ?? row.data['type'] ?? row.data['to'] ?? null
  return {
    at: row.at.toISOString(),
    decision: row.type,
    reason: typeof reason === 'string' ? reason : null,
    detail: historyDetail(row.data),
    messageId: row.messageId,
    actor: toEventActor(row),
  }
}

function historyDetail({ label, evidence }: HistoryRow['data']): string | null {
  if (typeof evidence !== 'string') return null
  return typeof label === 'string' ? `${label}: ${evidence}` : evidence
}

export async function getFollowupStatus(
  app: App,
  tenant: Tenant,
  { campaignId, now, ...tools }: ExplainTools & { campaignId: string; now: Date },
): Promise<FollowupStatus> {
  const { db } = app
  const campaign = await findCampaign(db, tenant, campaignId)
  if (campaign === undefined) throw notFound()
  const steps = await listPlanSteps(db, tenant, [campaignId])
  const [next, sent, blocked, nextSendAt] = await Promise.all([
    countByNextStep(db, tenant, { campaignId, now }),
    countSentByStep(db, tenant, campaignId),
    countBlocked(db, tenant, { campaignId, now }),
    findNextSendTime(app, tenant, { ...tools, campaign, steps, now }),
  ])
  const byStep = steps.map((step) => {
    const counts = next.find((row) => row.position === step.position)
    return {
      stepId: step.id,
      position: step.position,
      waiting: counts?.waiting ?? 0,
      due: counts?.due ?? 0,
      sent: sent.find((row) => row.stepId === step.id)?.sent ?? 0,
    }
  })
  const lastSentAt = sent.reduce<Date | null>(
    (last, row) => (row.lastSentAt !== null && (last === null || row.lastSentAt > last) ? row.lastSentAt : last),
    null,
  )
  return {
    campaignId,
    status: campaign.status,
    waiting: byStep.reduce((sum, row) => sum + row.waiting, 0),
    due: byStep.reduce((sum, row) => sum + row.due, 0),
    nextSendAt: nextSendAt?.toISOString() ?? null,
    byStep,
    blocked: blocked.flatMap(({ reason, count }) => (reason === null ? [] : [{ reason, count }])),
    lastSentAt: lastSentAt?.toISOString() ?? null,
  }
}
