import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Overture } from '@overture/sdk'
import { sign } from '@overture/sdk/webhooks'
import { startRealN8n, type RealN8n } from '@overture/testing/n8n/n8n-process.ts'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'
import { lacks } from '@overture/testing/tools.ts'

// Each test builds, installs or runs whole programs.
vi.setConfig({ testTimeout: 300_000 })

const folder = process.env['OVERTURE_N8N'] ?? '/var/tmp/overture-n8n'
const isInstalled = existsSync(join(folder, 'node_modules/n8n/bin/n8n'))

const credentials = { overtureApi: { id: 'overture', name: 'overture' } }
const node = (name: string, type: string, more: object) => ({
  id: name,
  name,
  type,
  typeVersion: 1,
  position: [0, 0],
  ...more,
})
const main = (...names: string[]) => ({ main: [names.map((name) => ({ node: name, type: 'main', index: 0 }))] })

/** A workflow that is called with a sender and leads. It launches a campaign and returns it. */
const launching = {
  id: 'launching0000001',
  name: 'Launching',
  active: false,
  settings: { executionOrder: 'v1' },
  nodes: [
    node('Asked', 'n8n-nodes-base.webhook', {
      typeVersion: 2,
      webhookId: 'launch-a-campaign',
      parameters: { httpMethod: 'POST', path: 'launch-a-campaign', responseMode: 'lastNode' },
    }),
    node('Launch', 'n8n-nodes-overture.overture', {
      credentials,
      parameters: {
        resource: 'campaign',
        operation: 'launch',
        additionalFields: {
          name: '={{ $json.body.name }}',
          sendingAccountIds: '={{ JSON.stringify([$json.body.senderId]) }}',
          steps: JSON.stringify([{ variants: [{ subject: 'Hi', body: 'Shall we talk?' }] }]),
          leads: '={{ JSON.stringify($json.body.leads) }}',
        },
      },
    }),
  ],
  connections: { Asked: main('Launch') },
}

/** A workflow that starts with a reply. It suppresses an address that contains the event's id. */
const hearing = {
  id: 'hearing000000001',
  name: 'Hearing',
  active: false,
  settings: { executionOrder: 'v1' },
  nodes: [
    node('Reply', 'n8n-nodes-overture.overtureTrigger', {
      webhookId: 'b3b7a5c0-0000-4000-8000-000000000001',
      credentials,
      parameters: { events: ['reply.received'], campaignIds: [], fetch: true },
    }),
    node('Mark', 'n8n-nodes-overture.overture', {
      credentials,
      parameters: {
        resource: 'suppression',
        operation: 'create',
        additionalFields: { email: '={{ $json.id + "@heard.test" }}', reason: '={{ $json.lead.email }}' },
      },
    }),
  ],
  connections: { Reply: main('Mark') },
}

/** Polls as long as a busy machine needs, since n8n is slow. */
async function until<Value>(look: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
  return vi.waitFor(
    async () => {
      const value = await look()
      if (!holds(value)) throw new Error('It is not so yet.')
      return value
    },
    { timeout: 600_000, interval: 200 },
  )
}

describe.skipIf(lacks('n8n', isInstalled))('in n8n itself', () => {
  let product: RunningProduct
  let overture: Overture
  let n8n: RealN8n
  beforeAll(async () => {
    product = await startRunningServer({ OVERTURE_ALLOW_PRIVATE_TARGETS: '1' })
    overture = new Overture({ apiKey: product.keys.test, baseUrl: product.url })
    n8n = await startRealN8n({
      folder,
      databaseUrl: product.databaseUrl,
      credentials: { baseUrl: product.url, apiKey: product.keys.test },
      workflows: [launching, hearing],
    })
  })
  afterAll(async () => {
    await n8n?.stop()
    await product?.stop()
  })

  const marks = async () => (await overture.suppressions.list({ q: 'heard.test' }).toArray()).map(({ email }) => email)

  test('a workflow launches a campaign, its trigger gets the reply, and a forged event starts nothing', async () => {
    const sender = await overture.sendingAccounts.create({
      email: 'sales@own.test',
      fromName: 'Grace',
      provider: 'sandbox',
    })
    const input = { name: 'From n8n', senderId: sender.id, leads: [{ email: 'ada+reply@prospects.test' }] }
    // n8n activates the workflows one after the other after its start.
    const [webhook] = await until(
      async () => (await overture.webhooks.list()).results,
      (all) => all.length > 0,
    )
    expect(webhook).toMatchObject({ events: ['reply.received'], enabled: true, url: expect.stringContaining(n8n.url) })
    const answer = await until(
      () =>
        fetch(`${n8n.url}/webhook/launch-a-campaign`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(input),
        }),
      ({ status }) => status !== 404,
    )
    const launched = (await answer.json()) as { id: string; status: string }

    expect([answer.status, launched.status]).toEqual([200, 'active'])

    await overture.sandbox.clock.advance({ by: '3d' })

    const [event] = await overture.events.list({ type: 'reply.received' }).toArray()
    const heard = [`${event!.id}@heard.test`]
    expect(await until(marks, (all) => all.length > 0)).toEqual(heard)

    const forged = JSON.stringify({ ...event, id: 'evt_forged' })
    const secret = `whsec_${Buffer.from('a secret that is not the one').toString('base64')}`
    const headers = await sign(forged, { id: 'evt_forged', secret })
    const refused = await fetch(webhook!.url, { method: 'POST', headers, body: forged })
    expect(refused.status).toBe(401)

    // A later event arrives, so the forged one would have arrived before it.
    const [lead] = await overture.campaigns.leads.list(launched.id).toArray()
    await overture.sandbox.inbound({ leadId: lead!.id, kind: 'reply', text: 'And on Monday?' })
    const events = await overture.events.list({ type: 'reply.received' }).toArray()
    const wanted = events.map(({ id }) => `${id}@heard.test`)
    const all = await until(marks, (found) => found.length >= wanted.length)
    expect(new Set(all)).toEqual(new Set(wanted))
  })
})
