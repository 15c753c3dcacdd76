import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type SmtpDouble, startSmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { createRandom } from '@overture/testing/sandbox/random.ts'
import { anyTime } from '@overture/testing/schedules.ts'
import { type RunningProduct, startRunningServer } from '@overture/testing/server/running-server.ts'
import { startWorkerProcess } from '@overture/testing/server/worker-process.ts'
import type { AnswerBody } from '@overture/testing/server.ts'

// Each test sends some hundred messages through whole processes.
vi.setConfig({ testTimeout: 120_000 })

/** Source: docs/contract.md, "Contact policy". */
const encryptionKey = 'one key for both workers of this test'
const senders = ['ada', 'bob', 'cy'].map((name) => `${name}@sender.test`)
const people = 100
const messagesMax = 2
const peopleMax = 4
const patience = { timeout: 110_000, interval: 100 }

let product: RunningProduct
let smtp: SmtpDouble
let folder: string
const senderIds: string[] = []
const workers: ChildProcess[] = []

beforeAll(async () => {
  smtp = await startSmtpDouble({ users: Object.fromEntries(senders.map((user) => [user, 'secret'])) })
  folder = await mkdtemp(join(tmpdir(), 'overture-two-workers-'))
  product = await startRunningServer({
    OVERTURE_ROLE: 'api',
    OVERTURE_ENCRYPTION_KEY: encryptionKey,
    OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
  })
  await done('PUT', '/v2/account', { postalAddress: '1 Main Street, Springfield' })
  await done('PUT', '/v2/account/contact-policy', {
    perPerson: { messages: messagesMax, days: 7 },
    perCompany: { people: peopleMax, days: 7 },
  })
  for (const email of senders) senderIds.push((await done('POST', '/v2/sending-accounts', senderOf(email))).id)
  const worker = { databaseUrl: product.databaseUrl, folder, encryptionKey }
  for (const name of ['one', 'two']) workers.push(await startWorkerProcess({ ...worker, name }))
})
afterAll(async () => {
  for (const worker of workers) if (worker.exitCode === null) worker.kill('SIGKILL')
  await product.stop()
  await smtp.stop()
  await rm(folder, { recursive: true, force: true })
})

async function done(method: string, path: string, body?: unknown): Promise<AnswerBody> {
  const answer = await product.live(method, path, body)
  expect([path, answer.status < 300 ? null : answer.body]).toEqual([path, null])
  return answer.body
}

function senderOf(email: string) {
  const server = { host: '127.0.0.1', port: smtp.port, security: 'none', username: email, password: 'secret' }
  const pace = { dailyLimit: 2_000, minGapSeconds: 0, maxGapSeconds: 0 }
  return { email, fromName: 'Ada', provider: 'smtp', smtp: server, ...pace }
}

const seeds = Array.from({ length: 20 }, (_, seed) => seed + 1)

test.each(seeds)(
  'two workers with three campaigns for the same people keep both limits exactly (seed %i)',
  async (seed) => {
    const random = createRandom(seed)
    const leads = randomPeople(seed)
    const campaigns: string[] = []
    for (const name of ['a', 'b', 'c']) {
      const order = leads.map((lead) => ({ lead, at: random.between(1, 1_000_000) })).sort((a, b) => a.at - b.at)
      const senderId = random.pick(senderIds)
      campaigns.push(
        await launch(
          `${name}${seed}`,
          senderId,
          order.map(({ lead }) => lead),
        ),
      )
    }
    await expect.poll(() => unsettled(campaigns), patience).toEqual([])

    const sent = tally(smtp.accepted.flatMap(({ to }) => to).filter((email) => companyOf(leads, email) !== null))
    const companies = tally(leads.map(({ companyDomain }) => companyDomain))
    const written = tally([...sent.keys()].map((email) => companyOf(leads, email) ?? ''))
    expect([...sent.values()].filter((count) => count !== messagesMax)).toEqual([])
    for (const [company, size] of companies)
      expect([company, written.get(company)]).toEqual([company, Math.min(size, peopleMax)])
  },
)

interface Person {
  email: string
  companyDomain: string
}

/** People of few or many companies. The address of a person has any domain, also that of another company. */
function randomPeople(seed: number): Person[] {
  const random = createRandom(seed * 7_919)
  const companies = random.between(10, 60)
  const domain = () => `c${random.between(1, companies)}.s${seed}.test`
  return Array.from({ length: people }, (_, at) => ({ email: `p${at}@${domain()}`, companyDomain: domain() }))
}

async function launch(name: string, senderId: string, leads: readonly Person[]): Promise<string> {
  const { id } = await done('POST', '/v2/campaigns/launch', {
    name,
    sendingAccountIds: [senderId],
    schedule: anyTime,
    settings: { dailyLimit: null, dailyNewLeadLimit: null, maxPerRecipientDomainPerDay: null },
    steps: [{ variants: [{ subject: 'Hello', body: 'Hi there.' }] }],
    leads,
  })
  return id
}

/** The leads that neither got their message nor are held by a limit of the policy. */
async function unsettled(campaigns: readonly string[]): Promise<unknown[]> {
  const left = []
  for (const id of campaigns) {
    const { results } = await done('GET', `/v2/campaigns/${id}/leads?limit=100`)
    expect(results).toHaveLength(people)
    left.push(
      ...results
        .filter(
          ({ status, blockedReason }: AnswerBody) =>
            status !== 'completed' && !/^(?:person|company)_limit$/.test(blockedReason),
        )
        .map(({ email, status, blockedReason }: AnswerBody) => ({ email, status, blockedReason })),
    )
  }
  return left
}

function companyOf(leads: readonly Person[], email: string): string | null {
  return leads.find((lead) => lead.email === email)?.companyDomain ?? null
}

function tally(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
