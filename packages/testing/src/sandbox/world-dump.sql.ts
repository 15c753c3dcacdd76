import type { Executor } from '@overture/server/platform/db/database.ts'

// For messages without a step only the length is compared, since their links contain random values in base 64.
/** Everything that must be equal however the clock was moved. The orders don't depend on random ids. */
const dumps = {
  messages: `select m.id, m.campaign_id, m.lead_id, m.step_id, m.variant_id, m.thread_id, m.sending_account_id, m.direction, m.kind,
      m.rfc_message_id, m.in_reply_to, m.refs, m.from_address, m.to_addresses, m.cc_addresses, m.bcc_addresses, m.to_stranger, m.subject,
      m.queued_at, m.received_at, m.classification, m.attachments, m.status, m.attempts, m.first_attempt_at, m.attempt_at, m.gated_at,
      m.sent_at, m.opened_at, m.smtp_answer, m.failure,
      c.raw,
      c.html is null as html, m.step_id is null or c.text is null as text, c.quoted_text is null as quoted_text
    from message_heads m left join message_contents c using (account_id, environment)
    where c.message_id = m.id
    order by m.queued_at, m.lead_id, m.direction, m.kind, m.step_id, m.received_at`,
  arrived: `select direction, message_id, campaign_id, lead_id, step_id, sending_account_id, from_email, to_emails, subject, rfc_message_id,
      case when step_id is not null then convert_from(raw, 'SQL_ASCII') else length(raw)::text end as raw, at
    from sandbox_messages order by at, direction, lead_id, step_id, subject`,
  progress: `select * from lead_progress order by campaign_id, lead_id`,
  profiles: `select campaign_id, id, open_count, click_count, reply_count, interest, interest_source, machine_interest, updated_at
    from lead_profiles order by campaign_id, id`,
  campaigns: `select id, status, status_reason, hold_reason, hold_until, lead_count, completed_at, updated_at from campaigns order by id`,
  senders: `select id, status, next_send_at, send_sequence, held_until, hold_count, retry_at from sending_accounts order by id`,
  senderDays: `select * from sender_days order by sending_account_id, day`,
  campaignDays: `select * from campaign_days order by campaign_id, day`,
  domainDays: `select * from campaign_domain_days order by campaign_id, day, domain`,
  threads: `select id, campaign_id, lead_id, sending_account_id, subject, snippet, unread, archived, is_conversation,
    last_message_at, awaiting from threads order by lead_id, last_message_at, created_at`,
  events: `select type, occurred_at, campaign_id, lead_id, lead_email, message_id, step_id, variant_id, sending_account_id, data
    from events where environment = 'test' order by occurred_at, lead_id, position`,
  meetings: `select campaign_id, lead_id, status, source, title, start_at, end_at, attendees from meetings order by lead_id, start_at`,
  suppressions: `select email, domain, source, reason, expires_at, created_at from suppressions order by email, domain`,
  jobs: `select kind, run_at, attempts, dead_at from jobs where environment = 'test' and clock = 'tenant' order by run_at, kind`,
  claims: `select count(*) from claims`,
  // Events must be in the order of their time.
  disorder: `select count(*) from (select occurred_at < lag(occurred_at) over (order by position) as earlier from events
    where environment = 'test') e where earlier`,
}

/** How often the planning row was written since the database was created. Each plan from the database writes it twice. */
export async function countPlanWrites(db: Executor): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select n_tup_upd as count from pg_stat_user_tables where relname = 'planning'`,
  )
  return row?.count ?? 0
}

export type WorldDump = Record<keyof typeof dumps, Record<string, unknown>[]>

const drawnIds = /(?<![0-9a-z])(msg|thr|evt|mtg|sup)_?([0-9a-hjkmnp-tv-z]{18}(?:[0-9a-hjkmnp-tv-z]{8})?)\b/g

type StoredMessage = Record<string, unknown> & { raw: Buffer | null; stepId: string | null }

function withBytes({ raw, ...row }: StoredMessage): Record<string, unknown> {
  return { ...row, raw: row.stepId === null ? raw?.length : raw?.toString('latin1') }
}

/** Reads everything that a run wrote. Random ids are replaced by their order of appearance. `since` is the world at the start. */
export async function dumpWorld(db: Executor): Promise<WorldDump> {
  const dumped: Record<string, unknown> = {}
  const labels = new Map<string, string>()
  for (const [name, statement] of Object.entries(dumps)) dumped[name] = await db.query(statement)
  dumped['messages'] = (dumped['messages'] as StoredMessage[]).map(withBytes)
  const text = JSON.stringify(dumped)
    .replaceAll(drawnIds, (_, kind: string, id: string) => {
      const label = labels.get(id) ?? `${kind}#${labels.size}`
      labels.set(id, label)
      return label
    })
    .replaceAll(/(?<=X-Overture-Ref: )[\w.~-]+/g, 'ref')
    // The boundaries and the token of a message are derived from its id.
    .replaceAll(/\b([am])-[0-9a-f]{24}\b/g, '$1-boundary')
  return JSON.parse(text) as WorldDump
}
