import type { LeadFacts } from '../../ground/paths/condition.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { factsOf } from './lead-facts.ts'
import { listAskedLeads, listDeeds } from './lead-facts.sql.ts'
import type { LeadKey } from './decisions.sql.ts'

/** What conditions are judged by, of some leads. */
export async function listLeadFacts(
  db: Executor,
  tenant: Tenant,
  leads: readonly LeadKey[],
): Promise<Map<string, LeadFacts>> {
  if (leads.length === 0) return new Map()
  const [rows, deeds] = await Promise.all([listAskedLeads(db, tenant, leads), listDeeds(db, tenant, leads)])
  const byLead = new Map<string, typeof deeds>(rows.map((row) => [row.id, []]))
  for (const deed of deeds) byLead.get(deed.leadId)?.push(deed)
  return new Map(rows.map((row) => [row.id, factsOf(row, byLead.get(row.id) ?? [])]))
}
