import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type SmtpDouble, startSmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { type RunningProduct, startRunningServer } from '@overture/testing/server/running-server.ts'
import { startWorkerProcess } from '@overture/testing/server/worker-process.ts'
import { anyTime } from '@overture/testing/schedules.ts'

const key = 'one key for every node of this test'
const mailboxes = Array.from({ length: 20 }, (_, index) => `box${index}@contoso.test`)
const budget = 33
const patience = { timeout: 120_000, interval: 100 }

let product: RunningProduct
let smtp: SmtpDouble
let folder: string
const workers: ChildProcess[] = []

beforeAll(async () => {
  smtp = await startSmtpDouble({ users: Object.fromEntries(mailboxes.map((user) => [user, 'secret'])) })
  folder = await mkdtemp(join(tmpdir(), 'overture-budget-'))
  const environment = { OVERTURE_ENCRYPTION_KEY: key, OVERTURE_ALLOW_PRIVATE_TARGETS: '1' }
  product = await startRunningServer({ OVERTURE_ROLE: 'api', ...environment })
  await product.live('PUT', '/v2/account', { postalAddress: '1 Main Street, Springfield' })
})
afterAll(async () => {
  for (const worker of workers) if (worker.exitCode === null) worker.kill('SIGKILL')
  await product.stop()
  await smtp.stop()
  await rm(folder, { recursive: true, force: true })
})

test('twenty mailboxes of a tenant never send one more than its budget over two worker processes', async () => {
  const senderIds = await Promise.all(mailboxes.map(connectMailbox))
  const domain = '/v2/deliverability/domains/contoso.test'
  expect((await product.live('PUT', domain, { dailyExternalRecipients: budget })).body).toMatchObject({
    dailyExternalRecipients: budget,
    suggestedDailyExternalRecipients: null,
  })
  const campaigns = [await launch(senderIds, 'a'), await launch(senderIds, 'b')]
  for (let index = 0; index < 2; index++) workers.push(await startWorker(index))
  await vi.waitFor(() => expect(smtp.accepted.length).toBeGreaterThanOrEqual(budget), patience)
  // All other leads are held by the budget, so nothing else is on its way.
  for (const id of campaigns)
    await vi.waitFor(async () => expect(await heldBy(id)).toBe('sender_daily_limit'), patience)
  expect(smtp.accepted).toHaveLength(budget)

  // A higher budget is used up exactly as well.
  await product.live('PUT', domain, { dailyExternalRecipients: budget + 9 })
  await vi.waitFor(() => expect(smtp.accepted.length).toBeGreaterThanOrEqual(budget + 9), patience)
  for (const id of campaigns)
    await vi.waitFor(async () => expect(await heldBy(id)).toBe('sender_daily_limit'), patience)
  const recipients = smtp.accepted.flatMap((mail) => mail.to)
  expect(recipients).toHaveLength(budget + 9)
  expect(new Set(recipients).size).toBe(recipients.length)

  // Without the limit the rest is sent.
  await product.live('PUT', domain, { dailyExternalRecipients: null })
  await vi.waitFor(() => expect(smtp.accepted).toHaveLength(200), patience)
}, 240_000)

async function connectMailbox(email: string): Promise<string> {
  const made = await product.live('POST', '/v2/sending-accounts', {
    email,
    fromName: 'Ada',
    provider: 'smtp',
    smtp: { host: '127.0.0.1', port: smtp.port, security: 'none', username: email, password: 'secret' },
    minGapSeconds: 0,
    maxGapSeconds: 0,
  })
  expect(made.status).toBe(201)
  return made.body.id
}

async function launch(sendingAccountIds: string[], letter: string): Promise<string> {
  const { status, body } = await product.live('POST', '/v2/campaigns/launch', {
    name: `Campaign ${letter}`,
    sendingAccountIds,
    schedule: anyTime,
    settings: { dailyLimit: null, dailyNewLeadLimit: null, maxPerRecipientDomainPerDay: null },
    steps: [{ variants: [{ subject: 'Hello', body: 'Hi there.' }] }],
    leads: Array.from({ length: 100 }, (_, index) => ({ email: `${letter}${index}@r${index % 15}.test` })),
  })
  expect(status).toBe(201)
  return body.id
}

/** The gate of the lead that waits longest. */
async function heldBy(campaignId: string): Promise<string> {
  const { body } = await product.live('GET', `/v2/campaigns/${campaignId}/leads?status=pending&limit=1`)
  const explained = await product.live('GET', `/v2/campaigns/${campaignId}/leads/${body.results[0]?.id}/explain`)
  return explained.body.blockedReason
}

function startWorker(index: number): Promise<ChildProcess> {
  const { databaseUrl } = product
  return startWorkerProcess({ databaseUrl, folder, name: String(index), encryptionKey: key })
}
