import type { Condition, LeadFacts } from '@overture/ground/paths/condition.ts'
import { listLeaves, listSignalNames } from '@overture/ground/paths/condition.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { toLeadFacts } from './lead-facts.ts'
import { listAskedLeads, listDeeds } from './lead-facts.sql.ts'
import { listSignalsOfLeads } from './lead-signals.sql.ts'
import type { LeadKey } from './decisions.sql.ts'
import { listStepTasks, type StepTaskRow } from './tasks.sql.ts'

/** The facts about the given leads that the conditions need. */
export async function listLeadFacts(
  db: Executor,
  tenant: Tenant,
  { leads, conditions }: { leads: readonly LeadKey[]; conditions: readonly Condition[] },
): Promise<Map<string, LeadFacts>> {
  if (leads.length === 0) return new Map()
  const asksForTasks = conditions.flatMap(listLeaves).some(({ task }) => task !== undefined)
  const [rows, deeds, signals, tasks] = await Promise.all([
    listAskedLeads(db, tenant, leads),
    listDeeds(db, tenant, leads),
    listSignalsOfLeads(db, tenant, { leads, names: listSignalNames(conditions) }),
    asksForTasks ? listStepTasks(db, tenant, leads) : [],
  ])
  const byLead = new Map<string, { deeds: typeof deeds; signals: LeadFacts['signals'][number][] }>(
    rows.map((row) => [row.id, { deeds: [], signals: [] }]),
  )
  for (const deed of deeds) byLead.get(deed.leadId)?.deeds.push(deed)
  for (const { leadId, name, occurredAt: at } of signals) byLead.get(leadId)?.signals.push({ name, at })
  const tasksByLead = new Map<string, Map<string, StepTaskRow>>()
  for (const task of tasks)
    tasksByLead.set(task.leadId, (tasksByLead.get(task.leadId) ?? new Map()).set(task.stepId, task))
  return new Map(
    rows.map((row) => {
      const facts = toLeadFacts(row, byLead.get(row.id) ?? { deeds: [], signals: [] })
      const own = tasksByLead.get(row.id)
      return [row.id, own === undefined ? facts : { ...facts, tasks: own }]
    }),
  )
}
