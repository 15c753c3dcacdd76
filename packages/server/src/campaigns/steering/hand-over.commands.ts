import { openStatuses } from '@overture/ground/lead-statuses.ts'
import { dueAfter } from '@overture/ground/time/sending-window.ts'
import { sendsNothing } from '@overture/ground/paths/path.ts'
import { withHolidays } from '../../holidays/index.ts'
import { upsertPeople } from '../../people/index.ts'
import type { LeadStatus } from '@overture/contract/campaigns/leads.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { addToLeadCount, lockCampaignRow, type CampaignRow } from '../campaigns.sql.ts'
import { lookAheadForDrafts } from '../drafts-ahead.commands.ts'
import { answersOrigin } from '../sequence/entry.ts'
import { listSteps } from '../sequence/sequence.sql.ts'
import {
  insertHandedLeads,
  lockLeadsToHandOver,
  updateLeadsHandedOver,
  updateThreadsHandedOver,
  type LeadToHandOver,
} from './hand-over.sql.ts'
import { completeFinishedCampaigns, reopenCampaign, wakePlanner } from '../leads/lead-moves.commands.ts'
import type { LeadKey } from '../leads/leads.sql.ts'
import { cancelTasks } from '../paths/cancel-tasks.commands.ts'
import { deleteUnsentClaims } from '../leads/stop-leads.sql.ts'

export interface HandOverLead extends LeadKey {
  by: 'branch' | 'entry'
  evidence: string
  /** The time from which the first wait counts. */
  at: Date
  /** Set by a branch, which has already ended the lead's path: the lead's status before that. */
  before?: LeadStatus
}

interface HandOver {
  toCampaignId: string
  /** At most as many as one plan decides for. */
  leads: readonly HandOverLead[]
  now: Date
}

/**
 * Hands leads over to another campaign in one transaction: creates new leads there, ends the old ones and withdraws their
 * claims. Returns the ids of the leads taken over. A lead is handed over only once, and not if the campaign has its address
 * already.
 */
export async function handOver(
  tx: Transaction,
  tenant: Tenant,
  { toCampaignId, leads, now }: HandOver,
): Promise<Set<string>> {
  const target = await lockCampaignRow(tx, tenant, toCampaignId)
  if (target === undefined || target.status === 'draft') return new Set()
  const found = await lockLeadsToHandOver(tx, tenant, { leads, toCampaignId })
  if (found.length === 0) return new Set()
  const leadsById = new Map(leads.map((lead) => [lead.leadId, lead]))
  const moves = await begin(tx, tenant, {
    target,
    moves: found.map((row) => ({ row, lead: leadsById.get(row.leadId)!, toLeadId: newId('led') })),
    now,
  })
  if (moves.length === 0) return new Set()
  await endSources(tx, tenant, { toCampaignId, moves, now })
  await addToLeadCount(tx, tenant, target.id, moves.length)
  await reopenCampaign(tx, tenant, target, now)
  await lookAheadForDrafts(tx, tenant, { campaignId: target.id, at: now })
  wakePlanner(tx, tenant, now)
  return new Set(moves.map(({ row }) => row.leadId))
}

interface Move {
  row: LeadToHandOver
  lead: HandOverLead
  toLeadId: string
}

/** Creates the new leads. Returns the moves of the leads that did not exist yet. */
async function begin(
  tx: Transaction,
  tenant: Tenant,
  { target, moves, now }: { target: CampaignRow; moves: readonly Move[]; now: Date },
): Promise<Move[]> {
  const steps = (await listSteps(tx, tenant, [target.id])).get(target.id) ?? []
  const [first] = steps
  const inThread = answersOrigin(steps)
  const schedule = await withHolidays(target.schedule)
  const leads = moves.map(({ row, lead, toLeadId }) => {
    const wait = first?.waitBefore ?? { value: 0, unit: 'days' as const }
    const due = dueAfter(lead.at, wait, schedule, row)
    const knownThread = inThread && row.threadId !== null
    return {
      id: toLeadId,
      from: row,
      dueAt: due > now ? due : now,
      threadId: knownThread ? row.threadId : null,
      sendingAccountId: knownThread ? row.sendingAccountId : null,
    }
  })
  const added = await insertHandedLeads(tx, tenant, {
    campaignId: target.id,
    leads,
    deciding: sendsNothing(first),
    now,
  })
  const begun = moves.filter(({ toLeadId }) => added.has(toLeadId))
  await upsertPeople(tx, tenant, {
    ids: begun.map(() => newId('per')),
    emails: begun.map(({ row }) => row.email),
    now,
  })
  await appendEvents(
    tx,
    tenant,
    begun.map(({ row, toLeadId }) => ({
      type: 'lead.added',
      occurredAt: now,
      campaignId: target.id,
      leadId: toLeadId,
      leadEmail: row.email,
    })),
  )
  return begun
}

async function endSources(
  tx: Transaction,
  tenant: Tenant,
  { toCampaignId, moves, now }: { toCampaignId: string; moves: readonly Move[]; now: Date },
): Promise<void> {
  const sources = moves.map(({ row, lead, toLeadId }) => {
    const before = lead.before ?? row.status
    return { ...row, ...lead, toLeadId, before, ends: openStatuses.includes(before) }
  })
  await updateLeadsHandedOver(tx, tenant, { toCampaignId, leads: sources, now })
  await updateThreadsHandedOver(tx, tenant, { toCampaignId, leads: sources })
  const ended = sources.filter((source) => source.ends)
  if (ended.length > 0) {
    await deleteUnsentClaims(tx, tenant, ended)
    await cancelTasks(tx, tenant, { leads: ended, reason: 'sub_sequence', now })
  }
  await appendEvents(
    tx,
    tenant,
    sources.flatMap(({ campaignId, leadId, email, before, ends, by, evidence, toLeadId }) => {
      const about = { occurredAt: now, campaignId, leadId, leadEmail: email }
      const data = { toCampaignId, toLeadId, by, evidence }
      const handed = { ...about, type: 'lead.handed_over' as const, data }
      if (!ends) return [handed]
      const change = { from: before, to: 'stopped' as const, reason: 'sub_sequence' }
      return [handed, { ...about, type: 'lead.status_changed' as const, data: change }]
    }),
  )
  await completeFinishedCampaigns(tx, tenant, [...new Set(ended.map((lead) => lead.campaignId))].sort(), now)
}
