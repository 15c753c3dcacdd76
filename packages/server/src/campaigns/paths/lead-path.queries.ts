import type { PathStep } from '@overture/contract/campaigns/leads.ts'
import { pathEnd } from '@overture/contract/vocabularies.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { listSteps } from '../sequence/sequence.sql.ts'
import { listDecisions, listSentSteps } from './decisions.sql.ts'
import { listStepTasks } from './tasks.sql.ts'

/** The steps that a lead has passed, in order. */
export async function getLeadPath(
  db: Executor,
  tenant: Tenant,
  key: { campaignId: string; leadId: string },
): Promise<PathStep[]> {
  const sent = await listSentSteps(db, tenant, [key])
  const decided = await listDecisions(db, tenant, [key])
  const steps = (await listSteps(db, tenant, [key.campaignId])).get(key.campaignId) ?? []
  const place = ({ stepId }: { stepId: string }) => steps.findIndex(({ id }) => id === stepId)
  const tasks = await listStepTasks(db, tenant, [key])
  const path = [
    ...sent.map((one) => ({ ...one, type: 'email' as const, outcome: one.status, branchId: null })),
    ...decided.map((one) => ({ ...one, type: 'branch' as const, outcome: one.goesTo ?? pathEnd })),
    ...tasks.flatMap(({ stepId, channel, status, outcome, openedAt, closedAt, blocks }) => {
      if (channel === 'email' ? status !== 'skipped' : status === 'open' && blocks) return []
      return [{ stepId, type: 'task' as const, outcome: outcome ?? status, branchId: null, at: closedAt ?? openedAt }]
    }),
  ]
  return path
    .sort((a, b) => a.at.getTime() - b.at.getTime() || place(a) - place(b))
    .map(({ stepId, type, outcome, branchId, at }) => ({ stepId, type, outcome, branchId, at: at.toISOString() }))
}
