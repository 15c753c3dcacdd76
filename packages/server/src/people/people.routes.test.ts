import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findSuppressed } from '../suppressions/index.ts'
import type { Transaction } from '../platform/db/database.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import { insertTestLead } from '@overture/testing/delivery/lead-fixtures.sql.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import type { Tenant } from '../platform/tenant.ts'
import { campaignJobs } from '../campaigns/index.ts'
import { peopleRoutes } from './index.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    routes: () =>
      peopleRoutes({
        updateLead: (tx: Transaction, { accountId, environment }: Tenant, { campaignId, leadId, input, now }) =>
          tx.execute(
            `update lead_profiles set first_name = coalesce($5, first_name), updated_at = $6
             where account_id = $1 and environment = $2 and campaign_id = $3 and id = $4`,
            [accountId, environment, campaignId, leadId, input.firstName ?? null, now],
          ),
        stopLead: () => Promise.resolve(true),
        openReveal: (_tenant, { value }) => value?.toString() ?? null,
      }),
  })
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.live, body })

/** A person who is a lead of two campaigns, with mail, a thread and events. */
async function makePerson(name: string): Promise<{ email: string; leadIds: string[] }> {
  const { accountId, environment } = server.tenant
  const email = `${name}@example.com`
  const { db } = server.app
  await db.execute(
    `insert into people (account_id, environment, id, email, created_at, updated_at) values ($1, $2, $3, $4, now(), now())`,
    [accountId, environment, `per_${name}`, email],
  )
  const leadIds: string[] = []
  for (const number of [1, 2]) {
    const campaignId = `cmp_${name}${number}`
    const leadId = `led_${name}${number}`
    leadIds.push(leadId)
    await db.execute(
      `insert into campaigns (account_id, environment, id, name, status, schedule, settings, sending_account_ids,
         lead_count, created_at, updated_at)
       values ($1, $2, $3, $3, 'active', '{}', '{}', '{}', 1, now(), now())`,
      [accountId, environment, campaignId],
    )
    await insertTestLead(db, server.tenant, {
      campaignId,
      id: leadId,
      email,
      firstName: name,
      company: 'Acme',
      status: 'active',
      interest: 'interested',
    })
    await db.execute(
      `with content as (
         insert into message_contents (account_id, environment, message_id, text) values ($1, $2, $3, 'secret words'))
       insert into message_heads (account_id, environment, id, campaign_id, lead_id, thread_id, sending_account_id, direction, kind,
         status, queued_at)
       values ($1, $2, $3, $4, $5, $6, 'snd_1', 'outbound', 'campaign', 'sent', now())`,
      [accountId, environment, `msg_${name}${number}`, campaignId, leadId, `thr_${name}${number}`],
    )
    await db.transaction((tx) =>
      appendEvents(tx, server.tenant, [
        { type: 'lead.added', occurredAt: new Date('2026-03-01'), campaignId, leadId, leadEmail: email },
        {
          type: 'message.sent',
          occurredAt: new Date('2026-03-02'),
          campaignId,
          leadId,
          leadEmail: email,
          data: { kind: 'campaign', first: true },
        },
      ]),
    )
  }
  return { email, leadIds }
}

/** Every table that contains the text in some row and column, including `bytea` columns. */
async function tablesWith(text: string): Promise<string[]> {
  const { db } = server.app
  const hex = Buffer.from(text).toString('hex')
  const tables = await db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await db.query(
      `select 1 from "${name}" t where position($1 in lower(t::text)) > 0 or position($2 in t::text) > 0 limit 1`,
      [text, hex],
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}

describe('people', () => {
  test("are listed once across campaigns, with filters, and found by their id or a lead's id", async () => {
    await makePerson('ada')
    await makePerson('bob')
    const list = await call('GET', '/v2/leads')
    expect(list.body.pagination.totalCount).toBe(2)
    const count = async (query: string) => (await call('GET', `/v2/leads?${query}`)).body.results.length
    expect([
      await count('q=ADA'),
      await count('q=acme'),
      await count('email=Bob@Example.com'),
      await count('campaignId=cmp_ada1'),
    ]).toEqual([1, 2, 1, 1])
    expect([await count('status=replied'), await count('interest=interested'), await count('limit=1')]).toEqual([
      0, 2, 1,
    ])
    const person = (await call('GET', '/v2/leads/per_ada')).body
    expect(person).toMatchObject({ email: 'ada@example.com', firstName: 'ada', suppressed: false })
    expect(person.campaigns.map((one: { leadId: string }) => one.leadId)).toEqual(['led_ada1', 'led_ada2'])
    expect(person.history).toHaveLength(4)
    expect((await call('GET', '/v2/leads/led_ada2')).body).toEqual(person)
    expect((await server.call('GET', '/v2/leads/per_ada', { key: server.other.keys.live })).status).toBe(404)
  })

  test('are changed in every campaign; read-only fields may be sent back unchanged', async () => {
    await makePerson('cleo')
    const { history: _history, ...person } = (await call('GET', '/v2/leads/per_cleo')).body
    const changed = await call('PUT', '/v2/leads/per_cleo', { ...person, firstName: 'Cleopatra' })
    expect(changed.status, changed.text).toBe(200)
    expect(changed.body.firstName).toBe('Cleopatra')
    expect((await call('PUT', '/v2/leads/per_cleo', { email: 'other@example.com' })).status).toBe(400)
  })

  test('can be exported completely', async () => {
    await makePerson('dora')
    const whole = (await call('GET', '/v2/leads/per_dora/export')).body
    expect([whole.leads.length, whole.messages.length, whole.history.length]).toEqual([2, 2, 4])
    expect(whole.messages[0].text).toBe('secret words')
  })

  /** Creates data about a person in tables other than that of its leads, such as events. */
  async function makeTraces(name: string): Promise<string> {
    const { email, leadIds } = await makePerson(name)
    const at = [server.tenant.accountId, server.tenant.environment]
    const run = (text: string, ...values: unknown[]) => server.app.db.execute(text, [...at, ...values])
    const [campaignId, leadId] = [`cmp_${name}1`, leadIds[0]]
    await run(
      `update lead_profiles set person_id = $4 where account_id = $1 and environment = $2 and id = $3`,
      leadId,
      `per_f_${name}`,
    )
    await run(
      `insert into finder_reveals (account_id, environment, person_id, field, value, credits_charged, revealed_at)
       values ($1, $2, $3, 'email', convert_to($4, 'UTF8'), 1, now())`,
      `per_f_${name}`,
      email,
    )
    await run(
      `insert into step_drafts (account_id, environment, id, campaign_id, lead_id, step_id, variant_id, preset_id, model_id, status, body,
         created_at, updated_at)
       values ($1, $2, $3, $4, $5, 'stp', 'var', 'pre', 'mod', 'waiting', $6, now(), now())`,
      `dft_${name}`,
      campaignId,
      leadId,
      `Dear ${name}`,
    )
    await run(
      `insert into decisions (account_id, environment, campaign_id, lead_id, step_id, evidence, decided_at)
       values ($1, $2, $3, $4, 'stp_fork', $5, now())`,
      campaignId,
      leadId,
      `Opened by ${email}.`,
    )
    await run(
      `insert into tasks (account_id, environment, id, campaign_id, lead_id, channel, title, instructions, status, due_at, created_at)
       values ($1, $2, $3, $4, $5, 'call', $6, '', 'open', now(), now())`,
      `tsk_${name}`,
      campaignId,
      leadId,
      `Call ${name}`,
    )
    await run(
      `insert into generations (account_id, environment, id, model_id, campaign_id, lead_id, kind, subject, body, subject_options,
         prompt_tokens, completion_tokens, credits_charged, created_at)
       values ($1, $2, $3, 'mod', $4, $5, 'step', 'Hi', $6, '{}', 1, 1, 1, now())`,
      `gen_${name}`,
      campaignId,
      leadId,
      `Dear ${name}, written by a model`,
    )
    await run(
      `insert into meetings (account_id, environment, id, status, source, title, start_at, end_at, timezone, attendees, calendar_uid,
         created_at, updated_at)
       values ($1, $2, $3, 'booked', 'calendar_invite', 'T', now(), now() + interval '1 hour', 'UTC', $4, $3, now(), now())`,
      `mtg_${name}`,
      JSON.stringify([{ email: email.toUpperCase(), name: null, status: 'accepted' }]),
    )
    await run(
      `insert into import_rows (account_id, environment, import_id, row_number, fields, reason)
       values ($1, $2, $3, 1, array[$4], 'invalid_field')`,
      `imp_${name}`,
      email.toUpperCase(),
    )
    await run(
      `insert into message_heads (account_id, environment, id, sending_account_id, direction, kind, status, from_address, queued_at)
       values ($1, $2, $3, 'snd_1', 'inbound', 'other', 'received', $4, now())`,
      `msg_${name}_alone`,
      { email, name: null },
    )
    return campaignId
  }

  /** Deletes a campaign as DELETE /v2/campaigns/:id and its purge job do. */
  async function deleteCampaign(campaignId: string): Promise<void> {
    await server.app.db.execute(`update campaigns set deleted_at = now() where account_id = $1 and id = $2`, [
      server.tenant.accountId,
      campaignId,
    ])
    const purge = campaignJobs().find(({ kind }) => kind === 'campaigns.purge')
    const signal = new AbortController().signal
    const { app, tenant } = server
    await purge?.run({ app, tenant, now: app.clock.now(), signal } as never, { campaignId })
  }

  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).sort()

  test('have data outside their leads in the export', async () => {
    await makeTraces('fay')
    await makeTraces('other')
    const whole = (await call('GET', '/v2/leads/per_fay/export')).body
    expect([idsOf(whole.leads), idsOf(whole.meetings)]).toEqual([['led_fay1', 'led_fay2'], ['mtg_fay']])
    expect(idsOf(whole.messages)).toEqual(['msg_fay1', 'msg_fay2', 'msg_fay_alone'])
    expect([idsOf(whole.drafts), idsOf(whole.generations)]).toEqual([['dft_fay'], ['gen_fay']])
    expect(whole.decisions).toHaveLength(1)
    expect(whole.reveals).toMatchObject([{ personId: 'per_f_fay', field: 'email', value: 'fay@example.com' }])
    expect(whole.importRows).toMatchObject([{ import_id: 'imp_fay', fields: ['FAY@EXAMPLE.COM'] }])
  })

  test('have data of deleted campaigns in the export, which is erased too', async () => {
    const campaignId = await makeTraces('gil')
    await server.app.db.execute(`update campaigns set deleted_at = now() where id = 'cmp_gil2'`)
    const deleting = (await call('GET', '/v2/leads/per_gil/export')).body
    expect([deleting.person.campaigns.length, deleting.leads.length, deleting.history.length]).toEqual([1, 2, 4])
    await deleteCampaign(campaignId)
    await deleteCampaign('cmp_gil2')
    const gone = (await call('GET', '/v2/leads/per_gil/export')).body
    expect([idsOf(gone.leads), idsOf(gone.messages), idsOf(gone.drafts)]).toEqual([[], ['msg_gil_alone'], []])
    expect([idsOf(gone.generations), gone.reveals.length, gone.history.length]).toEqual([['gen_gil'], 1, 4])
    expect((await call('DELETE', '/v2/leads/per_gil')).status).toBe(200)
    expect(await tablesWith('gil@example.com')).toEqual([])
    expect(await tablesWith('dear gil')).toEqual([])
    const former = await server.app.db.query(`select 1 from former_leads where lead_id like 'led_gil%'`)
    expect(former).toEqual([])
  })

  const addresses = ['from_address', 'to_addresses', 'from_email', 'to_emails', 'lead_email', 'email', 'email_given']
  const mayName = [...addresses, 'lead_id', 'person_id', 'attendees', 'fields', 'address_hash']

  test('have every table with personal data in their export, or a listed reason', async () => {
    const rows = await server.app.db.query<{ name: string }>(
      `select distinct c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and a.attname ~ $1`,
      [`^(${mayName.join('|')})$`],
    )
    const exported = ['people', 'lead_profiles', 'lead_progress', 'message_heads', 'meetings', 'suppressions']
    const also = [
      'step_drafts',
      'reply_drafts',
      'decisions',
      'tasks',
      'generations',
      'finder_reveals',
      'import_rows',
      'events',
      'former_leads',
      'signals',
      'address_checks',
      'list_members',
      'taggings',
    ]
    const otherwise: Record<string, string> = {
      claims: 'for the minute in which its message is sent',
      contacts: 'holds when messages were sent that are exported, by a hash',
      exchanges: 'holds when a mailbox and an address last exchanged mail, by a hash',
      finder_people: 'is no data of the account: every account searches it',
      former_messages: 'holds hashes of messages that are gone',
      meeting_notices: 'holds hashes of who was told of a meeting, for a day',
      placement_results: 'names only senders and seed mailboxes of the account',
      placement_tests: 'names the lead whose values fill a test text only by id',
      sandbox_messages: 'holds mail to people who were made up',
      seed_mailboxes: 'is of who works with us',
      sending_accounts: 'is of who works with us',
      sign_in_attempts: 'is of who works with us',
      test_messages: 'holds what users were sent in place of leads, and goes with them',
      threads: 'hold the subject and the beginning of messages that are exported',
      user_links: 'is of who works with us',
      users: 'is of who works with us',
      verification_addresses: 'holds the same results as the exported checks, per verification',
    }
    expect(rows.map(({ name }) => name).sort()).toEqual([...exported, ...also, ...Object.keys(otherwise)].sort())
  })

  test('leave no trace in other rows after an erasure', async () => {
    const { email, leadIds } = await makePerson('nora')
    const { db } = server.app
    const { accountId, environment } = server.tenant
    const at = [accountId, environment]
    const run = (text: string, ...values: unknown[]) => db.execute(text, [...at, ...values])
    await run(
      `insert into events (account_id, environment, id, type, occurred_at, lead_id, data)
       values ($1, $2, 'evt_n1', 'message.bounced', now(), $3, $4), ($1, $2, 'evt_n2', 'lead.status_changed', now(), 'led_colleague', $5)`,
      leadIds[0],
      { type: 'hard', code: '5.1.1', reason: `550 5.1.1 <${email}> unknown`, unique: true },
      { from: 'active', to: 'stopped', reason: 'company_reply', stoppedBy: { rule: 'company_reply', email } },
    )
    await run(
      `insert into lead_progress (account_id, environment, campaign_id, lead_id, status, stopped_by, updated_at)
       values ($1, $2, 'cmp_nora1', 'led_colleague', 'stopped', $3, now())`,
      { rule: 'company_reply', email },
    )
    await run(
      `update lead_profiles set person_id = 'per_found' where account_id = $1 and environment = $2 and id = $3`,
      leadIds[1],
    )
    await run(
      `insert into finder_reveals (account_id, environment, person_id, field, value, credits_charged, revealed_at)
       values ($1, $2, 'per_found', 'email', convert_to($3::text, 'UTF8'), 1, now())`,
      email,
    )
    await run(
      `insert into import_rows (account_id, environment, import_id, row_number, fields, reason)
       values ($1, $2, 'imp_1', 1, array[$3::text, 'Nora'], 'invalid_field')`,
      ` ${email.toUpperCase()}`,
    )
    await run(
      `insert into sandbox_messages (account_id, environment, id, direction, sending_account_id, from_email, to_emails, subject, raw, at)
       values ($1, $2, 'sbx_1', 'to_prospect', 'snd_1', 'a@example.com', array[$3::text], 'Hi', convert_to($3::text, 'UTF8'), now())`,
      email,
    )
    await run(
      `insert into meetings (account_id, environment, id, status, source, title, start_at, end_at, timezone, attendees, calendar_uid,
         created_at, updated_at)
       values ($1, $2, 'mtg_n', 'booked', 'booking_page', 'T', now(), now() + interval '1 hour', 'UTC', $3, 'n', now(), now())`,
      JSON.stringify([{ email, name: null, status: 'accepted' }]),
    )
    await run(
      `with content as (
         insert into message_contents (account_id, environment, message_id, raw)
         values ($1, $2, 'msg_n1', convert_to($4::text, 'UTF8')))
       insert into message_heads (account_id, environment, id, sending_account_id, direction, kind, status, from_address, to_addresses,
         cc_addresses, queued_at)
       values ($1, $2, 'msg_n1', 'snd_1', 'inbound', 'other', 'received', $3, '[]', '[]', now())`,
      { email, name: null },
      email,
    )
    expect((await tablesWith(email)).length).toBeGreaterThan(8)
    expect((await call('DELETE', `/v2/leads/${leadIds[0]}`)).status).toBe(200)
    expect(await tablesWith(email)).toEqual([])
    const [colleague] = await db.query<{ rule: string }>(
      `select stopped_by->>'rule' as rule from lead_progress where lead_id = 'led_colleague'`,
    )
    expect(colleague?.rule).toBe('company_reply')
  })

  test('leave nothing after an erasure except the hash in the suppressions', async () => {
    const { email } = await makePerson('eve')
    expect((await call('DELETE', '/v2/leads/led_eve1')).body).toMatchObject({ id: 'led_eve1', deleted: true })
    expect((await call('GET', '/v2/leads/per_eve')).status).toBe(404)
    const rest = ['lead_profiles', 'lead_progress', 'message_heads', 'message_contents', 'claims']
    for (const table of ['people', 'leads', 'events', 'messages', 'suppressions', 'campaigns', ...rest]) {
      const rows = await server.app.db.query<{ row: string }>(`select t::text as row from ${table} t`)
      expect(
        rows.filter(({ row }) => row.includes(email)),
        table,
      ).toEqual([])
    }
    const [campaign] = await server.app.db.query<{ leadCount: number }>(
      `select lead_count from campaigns where id = 'cmp_eve1'`,
    )
    expect(campaign?.leadCount).toBe(0)
    const { db, secrets } = server.app
    const suppressed = await findSuppressed(db, server.tenant, { secrets, emails: [email, 'ada@example.com'] })
    expect([...suppressed.keys()]).toEqual([email])
    const [left] = await server.app.db.query<{ count: number }>(
      `select count(*)::int as count from events where campaign_id = 'cmp_eve1'`,
    )
    expect(left?.count).toBe(2)
  })
})
