import { nextPosition } from '@overture/ground/paths/path.ts'
import type { DraftRequest, HandText } from '../../ai/index.ts'
import { type DecisionRow, listDecisions, listLeadFacts, listStepTasks } from '../../campaigns/index.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findSuppressed } from '../../suppressions/index.ts'
import { findRecipientProviders } from '../../deliverability/index.ts'
import { findAddressVerdicts } from '../../verification/index.ts'
import type { DeliveryTools } from '../delivery.shell.ts'
import type { LeadTask, PlanLead } from '@overture/planner/plan.types.ts'
import type { PlanStepRow } from './campaigns.sql.ts'
import { listStepMessages, type StepMessageRow } from './claims.sql.ts'
import type { QueuedRow } from './leads.sql.ts'
import { renderHandTexts, renderTaskTexts, toPlanLeads, type LeadToPlan, type TaskText } from './plan-leads.shell.ts'
import { listVariants, type SelectableRow } from './texts.sql.ts'
import { handVariant, listWrittenTexts, missingText, variantFor } from './written-texts.shell.ts'

export type PlanningTools = Pick<DeliveryTools, 'app' | 'renderer' | 'meetingUrl'> &
  Partial<Pick<DeliveryTools, 'faults'>>

export function stepKey(leadId: string, stepId: string): string {
  return `${leadId} ${stepId}`
}

/** The due leads that one plan read, with the rows that they need. */
export interface ReadLeads {
  leads: PlanLead[]
  rows: Map<string, QueuedRow>
  /** By the key `lead step`. */
  existing: Map<string, StepMessageRow>
  /** Leads after their last step. */
  finished: QueuedRow[]
  /** Texts of AI steps that were not requested yet. */
  missingTexts: DraftRequest[]
  /** The variants of the leads' next steps. */
  variants: readonly SelectableRow[]
  /** The texts of tasks that may open, by the key `lead step`. */
  taskTexts: ReadonlyMap<string, TaskText>
  /** Texts of steps by hand that no person has seen yet. */
  handTexts: readonly HandText[]
}

export function joinLeads(read: ReadLeads, more: ReadLeads | undefined): ReadLeads {
  const { leads, rows, existing, finished, missingTexts, variants, taskTexts, handTexts } = read
  if (more === undefined) return { leads, rows, existing, finished, missingTexts, variants, taskTexts, handTexts }
  return {
    leads: [...leads, ...more.leads],
    rows: new Map([...rows, ...more.rows]),
    existing: new Map([...existing, ...more.existing]),
    finished: [...finished, ...more.finished],
    missingTexts: [...missingTexts, ...more.missingTexts],
    variants: [...new Map([...variants, ...more.variants].map((variant) => [variant.id, variant])).values()],
    taskTexts: new Map([...taskTexts, ...more.taskTexts]),
    handTexts: [...handTexts, ...more.handTexts],
  }
}

/** Reads the facts about leads that a plan needs. */
export async function readPlanLeads(
  tools: PlanningTools,
  tenant: Tenant,
  { candidates, steps }: { candidates: readonly QueuedRow[]; steps: readonly PlanStepRow[] },
) {
  const db = tools.app.db
  const next = nextSteps(candidates, steps)
  const rows = next.map(({ row }) => row)
  const leadIds = rows.map(({ id }) => id)
  const campaignIds = rows.map(({ campaignId }) => campaignId)
  const stepIds = next.map(({ step }) => step.id)
  const known = await knowDeciding(db, tenant, next)
  const wanted = { campaignIds: [...new Set(campaignIds)], stepIds: [...new Set(stepIds)] }
  const [suppressed, addresses, providers, existingRows, variants] = await Promise.all([
    findSuppressed(db, tenant, { secrets: tools.app.secrets, emails: rows.map(({ email }) => email) }),
    findAddressVerdicts(db, tenant, rows),
    findRecipientProviders(db, tenant, rows),
    listStepMessages(db, tenant, { campaignIds, leadIds, stepIds }),
    listVariants(db, tenant, wanted),
  ])
  const texts = await listWrittenTexts(db, tenant, { variants, leadIds })
  const existing = new Map(existingRows.map((row) => [stepKey(row.leadId, row.stepId), row]))
  const facts = next.map(({ row, step }): LeadToPlan => ({
    row,
    step,
    ...pickVariant(variants, texts, { leadId: row.id, stepId: step.id }),
    existing: existing.get(stepKey(row.id, step.id)),
    suppressed: suppressed.has(row.email),
    address: addresses.get(row.id),
    recipientProvider: providers.get(row.id),
    meetingUrl: tools.meetingUrl?.(tenant, { campaignId: row.campaignId, leadId: row.id }) ?? null,
    ...known.get(row.id),
  }))
  const leads = await toPlanLeads(tools.renderer, tenant, facts)
  const lacksHandText = ({ row, step }: LeadToPlan): boolean =>
    handVariant(variants, texts, { leadId: row.id, stepId: step.id })?.exists === false
  const planned = new Set(leadIds)
  return {
    leads,
    existing,
    rows: new Map(candidates.map((row) => [row.id, row])),
    finished: candidates.filter((row) => !planned.has(row.id)),
    missingTexts: next.flatMap((one) => missingText(variants, texts, textKey(one)) ?? []),
    variants,
    handTexts: await renderHandTexts(tools.renderer, tenant, facts.filter(lacksHandText)),
    taskTexts: await renderTaskTexts(tools.renderer, tenant, facts.filter(opensTask)),
  }
}

/** The leads that have a step left, with that step. */
function nextSteps(candidates: readonly QueuedRow[], steps: readonly PlanStepRow[]) {
  const stepOf = new Map(steps.map((step) => [`${step.campaignId} ${step.position}`, step]))
  return candidates.flatMap((row) => {
    const step = stepOf.get(`${row.campaignId} ${nextPosition(row)}`)
    return step === undefined ? [] : [{ row, step }]
  })
}

type KnownPath = Pick<LeadToPlan, 'known' | 'decided' | 'tasks'>

interface AtStep {
  row: Pick<QueuedRow, 'id' | 'campaignId'>
  step: PlanStepRow
}

/** Reads the facts of leads whose next step is a branch, and the tasks of leads whose next step is a task. */
async function knowDeciding(db: Executor, tenant: Tenant, next: readonly AtStep[]): Promise<Map<string, KnownPath>> {
  const deciding = next.filter(({ step }) => step.type === 'branch')
  const known = await knowBranches(db, tenant, {
    next: deciding,
    steps: [...new Set(deciding.map(({ step }) => step))],
  })
  const tasks = await knowTasks(
    db,
    tenant,
    next.filter(({ step }) => step.type === 'task'),
  )
  for (const [id, own] of tasks) known.set(id, { tasks: own })
  return known
}

/** Reads the facts on which branches decide, for leads that have a branch next or ahead among `steps`. */
export async function knowBranches(
  db: Executor,
  tenant: Tenant,
  { next, steps }: { next: readonly AtStep[]; steps: readonly Pick<PlanStepRow, 'branches'>[] },
): Promise<Map<string, KnownPath>> {
  if (next.length === 0) return new Map()
  const conditions = steps.flatMap((step) => step.branches.map((branch) => branch.when))
  const keys = next.map(({ row }) => ({ campaignId: row.campaignId, leadId: row.id }))
  const [facts, decisions] = await Promise.all([
    listLeadFacts(db, tenant, { leads: keys, conditions }),
    listDecisions(db, tenant, keys),
  ])
  const decided = byLead(decisions)
  return new Map(next.map(({ row }) => [row.id, { known: facts.get(row.id), decided: decided.get(row.id) }]))
}

function byLead(decisions: readonly DecisionRow[]): Map<string, Map<string, DecisionRow>> {
  const found = new Map<string, Map<string, DecisionRow>>()
  for (const decision of decisions) {
    const known = found.get(decision.leadId) ?? new Map<string, DecisionRow>()
    found.set(decision.leadId, known.set(decision.stepId, decision))
  }
  return found
}

/** The tasks of leads, by step. Leads without a task are left out. */
export async function knowTasks(
  db: Executor,
  tenant: Tenant,
  next: readonly AtStep[],
): Promise<Map<string, Map<string, LeadTask>>> {
  const keys = next.map(({ row }) => ({ campaignId: row.campaignId, leadId: row.id }))
  const found = new Map<string, Map<string, LeadTask>>()
  for (const { leadId, stepId, ...task } of await listStepTasks(db, tenant, keys)) {
    const known = found.get(leadId) ?? new Map<string, LeadTask>()
    found.set(leadId, known.set(stepId, task))
  }
  return found
}

/** The text of a lead's step, or the template of a step by hand that a person has yet to approve. */
export function pickVariant(
  variants: readonly SelectableRow[],
  texts: Parameters<typeof variantFor>[1],
  key: { leadId: string; stepId: string },
): Pick<LeadToPlan, 'variant' | 'waitsForHand'> {
  const byHand = handVariant(variants, texts, key)
  return byHand === undefined
    ? { variant: variantFor(variants, texts, key) }
    : { variant: byHand.variant, waitsForHand: true }
}

function opensTask({ step, tasks }: LeadToPlan): boolean {
  return step.type === 'task' && tasks?.has(step.id) !== true
}

function textKey({ row: { campaignId, id: leadId }, step: { id: stepId } }: { row: QueuedRow; step: PlanStepRow }) {
  return { campaignId, leadId, stepId }
}
