import type { AddLeadsInput } from '@overture/contract/campaigns/lead-fields.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** Reveals the emails of people. The composition passes it in, because campaigns don't depend on the lead finder. */
export type RevealPeople = (
  tenant: Tenant,
  ask: { personIds: readonly string[]; maxCredits: number | undefined; now: Date },
) => Promise<{ estimatedCredits: number; creditsCharged: number; emails: ReadonlyMap<string, string | null> }>

/**
 * Fills in missing emails of people-search results, within `maxCredits`. Each reveal commits separately and stays paid, so
 * adding the same people again is free. Source: docs/contract.md, "AI and credits".
 */
export async function revealLeads(
  reveal: RevealPeople,
  tenant: Tenant,
  { input, now }: { input: AddLeadsInput; now: Date },
): Promise<{ leads: unknown[]; cost: { estimatedCredits: number; creditsCharged: number } }> {
  const personIds = input.leads.flatMap((lead) => (needsEmail(lead) ? [lead['personId']] : []))
  const { emails, ...cost } = await reveal(tenant, { personIds, maxCredits: input.maxCredits, now })
  const leads = input.leads.map((lead) => {
    if (!needsEmail(lead)) return lead
    const email = emails.get(lead['personId'])
    return email ? { ...lead, email } : lead
  })
  return { leads, cost }
}

function needsEmail(lead: unknown): lead is Record<string, unknown> & { personId: string } {
  if (typeof lead !== 'object' || lead === null) return false
  return !('email' in lead && lead.email) && 'personId' in lead && typeof lead.personId === 'string'
}
