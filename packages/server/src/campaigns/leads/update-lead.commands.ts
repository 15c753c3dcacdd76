import { profileFields } from '@overture/contract/campaigns/lead-fields.ts'
import { normalizeEmail } from '@overture/contract/addresses.ts'
import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import { changedReadOnly } from '@overture/contract/read-only.ts'
import {
  leadStatusMoves,
  type Lead,
  type LeadStatus,
  type UpdateLeadInput,
} from '@overture/contract/campaigns/leads.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { type CampaignRow, lockCampaignRow } from '../campaigns.sql.ts'
import { lookAheadForDrafts } from '../drafts-ahead.commands.ts'
import { presentLead, type LeadRow } from './lead.ts'
import {
  appendStatusChange,
  completeFinishedCampaigns,
  reopenCampaign,
  setInterest,
  stopLead,
  wakePlanner,
} from './lead-moves.commands.ts'
import { deleteUnsentClaim, updateLeadStatus } from './lead-moves.sql.ts'
import { findLeadRow, type LeadKey, lockLeadRow, updateLeadFields } from './leads.sql.ts'

const readOnly = [
  'id',
  'campaignId',
  'blockedReason',
  'currentStep',
  'nextSendAt',
  'lastContactedAt',
  'sendingAccountId',
  'openCount',
  'clickCount',
  'replyCount',
  'stoppedBy',
  'createdAt',
  'updatedAt',
]

/** Changes fields, interest, or the statuses that a person may set. Source: docs/contract.md, "Leads". */
export async function updateLead(
  tx: Transaction,
  tenant: Tenant,
  change: LeadKey & { input: UpdateLeadInput; now: Date },
): Promise<Lead> {
  const campaign = await lockCampaignRow(tx, tenant, change.campaignId)
  const row = campaign && (await lockLeadRow(tx, tenant, change))
  if (!campaign || !row) throw notFound()
  refuseReadOnly(presentLead(row, { ...campaign, now: change.now }), change.input)
  const { status, interest, ...rest } = change.input
  await applyFields(tx, tenant, { row, campaign, rest, now: change.now })
  if (interest !== undefined && interest !== row.interest)
    await setInterest(tx, tenant, { ...change, interest, source: 'person' })
  if (status !== undefined && status !== row.status) await moveLead(tx, tenant, { row, status, now: change.now })
  const after = (await findLeadRow(tx, tenant, change)) ?? row
  const campaignAfter = (await lockCampaignRow(tx, tenant, change.campaignId)) ?? campaign
  return presentLead(after, { ...campaignAfter, now: change.now })
}

function refuseReadOnly(current: Lead, sent: UpdateLeadInput): void {
  const issues = changedReadOnly(current, sent, readOnly)
  if (sent.email !== undefined && normalizeEmail(sent.email).email !== current.email)
    issues.push({
      path: 'email',
      rule: 'read_only',
      message: "email is read-only and can't be changed: add another lead.",
    })
  if (issues.length > 0) throw invalid(...issues)
}

async function applyFields(
  tx: Transaction,
  tenant: Tenant,
  change: { row: LeadRow; campaign: CampaignRow; rest: UpdateLeadInput; now: Date },
): Promise<void> {
  const { row, campaign, rest, now } = change
  const given = profileFields.map((name) => [name, rest[name]] as const)
  const fields = { ...Object.fromEntries(given), customVariables: rest.customVariables }
  if (Object.values(fields).every((value) => value === undefined)) return
  await updateLeadFields(tx, tenant, { campaignId: campaign.id, leadId: row.id, fields, now })
  if (row.blockedReason === 'missing_variable') await reopenCampaign(tx, tenant, campaign, now)
  await lookAheadForDrafts(tx, tenant, { campaignId: campaign.id, at: now })
  await wakePlanner(tx, tenant, now)
}

/** Pauses, resumes or ends a lead; 409 where its status does not allow that. */
export async function moveLead(
  tx: Transaction,
  tenant: Tenant,
  { row, status, now }: { row: LeadRow; status: LeadStatus; now: Date },
): Promise<void> {
  const allowed = leadStatusMoves[row.status]
  if (!allowed.some((move) => move === status)) {
    throw new AppError('CONFLICT', `A lead that is ${row.status} can't become ${status}.`, {
      currentStatus: row.status,
      allowedActions: allowed,
    })
  }
  const key = { campaignId: row.campaignId, leadId: row.id }
  if (status === 'stopped') {
    await stopLead(tx, tenant, { ...key, status: 'stopped', stoppedBy: { rule: 'user' }, now })
    return
  }
  const to = status === 'paused' ? 'paused' : row.currentStep > 0 ? 'active' : 'pending'
  await deleteUnsentClaim(tx, tenant, key)
  await updateLeadStatus(tx, tenant, { ...key, to, now })
  await appendStatusChange(tx, tenant, { ...key, email: row.email, from: row.status, to, reason: 'user', now })
  await wakePlanner(tx, tenant, now)
  await completeFinishedCampaigns(tx, tenant, [row.campaignId], now)
}
