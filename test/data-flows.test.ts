import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

/** Source: docs/law-by-country.md. */
let server: TestServer
beforeAll(async () => {
  server = await startWholeServer({
    environment: {
      OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
      OPENAI_API_KEY: 'secret-of-the-model',
      OVERTURE_VERIFICATION_PROVIDER: 'bouncer',
      OVERTURE_VERIFICATION_API_KEY: 'secret-of-the-verifier',
      OVERTURE_DNS_SERVERS: '127.0.0.53',
    },
  })
})
afterAll(() => server.stop())

const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await server.call(method, path, { key: server.keys.live, body })
  expect([path, answer.status < 300, answer.body.error]).toEqual([path, true, undefined])
  return answer.body
}

test('every configured receiver is listed with its host, its fields and the calls of 30 days', async () => {
  const smtp = { host: 'smtp.sender.test', port: 465, username: 'ada', password: 'secret-of-the-mailbox' }
  const { id } = await ask('POST', '/v2/sending-accounts', { email: 'ada@sender.test', fromName: 'Ada', smtp })
  await ask('POST', '/v2/webhooks', { url: 'https://hooks.example.com:8443/in?token=secret-of-the-hook' })
  const { accountId } = server.tenant
  await server.app.db.execute(
    `insert into sender_days (account_id, environment, sending_account_id, day, claimed)
     values ($1, 'live', $2, current_date, 7), ($1, 'live', $2, current_date - 60, 100)`,
    [accountId, id],
  )
  const { receivers } = await ask('GET', '/v2/account/data-flows')
  const found = receivers.map(
    (one: { receiver: string; host: string; configuredBy: string; callsIn30Days: number }) => [
      one.receiver,
      one.host,
      one.configuredBy,
      one.callsIn30Days,
    ],
  )
  expect(found).toEqual([
    ['mail_server', 'smtp.sender.test', 'account', 7],
    ['webhook', 'hooks.example.com:8443', 'account', 0],
    ['ai_model', 'api.openai.com', 'operator', 0],
    ['address_verification', 'api.usebouncer.com', 'operator', 0],
    ['assistant_document', 'the host that an assistant names', 'account', null],
    ['name_server', '127.0.0.53', 'operator', null],
  ])
  for (const { fields } of receivers) expect(fields.length).toBeGreaterThan(0)
  expect(JSON.stringify(receivers)).not.toContain('secret')
})

test('the test environment sends data to no one', async () => {
  const answer = await server.call('GET', '/v2/account/data-flows', { key: server.keys.test })
  expect(answer.body).toEqual({ receivers: [] })
})
