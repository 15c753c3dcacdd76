import type { TestPerson } from '../server/people.ts'
import { startWholeServer } from '../server/whole-server.ts'
import type { TestServer } from '../server.ts'
import { type Consent, GrantClient, type Tokens } from './grant-client.ts'

/** All that a person can allow in the test environment. */
export const allOfTest: Consent = { allow: true, environment: 'test', scopes: ['read', 'write', 'send'] }

/** Starts a server that accepts assistants in both environments. `publicUrl` is its own address unless it is given. */
export async function startGrantServer({
  publicUrl,
  ...options
}: Parameters<typeof startWholeServer>[0] & { publicUrl?: string } = {}): Promise<TestServer> {
  const server = await startWholeServer({
    ...options,
    environment: { OVERTURE_MCP: 'send,live', ...options.environment },
  })
  // The port is known only now.
  Object.assign(server.app.config, { publicUrl: publicUrl ?? server.url })
  return server
}

/** Connects a new client, as a person allows it. */
export async function connect(
  server: TestServer,
  person: TestPerson,
  consent = allOfTest,
): Promise<{ client: GrantClient; tokens: Tokens }> {
  const client = await GrantClient.register(server.url)
  const { status, body } = await client.redeem(await client.code(person, consent))
  if (status !== 200) throw new Error(`${status} ${body.error_description}`)
  return { client, tokens: body }
}

interface ToolCall {
  name: string
  input?: object
  headers?: Record<string, string>
}

/** Calls a tool over `/mcp` with an access token. Returns the status and the text of the result. */
export async function callTool(
  url: string,
  token: string,
  { name, input = {}, headers = {} }: ToolCall,
): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  })
  return { status: answer.status, text: await answer.text() }
}

export async function isAccepted(url: string, token: string): Promise<boolean> {
  const { status } = await callTool(url, token, { name: 'overview' })
  if (status !== 200 && status !== 401) throw new Error(`status ${status}`)
  return status === 200
}
