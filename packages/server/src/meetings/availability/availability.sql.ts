import type { Interest } from '@overture/contract/campaigns/leads.ts'
import type { AvailabilitySettings } from '@overture/contract/meetings/availability.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

export interface AvailabilityRow {
  slug: string
  settings: AvailabilitySettings
  integrations: Buffer | null
  /** The last reading of the host's calendar. */
  busyCount: number
  busyReadAt: Date | null
  busyError: string | null
  /** Null until the account has set it. */
  updatedAt: Date | null
}

const columns = `slug, settings, integrations, jsonb_array_length(busy_times) as busy_count, busy_read_at, busy_error, updated_at`
const ours = 'account_id = $1 and environment = $2'

export async function findAvailability(db: Executor, tenant: Tenant): Promise<AvailabilityRow | null> {
  const rows = await db.query<AvailabilityRow>(`select ${columns} from meeting_availability where ${ours}`, [
    tenant.accountId,
    tenant.environment,
  ])
  return rows[0] ?? null
}

/** Creates the row if it is missing, and locks it, so that concurrent bookings of a tenant wait for each other. */
export async function lockAvailability(
  tx: Executor,
  tenant: Tenant,
  initial: { slug: string; settings: AvailabilitySettings },
): Promise<AvailabilityRow> {
  await tx.execute(
    `insert into meeting_availability (account_id, environment, slug, settings) values ($1, $2, $3, $4)
     on conflict (account_id, environment) do nothing`,
    [tenant.accountId, tenant.environment, initial.slug, JSON.stringify(initial.settings)],
  )
  const rows = await tx.query<AvailabilityRow>(`select ${columns} from meeting_availability where ${ours} for update`, [
    tenant.accountId,
    tenant.environment,
  ])
  return rows[0]!
}

type ChangedAvailability = Pick<AvailabilityRow, 'slug' | 'settings' | 'integrations' | 'updatedAt'>

export async function updateAvailabilityRow(tx: Executor, tenant: Tenant, row: ChangedAvailability): Promise<void> {
  await tx.execute(
    `update meeting_availability set slug = $3, settings = $4, integrations = $5, updated_at = $6 where ${ours}`,
    [tenant.accountId, tenant.environment, row.slug, JSON.stringify(row.settings), row.integrations, row.updatedAt],
  )
}

/** Stores what was read of the calendar. Without times, those of the last reading stay in use. */
export async function updateBusyTimes(
  tx: Executor,
  tenant: Tenant,
  reading: { times: readonly [number, number][] | null; readAt: Date | null; error: string | null },
): Promise<void> {
  await tx.execute(
    `update meeting_availability set busy_times = coalesce($3::jsonb, busy_times), busy_read_at = coalesce($4, busy_read_at),
       busy_error = $5
     where ${ours}`,
    [
      tenant.accountId,
      tenant.environment,
      reading.times === null ? null : JSON.stringify(reading.times),
      reading.readAt,
      reading.error,
    ],
  )
}

/** Forgets the readings of a calendar that was replaced or removed. */
export async function clearBusyTimes(tx: Executor, tenant: Tenant): Promise<void> {
  await tx.execute(
    `update meeting_availability set busy_times = '[]', busy_read_at = null, busy_error = null where ${ours}`,
    [tenant.accountId, tenant.environment],
  )
}

/** The busy times of the host's calendar. */
export async function listCalendarBusy(db: Executor, tenant: Tenant): Promise<{ startAt: Date; endAt: Date }[]> {
  const rows = await db.query<{ busyTimes: [number, number][] }>(
    `select busy_times from meeting_availability where ${ours}`,
    [tenant.accountId, tenant.environment],
  )
  return (rows[0]?.busyTimes ?? []).map(([startMs, endMs]) => ({ startAt: new Date(startMs), endAt: new Date(endMs) }))
}

/** The tenant of a slug. Slugs are unique over all accounts, since a booking URL contains only the slug. */
export async function findTenantOfSlugAcrossAccounts(db: Executor, slug: string): Promise<Tenant | null> {
  const rows = await db.query<Tenant>('select account_id, environment from meeting_availability where slug = $1', [
    slug,
  ])
  return rows[0] ?? null
}

export async function findAccountName(db: Executor, tenant: Tenant): Promise<string | null> {
  const rows = await db.query<{ name: string }>('select name from accounts where account_id = $1', [tenant.accountId])
  return rows[0]?.name ?? null
}

export async function findDefaultTimezone(db: Executor, tenant: Tenant): Promise<string | null> {
  const rows = await db.query<{ defaultTimezone: string }>(
    'select default_timezone from accounts where account_id = $1',
    [tenant.accountId],
  )
  return rows[0]?.defaultTimezone ?? null
}

/** The fields of a lead and its campaign that a meeting needs. */
export interface MeetingLead {
  id: string
  campaignId: string
  email: string
  firstName: string | null
  lastName: string | null
  timezone: string | null
  threadId: string | null
  sendingAccountId: string | null
  stopOnMeetingBooked: boolean
  interest: Interest | null
}

const leadColumns = `l.id, l.campaign_id, l.email, l.first_name, l.last_name, l.timezone, l.thread_id, l.sending_account_id, l.interest,
  coalesce((c.settings->>'stopOnMeetingBooked')::boolean, true) as stop_on_meeting_booked`
const leadTables = `leads l join campaigns c on c.account_id = $1 and c.environment = $2
  and c.id = l.campaign_id and c.deleted_at is null`

export async function findMeetingLead(db: Executor, tenant: Tenant, leadId: string): Promise<MeetingLead | null> {
  const rows = await db.query<MeetingLead>(
    `select ${leadColumns} from ${leadTables} where l.account_id = $1 and l.environment = $2 and l.id = $3`,
    [tenant.accountId, tenant.environment, leadId],
  )
  return rows[0] ?? null
}

/** Finds the lead with one of the addresses. If there are several, the one that was contacted last. */
export async function findMeetingLeadByEmail(
  db: Executor,
  tenant: Tenant,
  emails: readonly string[],
): Promise<MeetingLead | null> {
  const rows = await db.query<MeetingLead>(
    `select ${leadColumns} from ${leadTables} where l.account_id = $1 and l.environment = $2 and l.email = any($3)
     order by l.last_contacted_at desc nulls last, l.id desc limit 1`,
    [tenant.accountId, tenant.environment, emails],
  )
  return rows[0] ?? null
}

interface MeetingSender {
  id: string
  email: string
  fromName: string
}

/** The mailbox that sends the invitation: the lead's own one, else the first usable one. */
export async function findMeetingSender(
  db: Executor,
  tenant: Tenant,
  preferredId: string | null,
): Promise<MeetingSender | null> {
  const rows = await db.query<MeetingSender>(
    `select id, email, from_name from sending_accounts where account_id = $1 and environment = $2
       and (id = $3 or status = 'active') order by (id = $3) desc nulls last, id limit 1`,
    [tenant.accountId, tenant.environment, preferredId],
  )
  return rows[0] ?? null
}
