import type { Interest } from '@overture/contract/campaigns/leads.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { askBranches } from './ask-branches.commands.ts'
import { findCredit, findInterestCredit } from '../leads/attribution.sql.ts'
import { updateLeadInterest } from '../leads/lead-moves.sql.ts'
import { lockLeadRow, type LeadKey } from '../leads/leads.sql.ts'

interface SetInterest extends LeadKey {
  interest: Interest | null
  source: 'person' | 'machine' | 'system'
  /** Whether an existing label stays. Set for a label that says little, so that it replaces no other. */
  unlessLabelled?: boolean
  now: Date
}

/** Labels a lead. A machine's label never replaces a person's; both are kept. */
export async function setInterest(tx: Transaction, tenant: Tenant, change: SetInterest): Promise<void> {
  const lead = await lockLeadRow(tx, tenant, change)
  if (!lead) return
  const machine = change.source === 'machine' ? change.interest : lead.machineInterest
  const isPersons = change.source === 'machine' && lead.interestSource === 'person'
  const stays = lead.interest !== null && (isPersons || change.unlessLabelled === true)
  const interest = stays ? lead.interest : change.interest
  const source = stays ? (lead.interestSource ?? change.source) : change.source
  await updateLeadInterest(tx, tenant, { ...change, interest, source, machine })
  if (interest === lead.interest) return
  // A label is removed from the step and sender that it was counted for, so that none of them keeps the credit of another.
  const counted = await findInterestCredit(tx, tenant, change)
  const credit = counted ?? (await findCredit(tx, tenant, change))
  await appendEvents(tx, tenant, [
    {
      type: 'lead.interest_changed',
      occurredAt: change.now,
      campaignId: change.campaignId,
      leadId: change.leadId,
      leadEmail: lead.email,
      ...credit,
      data: { from: lead.interest, to: interest, source, ...(interest === 'interested' && { unique: !counted }) },
    },
  ])
  await askBranches(tx, tenant, { leads: [change], now: change.now })
}
