import { normalizeEmail } from '@overture/contract/addresses.ts'
import { notFound } from '@overture/contract/errors.ts'
import type { AddMembersOutput, RemoveMembersOutput } from '@overture/contract/lists/lists.ts'
import { readLead, type ReadLead, refuseMerge, type VariableNames } from '../campaigns/leads/lead.ts'
import { followJobKind } from '../campaigns/index.ts'
import type { Transaction } from '../platform/db/database.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { countLeadsByCampaign, listFollowers } from './follows.sql.ts'
import { lockList, updateListMembers } from './lists.sql.ts'
import type { NewMember } from './member.ts'
import { deleteMembers, listMemberVariables, upsertMembers } from './members.sql.ts'

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
  const read = members.map((item, index) => readLead(item, index))
  return (await addReadMembers(tx, tenant, { ...add, read })).output
}

/** The same for people that `readLead` has read. Items that can't be added to what the list has are invalid ones in `checked`. */
export async function addReadMembers(
  tx: Transaction,
  tenant: Tenant,
  { listId, read, now }: MembersToAdd & { read: readonly ReadLead[] },
): Promise<{ checked: ReadLead[]; output: AddMembersOutput }> {
  const list = await lockList(tx, tenant, listId)
  if (list === undefined) throw notFound()
  const checked = await checkVariables(tx, tenant, { listId, read })
  const members = eachOnce(checked)
  const isNew = await upsertMembers(tx, tenant, { listId, after: list.lastPosition, members, now })
  const added = isNew.size
  const lastPosition = list.lastPosition + members.length
  await updateListMembers(tx, tenant, { id: listId, added, lastPosition, now })
  if (added > 0) await wakeFollowers(tx, tenant, { listId, now })
  const results = checked.map((item): AddMembersOutput['results'][number] => {
    if (item.kind === 'invalid') return invalidItem(item.result)
    const { email } = item.lead
    return { index: item.index, email, outcome: isNew.delete(email) ? 'added' : 'updated' }
  })
  const invalid = results.filter(({ outcome }) => outcome === 'invalid').length
  return { checked, output: { added, updated: read.length - invalid - added, invalid, results } }
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

/** The items, where each one that would give its person too many custom variables is invalid. */
async function checkVariables(
  tx: Transaction,
  tenant: Tenant,
  { listId, read }: { listId: string; read: readonly ReadLead[] },
): Promise<ReadLead[]> {
  const emails = read.flatMap((item) =>
    item.kind === 'lead' && item.lead.fields.customVariables ? [item.lead.email] : [],
  )
  const names: VariableNames =
    emails.length === 0 ? new Map() : await listMemberVariables(tx, tenant, { listId, emails })
  return read.map((item): ReadLead => {
    const result = item.kind === 'lead' ? refuseMerge(names, item.lead.email, item) : null
    return result === null ? item : { kind: 'invalid', result, others: [] }
  })
}

/** One member per address, with the fields that it would have if its items were added one after the other. */
function eachOnce(items: readonly ReadLead[]): NewMember[] {
  const members = new Map<string, NewMember>()
  for (const item of items) {
    if (item.kind === 'invalid') continue
    const { email, fields } = item.lead
    const before = members.get(email)?.fields
    const customVariables = { ...before?.customVariables, ...fields.customVariables }
    members.set(email, before ? { ...item.lead, fields: { ...before, ...fields, customVariables } } : item.lead)
  }
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
  const given = new Map(givenEmails.map((email) => [normalizeEmail(email).email, email]))
  const emails = [...given.keys()]
  const removed = new Set(await deleteMembers(tx, tenant, { listId, emails }))
  const change = { id: listId, added: -removed.size, lastPosition: list.lastPosition, now }
  if (removed.size > 0) await updateListMembers(tx, tenant, change)
  const followers = await listFollowers(tx, tenant, [listId])
  const campaignIds = followers.map(({ campaignId }) => campaignId)
  const leads = await countLeadsByCampaign(tx, tenant, { campaignIds, emails: [...removed] })
  return {
    removed: removed.size,
    notFound: [...given].flatMap(([email, asGiven]) => (removed.has(email) ? [] : [asGiven])),
    stillLeads: followers
      .map(({ campaignId, campaignName }) => ({ campaignId, campaignName, leads: leads.get(campaignId) ?? 0 }))
      .filter((one) => one.leads > 0),
  }
}
