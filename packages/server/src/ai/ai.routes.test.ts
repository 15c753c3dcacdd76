import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readBalance, setBalance } from '../credits/index.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { aiRoutes } from './index.ts'

type Behaviour = 'good' | 'placeholder' | 'placeholder_once' | 'garbage' | 'error'

const modelId = 'openai-compatible/tiny'
let behaviour: Behaviour = 'good'
let calls = 0
let requestText = ''
let model: Server
let server: TestServer

beforeAll(async () => {
  model = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url === '/v1/models') return response.end(JSON.stringify({ object: 'list', data: [{ id: 'tiny' }] }))
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      calls += 1
      requestText = body
      if (behaviour === 'error') {
        response.statusCode = 400
        return response.end(JSON.stringify({ error: { message: 'broken' } }))
      }
      return response.end(JSON.stringify(completion(content())))
    })
  })
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve))
  const address = model.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  server = await startTestServer({
    environment: {
      OVERTURE_AI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      OVERTURE_AI_MODEL: 'tiny',
      OVERTURE_AI_API_KEY: 'k',
      OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
    },
    routes: () =>
      aiRoutes({
        findLeadFacts: (_db, _tenant, { leadId }) =>
          Promise.resolve(leadId === 'led_1' ? { firstName: 'Ada' } : undefined),
      }),
  })
})
afterAll(async () => {
  await server.stop()
  model.close()
})
beforeEach(() => {
  behaviour = 'good'
  calls = 0
})

function content(): string {
  const good = JSON.stringify({ body: 'Hi Ada, shall we talk?', subjects: ['A quick idea'] })
  const bad = JSON.stringify({ body: 'Hi [First Name]', subjects: ['x'] })
  if (behaviour === 'garbage') return 'no JSON at all'
  if (behaviour === 'placeholder') return bad
  return behaviour === 'placeholder_once' && calls === 1 ? bad : good
}

function completion(text: string) {
  return {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'tiny',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  }
}

const live = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.live, body })
const inTest = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.test, body })
const balance = () => readBalance(server.app.db, server.tenant)

describe('models', () => {
  test('are listed with availability and reason', async () => {
    const { body } = await live('GET', '/v2/ai/models')
    const byId = new Map(body.results.map((entry: { id: string }) => [entry.id, entry]))
    expect(byId.get('builtin/drafter')).toMatchObject({
      available: true,
      creditsPerGeneration: 0,
      unavailableReason: null,
    })
    expect(byId.get(modelId)).toMatchObject({ available: true, creditsPerGeneration: 1 })
    expect(byId.get('openai/gpt-4.1')).toMatchObject({
      available: false,
      unavailableReason: expect.stringContaining('key'),
    })
  })
  test('in the test environment only include the drafter', async () => {
    const { body } = await inTest('GET', '/v2/ai/models')
    expect(
      body.results.filter((entry: { available: boolean }) => entry.available).map((entry: { id: string }) => entry.id),
    ).toEqual(['builtin/drafter'])
  })
})

describe('generating emails', () => {
  const email = { modelId, prompt: 'Invite them to talk.', lead: { firstName: 'Ada' } }

  test('with an unknown model is 404', async () => {
    for (const none of ['nobody/nothing', '', 'x'.repeat(5000)]) {
      for (const path of ['/v2/ai/generate-preview', '/v2/ai/generate-email'])
        expect((await live('POST', path, { ...email, modelId: none })).status).toBe(404)
    }
  })

  test('charges one credit per email, in one ledger entry', async () => {
    const before = await balance()
    const { status, body } = await live('POST', '/v2/ai/generate-email', email)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      subject: 'A quick idea',
      subjectOptions: ['A quick idea'],
      modelId,
      promptTokens: 10,
      completionTokens: 5,
      creditsCharged: 1,
      creditsRemaining: before - 1,
    })
    expect(await balance()).toBe(before - 1)
  })

  test('asks once more with the reason if a text fails its checks', async () => {
    behaviour = 'placeholder_once'
    expect((await live('POST', '/v2/ai/generate-email', email)).status).toBe(201)
    expect(calls).toBe(2)
    expect(requestText).toContain('it contains an unfilled placeholder')
  })

  test.each(['placeholder', 'garbage', 'error'] as const)(
    'with %s is 503 after two attempts, and charges nothing',
    async (bad) => {
      behaviour = bad
      const before = await balance()
      const { status, body } = await live('POST', '/v2/ai/generate-email', email)
      expect(status).toBe(503)
      expect(body.error.code).toBe('SERVICE_UNAVAILABLE')
      expect(calls).toBeLessThanOrEqual(4)
      expect(await balance()).toBe(before)
    },
  )

  test('without credits is 402, and the model is not called', async () => {
    const before = await balance()
    await server.app.db.transaction((tx) => setBalance(tx, server.tenant, { balance: 0 }))
    expect((await live('POST', '/v2/ai/generate-email', email)).status).toBe(402)
    expect(calls).toBe(0)
    await server.app.db.transaction((tx) => setBalance(tx, server.tenant, { balance: before }))
  })

  test("a preview is free and can use a campaign's lead", async () => {
    const before = await balance()
    const source = { modelId, prompt: 'Hello', kind: 'opening', campaignId: 'cmp_1' }
    const { status, body } = await live('POST', '/v2/ai/generate-preview', { ...source, leadId: 'led_1' })
    expect(status).toBe(200)
    expect(body).toEqual({ subject: 'A quick idea', body: 'Hi Ada, shall we talk?', modelId, estimatedCredits: 1 })
    expect(await balance()).toBe(before)
    expect((await live('POST', '/v2/ai/generate-preview', { ...source, leadId: 'led_other' })).status).toBe(404)
  })

  test('invalid input is refused with its path', async () => {
    const { status, body } = await live('POST', '/v2/ai/generate-email', {
      modelId: 'no/model',
      subjectCount: 6,
      campaignId: 'cmp_1',
    })
    expect(status).toBe(400)
    const paths = body.error.details.issues.map((issue: { path: string }) => issue.path)
    expect(paths).toContain('subjectCount')
  })

  test('charges once per Idempotency-Key', async () => {
    const before = await balance()
    const headers = { 'idempotency-key': 'gen-1' }
    const first = await server.call('POST', '/v2/ai/generate-email', { key: server.keys.live, body: email, headers })
    const second = await server.call('POST', '/v2/ai/generate-email', { key: server.keys.live, body: email, headers })
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(await balance()).toBe(before - 1)
  })
})

describe('presets', () => {
  test('can be created, read, changed with a new version, and deleted', async () => {
    const made = await inTest('POST', '/v2/campaigns/ai-prompts', { name: 'P', prompt: 'Hi {{ firstName }}' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ version: 1, variables: ['firstName'], modelId: null, description: null })
    const path = `/v2/campaigns/ai-prompts/${made.body.id}`
    expect((await inTest('GET', path)).body).toEqual(made.body)
    expect((await inTest('PUT', path, { ...made.body, name: 'Q' })).body).toMatchObject({ name: 'Q', version: 1 })
    expect((await inTest('PUT', path, { prompt: 'Hi {{ company }}' })).body).toMatchObject({
      version: 2,
      variables: ['company'],
    })
    expect((await inTest('PUT', path, { variables: ['x'] })).body.error.details.issues[0].path).toBe('variables')
    expect((await inTest('DELETE', path)).body).toEqual({ id: made.body.id, deleted: true })
    expect((await inTest('GET', path)).status).toBe(404)
    const bulk = await inTest('POST', '/v2/campaigns/ai-prompts/bulk-delete', { ids: [made.body.id] })
    expect(bulk.body.results).toEqual([{ id: made.body.id, outcome: 'not_found', message: expect.any(String) }])
  })

  test('generate for free with a lead in the test environment', async () => {
    const preset = (
      await inTest('POST', '/v2/campaigns/ai-prompts', { name: 'P', prompt: 'Write about a demo to {{ firstName }}' })
    ).body
    const { status, body } = await inTest('POST', '/v2/ai/generate-email', {
      modelId: 'builtin/drafter',
      presetId: preset.id,
      lead: { firstName: 'Ada' },
      subjectCount: 3,
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ creditsCharged: 0, modelId: 'builtin/drafter' })
    expect(body.subjectOptions).toHaveLength(3)
    expect(body.body).toContain('Ada')
  })
})
