import { notFound } from '@overture/contract/errors.ts'
import { jumpTo, nextPosition, sendsNothing, stepAfter } from '@overture/ground/paths/path.ts'
import { dueAfter } from '@overture/ground/time/sending-window.ts'
import { withHolidays } from '../../holidays/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findCampaignWithSequence, lockCampaignRow } from '../campaigns.sql.ts'
import { toSequence } from '../sequence/sequence.sql.ts'
import type { LeadRow } from './lead.ts'
import { appendStatusChange, completeFinishedCampaigns, reopenCampaign, wakePlanner } from './lead-moves.commands.ts'
import { deleteUnsentClaim } from './lead-moves.sql.ts'
import { lockLeadRow, type LeadKey } from './leads.sql.ts'
import {
  holdReturnedLead,
  lockReturnedLeads,
  updateLeadRestored,
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

const bounceRules = ['hard_bounce', 'block_bounce']

/**
 * Restores a lead that a bounce ended, after the bounce was found to be the sender's fault. The lead waits behind the gate
 * `returned` if the message is its last step. Otherwise it is paused, so that nothing is sent before a person has reviewed it.
 * Leads that ended for another reason stay as they are.
 */
export async function restoreBouncedLead(
  tx: Transaction,
  tenant: Tenant,
  lead: LeadKey & { stepId: string | null; now: Date },
): Promise<void> {
  const row = await lockLeadRow(tx, tenant, lead)
  if (row === undefined || row.status !== 'bounced' || !bounceRules.includes(row.stoppedBy?.rule ?? '')) return
  const isHeld = lead.stepId !== null && (row.currentStepId ?? lead.stepId) === lead.stepId
  const to = isHeld ? 'active' : 'paused'
  const { campaignId, leadId, now } = lead
  const next = await findNext(tx, tenant, row)
  const restored = await updateLeadRestored(tx, tenant, {
    campaignId,
    leadId,
    stepId: isHeld ? lead.stepId : null,
    to,
    ...next,
    now,
  })
  if (restored)
    await appendStatusChange(tx, tenant, {
      campaignId,
      leadId,
      email: row.email,
      from: 'bounced',
      to,
      reason: 'returned',
      now,
    })
}

// The end of a lead deletes the time of its next step, so the wait is counted again from the last message.
async function findNext(
  tx: Transaction,
  tenant: Tenant,
  row: LeadRow,
): Promise<{ nextStep: number | null; deciding: boolean; dueAt: Date | null }> {
  const campaign = await findCampaignWithSequence(tx, tenant, row.campaignId)
  const steps = campaign === undefined ? [] : toSequence(campaign.sequence)
  const last = steps.find(({ position }) => position === row.currentStep)
  const jump = row.nextStep === null ? undefined : steps.find(({ position }) => position === nextPosition(row))
  const next = jump ?? (last === undefined ? null : stepAfter(steps, last))
  if (campaign === undefined || last === undefined || next === null)
    return { nextStep: null, deciding: false, dueAt: null }
  const schedule = await withHolidays(campaign.schedule)
  const dueAt = dueAfter(row.lastContactedAt ?? row.updatedAt, next.waitBefore, schedule, row)
  return { nextStep: jumpTo(next, last), deciding: sendsNothing(next), dueAt }
}

interface LeadsToResolve {
  campaignId: string
  action: 'send_again' | 'skip'
  /** Null for all leads that wait. */
  leadIds: readonly string[] | null
  limit: number
  now: Date
}

/**
 * Opens the gate `returned` for leads of a campaign; `send_again` also reopens a completed campaign. A lead whose step is no
 * longer in the sequence has no message to send again, so it continues as with `skip`.
 * Returns how many leads waited, and the leads that are written to again. The caller writes their messages in the same
 * transaction.
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
  wakePlanner(tx, tenant, now)
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
