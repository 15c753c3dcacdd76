import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { launchAtFullSpeed } from '@overture/testing/server/launched-campaign.ts'
import { type RunningProduct, startRunningServer } from '@overture/testing/server/running-server.ts'
import { type SmtpDouble, startSmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { createDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { type PostgresProxy, startPostgresProxy } from './faults/postgres-proxy.ts'

// Each test starts and kills whole processes.
vi.setConfig({ testTimeout: 300_000 })

const leadCount = 400
/** Shorter than any timeout of a single statement, so that only a process that detects the silence has recovered by then. */
const patience = { timeout: 60_000, interval: 100 }

let proxy: PostgresProxy
let product: RunningProduct
let smtp: SmtpDouble

beforeAll(async () => {
  smtp = await startSmtpDouble({ users: { 'ada@sender.test': 'secret' } })
  product = await startRunningServer(
    { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' },
    createLogger('silent'),
    async (url) => (proxy = await startPostgresProxy(url)).url,
  )
  await product.live('PUT', '/v2/account', { postalAddress: '1 Main Street, Springfield' })
})
afterAll(async () => {
  await product.stop()
  await proxy.stop()
  await smtp.stop()
})

interface Ended {
  status: number
  /** Sends the same request again. */
  again: () => Promise<{ status: number }>
}

/** Sends a read, a search, two writes, an upload and the start of a stream at once. Resolves when each has its answer. */
function askAll(campaignId: string, number: number): Promise<Ended[]> {
  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => () =>
    product.live(method, path, body, headers)
  const csv = { 'content-type': 'text/csv', 'idempotency-key': `upload-${number}` }
  const requests = [
    send('GET', '/v2/account'),
    send('GET', `/v2/campaigns/${campaignId}/leads?q=p1`),
    send('PUT', '/v2/account', { postalAddress: `${number} Main Street, Springfield` }),
    send('POST', '/v2/suppressions', { email: suppressed(number) }, { 'idempotency-key': `suppress-${number}` }),
    send('POST', `/v2/campaigns/${campaignId}/leads/import`, `email\nuploaded.${number}@r0.test\n`, csv),
    async () => {
      const { response, leave } = await openStream()
      leave()
      return response
    },
  ]
  return Promise.all(requests.map(async (again) => ({ status: (await again()).status, again })))
}

const suppressed = (number: number) => `stopped.${number}@r0.test`

async function suppressionsOf(number: number): Promise<object[]> {
  return (await product.live('GET', `/v2/suppressions?q=${suppressed(number)}`)).body.results
}

async function openStream() {
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${product.keys.live}` }
  const response = await fetch(`${product.url}/v2/events/stream`, { headers, signal: leaving.signal })
  return { response, leave: () => leaving.abort() }
}

/** Opens a stream of events. The result resolves when this stream has a message that was sent after its start. */
async function followEvents(): Promise<() => Promise<void>> {
  const { response, leave } = await openStream()
  expect(response.status).toBe(200)
  const chunks = response.body!.pipeThrough(new TextDecoderStream())
  return async () => {
    let text = ''
    for await (const chunk of chunks) {
      text += chunk
      if (text.includes('event: message.sent')) break
    }
    leave()
    expect(text).toContain('event: message.sent')
  }
}

const ready = async (): Promise<number> => (await fetch(`${product.url}/readyz`)).status

test('/readyz reports a silent database, and everything runs soon after it returns', async () => {
  const campaignId = await launchAtFullSpeed(product, smtp, { name: 'Silence', leadCount })
  await vi.waitFor(() => expect(smtp.accepted.length).toBeGreaterThan(0), patience)
  for (const silentMs of [2_000, 9_000]) {
    const following = await followEvents()
    proxy.mode = 'silent'
    const requests = askAll(campaignId, silentMs)
    expect(await ready()).toBe(503)
    // The duration of the outage.
    await new Promise((resolve) => setTimeout(resolve, silentMs))
    proxy.mode = 'pass'
    await vi.waitFor(async () => expect(await ready()).toBe(200), patience)
    for (const { status, again } of await requests) {
      expect([200, 201, 202, 503]).toContain(status)
      // A write whose outcome is unknown is repeated with its key, and a read is repeated as it is.
      await vi.waitFor(async () => expect([200, 201, 202]).toContain((await again()).status), patience)
    }
    expect(await suppressionsOf(silentMs)).toHaveLength(1)
    await mailsOneMore(campaignId, silentMs)
    await following()
  }
  const recipients = smtp.accepted.flatMap((mail) => mail.to)
  expect(new Set(recipients).size).toBe(recipients.length)
})

test('a statement without a reply fails after its timeout, and its connection is not reused', async () => {
  const log = createLogger('silent')
  const db = createDatabase({ url: proxy.url, log, connectionsMax: 4 })
  const request = db.within('acc_a')
  expect(await request.query('select 1 as one')).toEqual([{ one: 1 }])
  proxy.mode = 'silent'
  const queries = [request.query('select 1 as one'), request.transaction((tx) => tx.query('select 1 as one'))]
  const ended = await Promise.allSettled(queries)
  proxy.mode = 'pass'
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await request.query('select 1 as one')).toEqual([{ one: 1 }])
  await db.close()
})

/** Imports a lead by a job and waits for its message. */
async function mailsOneMore(campaignId: string, number: number): Promise<void> {
  const email = `imported.${number}@r0.test`
  const path = `/v2/campaigns/${campaignId}/leads/import`
  const { status } = await product.live('POST', path, `email\n${email}\n`, { 'content-type': 'text/csv' })
  expect(status).toBe(202)
  await vi.waitFor(() => expect(smtp.accepted.flatMap((mail) => mail.to)).toContain(email), patience)
}
