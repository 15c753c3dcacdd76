import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import { exampleOutput } from '@overture/contract/document/openapi-examples.ts'
import { toSchema } from '@overture/contract/document/schemas.ts'
import { ApiError, Overture } from '@overture/sdk'
import type { TestServer } from '@overture/testing/server.ts'
import { makeResources, type Resources } from '@overture/testing/server/resources.ts'
import { callable, buildCall, findMethod } from '@overture/testing/server/sdk-calls.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

// The first search waits until the index of the demo people was built.
vi.setConfig({ testTimeout: 300_000 })

interface Recorded {
  method: string
  url: string
  body: string | null
  answer: { status: number; headers: Headers; text: string }
}

let server: TestServer
let resources: Resources
let clients: Record<'test' | 'live', Overture>
let recorded: Recorded[]

beforeAll(async () => {
  server = await startWholeServer({ environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' } })
  resources = await makeResources(server, { key: server.keys.test, mounted: allEndpoints })
  clients = { test: recordingClient(server.keys.test), live: recordingClient(server.keys.live) }
})
afterAll(() => server.stop())

function recordingClient(apiKey: string): Overture {
  return new Overture({
    apiKey,
    baseUrl: server.url,
    retries: 0,
    async fetch(url, init) {
      const response = await fetch(url, init)
      const text = await response.clone().text()
      const { status, headers } = response
      recorded.push({
        method: init.method ?? 'GET',
        url,
        body: typeof init.body === 'string' ? init.body : null,
        answer: { status, headers, text },
      })
      return response
    },
  })
}

/**
 * Calls that fail here, by status: the example contains unknown ids or needs an earlier action. Every other operation must succeed,
 * including new ones.
 */
const refused: Readonly<Record<number, readonly string[]>> = {
  // The example is no report.
  400: ['deliverability.uploadReport', 'placementTests.create'],
  401: ['auth.login', 'auth.describeLink', 'auth.accept', 'auth.changePassword'],
  404: [
    'campaigns.launch',
    'campaigns.update',
    'campaigns.preview',
    'campaigns.testMessage',
    'templates.preview',
    'meetings.create',
    'sandbox.inbound',
    'ai.generateEmail',
    'leadFinder.reveal',
    'imports.get',
    'imports.errors',
    'suppressions.imports.get',
    'suppressions.imports.errors',
    'lists.imports.get',
    'lists.imports.errors',
    'erasures.get',
    'verifications.get',
    'verifications.results',
    'tasks.get',
    'tasks.update',
    'tasks.delete',
    'tasks.complete',
    'tasks.skip',
    'tasks.snooze',
    'tasks.reopen',
    'conversations.get',
    'conversations.reply',
    'conversations.update',
    'conversations.withdraw',
    'conversations.updateReply',
    'conversations.addNote',
    'conversations.draft',
    'conversations.writeDraft',
    'conversations.dismissDraft',
    'campaigns.approvals.get',
    'conversations.forward',
    'conversations.deleteNote',
    'messages.attachment',
    'events.get',
    'webhooks.deliveries.redeliver',
    'sandbox.messages.get',
    'deliverability.domains.get',
    // The test account has no tenant connection.
    'tenantConnections.get',
    'tenantConnections.verify',
    'tenantConnections.addMailboxes',
    'tenantConnections.delete',
    'tenantConnections.update',
    'deliverability.domains.update',
    'seedMailboxes.get',
    'seedMailboxes.update',
    'seedMailboxes.verify',
    'seedMailboxes.delete',
    'placementTests.get',
    'placementTests.update',
    'placementTests.results',
    'campaigns.approvals.approve',
    'campaigns.approvals.reject',
    'campaigns.approvals.edit',
    // These operations belong to a user, not to a key.
    'me.get',
    'me.update',
    'me.sessions.list',
    'me.sessions.end',
    'me.totp.begin',
    'me.totp.confirm',
    'me.totp.end',
    'users.get',
    'users.update',
    'users.delete',
    'invitations.delete',
    // No assistant was allowed here.
    'account.grants.revoke',
    // The meeting was cancelled when its campaign was deleted.
    'meetings.delete',
  ],
  409: [
    // No worker runs here, so the first export is not complete.
    'exports.create',
    'exports.download',
    'campaigns.start',
    'campaigns.pause',
    'campaigns.resume',
    'campaigns.leads.sendNow',
    'campaigns.leads.reply',
    'campaigns.leads.resolve',
    // A simulated sending account can't be converted.
    'sendingAccounts.convert',
  ],
  503: ['billing.checkout', 'auth.requestPasswordReset'],
}

describe("each operation's method sends the same request as plain fetch and returns the same result", () => {
  test.each(callable.map((endpoint) => [endpoint.call, endpoint] as const))('%s', async (call, endpoint) => {
    recorded = []
    const { path, body, query, given } = buildCall(endpoint, resources)
    const outcome = await Promise.resolve(
      findMethod(clients[endpoint.environment === 'live' ? 'live' : 'test'], call)(...given),
    ).then(
      (data) => ({ data }),
      (error: unknown) => ({ error }),
    )

    expect(recorded).toHaveLength(1)
    const [{ method, url, body: sent, answer }] = recorded as [Recorded]
    const queryText = query === undefined ? '' : `?${new URLSearchParams({ ...query }).toString()}`
    expect([method, url]).toEqual([endpoint.method, `${server.url}${path}${queryText}`])
    if (endpoint.bodyType === undefined) expect(sent === null ? undefined : JSON.parse(sent)).toEqual(body)
    const expected = Object.entries(refused).find(([, calls]) => calls.includes(call))?.[0]
    if ('error' in outcome) {
      const { error } = JSON.parse(answer.text)
      expect(ApiError.is(outcome.error)).toBe(true)
      expect(outcome.error).toMatchObject({
        status: answer.status,
        code: error.code,
        requestId: answer.headers.get('x-request-id'),
        message: expect.stringContaining(error.message),
      })
      expect(String(answer.status)).toBe(expected)
    } else {
      expect(outcome.data).toEqual(endpoint.outputType === undefined ? JSON.parse(answer.text) : answer.text)
      expect(endpoint.success).toContain(answer.status)
      expect(expected).toBeUndefined()
    }
  })
})

describe("each method returns the document's example response", () => {
  const answering = (endpoint: Endpoint, body: string, type: string) =>
    new Overture({
      apiKey: `ovt_test_${'A'.repeat(30)}`,
      baseUrl: 'http://127.0.0.1:9',
      fetch: async () => new Response(body, { status: endpoint.success[0], headers: { 'content-type': type } }),
    })

  test.each(callable.map((endpoint) => [endpoint.call, endpoint] as const))('%s', async (call, endpoint) => {
    const { outputType = 'application/json' } = endpoint
    const example = exampleOutput(endpoint, toSchema(endpoint.output, 'output'))
    expect(example).toBeDefined()
    const text = typeof example === 'string' ? example : JSON.stringify(example)
    const data = await findMethod(answering(endpoint, text, outputType), call)(...buildCall(endpoint, new Map()).given)
    const shown = outputType === 'application/octet-stream' ? new TextEncoder().encode(text) : example
    expect(data).toEqual(shown)
  })

  test('and the parts of a streamed example', async () => {
    const streamed = allEndpoints.filter(({ streams }) => streams !== undefined)
    expect(streamed.map(({ call }) => call)).toEqual(['ai.generateEmail'])
    const [endpoint] = streamed as [Endpoint]
    const { ai } = answering(endpoint, endpoint.streams!.example, 'text/event-stream')
    const parts: string[] = []
    for await (const { type } of ai.generateEmail.stream({ modelId: 'builtin/drafter', prompt: 'x' })) parts.push(type)
    expect(parts).toEqual(['delta', 'delta', 'result'])
  })
})
