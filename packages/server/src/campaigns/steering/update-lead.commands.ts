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
import { dayMs } from '@overture/ground/time/spans.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { enqueueJob } from '../../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { type CampaignRow, lockCampaignRow } from '../campaigns.sql.ts'
import { lookAheadForDrafts } from '../drafts-ahead.commands.ts'
import { getLeadPath } from '../paths/lead-path.queries.ts'
import { findMergeFault, presentLead, type LeadRow } from '../leads/lead.ts'
import { readSurroundings } from '../leads/surroundings.queries.ts'
import {
  appendStatusChange,
  completeFinishedCampaigns,
  reopenCampaign,
  stopLead,
  wakePlanner,
} from '../leads/lead-moves.commands.ts'
import { setInterest } from './interest.commands.ts'
import { deleteUnsentClaim, updateLeadStatus } from '../leads/lead-moves.sql.ts'
import { findLeadRow, type LeadKey, lockLeadRow, updateLeadFields } from '../leads/leads.sql.ts'

/** The job that resumes a lead that was paused until a given time. */
export const resumeJobKind = 'campaigns.resume_lead'
const resumeAheadMsMax = 366 * dayMs

const readOnly = [
  'path',
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
  'originLeadId',
  'verification',
  'recipientProvider',
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
  const current = presentLead(row, await readSurroundings(campaign, change.now))
  // A client may send back everything it read, including `path`.
  const path = change.input.path === undefined ? undefined : await getLeadPath(tx, tenant, change)
  refuseReadOnly({ ...current, ...(path !== undefined && { path }) }, change.input)
  const { status, interest, resumeAt: resume, ...rest } = change.input
  const resumeAt = readResume(row, { status, resume, now: change.now })
  await applyFields(tx, tenant, { row, campaign, rest, now: change.now })
  if (interest !== undefined && interest !== row.interest)
    await setInterest(tx, tenant, { ...change, interest, source: 'person' })
  if (status !== undefined && status !== row.status)
    await moveLead(tx, tenant, { row, status, resumeAt: resumeAt ?? null, now: change.now })
  else if (resumeAt !== undefined) await pauseUntil(tx, tenant, { row, resumeAt, now: change.now })
  const after = (await findLeadRow(tx, tenant, change)) ?? row
  const campaignAfter = (await lockCampaignRow(tx, tenant, change.campaignId)) ?? campaign
  return presentLead(after, await readSurroundings(campaignAfter, change.now))
}

function refuseReadOnly(current: Lead, sent: UpdateLeadInput): void {
  const issues = changedReadOnly(current, sent, readOnly)
  if (sent.email !== undefined && normalizeEmail(sent.email).email !== current.email)
    issues.push({
      path: 'email',
      rule: 'read_only',
      message: "email can't be changed. Add another lead instead.",
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
  const message = findMergeFault(Object.keys(row.customVariables), rest.customVariables)
  if (message !== null) throw invalid({ path: 'customVariables', rule: 'custom', message })
  await updateLeadFields(tx, tenant, { campaignId: campaign.id, leadId: row.id, fields, now })
  if (row.blockedReason === 'missing_variable') await reopenCampaign(tx, tenant, campaign, now)
  await lookAheadForDrafts(tx, tenant, { campaignId: campaign.id, at: now })
  wakePlanner(tx, tenant, now)
}

/** Returns undefined if `resumeAt` was not sent or is unchanged. */
function readResume(
  row: LeadRow,
  {
    status = row.status,
    resume,
    now,
  }: { status: LeadStatus | undefined; resume: string | null | undefined; now: Date },
): Date | null | undefined {
  const current = row.status === 'paused' ? row.resumeAt : null
  const resumeDate = resume === undefined || resume === null ? null : new Date(resume)
  if (resume === undefined || resumeDate?.getTime() === current?.getTime()) return undefined
  if (resumeDate === null) return null
  if (status !== 'paused')
    throw refuseResume('paused_only', 'Only a paused lead can have resumeAt. Send status paused, too.')
  assertResumes(resumeDate, now)
  return resumeDate
}

/** Refuses a resume time that is over or too far ahead. */
export function assertResumes(at: Date, now: Date): void {
  if (at <= now) throw refuseResume('in_the_future', 'resumeAt must be in the future.')
  if (at.getTime() > now.getTime() + resumeAheadMsMax)
    throw refuseResume('too_far', 'resumeAt must be within 366 days.')
}

function refuseResume(rule: string, message: string): AppError {
  return invalid({ path: 'resumeAt', rule, message })
}

async function pauseUntil(
  tx: Transaction,
  tenant: Tenant,
  { row, resumeAt, now }: { row: LeadRow; resumeAt: Date | null; now: Date },
): Promise<void> {
  const key = { campaignId: row.campaignId, leadId: row.id }
  await updateLeadStatus(tx, tenant, { ...key, to: 'paused', resumeAt, now })
  if (resumeAt !== null) await enqueueJob(tx, { kind: resumeJobKind, tenant, payload: key, runAt: resumeAt })
}

interface LeadMove {
  row: LeadRow
  status: LeadStatus
  /** For a paused lead: when it is resumed automatically. */
  resumeAt?: Date | null
  /** The cause of an automatic move. Absent if a person moves the lead. */
  reason?: 'resume_at'
  now: Date
}

/** Pauses, resumes or ends a lead. Throws 409 if its status does not allow that. */
export async function moveLead(
  tx: Transaction,
  tenant: Tenant,
  { row, status, resumeAt = null, reason, now }: LeadMove,
): Promise<void> {
  const allowed = leadStatusMoves[row.status]
  if (!allowed.some((move) => move === status)) {
    throw new AppError('CONFLICT', `The lead is ${row.status} and can't become ${status}.`, {
      currentStatus: row.status,
      allowedActions: allowed,
    })
  }
  const key = { campaignId: row.campaignId, leadId: row.id }
  if (status === 'stopped') {
    await stopLead(tx, tenant, { ...key, status: 'stopped', stoppedBy: { rule: 'user' }, now })
    return
  }
  const to = status === 'paused' ? 'paused' : row.currentStep > 0 && row.lastContactedAt !== null ? 'active' : 'pending'
  await deleteUnsentClaim(tx, tenant, key)
  if (to === 'paused') await pauseUntil(tx, tenant, { row, resumeAt, now })
  else await updateLeadStatus(tx, tenant, { ...key, to, resumeAt: null, now })
  await appendStatusChange(tx, tenant, {
    ...key,
    email: row.email,
    from: row.status,
    to,
    reason: reason ?? 'user',
    now,
  })
  wakePlanner(tx, tenant, now)
  await completeFinishedCampaigns(tx, tenant, [row.campaignId], now)
}

/** The job at the resume time of a paused lead. Does nothing if the lead was already resumed, ended, or paused for longer. */
export async function resumeLead(
  tx: Transaction,
  tenant: Tenant,
  { now, ...key }: LeadKey & { now: Date },
): Promise<void> {
  const campaign = await lockCampaignRow(tx, tenant, key.campaignId)
  const row = campaign && (await lockLeadRow(tx, tenant, key))
  if (row?.status !== 'paused' || row.resumeAt === null || row.resumeAt > now) return
  await moveLead(tx, tenant, { row, status: 'active', reason: 'resume_at', now })
}
