import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { insertTestAccount } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import type { App } from '../platform/app.ts'
import { retentionPeriodic, retentions } from './retention.worker.ts'

const now = new Date('2026-11-20T10:00:00.000Z')
const dayMs = 86_400_000

/** Inserts for each table a row that began or ended at a time. `$1` is the account, `$2` the time, `$3` the name of the row. */
const rows: Record<string, { table: string; insert: string }[]> = {
  finder_searches: [
    {
      table: 'finder_searches',
      insert: `insert into finder_searches (account_id, environment, digest, charged_at)
        values ($1, 'live', convert_to($3, 'UTF8'), $2)`,
    },
  ],
  finder_scroll_tokens: [
    {
      table: 'finder_scroll_tokens',
      insert: `insert into finder_scroll_tokens (provider, digest, page, token, created_at)
        values ($1, convert_to($3, 'UTF8'), 1, 't', $2)`,
    },
  ],
  signals: [
    {
      table: 'signals',
      insert: `insert into signals (account_id, environment, id, name, email, occurred_at, created_at, recorded_at)
        values ($1, 'live', $3, 'crm.deal_won', 'a@example.com', $2, $2, $2)`,
    },
  ],
  exports: [
    {
      table: 'export_chunks',
      insert: `with made as (
          insert into exports (account_id, environment, id, status, format, created_at, expires_at, recorded_at)
          values ($1, 'live', $3, 'completed', 'csv', $2, $2, $2)),
        filed as (insert into export_files (account_id, environment, export_id, content, position) values ($1, 'live', $3, 'tags', 1))
        insert into export_chunks (account_id, environment, export_id, content, position, packed) values ($1, 'live', $3, 'tags', 0, '')`,
    },
  ],
  report_runs: [
    {
      table: 'report_deliveries',
      insert: `with made as (
          insert into reports (account_id, environment, id, name, active, query, every, at_time, timezone, recipients, created_at)
          values ($1, 'live', $3, 'Daily', false, '{}', 'day', '08:00', 'UTC', '{}', $2)),
        begun as (insert into report_runs (account_id, environment, id, report_id, from_text, to_text, status, created_at, recorded_at)
          values ($1, 'live', $3, $3, '2026-01-01', '2026-01-01', 'sent', $2, $2))
        insert into report_deliveries (account_id, environment, run_id, user_id, status) values ($1, 'live', $3, 'usr_1', 'sent')`,
    },
  ],
  verifications: [
    {
      table: 'verifications',
      insert: `insert into verifications (account_id, environment, id, status, total, created_at, recorded_at)
        values ($1, 'live', $3, 'completed', 1, $2, $2)`,
    },
  ],
  verification_addresses: [
    {
      table: 'verification_addresses',
      insert: `insert into verification_addresses (account_id, environment, verification_id, email, due_at, recorded_at)
        values ($1, 'live', $3, 'a@example.com', $2, $2)`,
    },
  ],
  address_checks: [
    {
      table: 'address_checks',
      insert: `insert into address_checks (account_id, environment, email, result, reasons, source, checked_at, recorded_at)
        values ($1, 'live', $3, 'risky', '{typo}', 'rules', $2, $2)`,
    },
  ],
  dmarc_reports: [
    {
      table: 'dmarc_reports',
      insert: `insert into dmarc_reports (account_id, environment, id, policy_domain, org_name, report_id, policy, begins_at, ends_at,
          messages, spf_aligned, dkim_aligned, received_at, recorded_at)
        values ($1, 'live', $3, 'example.com', 'a', $3, 'none', $2, $2, 1, 1, 1, $2, $2)`,
    },
  ],
  placement_tests: [
    {
      table: 'placement_tests',
      insert: `insert into placement_tests (account_id, environment, id, status, sending_account_ids, seed_mailbox_ids, repeat, created_at,
          recorded_at)
        values ($1, 'live', $3, 'completed', '{}', '{}', 'none', $2, $2)`,
    },
  ],
  placement_results: [
    {
      table: 'placement_results',
      insert: `insert into placement_results (account_id, environment, id, placement_test_id, sending_account_id, from_email,
          seed_mailbox_id, to_email, ref, placement, recorded_at)
        values ($1, 'live', $3, 'x', 'x', 'x', 'x', 'x', 'x', 'inbox', $2)`,
    },
  ],
  dmarc_sources: [
    {
      table: 'dmarc_sources',
      insert: `insert into dmarc_sources (account_id, environment, domain, day, source_ip, disposition, spf_aligned, dkim_aligned, messages,
          recorded_at)
        values ($1, 'live', $3 || '.example.com', $2::timestamptz::date, '192.0.2.1', 'none', true, true, 1, $2)`,
    },
  ],
  recipient_domains: [
    {
      table: 'recipient_domains',
      insert: `insert into recipient_domains (account_id, environment, domain, provider, recorded_at)
        values ($1, 'live', $3 || '.example.com', 'other', $2)`,
    },
  ],
  sandbox_messages: [
    {
      table: 'sandbox_messages',
      insert: `insert into sandbox_messages (account_id, environment, id, direction, sending_account_id, from_email, to_emails, subject,
          raw, at, recorded_at)
        values ($1, 'test', $3, 'to_prospect', 'snd_1', 'a@example.com', '{}', 'Hi', '', $2, $2)`,
    },
  ],
  message_contents: [
    {
      table: 'message_contents',
      insert: `with head as (
          insert into message_heads (account_id, environment, id, sending_account_id, direction, kind, status, queued_at)
          values ($1, 'live', $3, 'snd_1', 'outbound', 'campaign', 'sent', $2))
        insert into message_contents (account_id, environment, message_id, raw, recorded_at) values ($1, 'live', $3, '', $2)`,
    },
  ],
  jobs: [
    {
      table: 'jobs',
      insert: `insert into jobs (account_id, environment, kind, key, run_at, dead_at) values ($1, 'live', 'some.kind', $3, $2, $2)`,
    },
  ],
  stripe_events: [
    { table: 'stripe_events', insert: `insert into stripe_events (id, type, received_at) values ($3 || $1, 'x', $2)` },
  ],
  days: [
    {
      table: 'sender_days',
      insert: `insert into sender_days (account_id, environment, sending_account_id, day, claimed)
         values ($1, 'live', $3, $2::timestamptz::date, 1)`,
    },
    {
      table: 'campaign_days',
      insert: `insert into campaign_days (account_id, environment, campaign_id, day, claimed, claimed_first)
        values ($1, 'live', $3, $2::timestamptz::date, 1, 1)`,
    },
    {
      table: 'campaign_domain_days',
      insert: `insert into campaign_domain_days (account_id, environment, campaign_id, day, domain, claimed)
        values ($1, 'live', $3, $2::timestamptz::date, 'a.test', 1)`,
    },
    {
      table: 'budget_days',
      insert: `insert into budget_days (account_id, environment, budget_id, day, claimed)
        values ($1, 'live', $3, $2::timestamptz::date, 1)`,
    },
  ],
  import_rows: [
    {
      table: 'import_rows',
      insert: `with import as (
          insert into imports (account_id, environment, id, campaign_id, on_duplicate, header, status, created_at, completed_at)
          values ($1, 'live', $3, 'cmp_1', 'skip', '{}', 'completed', $2, $2))
        insert into import_rows (account_id, environment, import_id, row_number, fields, reason) values ($1, 'live', $3, 1, '{}', 'x')`,
    },
  ],
  generations: [
    {
      table: 'generations',
      insert: `insert into generations (account_id, environment, id, model_id, kind, subject, body, subject_options, prompt_tokens,
          completion_tokens, credits_charged, created_at)
        values ($1, 'live', $3, 'model', 'step', '', '', '{}', 1, 1, 1, $2)`,
    },
  ],
  contacts: [
    {
      table: 'contacts',
      insert: `insert into contacts (account_id, environment, address_hash, message_id, campaign_id, lead_id, first, at)
        values ($1, 'live', convert_to($3, 'UTF8'), 'msg_1', 'cmp_1', 'led_1', true, $2)`,
    },
  ],
  exchanges: [
    {
      table: 'exchanges',
      insert: `insert into exchanges (account_id, environment, address_hash, sending_account_id, direction, of_campaign, at)
        values ($1, 'live', convert_to($3, 'UTF8'), 'snd_1', 'inbound', false, $2)`,
    },
  ],
  api_keys: [
    {
      table: 'api_keys',
      insert: `insert into api_keys (account_id, id, environment, name, prefix, digest, scopes, created_at, revoked_at)
        values ($1, $3, 'live', 'K', 'p', convert_to($3, 'UTF8'), '{}', $2, $2)`,
    },
  ],
}

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('every table with retention has a test row here', () => {
  expect(Object.keys(rows).sort()).toEqual(retentions.map(({ name }) => name).sort())
})

const messageDays = 30
const environment = { OVERTURE_MESSAGE_RETENTION_DAYS: String(messageDays) }

test.each(retentions)(
  '$name are kept for their time and deleted afterwards, in any number',
  async ({ name, days: kept }) => {
    const app = createTestApp(database, { environment })
    const days = typeof kept === 'number' ? kept : kept(app.config)
    const { db } = app
    const { accountId } = await insertTestAccount(db)
    const ages = [days + 400, days + 2, days - 2, 0]
    for (const [at, age] of ages.entries())
      for (const { insert } of rows[name] ?? [])
        await db.execute(insert, [accountId, new Date(now.getTime() - age * dayMs), `row_${at}`])
    const task = retentionPeriodic.find((one) => one.name === `retention.${name}`)
    await task?.run(app, now)
    for (const { table } of rows[name] ?? []) {
      const left = await db.query(`select 1 from ${table} t where t::text like '%' || $1 || '%'`, [accountId])
      expect([table, left.length]).toEqual([table, 2])
    }
    // One statement deletes no more rows than its limit, so that none runs long.
    const old = new Date(now.getTime() - (days + 2) * dayMs)
    for (const at of [1, 2, 3])
      for (const { insert } of rows[name] ?? []) await db.execute(insert, [accountId, old, `more_${at}`])
    const { forget } = retentions.find((one) => one.name === name)!
    const before = new Date(now.getTime() - days * dayMs)
    const gone = [await forget(db, before, 2), await forget(db, before, 2), await forget(db, before, 2)]
    // The tables of days have one row for each sender and campaign.
    expect(gone).toEqual([2, 1, 0])
  },
)

test('a revoked key is kept while a key created by it exists', async () => {
  const app = createTestApp(database, {})
  const { accountId } = await insertTestAccount(app.db)
  const old = new Date(now.getTime() - 500 * dayMs)
  for (const [id, parent, revoked] of [
    ['parent', null, old],
    ['child', 'parent', null],
  ])
    await app.db.execute(
      `insert into api_keys (account_id, id, environment, name, prefix, digest, scopes, created_at, revoked_at, parent_id)
       values ($1, $2, 'live', 'K', 'p', convert_to($1 || $2, 'UTF8'), '{}', $3, $4, $5)`,
      [accountId, id, old, revoked, parent],
    )
  await retentionPeriodic.find(({ name }) => name === 'retention.api_keys')?.run(app, now)
  expect(await app.db.query('select 1 from api_keys where account_id = $1', [accountId])).toHaveLength(2)
})

const insertOf = (name: string) => rows[name]?.[0]?.insert ?? ''
const run = (app: App, name: string) =>
  retentionPeriodic.find((task) => task.name === `retention.${name}`)?.run(app, now)

test('message bytes are kept unless configured otherwise, and always for unfinished messages', async () => {
  const app = createTestApp(database, { environment })
  const { accountId } = await insertTestAccount(app.db)
  const old = new Date(now.getTime() - 500 * dayMs)
  const statuses = ['queued', 'uncertain', 'sent', 'bounced', 'failed', 'received']
  for (const status of statuses) {
    await app.db.execute(insertOf('message_contents'), [accountId, old, status])
    await app.db.execute(`update message_heads set status = $2 where account_id = $1 and id = $2`, [accountId, status])
  }
  const left = async () => {
    const found = await app.db.query<{ id: string }>(
      `select message_id as id from message_contents where account_id = $1 order by 1`,
      [accountId],
    )
    return found.map(({ id }) => id)
  }
  await run(createTestApp(database, {}), 'message_contents')
  expect(await left()).toEqual(statuses.toSorted())
  await run(app, 'message_contents')
  expect(await left()).toEqual(['queued', 'uncertain'])
  const heads = await app.db.query(`select 1 from message_heads where account_id = $1`, [accountId])
  expect(heads).toHaveLength(statuses.length)
})

test("a key's rate counts are deleted with the key", async () => {
  const app = createTestApp(database, {})
  const { accountId } = await insertTestAccount(app.db)
  await app.db.execute(insertOf('api_keys'), [accountId, new Date(now.getTime() - 500 * dayMs), 'key_old'])
  await app.db.execute(insertOf('api_keys'), [accountId, now, 'key_young'])
  for (const id of ['key_old', 'key_young'])
    await app.db.execute(`insert into rate_windows (account_id, key_id, request_log) values ($1, $2, '{}')`, [
      accountId,
      id,
    ])
  await run(app, 'api_keys')
  const windows = await app.db.query(`select key_id from rate_windows where account_id = $1`, [accountId])
  expect(windows).toEqual([{ keyId: 'key_young' }])
})

/** Tables whose rows are not deleted by age, each with its reason. */
const keptOtherwise: Record<string, string> = {
  accounts: 'until it is deleted',
  api_nodes: 'while the node lives',
  assistant_grants: 'with its key',
  assistant_records: 'until its time is over, or its grant ends',
  audit_entries: 'OVERTURE_AUDIT_DAYS, by months',
  audit_seals: 'a row for a thousand entries; the chain needs every one',
  audit_unsealed: 'until the next seal',
  billing_customers: 'one per account',
  campaigns: 'until it is deleted',
  claims: 'while a message is under way, or in doubt',
  credit_balances: 'two per account',
  credit_ledger: 'the account’s books',
  credit_reservations: 'while work is under way',
  decisions: 'until the campaign or the person is deleted',
  event_looks: 'one per reader and server',
  event_places: 'four per account',
  erasures: 'kept permanently, as proof; it names no person',
  event_epochs: 'one row',
  events: 'OVERTURE_EVENT_RETENTION_DAYS, by months',
  finder_companies: 'what the operator has loaded',
  finder_datasets: 'what the operator has loaded',
  finder_people: 'what the operator has loaded',
  finder_provider_usage: 'twelve per year and provider',
  finder_reveals: 'paid for, free again for good',
  forwards: 'until the campaign or the person is deleted',
  former_leads: 'a hash; the log names the lead as long',
  former_messages: 'a hash; links in mail work for ever',
  idempotency_keys: 'a day, by its own worker',
  imports: 'until the campaign is deleted',
  inbox_workers: 'while the worker lives',
  contact_policies: 'two per account',
  reply_drafts: 'one per conversation, until the campaign or the person is deleted',
  conversation_notes: 'until the campaign or the person is deleted, or the note by a person',
  lists: 'until it is deleted',
  list_members: 'until the list or the person is deleted, or the member is removed',
  list_follows: 'until the campaign is deleted, or no longer follows the list',
  tags: 'until it is deleted',
  taggings: 'until the tag or its object is deleted',
  lead_profiles: 'until the campaign or the person is deleted',
  lead_progress: 'until the campaign or the person is deleted',
  mailbox_folders: 'until the sender is deleted',
  mailbox_counts: 'one row',
  mailboxes: 'until the sender is deleted',
  meeting_availability: 'two per account',
  meeting_notices: 'some days, with the next notice of the account',
  meetings: 'the account’s own, until it or the person is deleted',
  message_heads: 'until the campaign or the person is deleted',
  monthly_usage: 'twelve per year and account',
  oauth_states_used: 'a week at most, with the next login of the account',
  people: 'until the person is erased',
  planning: 'two per account',
  prompt_presets: 'until it is deleted',
  reports: 'until it is deleted',
  recipient_budgets: 'until the limit is removed',
  sandbox_clocks: 'one per account',
  sandbox_runs: 'while a clock is moved',
  schema_migrations: 'one per migration',
  seed_mailboxes: 'until it is deleted',
  sending_accounts: 'until it is deleted',
  sessions: 'until it has ended, by its own worker',
  set_aside_messages: '90 days, by its own worker',
  settings: 'a handful',
  sign_in_attempts: 'a quarter of an hour, by its own worker',
  stat_quarter_hours: 'counts, which outlive the log',
  stat_totals: 'counts, which outlive the log',
  stat_variants: 'counts, which outlive the log',
  step_drafts: 'until the campaign is deleted',
  tasks: 'until the campaign is deleted, or the task by a person',
  steps: 'until the campaign is deleted',
  stripe_ended_subscriptions: 'one per subscription that ended: a late notice never brings it back',
  stripe_sessions: 'one per purchase: none is fulfilled twice',
  suppressions: 'for good, or until it expires',
  templates: 'until it is deleted',
  tenant_connections: 'until it is deleted',
  test_messages: 'until the campaign or the person is deleted',
  threads: 'until the campaign or the person is deleted',
  user_links: 'until it was used or has ended, by its own worker',
  users: 'until it is deleted',
  variants: 'until the campaign is deleted',
  webhook_deliveries: '30 days, by its own worker',
  webhooks: 'until it is deleted',
}

test('every table has a retention or a listed reason', async () => {
  const found = await database.db.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  const planned = [...retentions.flatMap(({ tables }) => tables), ...Object.keys(keptOtherwise)]
  expect(found.map(({ name }) => name).sort()).toEqual(planned.toSorted())
})
