import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anthropic, google, mistral, openai } from '@overture/testing/services/model-services.ts'
import { readServiceRequest, sendAnswer, type Service } from '@overture/testing/services/service-request.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { aiRoutes } from '../index.ts'

const text = JSON.stringify({ body: 'Hi Ada, shall we talk?', subjects: ['One idea', 'Another', 'A third'] })

/** The answer of each provider in its own format, by the end of the request's path. Each one refuses what the real one refuses. */
const answers: [RegExp, { service: Service; key: string }, unknown][] = [
  [
    /\/responses$/,
    { service: openai, key: 'openai-key' },
    {
      id: 'r',
      object: 'response',
      created_at: 1,
      model: 'm',
      output: [
        {
          type: 'message',
          id: 'o',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text, annotations: [] }],
        },
      ],
      usage: { input_tokens: 11, output_tokens: 7 },
    },
  ],
  [
    /\/messages$/,
    { service: anthropic, key: 'anthropic-key' },
    {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 11, output_tokens: 7 },
    },
  ],
  [
    /:generateContent$/,
    { service: google, key: 'google-key' },
    {
      candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
    },
  ],
  [
    /\/chat\/completions$/,
    { service: mistral, key: 'mistral-key' },
    {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
    },
  ],
]

let provider: Server
let server: TestServer
const asked: { path: string; key: string }[] = []

beforeAll(async () => {
  provider = createServer((request, response) => {
    void readServiceRequest(request).then((received) => {
      const { path, headers } = received
      const key = [headers.authorization, headers['x-api-key'], headers['x-goog-api-key']]
      asked.push({ path, key: String(key.find((one) => one !== undefined) ?? '') })
      const [, as, body] = answers.find(([pattern]) => pattern.test(path)) ?? []
      const refusal = as === undefined ? { status: 404, body: {} } : as.service.toRefusal(received, as.key)
      sendAnswer(request, response, refusal ?? { status: 200, body })
    })
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const address = provider.address()
  const base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  server = await startTestServer({
    environment: {
      OPENAI_API_KEY: 'openai-key',
      OPENAI_BASE_URL: `${base}/v1`,
      ANTHROPIC_API_KEY: 'anthropic-key',
      ANTHROPIC_BASE_URL: `${base}/v1`,
      GOOGLE_GENERATIVE_AI_API_KEY: 'google-key',
      GOOGLE_GENERATIVE_AI_BASE_URL: `${base}/v1beta`,
      MISTRAL_API_KEY: 'mistral-key',
      MISTRAL_BASE_URL: `${base}/v1`,
      OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
    },
    routes: () => aiRoutes({ findLeadFacts: () => Promise.resolve(undefined) }),
  })
})
afterAll(async () => {
  await server.stop()
  provider.closeAllConnections()
  provider.close()
})

test.each([
  ['openai/gpt-4.1-mini', '/v1/responses', 'Bearer openai-key'],
  ['anthropic/claude-haiku-4-5', '/v1/messages', 'anthropic-key'],
  ['google/gemini-2.5-flash', '/v1beta/models/gemini-2.5-flash:generateContent', 'google-key'],
  ['mistral/mistral-small-latest', '/v1/chat/completions', 'Bearer mistral-key'],
])('%s is asked in its own words, with its own key', async (modelId, path, key) => {
  const { status, body } = await server.call('POST', '/v2/ai/generate-email', {
    key: server.keys.live,
    body: { modelId, prompt: 'Invite them.', kind: 'subject', subjectCount: 3, lead: { firstName: 'Ada' } },
  })
  expect({ status, body }).toMatchObject({
    status: 201,
    body: {
      modelId,
      subject: 'One idea',
      subjectOptions: ['One idea', 'Another', 'A third'],
      promptTokens: 11,
      completionTokens: 7,
      creditsCharged: 1,
    },
  })
  expect(asked.at(-1)).toEqual({ path, key })
})
