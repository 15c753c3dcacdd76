import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { replyTo } from '@overture/testing/kills/reply.ts'
import { type ImapDouble, startImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { type SmtpDouble, startSmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { type RunningProduct, startRunningServer } from '@overture/testing/server/running-server.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { type PostgresProxy, startPostgresProxy } from './faults/postgres-proxy.ts'

// Each test waits until every part has recovered.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const sender = 'ada@sender.test'
const patience = { timeout: 120_000, interval: 100 }
const everyDay = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }

let proxy: PostgresProxy
let product: RunningProduct
let smtp: SmtpDouble
let imap: ImapDouble
let receiver: Server
let campaignId: string
/** The events that the webhook received, and those of the stream during the last outage. */
const posted: string[] = []

beforeAll(async () => {
  smtp = await startSmtpDouble({ users: { [sender]: 'secret' } })
  imap = await startImapDouble({ users: { [sender]: 'secret' } })
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      posted.push(body)
      response.end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const environment = { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' }
  product = await startRunningServer(
    environment,
    createLogger('silent'),
    async (url) => (proxy = await startPostgresProxy(url)).url,
  )
  campaignId = await launch()
})
afterAll(async () => {
  await product.stop()
  await proxy.stop()
  receiver.close()
  await imap.stop()
  await smtp.stop()
})

async function ok(method: string, path: string, body: unknown): Promise<{ id: string }> {
  const answer = await product.live(method, path, body)
  expect([path, answer.status < 300, answer.body]).toEqual([path, true, expect.anything()])
  return answer.body
}

async function launch(): Promise<string> {
  const server = (port: number) => ({ host: '127.0.0.1', port, security: 'none', username: sender, password: 'secret' })
  const { port } = receiver.address() as AddressInfo
  await ok('PUT', '/v2/account', { postalAddress: '1 Main Street, Springfield' })
  await ok('POST', '/v2/webhooks', { url: `http://127.0.0.1:${port}/`, events: ['reply.received', 'message.sent'] })
  const mailbox = await ok('POST', '/v2/sending-accounts', {
    email: sender,
    fromName: 'Ada',
    provider: 'smtp',
    smtp: server(smtp.port),
    imap: server(imap.port),
    dailyLimit: 5000,
    minGapSeconds: 0,
    maxGapSeconds: 0,
  })
  const campaign = await ok('POST', '/v2/campaigns/launch', {
    name: 'Back',
    sendingAccountIds: [mailbox.id],
    schedule: { windows: [everyDay] },
    settings: { dailyLimit: null, dailyNewLeadLimit: null },
    steps: [
      { variants: [{ subject: 'Hello', body: 'Hi there.' }] },
      { waitBefore: { value: 9, unit: 'days' }, variants: [{ body: 'Again.' }] },
    ],
    leads: [{ email: 'before@r.test' }],
  })
  await vi.waitFor(() => expect(mailTo('before@r.test')).toBeDefined(), patience)
  return campaign.id
}

const mailTo = (email: string) => smtp.accepted.find(({ to }) => to.includes(email))
const ready = async (): Promise<number> => (await fetch(`${product.url}/readyz`)).status

async function statusOf(email: string): Promise<string> {
  const { body } = await product.live('GET', `/v2/campaigns/${campaignId}/leads?q=${encodeURIComponent(email)}`)
  return body?.results?.[0]?.status ?? 'unknown'
}

/** Events from the stream, which is woken by the database's channel. */
async function streamedEvents(): Promise<{ told: () => string; leave: () => void }> {
  const leaving = new AbortController()
  const response = await fetch(`${product.url}/v2/events/stream`, {
    headers: { authorization: `Bearer ${product.keys.live}` },
    signal: leaving.signal,
  })
  let received = ''
  void (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) received += decoder.decode(chunk as Uint8Array, { stream: true })
  })().catch(() => undefined)
  return { told: () => received, leave: () => leaving.abort() }
}

/** Checks one part after the other, each with an action that only succeeds if this part works again. */
async function everythingRuns(name: string, repliedTo: string): Promise<void> {
  await vi.waitFor(async () => expect(await ready()).toBe(200), patience)
  await vi.waitFor(async () => {
    const { status } = await product.live('PUT', '/v2/account', { postalAddress: `${name} Street, Springfield` })
    expect(status).toBe(200)
  }, patience)
  // The inbox: a reply arrived during the outage.
  await vi.waitFor(async () => expect(await statusOf(repliedTo)).toBe('replied'), patience)
  const stream = await streamedEvents()
  // Jobs run: an import is a job. Then the planner is woken, and a message is claimed, sent and recorded.
  const email = `imported.${name}@r.test`
  const path = `/v2/campaigns/${campaignId}/leads/import`
  const answer = await product.live('POST', path, `email\n${email}\n`, { 'content-type': 'text/csv' })
  expect(answer.status).toBe(202)
  await vi.waitFor(() => expect(mailTo(email)).toBeDefined(), patience)
  // The webhook (by cursor) and the stream (by channel) report the event.
  await vi.waitFor(() => expect(posted.some((body) => body.includes(email))).toBe(true), patience)
  await vi.waitFor(
    () => expect(posted.some((body) => body.includes('reply.received') && body.includes(repliedTo))).toBe(true),
    patience,
  )
  await vi.waitFor(() => expect(stream.told()).toContain(email), patience)
  stream.leave()
}

test.each([
  ['whose connections broke', 'cut', 2_000],
  ['that went silent', 'silent', 8_000],
  ['that broke once more', 'cut', 500],
] as const)(
  'after a database %s, the API, inbox, jobs, sending, webhooks and streams continue',
  async (_name, mode, ms) => {
    const name = `${mode}${ms}`
    const lead = `answers.${name}@r.test`
    await ok('POST', `/v2/campaigns/${campaignId}/leads`, { leads: [{ email: lead }] })
    await vi.waitFor(() => expect(mailTo(lead)).toBeDefined(), patience)
    proxy.mode = mode
    await vi.waitFor(async () => expect(await ready()).toBe(503), patience)
    imap.deliver(sender, replyTo(lead, sender, mailTo(lead)?.messageId ?? ''))
    // The duration of the outage.
    await new Promise((resolve) => setTimeout(resolve, ms))
    proxy.mode = 'pass'
    await everythingRuns(name, lead)
    const recipients = smtp.accepted.flatMap((mail) => mail.to)
    expect(new Set(recipients).size).toBe(recipients.length)
  },
)
