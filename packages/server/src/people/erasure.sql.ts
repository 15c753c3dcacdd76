import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { RemovedRows } from './erasure-proof.ts'

/** The person to erase: its normalised address and its leads. */
export interface PersonToErase {
  personId: string
  email: string
  leadIds: readonly string[]
  now: Date
}

const ours = 'account_id = $1 and environment = $2'

/** The row of a statement that counts what it removed, by table. */
export interface Removal {
  removed: RemovedRows
}

export function toRemovedRows([row]: readonly Removal[]): RemovedRows {
  return row?.removed ?? {}
}

/** Whether a message to the person is past its gate. Such a message can't be stopped, so its outcome must be recorded first. */
export async function hasMessageInFlight(tx: Executor, tenant: Tenant, erased: PersonToErase): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from claims where ${ours} and lead_id = any($3) and gated_at is not null and lease_until is not null limit 1`,
    [tenant.accountId, tenant.environment, erased.leadIds],
  )
  return rows.length > 0
}

/** Keeps the events and removes the person from them. Server replies are cleared too, since they often contain the address. */
export async function clearEventsOfLeads(tx: Executor, tenant: Tenant, erased: PersonToErase): Promise<RemovedRows> {
  const events = await tx.execute(
    `update events set lead_email = null, data = (case when type in ('message.bounced', 'message.deferred', 'message.failed',
         'message.uncertain', 'message.returned') and data ? 'reason' then jsonb_set(data, '{reason}', '"erased"') else data end)
         - '{email,name,subject,snippet,text,attendees,leadEmail,refusedRecipients,value}'::text[]
     where ${ours} and lead_id = any($3)`,
    [tenant.accountId, tenant.environment, erased.leadIds],
  )
  return { events }
}

/** The Message-IDs of messages to these leads that were or may have been sent. */
export async function listMessagesThatLeft(tx: Executor, tenant: Tenant, erased: PersonToErase): Promise<string[]> {
  const rows = await tx.query<{ rfcMessageId: string }>(
    `select i.id as rfc_message_id from lead_profiles l
     join message_heads m on m.account_id = $1 and m.environment = $2 and m.campaign_id = l.campaign_id and m.lead_id = l.id
       and m.direction = 'outbound' and m.status in ('sent', 'bounced', 'returned', 'uncertain') and m.rfc_message_id is not null
     cross join lateral unnest(array[m.rfc_message_id, m.delivered_message_id]) i (id)
     where i.id is not null and l.account_id = $1 and l.environment = $2 and l.id = any($3)`,
    [tenant.accountId, tenant.environment, erased.leadIds],
  )
  return rows.map((row) => row.rfcMessageId)
}

export async function deleteMessagesOfLeads(
  tx: Executor,
  tenant: Tenant,
  erased: PersonToErase,
): Promise<RemovedRows[]> {
  const values = [tenant.accountId, tenant.environment, erased.leadIds]
  const claims = await tx.execute(`delete from claims where ${ours} and lead_id = any($3)`, values)
  const messages = await tx.query<Removal>(
    `with gone as (
       delete from message_heads m using lead_profiles l
       where l.account_id = $1 and l.environment = $2 and l.id = any($3)
         and m.account_id = $1 and m.environment = $2 and m.campaign_id = l.campaign_id and m.lead_id = l.id
       returning m.id),
     emptied as (
       delete from message_contents k using gone where k.account_id = $1 and k.environment = $2 and k.message_id = gone.id returning 1)
     select jsonb_build_object('message_heads', (select count(*) from gone),
       'message_contents', (select count(*) from emptied)) as removed`,
    values,
  )
  // Deletes test messages that were rendered for these leads. A claim that passed its gate is kept; it ends when its outcome is
  // recorded.
  const tests = await tx.query<Removal>(
    `with gone as (delete from test_messages t where t.account_id = $1 and t.environment = $2 and t.lead_id = any($3) returning t.id),
     ended as (delete from claims c using gone
       where c.account_id = $1 and c.environment = $2 and c.message_id = gone.id and c.gated_at is null),
     emptied as (delete from message_contents k using gone
       where k.account_id = $1 and k.environment = $2 and k.message_id = gone.id),
     headless as (delete from message_heads m using gone where m.account_id = $1 and m.environment = $2 and m.id = gone.id)
     select jsonb_build_object('test_messages', count(*)) as removed from gone`,
    values,
  )
  // Deletes what was forwarded from the conversations of these leads.
  const forwards = await tx.query<Removal>(
    `with gone as (
       delete from forwards f using threads h
       where h.account_id = $1 and h.environment = $2 and h.lead_id = any($3)
         and f.account_id = $1 and f.environment = $2 and f.thread_id = h.id
       returning f.id),
     ended as (delete from claims c using gone
       where c.account_id = $1 and c.environment = $2 and c.message_id = gone.id and c.gated_at is null),
     emptied as (delete from message_contents k using gone
       where k.account_id = $1 and k.environment = $2 and k.message_id = gone.id),
     headless as (delete from message_heads m using gone where m.account_id = $1 and m.environment = $2 and m.id = gone.id)
     select jsonb_build_object('forwards', count(*)) as removed from gone`,
    values,
  )
  const threads = await tx.execute(`delete from threads where ${ours} and lead_id = any($3)`, values)
  const meetings = await tx.execute(`delete from meetings where ${ours} and lead_id = any($3)`, values)
  const decisions = await tx.execute(
    `delete from decisions d using lead_profiles l
     where l.account_id = $1 and l.environment = $2 and l.id = any($3)
       and d.account_id = $1 and d.environment = $2 and d.campaign_id = l.campaign_id and d.lead_id = l.id`,
    values,
  )
  const drafts = await tx.execute(`delete from step_drafts where ${ours} and lead_id = any($3)`, values)
  const tasks = await tx.execute(`delete from tasks where ${ours} and lead_id = any($3)`, values)
  // Generated texts are cleared; the generation stays as a record of its cost.
  const generations = await tx.execute(
    `update generations set subject = '', body = '', subject_options = '{}', lead_id = null
     where ${ours} and lead_id = any($3)`,
    values,
  )
  return [
    toRemovedRows(messages),
    toRemovedRows(tests),
    toRemovedRows(forwards),
    { claims, threads, meetings, decisions, step_drafts: drafts, tasks, generations },
  ]
}

export async function deleteLeads(tx: Executor, tenant: Tenant, erased: PersonToErase): Promise<RemovedRows> {
  const rows = await tx.query<Removal>(
    `with gone as (delete from lead_profiles where ${ours} and id = any($3) returning campaign_id, id),
     ended as (delete from lead_progress p using gone g
       where p.account_id = $1 and p.environment = $2 and p.campaign_id = g.campaign_id and p.lead_id = g.id),
     counted as (update campaigns c set lead_count = c.lead_count - g.count
       from (select campaign_id, count(*)::int as count from gone group by 1) g
       where c.account_id = $1 and c.environment = $2 and c.id = g.campaign_id)
     select jsonb_build_object('lead_profiles', count(*)) as removed from gone`,
    [tenant.accountId, tenant.environment, erased.leadIds],
  )
  return toRemovedRows(rows)
}

export async function deletePerson(tx: Executor, tenant: Tenant, erased: PersonToErase): Promise<RemovedRows> {
  const values = [tenant.accountId, tenant.environment, erased.personId]
  return { people: await tx.execute(`delete from people where ${ours} and id = $3`, values) }
}
