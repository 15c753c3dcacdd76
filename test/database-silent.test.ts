import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { launchAtFullSpeed } from '@overture/testing/server/launched-campaign.ts'
import { type RunningProduct, startRunningServer } from '@overture/testing/server/running-server.ts'
import { type SmtpDouble, startSmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { createDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { type PostgresProxy, startPostgresProxy } from './faults/postgres-proxy.ts'

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

const ready = async (): Promise<number> => (await fetch(`${product.url}/readyz`)).status

test('a database that vanishes without a word is told by /readyz, and soon after it is back everything runs', async () => {
  const campaignId = await launchAtFullSpeed(product, smtp, { name: 'Silence', leadCount })
  await vi.waitFor(() => expect(smtp.accepted.length).toBeGreaterThan(0), patience)
  for (const silentMs of [2_000, 9_000]) {
    proxy.mode = 'silent'
    const asked = product.live('GET', '/v2/account').then((answer) => answer.status)
    expect(await ready()).toBe(503)
    // The duration of the outage.
    await new Promise((resolve) => setTimeout(resolve, silentMs))
    proxy.mode = 'pass'
    await vi.waitFor(async () => expect(await ready()).toBe(200), patience)
    expect([200, 503]).toContain(await asked)
    await vi.waitFor(async () => expect((await product.live('GET', '/v2/account')).status).toBe(200), patience)
    await mailsOneMore(campaignId, silentMs)
  }
  const recipients = smtp.accepted.flatMap((mail) => mail.to)
  expect(new Set(recipients).size).toBe(recipients.length)
})

test('a statement that is never answered fails a little after its own time, and its connection is not used again', async () => {
  const log = createLogger('silent')
  const db = createDatabase({ url: proxy.url, log, connectionsMax: 4 })
  const request = db.within('acc_a')
  expect(await request.query('select 1 as one')).toEqual([{ one: 1 }])
  proxy.mode = 'silent'
  const asked = [request.query('select 1 as one'), request.transaction((tx) => tx.query('select 1 as one'))]
  const ended = await Promise.allSettled(asked)
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
