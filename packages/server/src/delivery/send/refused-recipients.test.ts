import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { insertTestAccount, insertTestSender } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { createSmtpPool, type SmtpPool } from '../../platform/mail/smtp-pool.client.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { createSmtpTransport, type Transport } from '../index.ts'
import type { SmtpResult } from '../../platform/mail/smtp-result.ts'

const recipients = ['to@prospects.test', 'cc@prospects.test', 'bcc@prospects.test', 'more@prospects.test']

let database: TestDatabase
let double: SmtpDouble
let pool: SmtpPool
let transport: Transport
let tenant: Tenant
let sendingAccountId: string

beforeAll(async () => {
  database = await createTestDatabase()
  const app = createTestApp(database, { environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' } })
  double = await startSmtpDouble()
  pool = createSmtpPool()
  transport = createSmtpTransport({ app, pool, faultsArmed: false })
  tenant = await insertTestAccount(app.db)
  sendingAccountId = await insertTestSender(app.db, tenant, { port: double.port })
})
afterAll(async () => {
  await pool.close()
  await double.stop()
  await database.drop()
})

function send(): Promise<SmtpResult> {
  return transport.send({
    tenant,
    sendingAccountId,
    connectionVersion: 0,
    messageId: 'msg_1',
    envelope: { from: 'eve@sender.test', to: recipients },
    bytes: Buffer.from('Subject: Hello\r\n\r\nHello'),
    gate: () => Promise.resolve(true),
    hit: () => Promise.resolve(),
    signal: new AbortController().signal,
  })
}

test('each refused recipient is reported with its reply, and accepted ones are not', async () => {
  const refusal = fc.constantFrom({ code: 550, text: '5.1.1 no such user' }, { code: 452, text: '4.2.2 full' })
  const refusals = fc.array(fc.option(refusal), { minLength: recipients.length, maxLength: recipients.length })
  await fc.assert(
    fc.asyncProperty(refusals, async (answers) => {
      const refused = recipients.flatMap((recipient, index) => {
        const answer = answers[index]
        return answer ? [{ recipient, ...answer }] : []
      })
      double.faults = refused.map(({ recipient, ...action }) => ({ stage: 'rcpt', only: recipient, action }))
      const before = double.accepted.length
      const result = await send()
      if (refused.length === recipients.length) {
        expect(result.kind).toBe('refused')
        return
      }
      expect(result).toMatchObject({
        kind: 'accepted',
        refusedRecipients: refused.map(({ recipient, code, text }) => ({
          recipient,
          code,
          status: text.split(' ')[0],
          answer: `${code} ${text}`,
        })),
      })
      const taken = recipients.filter((recipient) => refused.every((one) => one.recipient !== recipient))
      expect(double.accepted.slice(before).map((mail) => mail.to)).toEqual([taken])
    }),
    { numRuns: 40 },
  )
})
