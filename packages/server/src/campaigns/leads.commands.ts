import { normalizeEmail } from '@overture/contract/addresses.ts'
import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import { changedReadOnly } from '@overture/contract/read-only.ts'
import type { AddLeadResult, AddLeadsInput, AddLeadsOutput } from '@overture/contract/lead-fields.ts'
import { leadStatusMoves, type Lead, type LeadStatus, type UpdateLeadInput } from '@overture/contract/leads.ts'
import type { Transaction } from '../platform/db/database.ts'
import { appendEvents } from '../platform/events/events.ts'
import { newId } from '../platform/ids.ts'
import type { Tenant } from '../platform/tenant.ts'
import { findSuppressed } from '../suppressions/index.ts'
import { addToLeadCount, type CampaignRow, lockCampaignRow, updateCampaignStatus } from './campaigns.sql.ts'
import { lookAheadForDrafts } from './drafts-ahead.commands.ts'
import { presentLead, readLead, type LeadRow, type NewLead, type ReadLead } from './lead.ts'
import {
  appendStatusChange,
  completeFinishedCampaigns,
  setInterest,
  stopLead,
  wakePlanner,
} from './lead-moves.commands.ts'
import { deleteUnsentClaim, updateLeadStatus } from './lead-moves.sql.ts'
import {
  findLeadRow,
  insertLeads,
  type LeadKey,
  listEmailsInOtherCampaigns,
  listExistingLeads,
  lockLeadRow,
  updateLeadFields,
  upsertPeople,
} from './leads.sql.ts'

export interface AddLeads {
  campaignId: string
  input: Pick<AddLeadsInput, 'leads' | 'onDuplicate' | 'skipIfInOtherCampaign'>
  now: Date
}

/** Adds each lead that can be added and tells what became of every one, in order. Source: contract 5. */
export async function addLeads(tx: Transaction, tenant: Tenant, add: AddLeads): Promise<AddLeadsOutput> {
  const campaign = await lockCampaignRow(tx, tenant, add.campaignId)
  if (!campaign) throw notFound()
  const read = add.input.leads.map((item, index) => readLead(item, index))
  const results = await storeLeads(tx, tenant, { campaign, read, ...add })
  const count = (outcome: AddLeadResult['outcome']) => results.filter((result) => result.outcome === outcome).length
  const added = count('added')
  if (added > 0) {
    await addToLeadCount(tx, tenant, campaign.id, added)
    await reopenCampaign(tx, tenant, campaign, add.now)
  }
  if (added > 0 || count('updated') > 0) {
    await lookAheadForDrafts(tx, tenant, { campaignId: campaign.id, at: add.now })
    await wakePlanner(tx, tenant, add.now)
  }
  return { added, updated: count('updated'), skipped: count('skipped'), invalid: count('invalid'), results }
}

interface Storing extends AddLeads {
  campaign: CampaignRow
  read: readonly ReadLead[]
}

interface Candidate {
  id: string
  index: number
  lead: NewLead
}

async function storeLeads(tx: Transaction, tenant: Tenant, storing: Storing): Promise<AddLeadResult[]> {
  const results: AddLeadResult[] = []
  const tell: Tell = ({ index, lead }, rest) => (results[index] = { index, email: lead.email, ...rest })
  const { firsts, repeats } = splitCandidates(storing.read, results)
  const refused = await findRefused(tx, tenant, storing, [...firsts.keys()])
  const wanted = [...firsts.values()].filter((candidate) => {
    const reason = refused.get(candidate.lead.email)
    if (reason !== undefined) tell(candidate, { outcome: 'skipped', reason, leadId: null })
    return reason === undefined
  })
  // Inserting is the check: only what was there already has to be looked up.
  const inserted = await insertNew(tx, tenant, storing, wanted)
  const ids = await findIds(tx, tenant, storing, { wanted, inserted, repeats })
  for (const candidate of wanted) {
    const { email } = candidate.lead
    if (inserted.has(email)) tell(candidate, { outcome: 'added', reason: null, leadId: candidate.id })
    else await settleDuplicate(tx, tenant, { storing, candidate, leadId: ids.get(email) ?? null, tell })
  }
  for (const candidate of repeats) {
    const reason = refused.get(candidate.lead.email)
    if (reason !== undefined) tell(candidate, { outcome: 'skipped', reason, leadId: null })
    else await settleDuplicate(tx, tenant, { storing, candidate, leadId: ids.get(candidate.lead.email) ?? null, tell })
  }
  return results
}

type Tell = (candidate: Candidate, rest: Omit<AddLeadResult, 'index' | 'email'>) => void

function splitCandidates(read: readonly ReadLead[], results: AddLeadResult[]) {
  const firsts = new Map<string, Candidate>()
  const repeats: Candidate[] = []
  for (const item of read) {
    if (item.kind === 'invalid') {
      results[item.result.index] = item.result
      continue
    }
    const candidate = { id: newId('led'), index: item.index, lead: item.lead }
    if (firsts.has(item.lead.email)) repeats.push(candidate)
    else firsts.set(item.lead.email, candidate)
  }
  return { firsts, repeats }
}

async function findRefused(tx: Transaction, tenant: Tenant, storing: Storing, emails: readonly string[]) {
  const refused = new Map<string, 'suppressed' | 'in_other_campaign'>()
  for (const email of (await findSuppressed(tx, tenant, emails)).keys()) refused.set(email, 'suppressed')
  if (!storing.input.skipIfInOtherCampaign) return refused
  const elsewhere = await listEmailsInOtherCampaigns(tx, tenant, storing.campaignId, emails)
  const here = await listExistingLeads(tx, tenant, storing.campaignId, [...elsewhere])
  for (const email of elsewhere) if (!here.has(email) && !refused.has(email)) refused.set(email, 'in_other_campaign')
  return refused
}

async function insertNew(
  tx: Transaction,
  tenant: Tenant,
  storing: Storing,
  wanted: readonly Candidate[],
): Promise<Set<string>> {
  if (wanted.length === 0) return new Set()
  const { campaignId, now } = storing
  const inserted = await insertLeads(tx, tenant, { campaignId, now, leads: wanted })
  const added = wanted.filter(({ lead }) => inserted.has(lead.email))
  if (added.length === 0) return inserted
  await upsertPeople(tx, tenant, {
    ids: added.map(() => newId('per')),
    emails: added.map(({ lead }) => lead.email),
    now,
  })
  await appendEvents(
    tx,
    tenant,
    added.map(
      ({ id, lead }) =>
        ({ type: 'lead.added', occurredAt: now, campaignId, leadId: id, leadEmail: lead.email }) as const,
    ),
  )
  return inserted
}

interface Found {
  wanted: readonly Candidate[]
  inserted: ReadonlySet<string>
  repeats: readonly Candidate[]
}

async function findIds(tx: Transaction, tenant: Tenant, storing: Storing, { wanted, inserted, repeats }: Found) {
  const ids = new Map(wanted.filter(({ lead }) => inserted.has(lead.email)).map(({ id, lead }) => [lead.email, id]))
  const missing = [...wanted, ...repeats].map(({ lead }) => lead.email).filter((email) => !ids.has(email))
  if (missing.length === 0) return ids
  for (const [email, id] of await listExistingLeads(tx, tenant, storing.campaignId, missing)) ids.set(email, id)
  return ids
}

interface Duplicate {
  storing: Storing
  candidate: Candidate
  leadId: string | null
  tell: Tell
}

async function settleDuplicate(
  tx: Transaction,
  tenant: Tenant,
  { storing, candidate, leadId, tell }: Duplicate,
): Promise<void> {
  if (storing.input.onDuplicate === 'skip' || leadId === null)
    return tell(candidate, { outcome: 'skipped', reason: 'duplicate', leadId })
  const { campaignId, now } = storing
  await updateLeadFields(tx, tenant, { campaignId, leadId, fields: candidate.lead.fields, now })
  tell(candidate, { outcome: 'updated', reason: null, leadId })
}

/** A completed campaign that has something to do again is active again. Source: contract 4, 13. */
export async function reopenCampaign(tx: Transaction, tenant: Tenant, campaign: CampaignRow, now: Date): Promise<void> {
  if (campaign.status !== 'completed') return
  await updateCampaignStatus(tx, tenant, { id: campaign.id, status: 'active', reason: null, now })
  await appendEvents(tx, tenant, [
    { type: 'campaign.resumed', occurredAt: now, campaignId: campaign.id, data: { reason: 'reopened' } },
  ])
}

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

/** Changes fields, interest, or the statuses that a person may set. Source: contract 5. */
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
  if (status !== undefined && status !== row.status) await moveLead(tx, tenant, row, status, change.now)
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
  const {
    firstName,
    lastName,
    jobTitle,
    company,
    companyDomain,
    linkedinUrl,
    mobile,
    country,
    city,
    timezone,
    personId,
  } = rest
  const { customVariables } = rest
  const fields = {
    firstName,
    lastName,
    jobTitle,
    company,
    companyDomain,
    linkedinUrl,
    mobile,
    country,
    city,
    timezone,
    personId,
    customVariables,
  }
  if (Object.values(fields).every((value) => value === undefined)) return
  await updateLeadFields(tx, tenant, { campaignId: campaign.id, leadId: row.id, fields, now })
  if (row.blockedReason === 'missing_variable') await reopenCampaign(tx, tenant, campaign, now)
  await lookAheadForDrafts(tx, tenant, { campaignId: campaign.id, at: now })
  await wakePlanner(tx, tenant, now)
}

async function moveLead(tx: Transaction, tenant: Tenant, row: LeadRow, status: LeadStatus, now: Date): Promise<void> {
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
