import { notFound } from '@overture/contract/errors.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { lockCampaignRow } from '../campaigns.sql.ts'
import { appendStatusChange, completeFinishedCampaigns, reopenCampaign, wakePlanner } from './lead-moves.commands.ts'
import { deleteUnsentClaim } from './lead-moves.sql.ts'
import type { LeadKey } from './leads.sql.ts'
import {
  holdReturnedLead,
  lockReturnedLeads,
  updateLeadsPastReturned,
  updateLeadsSentAgain,
  type ReturnedLead,
} from './returned-leads.sql.ts'

/**
 * Puts a lead behind the gate `returned` until a person decides. A queued next step that has not passed its gate is withdrawn.
 * A lead that already got another step, or ended for another reason, stays as it is.
 */
export async function holdReturned(
  tx: Transaction,
  tenant: Tenant,
  lead: LeadKey & { stepId: string; now: Date },
): Promise<void> {
  const held = await holdReturnedLead(tx, tenant, lead)
  if (held === undefined) return
  await deleteUnsentClaim(tx, tenant, lead)
  if (held.before !== held.after)
    await appendStatusChange(tx, tenant, {
      ...lead,
      email: held.email,
      from: held.before,
      to: held.after,
      reason: 'returned',
    })
}

interface LeadsToResolve {
  campaignId: string
  action: 'send_again' | 'skip'
  /** Null: all leads that wait. */
  leadIds: readonly string[] | null
  limit: number
  now: Date
}

/**
 * Opens the gate `returned` for leads of a campaign; `send_again` opens a completed campaign again. A lead whose step left the
 * sequence has nothing to be sent again, so it continues as with `skip`. Returns how many leads waited and the leads that are
 * written to again, whose messages the caller writes in the same transaction.
 */
export async function resolveReturnedLeads(
  tx: Transaction,
  tenant: Tenant,
  { campaignId, action, leadIds, limit, now }: LeadsToResolve,
): Promise<{ resolved: number; again: readonly ReturnedLead[] }> {
  const campaign = await lockCampaignRow(tx, tenant, campaignId)
  if (campaign === undefined) throw notFound()
  const leads = await lockReturnedLeads(tx, tenant, { campaignId, leadIds, limit })
  if (leads.length === 0) return { resolved: 0, again: [] }
  const isAgain = ({ stepGone }: ReturnedLead): boolean => action === 'send_again' && !stepGone
  const again = leads.filter(isAgain)
  const past = leads.filter((lead) => !isAgain(lead))
  if (again.length > 0) {
    await updateLeadsSentAgain(tx, tenant, { campaignId, leadIds: again.map(({ id }) => id), now })
    await reopenCampaign(tx, tenant, campaign, now)
  }
  if (past.length > 0) {
    await updateLeadsPastReturned(tx, tenant, { campaignId, leadIds: past.map(({ id }) => id), now })
    await completePast(tx, tenant, past, { campaignId, now })
  }
  await wakePlanner(tx, tenant, now)
  return { resolved: leads.length, again }
}

async function completePast(
  tx: Transaction,
  tenant: Tenant,
  leads: readonly ReturnedLead[],
  { campaignId, now }: { campaignId: string; now: Date },
): Promise<void> {
  const completed = leads.filter(({ status, dueAt }) => status === 'active' && dueAt === null)
  for (const { id, email } of completed)
    await appendStatusChange(tx, tenant, {
      campaignId,
      leadId: id,
      email,
      from: 'active',
      to: 'completed',
      reason: 'returned_skipped',
      now,
    })
  if (completed.length > 0) await completeFinishedCampaigns(tx, tenant, [campaignId], now)
}
