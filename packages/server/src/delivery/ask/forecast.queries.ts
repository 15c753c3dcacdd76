import { firstMessages } from '@overture/ground/paths/path.ts'
import { dayMs } from '@overture/ground/time/spans.ts'
import { notFound } from '@overture/contract/errors.ts'
import type { ForecastOutput } from '@overture/contract/delivery/delivery.ts'
import { type CampaignRow, findCampaign, listCampaignsById, listSentSteps } from '../../campaigns/index.ts'
import { loadContactBook } from '../../contact-policy/index.ts'
import type { App } from '../../platform/app.ts'
import { createTurns } from '../../platform/clock.ts'
import { inTurn, type Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findSuppressed } from '../../suppressions/index.ts'
import { findRecipientProviders } from '../../deliverability/index.ts'
import { findAddressVerdicts } from '../../verification/index.ts'
import type { TemplateRenderer } from '../../templates/index.ts'
import { type CandidateRow } from '../plan/leads.sql.ts'
import { listStepMessages, type StepMessageRow } from '../plan/claims.sql.ts'
import { listLeaving } from '../plan/claims.sql.ts'
import type { ExplainTools } from '../delivery.shell.ts'
import { listForecastLeads, listSharingCampaignIds } from './explain.sql.ts'
import { knowMissingLater, type TextsAhead } from './later-steps.shell.ts'
import { stepAhead } from './step-ahead.ts'
import type { Forecast } from '@overture/planner/forecast-days.ts'
import { forecastInSteps, type ForecastState, type OnLeft, type OnSend } from '@overture/planner/forecast-run.ts'
import { knowBranches, knowTasks, stepKey } from '../plan/lead-facts.shell.ts'
import { loadSenders } from '../plan/senders.sql.ts'
import { readPlanCampaign, withUsage } from '../plan/campaigns.sql.ts'
import { knowNotTaken, listSources, otherCampaignsMax, withTargets } from './hand-overs-ahead.queries.ts'
import { toPlanLeads, type LeadToPlan } from '../plan/plan-leads.shell.ts'
import type { PlanCampaign, PlanLead } from '@overture/planner/plan.types.ts'
import type { PlanStepRow } from '../plan/campaigns.sql.ts'
import { listVariants, type SelectableRow } from '../plan/texts.sql.ts'
import { chosenVariant } from '../plan/written-texts.shell.ts'

const forecastDays = 366
const turnMsMax = 20
const forecastSendsMax = 50_000
const forecastLeadsMax = 10_000
/** More claims than all workers of an installation have in flight. */
const leavingMax = 10_000

/** The forecast runs the planner ahead on a copy of the state (docs/contract.md, "Campaigns", forecast). */
export async function getForecast(
  app: App,
  tenant: Tenant,
  input: ExplainTools & { campaignId: string; now: Date },
): Promise<ForecastOutput> {
  const { state } = await loadCampaignAhead(app, tenant, input)
  return runAhead(state, { campaignId: input.campaignId })
}

/** A campaign and the campaigns that share its senders, as the planner would see them. */
export async function loadCampaignAhead(
  app: App,
  tenant: Tenant,
  input: ExplainTools & { campaignId: string; now: Date },
): Promise<WorldAhead & { campaign: CampaignRow }> {
  const { campaign, read } = await ofOneMoment(app, (tools) => readCampaignAhead(tools, tenant, input))
  return { campaign, ...(await planAhead(input.renderer, tenant, read)) }
}

/** The tools for reading; `db` may be a transaction. */
type ReadTools = Pick<App, 'secrets'> & { db: Executor }

/**
 * Reads everything from one snapshot. Otherwise a message sent between two statements could count against today's limits while
 * its lead still waits, and a forecast could be a day off.
 */
export function ofOneMoment<Result>(
  { db, secrets }: App,
  read: (tools: ReadTools) => Promise<Result>,
): Promise<Result> {
  return db.transaction((tx) => read({ secrets, db: inTurn(tx) }), { oneSnapshot: true })
}

type AsksAhead = Pick<ExplainTools, 'meetingUrl'> & { now: Date }

/** The stored rows of a campaign and of those that share its senders. */
export async function readCampaignAhead(
  app: ReadTools,
  tenant: Tenant,
  input: AsksAhead & { campaignId: string },
): Promise<{ campaign: CampaignRow; read: RowsAhead }> {
  const { db } = app
  const { campaignId } = input
  const campaign = await findCampaign(db, tenant, campaignId)
  if (campaign === undefined) throw notFound()
  const sources = await listSources(db, tenant, campaign)
  const sharing = await listSharingCampaignIds(db, tenant, {
    senderIds: [campaign, ...sources].flatMap((row) => row.sendingAccountIds),
    exceptIds: [campaign, ...sources].map((row) => row.id),
    limit: otherCampaignsMax - sources.length,
  })
  const others = await listCampaignsById(db, tenant, sharing)
  return { campaign, read: await readAhead(app, tenant, { ...input, rows: [campaign, ...sources, ...others] }) }
}

interface WorldAhead {
  state: ForecastState
  /** Whether some campaign has more leads than were read. */
  cut: boolean
}

/** The stored state. The missing variables of its templates are not determined yet. */
export interface RowsAhead extends Omit<ForecastState, 'leads'> {
  facts: LeadToPlan[]
  texts: TextsAhead
  cut: boolean
}

/** Reads the rows of some campaigns, all their senders and a limited number of their leads. */
export async function readAhead(
  app: ReadTools,
  tenant: Tenant,
  input: AsksAhead & { rows: readonly CampaignRow[]; leadsPerCampaignMax?: number },
): Promise<RowsAhead> {
  const { db } = app
  const { now, leadsPerCampaignMax = forecastLeadsMax } = input
  const { rows, steps } = await withTargets(db, tenant, input.rows)
  const ids = rows.map((row) => row.id)
  const found = await listForecastLeads(db, tenant, { campaignIds: ids, limit: leadsPerCampaignMax })
  const senderIds = [
    ...rows.flatMap((row) => row.sendingAccountIds),
    ...found.flatMap((lead) => lead.sendingAccountId ?? []),
  ]
  const variants = await listStepVariants(db, tenant, { ids, steps })
  const [campaigns, senders, facts, leaving, contacts] = await Promise.all([
    // A draft is forecast as if it were started now.
    withUsage(db, tenant, await Promise.all(rows.map((row) => campaignAhead(row, steps))), now),
    loadSenders(db, tenant, [...new Set(senderIds)], now),
    readLeadsAhead(app, tenant, { ...input, rows: found, steps, variants }),
    listLeaving(db, tenant, { campaignIds: ids, limit: leavingMax }),
    loadContactBook(db, tenant, { secrets: app.secrets, leads: found }),
  ])
  const read = new Map<string, number>()
  for (const { campaignId } of found) read.set(campaignId, (read.get(campaignId) ?? 0) + 1)
  const cut = [...read.values()].some((count) => count === leadsPerCampaignMax)
  return { now, campaigns, senders, facts, texts: { steps, variants }, leaving, contacts, cut }
}

async function campaignAhead(row: CampaignRow, steps: readonly PlanStepRow[]): Promise<PlanCampaign> {
  const status = row.status === 'scheduled' ? 'scheduled' : 'active'
  const own = steps.filter((step) => step.campaignId === row.id)
  const answersOrigin = firstMessages(own).some((step) => step.sameThread)
  return { ...(await readPlanCampaign({ ...row, status }, steps)), answersOrigin }
}

export async function planAhead(
  renderer: TemplateRenderer,
  tenant: Tenant,
  { facts, texts, cut, ...state }: RowsAhead,
): Promise<WorldAhead> {
  const missingLater = await knowMissingLater(renderer, tenant, { facts, ...texts })
  const leads = await toPlanLeads(renderer, tenant, facts)
  return {
    state: { ...state, leads: leads.map((lead) => ({ ...lead, missingLater: missingLater.get(lead.id) })) },
    cut,
  }
}

/** Runs a forecast in turns, since 10,000 leads take seconds and other requests must not wait. */
export async function runAhead(
  state: ForecastState,
  { days = forecastDays, ...of }: { campaignId?: string; onSend?: OnSend; onLeft?: OnLeft; days?: number },
): Promise<Forecast> {
  const until = new Date(state.now.getTime() + days * dayMs)
  const steps = forecastInSteps(state, { until, maxSends: forecastSendsMax, ...of })
  const turn = createTurns(turnMsMax)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await turn()
  }
}

interface LeadsAhead extends TextsAhead {
  rows: readonly CandidateRow[]
  meetingUrl: ExplainTools['meetingUrl']
}

/** Plans the next step of leads, assuming that texts in progress get written and messages in flight succeed. */
export async function planLeadsAhead(
  app: ReadTools,
  tenant: Tenant,
  { ids, ...ahead }: Omit<LeadsAhead, 'variants'> & ExplainTools & { ids: readonly string[] },
): Promise<PlanLead[]> {
  const variants = await listStepVariants(app.db, tenant, { ids, steps: ahead.steps })
  return toPlanLeads(ahead.renderer, tenant, await readLeadsAhead(app, tenant, { ...ahead, variants }))
}

function listStepVariants(
  db: Executor,
  tenant: Tenant,
  { ids, steps }: { ids: readonly string[]; steps: readonly PlanStepRow[] },
): Promise<SelectableRow[]> {
  return listVariants(db, tenant, { campaignIds: ids, stepIds: [...new Set(steps.map((step) => step.id))] })
}

async function readLeadsAhead(
  app: ReadTools,
  tenant: Tenant,
  { rows, steps, variants, meetingUrl }: LeadsAhead,
): Promise<LeadToPlan[]> {
  const next = rows.flatMap((row) => {
    const step = stepAhead(steps, row)
    return step === undefined ? [] : [{ row, step }]
  })
  const rowsAhead = next.map(({ row }) => row)
  const [suppressed, addresses, providers, existing] = await Promise.all([
    findSuppressed(app.db, tenant, { secrets: app.secrets, emails: next.map(({ row }) => row.email) }),
    findAddressVerdicts(app.db, tenant, rowsAhead),
    findRecipientProviders(app.db, tenant, rowsAhead),
    listStepMessages(app.db, tenant, {
      campaignIds: next.map(({ row }) => row.campaignId),
      leadIds: next.map(({ row }) => row.id),
      stepIds: next.map(({ step }) => step.id),
    }),
  ])
  const known = await knowPaths(app, tenant, { next, steps })
  const notTaken = await knowNotTaken(app.db, tenant, { next, steps })
  const sentBefore = await knowSent(app, tenant, next)
  const messages = new Map(existing.map((message) => [stepKey(message.leadId, message.stepId), message]))
  const turn = createTurns(turnMsMax)
  const facts: LeadToPlan[] = []
  for (const { row, step } of next) {
    await turn()
    facts.push({
      row,
      step, // A text that a model has yet to write is assumed to be ready in time.
      variant: chosenVariant(variants, { leadId: row.id, stepId: step.id }),
      // A message in flight has no uncertain outcome yet.
      existing: unlessSending(messages.get(stepKey(row.id, step.id))),
      suppressed: suppressed.has(row.email),
      address: addresses.get(row.id),
      recipientProvider: providers.get(row.id),
      meetingUrl: meetingUrl(tenant, { campaignId: row.campaignId, leadId: row.id }),
      ...known.get(row.id),
      sentBefore: sentBefore.get(row.id),
      notTakenBy: notTaken.get(row.id),
    })
  }
  return facts
}

function unlessSending(message: StepMessageRow | undefined): StepMessageRow | undefined {
  return message?.status === 'sending' ? undefined : message
}

async function knowSent(
  { db }: ReadTools,
  tenant: Tenant,
  next: readonly { row: CandidateRow }[],
): Promise<Map<string, Map<string, Date>>> {
  const keys = next.flatMap(({ row }) => (row.currentStep > 0 ? [{ campaignId: row.campaignId, leadId: row.id }] : []))
  const byLead = new Map<string, Map<string, Date>>()
  if (keys.length === 0) return byLead
  for (const { leadId, stepId, at } of await listSentSteps(db, tenant, keys)) {
    const known = byLead.get(leadId) ?? new Map<string, Date>()
    byLead.set(leadId, known.set(stepId, at))
  }
  return byLead
}

// Facts are needed only for leads with a branch ahead, whose decisions are made during the forecast.
async function knowPaths(
  app: ReadTools,
  tenant: Tenant,
  { next, steps }: { next: readonly { row: CandidateRow; step: PlanStepRow }[]; steps: readonly PlanStepRow[] },
) {
  const branching = new Set(steps.flatMap((step) => (step.type === 'branch' ? [step.campaignId] : [])))
  const withTasks = new Set(steps.flatMap((step) => (step.type === 'task' ? [step.campaignId] : [])))
  const known = await knowBranches(app.db, tenant, {
    next: next.filter(({ row }) => branching.has(row.campaignId)),
    steps,
  })
  const tasks = await knowTasks(
    app.db,
    tenant,
    next.filter(({ row }) => withTasks.has(row.campaignId)),
  )
  return new Map(next.map(({ row }) => [row.id, { ...known.get(row.id), tasks: tasks.get(row.id) }] as const))
}
