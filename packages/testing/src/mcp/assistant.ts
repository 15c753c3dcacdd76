import { builtCli } from '../programs/program.ts'
import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

/** The user of the assistant, who sees the question and accepts or declines. */
export type Person = (question: string) => boolean | Promise<boolean>

export interface Assistant {
  client: Client
  tools(): Promise<string[]>
  /** Returns the text of a tool's result and whether it is an error. */
  call(name: string, input?: Record<string, unknown>): Promise<{ text: string; isError: boolean }>
  close(): Promise<void>
}

interface Era {
  /** The newer protocol can ask the user between requests; the protocol of 2025 asks only over an open connection. */
  era: 'modern' | 'legacy'
  /** If undefined, the client can't ask the user. */
  person?: Person
}

/** Connects an assistant over HTTP with an API key. */
export function overHttp({ url, apiKey, ...rest }: Era & { url: string; apiKey: string }): Promise<Assistant> {
  const headers = { authorization: `Bearer ${apiKey}` }
  return connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }), rest)
}

/** Connects an assistant that starts `overture mcp` as a child process, like desktop assistants. */
export async function overStdio(
  settings: Era & { url: string; apiKey: string; options?: readonly string[] },
): Promise<Assistant> {
  const { url, apiKey, options = [], ...rest } = settings
  const env = { PATH: process.env['PATH'] ?? '', OVERTURE_API_KEY: apiKey, OVERTURE_URL: url }
  const args = [await builtCli(), 'mcp', ...options]
  return connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }), rest)
}

type ClientTransport = StreamableHTTPClientTransport | StdioClientTransport

async function connect(transport: ClientTransport, { era, person }: Era): Promise<Assistant> {
  const client = new Client(
    { name: 'assistant-double', version: '1.0.0' },
    {
      capabilities: person === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  )
  if (person !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const yes = await person(params.message)
      return yes ? { action: 'accept', content: { confirm: true } } : { action: 'decline' }
    })
  await client.connect(transport)
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, input = {}) {
      const answer = (await client.callTool({ name, arguments: input })) as CallToolResult
      const text = answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
      return { text, isError: answer.isError === true }
    },
    close: () => client.close(),
  }
}
