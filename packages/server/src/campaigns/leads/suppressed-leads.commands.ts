import type { Transaction } from '../../platform/db/database.ts'
import { enqueueJob } from '../../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { lockCampaignRow } from '../campaigns.sql.ts'
import { reopenCampaign, wakePlanner } from './lead-moves.commands.ts'
import { clearSuppressedLeads, updatePolicyHolds, type SuppressedAddress } from './suppressed-leads.sql.ts'

/** Releases leads that may be written to again, and reopens campaigns that had nothing else left to do. */
export async function releaseSuppressedLeads(
  tx: Transaction,
  tenant: Tenant,
  address: SuppressedAddress & { now: Date },
): Promise<void> {
  for (const id of await clearSuppressedLeads(tx, tenant, address)) {
    const campaign = await lockCampaignRow(tx, tenant, id)
    if (campaign) await reopenCampaign(tx, tenant, campaign, address.now)
  }
}

export const policyHoldsJobKind = 'campaigns.policy_holds'

const leadsAtOnce = 1_000

/** Looks again at all leads that the contact policy holds. A job does it, because there may be many. */
export async function releasePolicyHolds(tx: Transaction, tenant: Tenant, now: Date): Promise<void> {
  await enqueueJob(tx, { kind: policyHoldsJobKind, tenant, payload: {}, runAt: now, key: 'policy' })
}

/** Releases some leads. Returns whether there may be more. */
export async function releaseSomePolicyHolds(tx: Transaction, tenant: Tenant, now: Date): Promise<boolean> {
  const released = await updatePolicyHolds(tx, tenant, { now, limit: leadsAtOnce })
  if (released > 0) await wakePlanner(tx, tenant, now)
  return released === leadsAtOnce
}
