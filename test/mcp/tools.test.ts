import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { countTokens } from 'gpt-tokenizer'
import { describe, expect, test } from 'vitest'
import { createMcpServer, type Access } from '@overture/mcp'
import { Overture } from '@overture/sdk'
import { createExampleApi } from '@overture/testing/mcp/example-api.ts'

const allTokensMax = 4_000
const readTokensMax = 1_800

async function listed(access: Access, change?: Parameters<typeof createExampleApi>[0]) {
  const api = createExampleApi(change)
  const handler = createMcpHandler(() =>
    createMcpServer({
      overture: new Overture({
        apiKey: `ovt_test_${'A'.repeat(30)}`,
        baseUrl: 'http://api.test',
        fetch: api.fetch,
        retries: 0,
      }),
      access,
      secret: new Uint8Array(32),
      principal: 'somebody',
      inbound: true,
      asks: true,
      docs: { names: async () => ['contract'], read: async (name) => (name === 'contract' ? '# Contract' : null) },
      nonce: () => 'nonce',
    }),
  )
  const client = new Client(
    { name: 'reader', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: { elicitation: { form: {} } } },
  )
  const fetchHere = (url: URL | string, init?: RequestInit) => handler.fetch(new Request(url, init))
  await client.connect(new StreamableHTTPClientTransport(new URL('http://mcp.test/mcp'), { fetch: fetchHere }))
  return { client, tools: (await client.listTools()).tools, called: api.asked }
}

const everything: Access = { environment: 'test', writes: true, sends: true }
const reading: Access = { environment: 'test', writes: false, sends: false }

describe('the tools', () => {
  test('need few tokens, even with all rights', async () => {
    const tokens = async (access: Access) => countTokens(JSON.stringify((await listed(access)).tools))
    expect(await tokens(everything)).toBeLessThanOrEqual(allTokensMax)
    expect(await tokens(reading)).toBeLessThanOrEqual(readTokensMax)
  })

  test('are fourteen, six of them read-only, and their schemas match the snapshots', async () => {
    const { tools } = await listed(everything)
    expect(tools).toHaveLength(14)
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint === true)).toHaveLength(6)
    for (const one of tools)
      await expect(`${JSON.stringify(one, null, 2)}\n`).toMatchFileSnapshot(`snapshots/${one.name}.txt`)
  })

  test('that are read-only call no operation that changes data', async () => {
    const { client, tools, called } = await listed(reading)
    for (const { name } of tools)
      await client
        .callTool({ name, arguments: { campaignId: 'cmp_1', leadId: 'led_1', what: 'people' } })
        .catch(() => {})
    expect(called.filter((operation) => !/^(?:get|list|explain)/.test(operation))).toEqual([])
  })

  test.each([
    ['live', 'active', 'Spring follows the list. The campaign is active'],
    ['live', 'paused', null],
    ['test', 'active', null],
  ] as const)(
    'in %s, a list with a follower that is %s gets members, or the call is refused',
    async (environment, status, refused) => {
      const { client, called } = await listed({ ...everything, environment }, (operation, example) => {
        if (operation === 'getList') return { ...example, followers: [{ campaignId: 'cmp_1' }] }
        return operation === 'getCampaign' ? { ...example, name: 'Spring', status } : example
      })
      const leads = [{ email: 'ada@example.com' }]
      const { content } = await client.callTool({ name: 'add_leads', arguments: { listId: 'lst_1', leads } })
      expect(called.includes('addListMembers')).toBe(refused === null)
      if (refused !== null) expect(JSON.stringify(content)).toContain(refused)
    },
  )
})

describe('resources', () => {
  test('a campaign, an operation and a documentation page can be read', async () => {
    const { client } = await listed(reading)
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0] as { text: string }
    expect(JSON.parse((await read('overture://campaigns/cmp_1')).text)).toHaveProperty('steps')
    expect((await read('overture://operations/campaigns.update')).text).toContain('useLeadTimezone')
    expect((await read('overture://docs/contract')).text).toBe('# Contract')
  })

  test.each([
    'overture://docs/..%2Fpackage',
    'overture://docs/nothing',
    'overture://operations/none',
    'overture://campaigns/',
  ])("%s doesn't exist", async (uri) => {
    const { client } = await listed(reading)
    await expect(client.readResource({ uri })).rejects.toThrow()
  })

  test('prompts are listed, and change nothing for a read-only key', async () => {
    const { client } = await listed(reading)
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['why-not-sent', 'triage-replies'])
    const { messages } = await client.getPrompt({ name: 'why-not-sent', arguments: { email: 'ada@example.com' } })
    expect(JSON.stringify(messages)).toContain('ada@example.com')
  })
})
