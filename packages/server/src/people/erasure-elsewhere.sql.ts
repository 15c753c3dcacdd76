import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { RemovedRows } from './erasure-proof.ts'
import { toRemovedRows, type PersonToErase, type Removal } from './erasure.sql.ts'

/** Statements that remove an address from rows that belong to other people or features. */

const ours = 'account_id = $1 and environment = $2'

/** Colleagues whose sequence ended because the person replied keep the stop rule, but lose the person's address. */
export async function clearColleagues(tx: Executor, tenant: Tenant, erased: PersonToErase): Promise<RemovedRows> {
  const rows = await tx.query<Removal>(
    `with colleagues as (
       update lead_progress p set stopped_by = p.stopped_by - 'email'
       where p.account_id = $1 and p.environment = $2 and p.stopped_by->>'email' = $3 and p.campaign_id = any(array(
         select l.campaign_id from lead_profiles l where l.account_id = $1 and l.environment = $2 and l.id = any($4)))
       returning p.lead_id),
     told as (update events e set data = e.data #- '{stoppedBy,email}' from colleagues c
       where e.account_id = $1 and e.environment = $2 and e.lead_id = c.lead_id and e.data->'stoppedBy'->>'email' = $3
       returning 1)
     select jsonb_build_object('lead_progress', (select count(*) from colleagues), 'events', (select count(*) from told)) as removed`,
    [tenant.accountId, tenant.environment, erased.email, erased.leadIds],
  )
  return toRemovedRows(rows)
}

export async function deletePersonImportRows(
  tx: Executor,
  tenant: Tenant,
  erased: PersonToErase,
): Promise<RemovedRows> {
  const rows = await tx.execute(
    `delete from import_rows where ${ours} and exists (select 1 from unnest(fields) f where position($3 in lower(f)) > 0)`,
    [tenant.accountId, tenant.environment, erased.email],
  )
  return { import_rows: rows }
}

/** Deletes the revealed data of the people in the finder that the leads came from. */
export async function deletePersonReveals(
  tx: Executor,
  tenant: Tenant,
  personIds: readonly string[],
): Promise<RemovedRows> {
  const values = [tenant.accountId, tenant.environment, personIds]
  return {
    finder_reveals: await tx.execute(`delete from finder_reveals where ${ours} and person_id = any($3)`, values),
  }
}

export async function deletePersonSandboxMessages(
  tx: Executor,
  tenant: Tenant,
  erased: PersonToErase,
): Promise<RemovedRows> {
  const rows = await tx.execute(
    `delete from sandbox_messages where ${ours} and (lead_id = any($3) or lower(from_email) = $4
       or exists (select 1 from unnest(to_emails) t where lower(t) = $4))`,
    [tenant.accountId, tenant.environment, erased.leadIds, erased.email],
  )
  return { sandbox_messages: rows }
}

/** Removes the person from the attendees of other meetings. A meeting without any other attendee is deleted. */
export async function clearPersonMeetings(tx: Executor, tenant: Tenant, erased: PersonToErase): Promise<RemovedRows> {
  const values = [tenant.accountId, tenant.environment, erased.email]
  const meetings = await tx.execute(
    `update meetings set attendees = (select coalesce(jsonb_agg(a), '[]') from jsonb_array_elements(attendees) a
       where lower(a->>'email') <> $3)
     where ${ours} and exists (select 1 from jsonb_array_elements(attendees) a where lower(a->>'email') = $3)`,
    values,
  )
  await tx.execute(
    `delete from meetings where ${ours} and lead_id is null and attendees = '[]' and source = 'booking_page'`,
    [tenant.accountId, tenant.environment],
  )
  return { meetings }
}

/** Deletes mail from and to the address that belongs to no lead, except messages whose claim is in flight right now. */
export async function deletePersonMail(tx: Executor, tenant: Tenant, erased: PersonToErase): Promise<RemovedRows> {
  const values = [tenant.accountId, tenant.environment, erased.email]
  const theirs = `m.account_id = $1 and m.environment = $2 and m.lead_id is null and (lower(m.from_address->>'email') = $3
    or exists (select 1 from jsonb_array_elements(m.to_addresses) a where lower(a->>'email') = $3))`
  await tx.execute(
    `delete from claims c using message_heads m
     where ${theirs} and c.account_id = $1 and c.environment = $2 and c.message_id = m.id
       and (c.gated_at is null or c.lease_until is null)`,
    values,
  )
  const rows = await tx.query<Removal>(
    `with gone as (
       delete from message_heads m where ${theirs}
         and not exists (select 1 from claims c where c.account_id = $1 and c.environment = $2 and c.message_id = m.id)
       returning m.id),
     emptied as (
       delete from message_contents k using gone g where k.account_id = $1 and k.environment = $2 and k.message_id = g.id returning 1)
     select jsonb_build_object('message_heads', (select count(*) from gone),
       'message_contents', (select count(*) from emptied)) as removed`,
    values,
  )
  return toRemovedRows(rows)
}

/** Deletes signals about the person, by address or by lead. Signals about the person's company are kept. */
export async function deletePersonSignals(tx: Executor, tenant: Tenant, erased: PersonToErase): Promise<RemovedRows> {
  const values = [tenant.accountId, tenant.environment, erased.email, erased.leadIds]
  return {
    signals: await tx.execute(`delete from signals where ${ours} and (email = $3 or lead_id = any($4))`, values),
  }
}

/** Deletes the results of verifications of the address. The counts of the verifications stay. */
export async function deletePersonVerifications(
  tx: Executor,
  tenant: Tenant,
  erased: PersonToErase,
): Promise<RemovedRows> {
  const values = [tenant.accountId, tenant.environment, erased.email]
  return {
    verification_addresses: await tx.execute(`delete from verification_addresses where ${ours} and email = $3`, values),
    address_checks: await tx.execute(`delete from address_checks where ${ours} and email = $3`, values),
  }
}

/** Removes all exports of the environment, because their files may contain the person. A worker that writes one ends. */
export async function removeExports(tx: Executor, tenant: Tenant): Promise<RemovedRows> {
  const values = [tenant.accountId, tenant.environment]
  const exports = await tx.execute(
    `update exports set status = 'removed', error = null, completed_at = null where ${ours} and status <> 'removed'`,
    values,
    'remove_exports',
  )
  await tx.execute(`delete from export_chunks where ${ours}`, values, 'remove_export_chunks')
  await tx.execute(`delete from export_files where ${ours}`, values, 'remove_export_files')
  return { exports }
}

/** Deletes the person from every list. Campaigns that follow a list have nothing to take back. */
export async function deletePersonMemberships(
  tx: Executor,
  tenant: Tenant,
  erased: PersonToErase,
): Promise<RemovedRows> {
  const rows = await tx.query<Removal>(
    `with gone as (delete from list_members where ${ours} and email = $3 returning list_id),
     counted as (update lists l set member_count = l.member_count - 1 from gone g
       where l.account_id = $1 and l.environment = $2 and l.id = g.list_id)
     select jsonb_build_object('list_members', count(*)) as removed from gone`,
    [tenant.accountId, tenant.environment, erased.email],
  )
  return toRemovedRows(rows)
}

export async function deletePersonTags(tx: Executor, tenant: Tenant, erased: PersonToErase): Promise<RemovedRows> {
  const values = [tenant.accountId, tenant.environment, erased.personId]
  return { taggings: await tx.execute(`delete from taggings where ${ours} and object_id = $3`, values) }
}

/** Deletes when the person was contacted, and when mail was exchanged. The suppression keeps campaigns from writing again. */
export async function deletePersonContacts(tx: Executor, tenant: Tenant, hash: Buffer): Promise<RemovedRows> {
  const values = [tenant.accountId, tenant.environment, hash]
  return {
    contacts: await tx.execute(`delete from contacts where ${ours} and address_hash = $3`, values),
    exchanges: await tx.execute(`delete from exchanges where ${ours} and address_hash = $3`, values),
  }
}
