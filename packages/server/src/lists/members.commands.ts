import { normalizeEmail } from '@overture/contract/addresses.ts'
import { notFound } from '@overture/contract/errors.ts'
import type { AddMembersOutput, RemoveMembersOutput } from '@overture/contract/lists/lists.ts'
import { readLead, type ReadLead } from '../campaigns/leads/lead.ts'
import { followJobKind } from '../campaigns/index.ts'
import type { Transaction } from '../platform/db/database.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { countLeadsByCampaign, listFollowers } from './follows.sql.ts'
import { lockList, updateListMembers } from './lists.sql.ts'
import type { NewMember } from './member.ts'
import { deleteMembers, upsertMembers } from './members.sql.ts'

interface MembersToAdd {
  listId: string
  now: Date
}

/** Adds each person that can be added, and returns the outcome of every item, in order. */
export async function addMembers(
  tx: Transaction,
  tenant: Tenant,
  { members, ...add }: MembersToAdd & { members: readonly unknown[] },
): Promise<AddMembersOutput> {
  return addReadMembers(tx, tenant, { ...add, read: members.map((item, index) => readLead(item, index)) })
}

/** The same for people that `readLead` has read. */
export async function addReadMembers(
  tx: Transaction,
  tenant: Tenant,
  { listId, read, now }: MembersToAdd & { read: readonly ReadLead[] },
): Promise<AddMembersOutput> {
  const list = await lockList(tx, tenant, listId)
  if (list === undefined) throw notFound()
  const members = eachOnce(read)
  const isNew = await upsertMembers(tx, tenant, { listId, after: list.lastPosition, members, now })
  const added = isNew.size
  const lastPosition = list.lastPosition + members.length
  await updateListMembers(tx, tenant, { id: listId, added, lastPosition, now })
  if (added > 0) await wakeFollowers(tx, tenant, { listId, now })
  const results = read.map((item): AddMembersOutput['results'][number] => {
    if (item.kind === 'invalid') return invalidItem(item.result)
    const { email } = item.lead
    return { index: item.index, email, outcome: isNew.delete(email) ? 'added' : 'updated' }
  })
  const invalid = results.filter(({ outcome }) => outcome === 'invalid').length
  return { added, updated: read.length - invalid - added, invalid, results }
}

function invalidItem({ index, email, field, message }: Extract<ReadLead, { kind: 'invalid' }>['result']) {
  return {
    index,
    email,
    outcome: 'invalid' as const,
    ...(field !== undefined && { field }),
    ...(message !== undefined && { message }),
  }
}

/** The last item of each address. */
function eachOnce(read: readonly ReadLead[]): NewMember[] {
  const members = new Map<string, NewMember>()
  for (const item of read) if (item.kind === 'lead') members.set(item.lead.email, item.lead)
  return [...members.values()]
}

async function wakeFollowers(
  tx: Transaction,
  tenant: Tenant,
  { listId, now }: { listId: string; now: Date },
): Promise<void> {
  for (const { campaignId } of await listFollowers(tx, tenant, [listId]))
    await enqueueJob(tx, { kind: followJobKind, tenant, payload: { campaignId }, runAt: now, key: campaignId })
}

/** Removes members. Leads stay, and the answer says how many there are. */
export async function removeMembers(
  tx: Transaction,
  tenant: Tenant,
  { listId, emails: givenEmails, now }: { listId: string; emails: readonly string[]; now: Date },
): Promise<RemoveMembersOutput> {
  const list = await lockList(tx, tenant, listId)
  if (list === undefined) throw notFound()
  const emails = [...new Set(givenEmails.map((email) => normalizeEmail(email.trim()).email))]
  const removed = new Set(await deleteMembers(tx, tenant, { listId, emails }))
  const change = { id: listId, added: -removed.size, lastPosition: list.lastPosition, now }
  if (removed.size > 0) await updateListMembers(tx, tenant, change)
  const followers = await listFollowers(tx, tenant, [listId])
  const campaignIds = followers.map(({ campaignId }) => campaignId)
  const leads = await countLeadsByCampaign(tx, tenant, { campaignIds, emails: [...removed] })
  return {
    removed: removed.size,
    notFound: emails.filter((email) => !removed.has(email)),
    stillLeads: followers
      .map(({ campaignId, campaignName }) => ({ campaignId, campaignName, leads: leads.get(campaignId) ?? 0 }))
      .filter((one) => one.leads > 0),
  }
}
