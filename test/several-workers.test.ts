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
const senders = ['ada', 'bob', 'cy'].map((name) => `${name}@sender.test`)
const perSender = 60
const campaignLimit = 100
const domainLimit = 8
const leadsPerCampaign = 150
const patience = { timeout: 120_000, interval: 100 }

let product: RunningProduct
let smtp: SmtpDouble
let folder: string
const workers: ChildProcess[] = []

beforeAll(async () => {
  smtp = await startSmtpDouble({ users: Object.fromEntries(senders.map((user) => [user, 'secret'])) })
  folder = await mkdtemp(join(tmpdir(), 'overture-workers-'))
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

test('three workers with one killed keep every cap exactly, and email no lead twice', async () => {
  const senderIds: string[] = []
  for (const email of senders) senderIds.push(await connectMailbox(email))
  const campaigns = [await launch(senderIds, 'a'), await launch(senderIds, 'b')]
  const worker = { databaseUrl: product.databaseUrl, folder, encryptionKey: key }
  for (const name of ['0', '1', '2']) workers.push(await startWorkerProcess({ ...worker, name }))
  await vi.waitFor(() => expect(smtp.accepted.length).toBeGreaterThanOrEqual(40), patience)
  workers[0]?.kill('SIGKILL')

  // The senders allow 180 messages per day and the campaigns 200; the limits per domain are higher.
  const allowed = senders.length * perSender
  await vi.waitFor(async () => {
    const inDoubt = await countInDoubt(campaigns)
    expect(smtp.accepted.length + inDoubt).toBeGreaterThanOrEqual(allowed)
  }, patience)
  const recipients = smtp.accepted.flatMap((mail) => mail.to)
  expect(new Set(recipients).size).toBe(recipients.length)
  expect(recipients.length).toBeLessThanOrEqual(allowed)
  for (const [, count] of tally(smtp.accepted.map((mail) => mail.from))) expect(count).toBeLessThanOrEqual(perSender)
  for (const [, count] of tally(recipients.map((email) => email.slice(0, 1)))) {
    expect(count).toBeLessThanOrEqual(campaignLimit)
  }
  for (const [, count] of tally(recipients.map((email) => `${email.slice(0, 1)} ${email.split('@')[1]}`))) {
    expect(count).toBeLessThanOrEqual(domainLimit)
  }
})

async function connectMailbox(email: string): Promise<string> {
  const made = await product.live('POST', '/v2/sending-accounts', {
    email,
    fromName: 'Ada',
    provider: 'smtp',
    smtp: { host: '127.0.0.1', port: smtp.port, security: 'none', username: email, password: 'secret' },
    dailyLimit: perSender,
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
    settings: { dailyLimit: campaignLimit, dailyNewLeadLimit: null, maxPerRecipientDomainPerDay: domainLimit },
    steps: [{ variants: [{ subject: 'Hello', body: 'Hi there.' }] }],
    leads: Array.from({ length: leadsPerCampaign }, (_, index) => ({ email: `${letter}${index}@r${index % 15}.test` })),
  })
  expect(status).toBe(201)
  return body.id
}

/** The number of messages that the killed worker was sending, which must not be sent again. */
async function countInDoubt(campaignIds: readonly string[]): Promise<number> {
  let count = 0
  for (const id of campaignIds) {
    const { body } = await product.live('GET', `/v2/campaigns/${id}/leads?blockedReason=delivery_uncertain&limit=100`)
    count += body.results.length
  }
  return count
}

function tally(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
