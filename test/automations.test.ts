import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Overture, type Event } from '@overture/sdk'
import { verify } from '@overture/sdk/webhooks'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'
import { until } from '@overture/testing/server/until.ts'

// Each test builds, installs or runs whole programs.
vi.setConfig({ testTimeout: 300_000 })

const page = readFileSync(resolve(import.meta.dirname, '../docs/automations.md'), 'utf8')
const requests = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script]) => script!)

let product: RunningProduct
let platform: Server
const received: { body: string; headers: Record<string, string> }[] = []
beforeAll(async () => {
  product = await startRunningServer({ OVERTURE_ALLOW_PRIVATE_TARGETS: '1' })
  platform = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ body, headers: request.headers as Record<string, string> })
      response.end()
    })
  })
  await new Promise<void>((ready) => platform.listen(0, '127.0.0.1', ready))
})
afterAll(async () => {
  platform.closeAllConnections()
  await new Promise((closed) => platform.close(closed))
  await product.stop()
})

/** Runs the page's shell code unchanged. */
async function run(script: string, variables: Record<string, string> = {}) {
  const env = {
    PATH: process.env['PATH'],
    OVERTURE_URL: product.url,
    OVERTURE_API_KEY: product.keys.test,
    ...variables,
  }
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], { env })
  return JSON.parse(stdout) as Record<string, unknown> & { id: string; results: Event[] }
}

test('the commands of the REST hooks page work: subscribe, receive, sample, act once, unsubscribe', async ({
  skip,
}) => {
  if (!(await promisify(execFile)('curl', ['--version']).catch(() => null))) return skip('curl is not installed here.')
  expect(requests).toHaveLength(4)
  const [subscribe, sample, unsubscribe, act] = requests as [string, string, string, string]
  const hook = `http://127.0.0.1:${(platform.address() as AddressInfo).port}/hooks/1`
  const { id, secret } = await run(subscribe, { HOOK_URL: hook })

  const overture = new Overture({ apiKey: product.keys.test, baseUrl: product.url })
  const sender = await overture.sendingAccounts.create({
    email: 'sales@own.test',
    fromName: 'Grace',
    provider: 'smtp',
    smtp: { host: '127.0.0.1', port: 25, security: 'none', username: 'a', password: 'b' },
  })
  await overture.campaigns.launch({
    name: 'Hooked',
    steps: [{ variants: [{ subject: 'Hi', body: 'Shall we talk?' }] }],
    sendingAccountIds: [sender.id],
    leads: [{ email: 'ada+interested@prospects.test' }],
  })
  await overture.sandbox.clock.advance({ by: '3d' })
  const [delivery] = await until(
    async () => received,
    (all) => all.length > 0,
  )
  const event = await verify(delivery!.body, delivery!.headers, String(secret))
  expect([event.type, delivery!.headers['webhook-id']]).toEqual(['reply.received', event.id])

  const { results } = await run(sample)
  expect(results.find((one) => one.id === event.id)).toEqual(event)

  const first = await run(act, { RUN_ID: '7' })
  expect(await run(act, { RUN_ID: '7' })).toEqual(first)

  expect(await run(unsubscribe, { WEBHOOK_ID: id })).toEqual({ id, deleted: true })
  expect((await overture.webhooks.list()).results).toEqual([])
})
