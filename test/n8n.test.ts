import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Overture } from '@overture/sdk'
import { sign } from '@overture/sdk/webhooks'
import { Bench, loadNodes, startReceiver, type Nodes, type Receiver } from '@overture/testing/n8n/harness.ts'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'
import { until } from '@overture/testing/server/until.ts'

// Each test builds, installs or runs whole programs.
vi.setConfig({ testTimeout: 300_000 })

const folder = resolve(import.meta.dirname, '../integrations/n8n')
const document = JSON.parse(readFileSync(resolve(import.meta.dirname, '../docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { parameters?: { name?: string; in?: string }[]; requestBody?: Body }>>
  components: { schemas: Record<string, { properties?: object; enum?: string[] }> }
}
interface Body {
  content: { 'application/json': { schema: { $ref: string } } }
}

let nodes: Nodes
let product: RunningProduct
let overture: Overture
let bench: Bench
let senderId: string
beforeAll(async () => {
  nodes = await loadNodes()
  product = await startRunningServer({ OVERTURE_ALLOW_PRIVATE_TARGETS: '1' })
  overture = new Overture({ apiKey: product.keys.test, baseUrl: product.url })
  bench = new Bench(nodes, { baseUrl: `${product.url}/`, apiKey: product.keys.test })
  const sender = await overture.sendingAccounts.create({
    email: 'sales@own.test',
    fromName: 'Grace',
    provider: 'smtp',
    smtp: { host: '127.0.0.1', port: 25, security: 'none', username: 'a', password: 'b' },
  })
  senderId = sender.id
})
afterAll(() => product.stop())

describe('the n8n package', () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    license: string
    dependencies?: object
    n8n: { nodes: string[]; credentials: string[] }
  }

  test('has no dependencies, and its manifest names existing files', () => {
    expect([manifest.license, manifest.dependencies]).toEqual(['MIT', undefined])
    for (const built of [...manifest.n8n.nodes, ...manifest.n8n.credentials])
      expect(existsSync(join(folder, built.replace(/^dist\//, '').replace(/\.js$/, '.ts')))).toBe(true)
  })

  test("follows n8n's strict lint rules", async ({ skip }) => {
    if (!existsSync(join(folder, 'node_modules/@n8n/node-cli')))
      return skip("n8n's own tools are not installed: npm ci in integrations/n8n installs them.")
    const eslint = join(folder, 'node_modules/eslint/bin/eslint.js')
    // The rules behave differently under the NODE_ENV of their own tests.
    const options = { cwd: folder, env: { ...process.env, NODE_ENV: 'production' } }
    const found = await promisify(execFile)(process.execPath, [eslint, '.'], options).catch((error) => error)
    expect(found).toMatchObject({ stdout: '' })
  })
})

describe('each operation', () => {
  test('exists in the API with its path and fields', () => {
    const missing = nodes.operations.flatMap(({ path, method, fields }) => {
      const operation = document.paths[path]?.[method.toLowerCase()]
      if (operation === undefined) return [`${method} ${path}`]
      const reference = operation.requestBody?.content['application/json'].schema.$ref.split('/').at(-1) ?? ''
      const body = Object.keys(document.components.schemas[reference]?.properties ?? {})
      return fields
        .filter((field) =>
          field.in === 'body'
            ? !body.includes(field.name)
            : !operation.parameters?.some(({ name, in: place }) => name === field.name && place === field.in),
        )
        .map((field) => `${method} ${path}: ${field.in} ${field.name}`)
    })
    expect(missing).toEqual([])
    expect(nodes.eventTypes).toEqual(document.components.schemas['EventType']!.enum)
  })

  test('is shown with all its fields', () => {
    const { properties } = new nodes.Overture().description
    for (const { resource, value, fields } of nodes.operations) {
      const shown = properties.filter(
        ({ displayOptions }) =>
          displayOptions?.show?.['resource']?.includes(resource) === true &&
          displayOptions.show['operation']?.includes(value) === true,
      )
      const names = shown.flatMap((one) => [
        one.name,
        ...((one as { options?: { name: string }[] }).options ?? []).map(({ name }) => name),
      ])
      expect(names).toEqual(expect.arrayContaining(fields.map(({ name }) => name)))
    }
  })
})

describe('a workflow', () => {
  let campaignId: string
  const steps = [{ variants: [{ subject: 'Hi {{ firstName }}', body: 'Shall we talk?' }] }]

  test('tests its credentials with the API', async () => {
    expect(await bench.testCredentials()).toBe(200)
    expect(await new Bench(nodes, { ...bench.credentials, apiKey: 'wrong' }).testCredentials()).toBe(401)
  })

  test('creates a campaign once, even if n8n repeats the execution', async () => {
    const parameters = {
      resource: 'campaign',
      operation: 'create',
      name: 'From n8n',
      additionalFields: { steps: JSON.stringify(steps), sendingAccountIds: [senderId] },
    }
    const [made] = await bench.execute(parameters)
    const [again] = await bench.execute(parameters)
    expect(again!.json['id']).toBe(made!.json['id'])
    bench.executionId = 'execution-2'
    const [another] = await bench.execute(parameters)
    expect(another!.json['id']).not.toBe(made!.json['id'])
    campaignId = String(made!.json['id'])
  })

  test('adds items in calls of a thousand, each with its own result', async () => {
    const items = Array.from({ length: 1_203 }, (_, index) => ({
      email: index === 7 ? 'bad' : `n${index}@silent.test`,
    }))
    const parameters = { resource: 'lead', operation: 'add', id: campaignId, leads: (item: object) => item }
    const answers = await bench.execute(parameters, { items })
    expect(answers).toHaveLength(1_203)
    expect(answers.map(({ pairedItem }) => pairedItem!.item)).toEqual(items.map((_, index) => index))
    expect(answers.map(({ json }) => json['outcome']).filter((outcome) => outcome !== 'added')).toEqual(['invalid'])
    expect(answers[7]!.json['outcome']).toBe('invalid')
    const calls = await overture.campaigns.get(campaignId)
    expect(calls.leadCount).toBe(1_202)
  })

  test('reads all pages, or up to the limit', async () => {
    const list = { resource: 'lead', operation: 'getAll', id: campaignId }
    expect(await bench.execute({ ...list, returnAll: true })).toHaveLength(1_202)
    expect(await bench.execute({ ...list, limit: 130 })).toHaveLength(130)
    const filtered = { ...list, limit: 5, additionalFields: { email: 'n3@silent.test' } }
    expect((await bench.execute(filtered)).map(({ json }) => json['email'])).toEqual(['n3@silent.test'])
  })

  test('launches, explains, replies and suppresses', async () => {
    const [launched] = await bench.execute({
      resource: 'campaign',
      operation: 'launch',
      additionalFields: {
        name: 'Small',
        steps,
        sendingAccountIds: [senderId],
        leads: [{ email: 'ada+interested@prospects.test', firstName: 'Ada' }],
      },
    })
    const id = String(launched!.json['id'])
    const [lead] = await bench.execute({ resource: 'lead', operation: 'getAll', id, limit: 1 })
    const leadId = String(lead!.json['id'])
    expect((await bench.execute({ resource: 'lead', operation: 'get', id, leadId }))[0]!.json['email']).toContain('ada')
    expect((await bench.execute({ resource: 'lead', operation: 'explain', id, leadId }))[0]!.json).toHaveProperty(
      'gates',
    )
    await bench.execute({ resource: 'clock', operation: 'advance', additionalFields: { by: '3d' } })
    const waiting = {
      resource: 'conversation',
      operation: 'getAll',
      additionalFields: { awaiting: true, campaignId: id },
    }
    const [conversation] = await bench.execute(waiting)
    const reply = { resource: 'conversation', operation: 'reply', id: conversation!.json['id'], text: 'Tuesday?' }
    expect((await bench.execute(reply))[0]!.json['direction']).toBe('outbound')
    const [stats] = await bench.execute({ resource: 'campaign', operation: 'stats', id })
    expect(stats!.json).toMatchObject({ replied: 1 })
    const interest = {
      resource: 'lead',
      operation: 'update',
      id,
      leadId,
      additionalFields: { interest: 'meeting_booked' },
    }
    expect((await bench.execute(interest))[0]!.json['interest']).toBe('meeting_booked')
    const suppress = { resource: 'suppression', operation: 'create', additionalFields: { domain: 'rival.test' } }
    expect((await bench.execute(suppress))[0]!.json['domain']).toBe('rival.test')
    const named = await bench.execute({ resource: 'campaign', operation: 'getAll', additionalFields: { q: 'Small' } })
    expect(named).toHaveLength(1)
  })

  test('works with tasks, and with notes, snoozes and forwards of conversations', async () => {
    const [made] = await bench.execute({ resource: 'task', operation: 'create', channel: 'call', title: 'Call Ada' })
    const task = (operation: string, more: object = {}) =>
      bench.execute({ resource: 'task', operation, id: made!.json['id'], ...more })
    const until = new Date(Date.now() + 30 * 86_400_000).toISOString()
    expect((await task('snooze', { until }))[0]!.json['snoozedUntil']).not.toBeNull()
    const done = await task('complete', { additionalFields: { outcome: 'connected', note: 'Wants a demo' } })
    expect(done[0]!.json).toMatchObject({ status: 'done', outcome: 'connected' })
    expect((await task('get'))[0]!.json['note']).toBe('Wants a demo')
    const [other] = await bench.execute({
      resource: 'task',
      operation: 'create',
      channel: 'other',
      title: 'Post a card',
    })
    await bench.execute({ resource: 'task', operation: 'skip', id: other!.json['id'] })
    const listed = { resource: 'task', operation: 'getAll', additionalFields: { status: 'skipped' } }
    expect((await bench.execute(listed)).map(({ json }) => json['title'])).toEqual(['Post a card'])

    const [conversation] = await bench.execute({ resource: 'conversation', operation: 'getAll', limit: 1 })
    const act = async (operation: string, more: object = {}) =>
      (await bench.execute({ resource: 'conversation', operation, id: conversation!.json['id'], ...more }))[0]!.json
    expect(await act('addNote', { text: 'Ask Bob' })).toMatchObject({ text: 'Ask Bob' })
    expect(await act('snooze', { snoozedUntil: until })).toMatchObject({ snoozedUntil: expect.any(String) })
    const { messages } = (await act('get')) as { messages: { id: string; direction: string }[] }
    const messageId = messages.find(({ direction }) => direction === 'inbound')!.id
    expect(await act('forward', { messageId, to: ['bob@colleagues.test'] })).toMatchObject({ status: 'queued' })
  })

  test('tags resources, and fills lists of people', async () => {
    const run = async (resource: string, operation: string, more: object = {}) =>
      (await bench.execute({ resource, operation, ...more })).map(({ json }) => json)
    const [tag] = await run('tag', 'create', { name: 'Trade fair' })
    const tagging = { id: tag!['id'], ids: JSON.stringify([campaignId, 'cmp_unknown']) }
    expect((await run('tag', 'assign', tagging))[0]!['results']).toMatchObject([
      { outcome: 'changed' },
      { outcome: 'not_found' },
    ])
    expect((await overture.campaigns.get(campaignId)).tagIds).toEqual([tag!['id']])
    expect((await run('tag', 'getAll')).map(({ name }) => name)).toEqual(['Trade fair'])
    await run('tag', 'unassign', tagging)
    expect((await overture.campaigns.get(campaignId)).tagIds).toEqual([])

    const [list] = await run('list', 'create', { name: 'Visitors' })
    const id = list!['id']
    const members = [{ email: 'ada@visitors.test', firstName: 'Ada' }, { email: 'bad' }]
    expect((await run('list', 'addMembers', { id, members }))[0]).toMatchObject({ added: 1, invalid: 1 })
    expect((await run('list', 'getMembers', { id })).map(({ email }) => email)).toEqual(['ada@visitors.test'])
    expect((await run('list', 'getAll', { additionalFields: { q: 'visit' } })).map((one) => one['id'])).toEqual([id])
    const emails = ['ada@visitors.test', 'bo@visitors.test']
    expect((await run('list', 'removeMembers', { id, emails }))[0]).toMatchObject({ removed: 1, notFound: [emails[1]] })
    expect((await run('list', 'get', { id }))[0]!['memberCount']).toBe(0)
  })

  test("pauses and starts campaigns, and shows the API's refusals", async () => {
    const act = (operation: string) => bench.execute({ resource: 'campaign', operation, id: campaignId })
    expect((await act('start'))[0]!.json['status']).toBe('active')
    expect((await act('pause'))[0]!.json['status']).toBe('paused')
    bench.executionId = 'execution-3'
    await expect(act('pause')).rejects.toThrow(/CONFLICT: .*the action pause is not possible/)
    const missing = { resource: 'campaign', operation: 'get', id: (item: { id: string }) => item.id }
    const items = [{ id: 'cmp_unknown' }, { id: campaignId }]
    const [refused, found] = await bench.execute(missing, { items, continueOnFail: true })
    expect(refused!.json['error']).toMatch(/NOT_FOUND/)
    expect(found!.json['id']).toBe(campaignId)
  })
})

describe('the trigger', () => {
  const parameters = { events: ['reply.received'], campaignIds: [''], fetch: true }
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver(bench, parameters)
  })
  afterAll(() => receiver.close())

  test('creates its webhook, receives a reply, and adds lead and conversation', async () => {
    const hook = (name: 'checkExists' | 'create' | 'delete') => bench.hook(name, parameters, receiver.url)
    expect(await hook('checkExists')).toBe(false)
    expect(await hook('create')).toBe(true)
    expect(await hook('checkExists')).toBe(true)
    expect(await bench.hook('checkExists', parameters, `${receiver.url}/elsewhere`)).toBe(false)
    const { id } = await overture.campaigns.launch({
      name: 'Heard',
      steps: [{ variants: [{ subject: 'Hi', body: 'Shall we talk?' }] }],
      sendingAccountIds: [senderId],
      leads: [{ email: 'eve+interested@prospects.test' }],
    })
    await overture.sandbox.clock.advance({ by: '3d' })
    const [item] = await until(
      async () => receiver.started,
      (all) => all.length > 0,
    )
    expect(item).toMatchObject({
      type: 'reply.received',
      data: { campaignId: id },
      lead: { email: 'eve+interested@prospects.test' },
      conversation: { messages: expect.any(Array) },
    })
  })

  test('ignores requests that are unsigned, wrongly signed, old or changed', async () => {
    const secret = String(bench.staticData['secret'])
    const body = JSON.stringify({ id: 'evt_1', type: 'reply.received', data: {} })
    const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const before = receiver.started.length
    const send = async (text: string, headers: Record<string, string>) =>
      (await fetch(receiver.url, { method: 'POST', body: text, headers })).status
    expect(await send(body, {})).toBe(401)
    expect(await send(body, await sign(body, { id: 'evt_1', secret: other }))).toBe(401)
    expect(await send(body, await sign(body, { id: 'evt_1', secret, now: () => Date.now() - 3_600_000 }))).toBe(401)
    expect(await send(`${body} `, await sign(body, { id: 'evt_1', secret }))).toBe(401)
    expect(await send(body, { ...(await sign(body, { id: 'evt_1', secret })), 'webhook-id': 'evt_2' })).toBe(401)
    expect(receiver.started).toHaveLength(before)
    expect(await send(body, await sign(body, { id: 'evt_1', secret }))).toBe(200)
    expect(receiver.started).toHaveLength(before + 1)
  })

  test('deletes its webhook, also if it no longer exists', async () => {
    const { webhookId } = bench.staticData
    expect(await bench.hook('delete', parameters, receiver.url)).toBe(true)
    expect((await overture.webhooks.list()).results).toEqual([])
    expect(bench.staticData).toEqual({})
    bench.staticData['webhookId'] = webhookId
    expect(await bench.hook('delete', parameters, receiver.url)).toBe(true)
    expect(await bench.hook('checkExists', parameters, receiver.url)).toBe(false)
  })
})
