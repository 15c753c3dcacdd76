import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
  listTestMessages,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { deliverDue, smtpOver, toolsOver } from '@overture/testing/delivery/delivery-by-hand.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import type { App } from '../../platform/app.ts'
import { createSmtpPool, type SmtpPool } from '../../platform/mail/smtp-pool.client.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { recoverExpired, type Transport } from '../index.ts'
import { droppedBefore, type SmtpResult } from '../../platform/mail/smtp-result.ts'

const start = new Date('2026-03-02T10:00:00.000Z')

let database: TestDatabase
let app: App
let double: SmtpDouble
let pool: SmtpPool
let tenant: Tenant
let senderId: string

beforeAll(async () => {
  database = await createTestDatabase()
  app = createTestApp(database, {
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1', OVERTURE_PUBLIC_URL: 'https://mail.example.com' },
  })
  double = await startSmtpDouble()
  pool = createSmtpPool()
})
afterAll(async () => {
  await pool.close()
  await double.stop()
  await database.drop()
})
beforeEach(async () => {
  double.faults = []
  tenant = await insertTestAccount(app.db)
  senderId = await insertTestSender(app.db, tenant, { port: double.port })
})

async function deliver(transport: Transport, count: number): Promise<void> {
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count, dueAt: start })
  await deliverDue(toolsOver(app, transport), tenant, start)
}

/** A transport that gives any result, even an invalid one: `answers` returns the one for each message. */
function saying(answers: (turn: number) => SmtpResult): Transport {
  let turn = 0
  return {
    async send(request) {
      const answer = answers(turn++)
      return (await request.gate()) ? answer : { kind: 'withheld', reason: 'gate' }
    },
  }
}

const answersOf = async () =>
  app.db.query<{ status: string; smtpAnswer: string | null; failure: { reason: string } | null }>(
    `select status, smtp_answer, failure from messages where account_id = $1 order by id`,
    [tenant.accountId],
  )

test('replies of any bytes delay nothing: each message has its outcome and the next one is sent', async () => {
  const transport = smtpOver(app, pool)
  const answer = fc.tuple(
    fc.constantFrom('250 2.0.0 ok', '550 5.1.1 no', '554 5.7.1 spam'),
    fc.uint8Array({ maxLength: 30 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 3, maxLength: 3 }), async (answers) => {
      tenant = await insertTestAccount(app.db)
      senderId = await insertTestSender(app.db, tenant, { port: double.port })
      double.faults = answers.map(([begins, bytes]) => ({
        stage: 'answer',
        times: 1,
        action: {
          bytes: Buffer.concat([
            Buffer.from(`${begins} \0`),
            bytes.filter((byte) => byte !== 10 && byte !== 13),
            Buffer.from('x'.repeat(990) + '😀\r\n'),
          ]),
        },
      }))
      await deliver(transport, 4)
      const statuses = (await listTestMessages(app.db, tenant)).map((row) => row.status).sort()
      const refused = answers.filter(([begins]) => begins.startsWith('5')).length
      expect(statuses).toEqual([...Array(refused).fill('bounced'), ...Array(4 - refused).fill('sent')])
    }),
    { numRuns: 15 },
  )
})

describe("a text that the database doesn't accept", () => {
  test('is removed from the outcome, and other messages are recorded completely', async () => {
    const dirty = '5.1.1 no\0 \ud83d'
    const results: SmtpResult[] = [
      { kind: 'accepted', answer: `250 ${dirty}`, refusedRecipients: [] },
      { kind: 'refused', stage: 'rcpt', code: 550, status: '5.1.1', answer: `550 ${dirty}` },
      { ...droppedBefore('end', 'closed', ''), message: dirty, terminatorSent: true },
      { kind: 'accepted', answer: '250 fine', refusedRecipients: [] },
    ]
    await deliver(
      saying((turn) => results[turn % results.length]!),
      results.length,
    )
    const rows = await answersOf()
    expect(rows.map((row) => row.status).sort()).toEqual(['bounced', 'sent', 'sent', 'uncertain'])
    expect(rows.map((row) => row.smtpAnswer ?? row.failure?.reason)).toContain('250 fine')
    expect(JSON.stringify(rows)).toContain('could not be stored')
    const events = await app.db.query<{ type: string }>(`select type from events where account_id = $1`, [
      tenant.accountId,
    ])
    expect(events.map((event) => event.type)).toEqual(
      expect.arrayContaining(['message.sent', 'message.bounced', 'message.uncertain']),
    )
  })

  test('a row that is still refused becomes uncertain after its lease, and others are recorded', async () => {
    await app.db.execute(`create function refuse_sent() returns trigger language plpgsql as $$ begin
      if new.status = 'sent' and new.rfc_message_id = (
        select min(m.rfc_message_id) from message_heads m where m.account_id = new.account_id)
      then raise exception 'never' using errcode = '23514'; end if; return new; end $$`)
    await app.db.execute(
      `create trigger refuse_sent before update on message_heads for each row execute function refuse_sent()`,
    )
    try {
      await deliver(
        saying(() => ({ kind: 'accepted', answer: '250 fine', refusedRecipients: [] })),
        3,
      )
      const statuses = () => answersOf().then((rows) => rows.map((row) => row.status).sort())
      expect(await statuses()).toEqual(['sending', 'sent', 'sent'])
      await app.db.execute(`update claims set lease_until = now() - interval '1 hour' where lease_until is not null`)
      await recoverExpired(app)
      expect(await statuses()).toEqual(['sent', 'sent', 'uncertain'])
    } finally {
      await app.db.execute('drop trigger refuse_sent on message_heads')
    }
  })
})
