import { normalizeEmail } from '@overture/contract/addresses.ts'
import { leadsAtOnceMax, type BulkLeadsInput, type BulkLeadsOutput } from '@overture/contract/campaigns/leads-bulk.ts'
import { leadStatusMoves, type LeadStatus } from '@overture/contract/campaigns/leads.ts'
import { notFound } from '@overture/contract/errors.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { isStorable } from '@overture/ground/text/storable-text.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { lockCampaignRow } from '../campaigns.sql.ts'
import type { LeadRow } from '../leads/lead.ts'
import { setInterest } from './interest.commands.ts'
import { type LeadChange, listLeadIdsToChange, listLeadsThatFit } from '../leads/leads-at-once.sql.ts'
import { type LeadFilter, lockLeadRow } from '../leads/leads.sql.ts'
import { assertResumes, moveLead } from './update-lead.commands.ts'

type Move = 'paused' | 'active' | 'stopped'

interface BulkChange extends BulkLeadsInput {
  campaignId: string
  now: Date
}

/** Changes many leads of a campaign by the rules for a single lead. */
export async function changeLeads(tx: Transaction, tenant: Tenant, change: BulkChange): Promise<BulkLeadsOutput> {
  if (!(await lockCampaignRow(tx, tenant, change.campaignId))) throw notFound()
  if (change.resumeAt !== undefined) assertResumes(new Date(change.resumeAt), change.now)
  return change.ids === undefined
    ? changeFiltered(tx, tenant, change)
    : changeNamed(tx, tenant, change, [...new Set(change.ids)])
}

async function changeFiltered(tx: Transaction, tenant: Tenant, change: BulkChange): Promise<BulkLeadsOutput> {
  const filter = toFilter(change)
  const wanted = { from: movableTo(change.status), status: change.status ?? null, interest: change.interest }
  const ids = await listLeadIdsToChange(tx, tenant, filter, { ...wanted, limit: leadsAtOnceMax })
  const skipped: Record<string, number> = {}
  let fitting = 0
  for (const { status, isFitting, count } of await listLeadsThatFit(tx, tenant, filter, wanted)) {
    if (isFitting) fitting += count
    else addTo(skipped, skipReason(status as LeadStatus, change.status), count)
  }
  const total = Object.values(skipped).reduce((sum, count) => sum + count, fitting)
  const { changed } = await changeNamed(tx, tenant, change, ids)
  return { matched: total, changed, skipped, more: fitting > ids.length }
}

/** Changes these leads of a campaign whose row is locked, and counts the others by the reason why they were not changed. */
export async function changeNamed(
  tx: Transaction,
  tenant: Tenant,
  change: BulkChange,
  ids: readonly string[],
): Promise<BulkLeadsOutput> {
  const skipped: Record<string, number> = {}
  let matched = 0
  let changed = 0
  // Rows are locked in one order, so that two calls can't deadlock.
  for (const leadId of ids.toSorted()) {
    const row = isStorable(leadId)
      ? await lockLeadRow(tx, tenant, { campaignId: change.campaignId, leadId })
      : undefined
    if (row !== undefined) matched++
    const reason = row === undefined ? 'not_found' : await changeOne(tx, tenant, row, change)
    if (reason === null) changed++
    else addTo(skipped, reason, 1)
  }
  return { matched, changed, skipped, more: false }
}

/** Returns null if the lead was changed, else why it was not. */
async function changeOne(tx: Transaction, tenant: Tenant, row: LeadRow, change: BulkChange): Promise<string | null> {
  const { status, interest, campaignId, now } = change
  const resumeAt = change.resumeAt === undefined ? null : new Date(change.resumeAt)
  const isMoved = status !== undefined && status !== row.status
  if (isMoved && !leadStatusMoves[row.status].includes(status)) return row.status
  const isLabelled = interest !== undefined && interest !== row.interest
  if (!isMoved && !isLabelled) return 'unchanged'
  if (isLabelled) await setInterest(tx, tenant, { campaignId, leadId: row.id, interest, source: 'person', now })
  if (isMoved) await moveLead(tx, tenant, { row, status, resumeAt, now })
  return null
}

/** Why a lead of this status is not changed. */
export function skipReason(status: LeadStatus, wanted: Move | undefined): string {
  return wanted === undefined || status === wanted ? 'unchanged' : status
}

/** The statuses from which a lead can move to this one; null without one. */
export function movableTo(status: Move | undefined): LeadChange['from'] {
  if (status === undefined) return null
  return Object.entries(leadStatusMoves).flatMap(([from, moves]) => (moves.includes(status) ? [from] : []))
}

function toFilter({ campaignId, filter = {}, now }: BulkChange): LeadFilter {
  const { email, ...rest } = filter
  return { ...rest, ...(email !== undefined && { email: normalizeEmail(email).email }), campaignId, now } as LeadFilter
}

function addTo(counts: Record<string, number>, name: string, count: number): void {
  counts[name] = (counts[name] ?? 0) + count
}
