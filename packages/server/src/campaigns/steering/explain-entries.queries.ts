import { judge } from '@overture/ground/paths/condition.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { listEntries } from '../campaigns.sql.ts'
import { listLeadFacts } from '../paths/lead-facts.queries.ts'
import { comesFrom } from './ask-branches.commands.ts'
import { listEntered } from './hand-over.sql.ts'
import type { LeadKey } from '../leads/leads.sql.ts'

interface ExplainedEntry {
  campaignId: string
  holds: boolean
  detail: string
}

/** For each campaign that takes over leads of this campaign: whether it takes this lead, and why. */
export async function explainEntries(
  db: Executor,
  tenant: Tenant,
  { now, ...key }: LeadKey & { now: Date },
): Promise<ExplainedEntry[]> {
  const entries = (await listEntries(db, tenant, [key.campaignId])).filter((one) => comesFrom(one, key.campaignId))
  if (entries.length === 0) return []
  const [facts, entered] = await Promise.all([
    listLeadFacts(db, tenant, { leads: [key], conditions: entries.map((one) => one.when) }),
    listEntered(db, tenant, { ...key, toCampaignIds: entries.map((one) => one.id) }),
  ])
  const known = facts.get(key.leadId)
  return entries.flatMap(({ id, when, status }) => {
    if (known === undefined) return []
    const found = judge(when, known, { stepId: id, now })
    const why = refusedBecause(entered, id)
    if (why !== null) return [{ campaignId: id, holds: false, detail: why }]
    if (entered.handedTo === id)
      return [{ campaignId: id, holds: true, detail: `This campaign already took over the person. ${found.detail}` }]
    const later = found.holds && status === 'paused' ? ' The campaign is paused.' : ''
    return [{ campaignId: id, holds: found.holds, detail: `${found.detail}${later}` }]
  })
}

function refusedBecause({ handedTo, present }: Awaited<ReturnType<typeof listEntered>>, id: string): string | null {
  if (handedTo !== null) return handedTo === id ? null : `Campaign ${handedTo} took over the person.`
  return present.includes(id) ? 'The address is already in this campaign.' : null
}
