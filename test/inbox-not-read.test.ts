import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startMailWorld, type MailWorld } from '@overture/testing/server/mail-world.ts'
import { createInboxWorker } from '../packages/server/src/inbox/index.ts'
import { anyTime } from '@overture/testing/schedules.ts'
import type { AnswerBody } from '@overture/testing/server.ts'

const user = 'sender@tenant.test'
let world: MailWorld
let imap: ImapDouble
let senderId: string
let campaignId: string
let leadId: string

async function call(method: string, path: string, body?: unknown): Promise<AnswerBody> {
  const answer = await world.live(method, path, body)
  expect([path, answer.status < 300, answer.status < 300 ? null : answer.body]).toEqual([path, true, null])
  return answer.body
}

beforeAll(async () => {
  world = await startMailWorld()
  imap = await startImapDouble({ users: { [user]: 'secret' } })
  const login = { host: '127.0.0.1', security: 'none', username: user, password: 'secret' }
  const sender = await call('POST', '/v2/sending-accounts', {
    email: user,
    fromName: 'Sender',
    smtp: { host: '127.0.0.1', security: 'none', port: world.smtp.port },
    imap: { ...login, port: imap.port },
    minGapSeconds: 0,
    maxGapSeconds: 0,
  })
  senderId = sender.id
  await call('PUT', '/v2/account', { postalAddress: '1 Main St, Town' })
  const campaign = await call('POST', '/v2/campaigns', {
    name: 'One',
    sendingAccountIds: [senderId],
    schedule: { timezone: 'UTC', ...anyTime },
    steps: [{ variants: [{ subject: 'Hello', body: 'Hi' }] }],
  })
  campaignId = campaign.id
  const added = await call('POST', `/v2/campaigns/${campaignId}/leads`, { leads: [{ email: 'ada@example.com' }] })
  leadId = added.results[0].leadId
  await call('POST', `/v2/campaigns/${campaignId}/start`)
})
afterAll(async () => {
  await world.stop()
  await imap.stop()
})

const explain = () => call('GET', `/v2/campaigns/${campaignId}/leads/${leadId}/explain`)

test('a mailbox not read for a quarter of an hour sends nothing until it is read', async () => {
  await world.server.app.db.execute(
    `update sending_accounts set created_at = created_at - interval '16 minutes' where id = $1`,
    [senderId],
  )
  await world.work()
  expect(world.smtp.accepted).toEqual([])
  const explanation = await explain()
  expect(explanation.blockedReason).toBe('inbox_not_read')
  expect(explanation.gates.filter((gate: { passed: boolean }) => !gate.passed)).toMatchObject([
    { gate: 'inbox_not_read', until: null, detail: expect.stringMatching(/^The mailbox of snd_\w+ was read at 20/) },
  ])
  expect((await call('GET', `/v2/campaigns/${campaignId}/leads/${leadId}`)).blockedReason).toBe('inbox_not_read')
  const status = await call('GET', `/v2/campaigns/${campaignId}/followup-status`)
  expect(status).toMatchObject({ blocked: [{ reason: 'inbox_not_read', count: 1 }], nextSendAt: null })

  const worker = createInboxWorker(world.server.app, { tickMs: 50, pollMs: 300 })
  await worker.start()
  try {
    await vi.waitFor(async () => expect((await explain()).blockedReason).not.toBe('inbox_not_read'), {
      timeout: 60_000,
      interval: 50,
    })
  } finally {
    await worker.stop()
  }
  // The planner was notified too: the account's next plan is due now.
  const [due] = await world.server.app.db.query<{ due: boolean }>(
    'select next_plan_at <= now() as due from planning where account_id = $1',
    [world.server.tenant.accountId],
  )
  expect(due).toEqual({ due: true })
  await world.work()
  expect(world.smtp.accepted).toMatchObject([{ to: ['ada@example.com'] }])
})
