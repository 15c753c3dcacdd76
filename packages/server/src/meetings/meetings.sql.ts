import type { Meeting } from '@overture/contract/meetings/meetings.ts'
import type { Executor } from '../platform/db/database.ts'
import type { RowRange, TimeAndId } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'
import { addressHasTag, campaignOrSenderHasTag, leadHasTag } from '../tags/index.ts'

export interface MeetingRow {
  id: string
  leadId: string | null
  campaignId: string | null
  status: Meeting['status']
  source: Meeting['source']
  title: string
  startAt: Date
  endAt: Date
  timezone: string
  joinUrl: string | null
  attendees: Meeting['attendees']
  calendarUid: string
  calendarSequence: number
  invited: boolean
  sendingAccountId: string | null
  /** How often it was moved through its link. */
  pageMoves: number
  createdAt: Date
  updatedAt: Date
}

const columns = `id, lead_id, campaign_id, status, source, title, start_at, end_at, timezone, join_url, attendees, calendar_uid,
  calendar_sequence, invited, sending_account_id, page_moves, created_at, updated_at`
const ours = 'account_id = $1 and environment = $2'

interface MeetingFilter {
  status: string | null
  source: string | null
  campaignId: string | null
  leadId: string | null
  from: string | null
  to: string | null
  tagId: string | null
}

const matching = `${ours} and ($3::text is null or status = $3) and ($4::text is null or source = $4)
  and ($5::text is null or campaign_id = $5) and ($6::text is null or lead_id = $6)
  and ($7::timestamptz is null or start_at >= $7) and ($8::timestamptz is null or start_at < $8)
  and ($9::text is null or ${campaignOrSenderHasTag('$9', ['meetings.campaign_id', 'meetings.sending_account_id'])}
    or ${leadHasTag('$9', 'meetings')}
    or exists (select 1 from jsonb_array_elements(meetings.attendees) a where ${addressHasTag('$9', "lower(a->>'email')")}))`

function filterValues(tenant: Tenant, filter: MeetingFilter): unknown[] {
  const { status, source, campaignId, leadId, from, to, tagId } = filter
  return [tenant.accountId, tenant.environment, status, source, campaignId, leadId, from, to, tagId]
}

/** Latest start first. */
export async function listMeetings(
  db: Executor,
  tenant: Tenant,
  filter: MeetingFilter,
  range: RowRange<TimeAndId>,
): Promise<MeetingRow[]> {
  return db.query<MeetingRow>(
    `select ${columns} from meetings where ${matching} and ($10::timestamptz is null or (start_at, id) < ($10, $11))
     order by start_at desc, id desc limit $12 offset $13`,
    [...filterValues(tenant, filter), range.after?.at ?? null, range.after?.id ?? null, range.limit, range.offset],
  )
}

export async function countMeetings(db: Executor, tenant: Tenant, filter: MeetingFilter): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from meetings where ${matching}`,
    filterValues(tenant, filter),
  )
  return rows[0]?.count ?? 0
}

export async function findMeeting(db: Executor, tenant: Tenant, id: string): Promise<MeetingRow | null> {
  const rows = await db.query<MeetingRow>(`select ${columns} from meetings where ${ours} and id = $3`, [
    tenant.accountId,
    tenant.environment,
    id,
  ])
  return rows[0] ?? null
}

export async function lockMeeting(tx: Executor, tenant: Tenant, id: string): Promise<MeetingRow | null> {
  const rows = await tx.query<MeetingRow>(`select ${columns} from meetings where ${ours} and id = $3 for update`, [
    tenant.accountId,
    tenant.environment,
    id,
  ])
  return rows[0] ?? null
}

export async function lockMeetingByUid(tx: Executor, tenant: Tenant, uid: string): Promise<MeetingRow | null> {
  const rows = await tx.query<MeetingRow>(
    `select ${columns} from meetings where ${ours} and calendar_uid = $3 for update`,
    [tenant.accountId, tenant.environment, uid],
  )
  return rows[0] ?? null
}

export async function findLatestMeetingOfLead(
  db: Executor,
  tenant: Tenant,
  lead: { campaignId: string; leadId: string },
): Promise<MeetingRow | null> {
  const rows = await db.query<MeetingRow>(
    `select ${columns} from meetings where ${ours} and campaign_id = $3 and lead_id = $4 order by created_at desc, id desc limit 1`,
    [tenant.accountId, tenant.environment, lead.campaignId, lead.leadId],
  )
  return rows[0] ?? null
}

/** Meetings that occupy the host between the two times. */
export async function listBusy(
  db: Executor,
  tenant: Tenant,
  span: { from: Date; to: Date; exceptId: string | null },
): Promise<{ startAt: Date; endAt: Date }[]> {
  return db.query(
    `select start_at, end_at from meetings where ${ours} and status in ('booked', 'rescheduled') and start_at < $4
       and end_at > $3 and ($5::text is null or id <> $5) order by start_at`,
    [tenant.accountId, tenant.environment, span.from, span.to, span.exceptId],
  )
}

/** The number of upcoming bookings by the page for an address, and the number that the page accepted since a moment. */
export async function countPageBookings(
  db: Executor,
  tenant: Tenant,
  filter: { email: string; now: Date; since: Date },
): Promise<{ ahead: number; recent: number }> {
  const rows = await db.query<{ ahead: number; recent: number }>(
    `select count(*) filter (where start_at > $4 and status in ('booked', 'rescheduled')
         and exists (select 1 from jsonb_array_elements(attendees) a where lower(a->>'email') = lower($3)))::int as ahead,
       count(*) filter (where created_at > $5)::int as recent
     from meetings where ${ours} and source = 'booking_page' and (start_at > $4 or created_at > $5)`,
    [tenant.accountId, tenant.environment, filter.email, filter.now, filter.since],
  )
  return rows[0]!
}

export async function insertMeeting(tx: Executor, tenant: Tenant, row: MeetingRow): Promise<void> {
  await tx.execute(
    `insert into meetings (account_id, environment, ${columns})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`,
    [
      tenant.accountId,
      tenant.environment,
      row.id,
      row.leadId,
      row.campaignId,
      row.status,
      row.source,
      row.title,
      row.startAt,
      row.endAt,
      row.timezone,
      row.joinUrl,
      JSON.stringify(row.attendees),
      row.calendarUid,
      row.calendarSequence,
      row.invited,
      row.sendingAccountId,
      row.pageMoves,
      row.createdAt,
      row.updatedAt,
    ],
  )
}

export async function updateMeeting(tx: Executor, tenant: Tenant, row: MeetingRow): Promise<void> {
  await tx.execute(
    `update meetings set status = $4, title = $5, start_at = $6, end_at = $7, timezone = $8, join_url = $9, attendees = $10,
       calendar_sequence = $11, invited = $12, updated_at = $13, calendar_uid = $14, page_moves = $15 where ${ours} and id = $3`,
    [
      tenant.accountId,
      tenant.environment,
      row.id,
      row.status,
      row.title,
      row.startAt,
      row.endAt,
      row.timezone,
      row.joinUrl,
      JSON.stringify(row.attendees),
      row.calendarSequence,
      row.invited,
      row.updatedAt,
      row.calendarUid,
      row.pageMoves,
    ],
  )
}

export async function deleteMeetingRow(tx: Executor, tenant: Tenant, id: string): Promise<void> {
  await tx.execute(`delete from meetings where ${ours} and id = $3`, [tenant.accountId, tenant.environment, id])
}
