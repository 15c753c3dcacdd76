import type { LeadTask } from '@overture/planner/plan.types.ts'
import { type DecisionRow, listDecisions, listLeadFacts, listStepTasks } from '../../campaigns/index.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { CandidateRow } from './leads.sql.ts'
import type { PlanStepRow } from './campaigns.sql.ts'
import type { LeadToPlan } from './plan-leads.shell.ts'

type KnownPath = Pick<LeadToPlan, 'known' | 'decided' | 'tasks'>

interface AtStep {
  row: Pick<CandidateRow, 'id' | 'campaignId'>
  step: PlanStepRow
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

/** The same for leads whose next step is a branch, and the tasks of leads whose next step is a task. */
export async function knowDeciding(
  db: Executor,
  tenant: Tenant,
  next: readonly AtStep[],
): Promise<Map<string, KnownPath>> {
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
