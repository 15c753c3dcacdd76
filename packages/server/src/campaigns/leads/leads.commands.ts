import { notFound } from '@overture/contract/errors.ts'
import type { AddLeadResult, AddLeadsInput, AddLeadsOutput } from '@overture/contract/campaigns/lead-fields.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findSuppressed, type AddressHashes } from '../../suppressions/index.ts'
import { addToLeadCount, type CampaignRow, lockCampaignRow } from '../campaigns.sql.ts'
import { lookAheadForDrafts } from '../drafts-ahead.commands.ts'
import { readLead, refuseMerge, type NewLead, type ReadLead, type VariableNames } from './lead.ts'
import { reopenCampaign, wakePlanner } from './lead-moves.commands.ts'
import { upsertPeople } from '../../people/index.ts'
import {
  insertLeads,
  listEmailsInOtherCampaigns,
  listExistingLeads,
  listLeadVariables,
  updateLeadFields,
} from './leads.sql.ts'

interface AddLeads {
  campaignId: string
  input: Pick<AddLeadsInput, 'leads' | 'onDuplicate' | 'skipIfInOtherCampaign'>
  secrets: AddressHashes
  now: Date
}

interface AddReadLeads extends Omit<AddLeads, 'input'> {
  input: Pick<AddLeadsInput, 'onDuplicate' | 'skipIfInOtherCampaign'>
  read: readonly ReadLead[]
}

/** Adds each lead that can be added and returns the outcome of every lead, in order. Source: docs/contract.md, "Leads". */
export async function addLeads(tx: Transaction, tenant: Tenant, add: AddLeads): Promise<AddLeadsOutput> {
  const { leads, ...input } = add.input
  return addReadLeads(tx, tenant, { ...add, input, read: leads.map((item, index) => readLead(item, index)) })
}

/** The same for leads that `readLead` has read, in order. */
export async function addReadLeads(tx: Transaction, tenant: Tenant, add: AddReadLeads): Promise<AddLeadsOutput> {
  const campaign = await lockCampaignRow(tx, tenant, add.campaignId)
  if (!campaign) throw notFound()
  let released = false
  const onReleased = (): void => void (released = true)
  const results = await storeLeads(tx, tenant, { campaign, onReleased, ...add })
  const count = (outcome: AddLeadResult['outcome']) => results.filter((result) => result.outcome === outcome).length
  const added = count('added')
  if (added > 0) await addToLeadCount(tx, tenant, campaign.id, added)
  if (added > 0 || released) await reopenCampaign(tx, tenant, campaign, add.now)
  if (added > 0 || count('updated') > 0) {
    await lookAheadForDrafts(tx, tenant, { campaignId: campaign.id, at: add.now })
    wakePlanner(tx, tenant, add.now)
  }
  return { added, updated: count('updated'), skipped: count('skipped'), invalid: count('invalid'), results }
}

interface LeadsToStore extends AddReadLeads {
  campaign: CampaignRow
  /** Called when an update gives a value to a lead that lacked one. */
  onReleased: () => void
}

interface Candidate {
  id: string
  index: number
  lead: NewLead
}

async function storeLeads(tx: Transaction, tenant: Tenant, storing: LeadsToStore): Promise<AddLeadResult[]> {
  const results: AddLeadResult[] = []
  const report: Tell = ({ index, lead }, rest) => (results[index] = { index, email: lead.email, ...rest })
  const { firsts, repeats } = splitCandidates(storing.read, results)
  const refused = await findRefused(tx, tenant, storing, [...firsts.keys()])
  const wanted = [...firsts.values()].filter((candidate) => {
    const reason = refused.get(candidate.lead.email)
    if (reason !== undefined) report(candidate, { outcome: 'skipped', reason, leadId: null })
    return reason === undefined
  })
  // The insert itself finds duplicates, so only the ids of existing leads are read.
  const inserted = await insertNew(tx, tenant, storing, wanted)
  const ids = await findIds(tx, tenant, storing, { wanted, inserted, repeats })
  const duplicates = wanted.filter(({ lead }) => !inserted.has(lead.email))
  for (const candidate of wanted)
    if (inserted.has(candidate.lead.email)) report(candidate, { outcome: 'added', reason: null, leadId: candidate.id })
  for (const candidate of repeats) {
    const reason = refused.get(candidate.lead.email)
    if (reason !== undefined) report(candidate, { outcome: 'skipped', reason, leadId: null })
    else duplicates.push(candidate)
  }
  await settleDuplicates(tx, tenant, { storing, ids, duplicates, report })
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

async function findRefused(tx: Transaction, tenant: Tenant, storing: LeadsToStore, emails: readonly string[]) {
  const refused = new Map<string, 'suppressed' | 'in_other_campaign'>()
  const suppressed = await findSuppressed(tx, tenant, { secrets: storing.secrets, emails })
  for (const email of suppressed.keys()) refused.set(email, 'suppressed')
  if (!storing.input.skipIfInOtherCampaign) return refused
  const elsewhere = await listEmailsInOtherCampaigns(tx, tenant, storing.campaignId, emails)
  const here = await listExistingLeads(tx, tenant, storing.campaignId, [...elsewhere])
  for (const email of elsewhere) if (!here.has(email) && !refused.has(email)) refused.set(email, 'in_other_campaign')
  return refused
}

async function insertNew(
  tx: Transaction,
  tenant: Tenant,
  storing: LeadsToStore,
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

interface StoredLeads {
  wanted: readonly Candidate[]
  inserted: ReadonlySet<string>
  repeats: readonly Candidate[]
}

async function findIds(
  tx: Transaction,
  tenant: Tenant,
  storing: LeadsToStore,
  { wanted, inserted, repeats }: StoredLeads,
) {
  const ids = new Map(wanted.filter(({ lead }) => inserted.has(lead.email)).map(({ id, lead }) => [lead.email, id]))
  const missing = [...wanted, ...repeats].map(({ lead }) => lead.email).filter((email) => !ids.has(email))
  if (missing.length === 0) return ids
  for (const [email, id] of await listExistingLeads(tx, tenant, storing.campaignId, missing)) ids.set(email, id)
  return ids
}

interface Duplicates {
  storing: LeadsToStore
  /** Lead ids by address. */
  ids: ReadonlyMap<string, string>
  duplicates: readonly Candidate[]
  report: Tell
}

/** Skips or updates existing leads, in order. A later item of the same lead completes an earlier one. */
async function settleDuplicates(
  tx: Transaction,
  tenant: Tenant,
  { storing, ids, duplicates, report }: Duplicates,
): Promise<void> {
  const { campaignId, now, onReleased } = storing
  const isSkipping = storing.input.onDuplicate === 'skip'
  const names: VariableNames = isSkipping
    ? new Map()
    : await readVariableNames(tx, tenant, { storing, ids, duplicates })
  for (const candidate of duplicates) {
    const leadId = ids.get(candidate.lead.email) ?? null
    if (isSkipping || leadId === null) {
      report(candidate, { outcome: 'skipped', reason: 'duplicate', leadId })
      continue
    }
    const refused = refuseMerge(names, leadId, candidate)
    if (refused !== null) {
      report(candidate, refused)
      continue
    }
    const { fields } = candidate.lead
    if (await updateLeadFields(tx, tenant, { campaignId, leadId, fields, now })) onReleased()
    report(candidate, { outcome: 'updated', reason: null, leadId })
  }
}

async function readVariableNames(
  tx: Transaction,
  tenant: Tenant,
  { storing, ids, duplicates }: Omit<Duplicates, 'report'>,
): Promise<VariableNames> {
  const merged = duplicates.filter(({ lead }) => lead.fields.customVariables !== undefined)
  const leadIds = [...new Set(merged.flatMap(({ lead }) => ids.get(lead.email) ?? []))]
  if (leadIds.length === 0) return new Map()
  return listLeadVariables(tx, tenant, { campaignId: storing.campaignId, leadIds })
}
