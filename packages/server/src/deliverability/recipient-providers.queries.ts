import type { RecipientProvider } from '@overture/contract/deliverability/recipient-provider.ts'
import { knownProvider } from '@overture/ground/recipient-provider.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { listMatchingCampaigns, listRecipientProviders } from './recipient-domains.sql.ts'

interface AskedLead {
  id: string
  campaignId: string
  emailDomain: string
}

/** The providers of leads whose campaigns match providers, by lead. Null if the provider has to be looked up. */
export async function findRecipientProviders(
  db: Executor,
  tenant: Tenant,
  leads: readonly AskedLead[],
): Promise<ReadonlyMap<string, RecipientProvider | null>> {
  if (leads.length === 0) return new Map()
  const campaignIds = [...new Set(leads.map(({ campaignId }) => campaignId))]
  const matching = new Set(await listMatchingCampaigns(db, tenant, campaignIds))
  const matchedLeads = leads.filter(({ campaignId }) => matching.has(campaignId))
  const known = new Map(
    matchedLeads.map(({ emailDomain }) => [emailDomain, knownProvider(tenant.environment, emailDomain)]),
  )
  const unknown = [...known].flatMap(([domain, provider]) => (provider === null ? [domain] : []))
  const stored = unknown.length === 0 ? [] : await listRecipientProviders(db, tenant, unknown)
  for (const { domain, provider } of stored) known.set(domain, provider)
  return new Map(matchedLeads.map(({ id, emailDomain }) => [id, known.get(emailDomain) ?? null]))
}
