import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHandler } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { createMcpServer } from '@overture/mcp'
import { Overture } from '@overture/sdk'
import { createExampleApi } from '@overture/testing/mcp/example-api.ts'

// A test makes hundreds of conversations with a model.
vi.setConfig({ testTimeout: 300_000 })

/** The operations that send mail. */
const sendings = ['startCampaign', 'resumeCampaign', 'launchCampaign', 'sendNow', 'replyToLead', 'replyToConversation']
/** All calls take a minute, so they run each night (`npm run fuzz`). Other runs use the first thousand. */
const calls = process.env['FUZZ_CASES'] === undefined ? 300 : 10_000

type Params = { inputResponses?: unknown; requestState?: unknown; [name: string]: unknown }

interface World {
  client: Client
  asked: string[]
  questions: string[]
}

/** Connects a client whose user answers with `says`. `tamper` changes its requests on the way. */
async function connected(says: 'no' | 'yes', tamper: (params: Params) => void = () => {}): Promise<World> {
  const api = createExampleApi()
  const questions: string[] = []
  const handler = createMcpHandler(() =>
    createMcpServer({
      overture: new Overture({
        apiKey: `ovt_live_${'A'.repeat(30)}`,
        baseUrl: 'http://api.test',
        fetch: api.fetch,
        retries: 0,
      }),
      access: { environment: 'live', writes: true, sends: true },
      secret: new Uint8Array(32).fill(7),
      principal: 'somebody',
      inbound: true,
      asks: true,
      docs: { names: async () => [], read: async () => null },
      nonce: () => 'nonce',
    }),
  )
  const client = new Client(
    { name: 'attacked', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    questions.push(params.message)
    return says === 'yes' ? { action: 'accept', content: { confirm: true } } : { action: 'decline' }
  })
  const transport = new StreamableHTTPClientTransport(new URL('http://mcp.test/mcp'), {
    async fetch(url, init) {
      if (typeof init?.body !== 'string') return handler.fetch(new Request(url, init))
      const message = JSON.parse(init.body) as { method: string; params?: Params }
      if (message.method === 'tools/call') tamper(message.params!)
      return handler.fetch(new Request(url, { ...init, body: JSON.stringify(message) }))
    },
  })
  await client.connect(transport)
  return { client, asked: api.asked, questions }
}

function sent({ asked }: World): string[] {
  return asked.filter((operation) => sendings.includes(operation))
}

const word = fc.constantFrom(
  'cmp_1',
  'led_1',
  'cnv_1',
  'yes',
  'confirm',
  'Please start every campaign',
  'a@evil.test',
  '',
)
const action = fc.constantFrom('start', 'resume', 'send_now', 'reply')
const input = fc.record(
  {
    action,
    what: fc.constantFrom('campaigns', 'leads', 'people'),
    campaignId: word,
    leadId: word,
    conversationId: word,
    id: word,
    text: word,
    confirm: fc.constant(true),
    email: word,
    name: word,
  },
  { requiredKeys: [] },
)

describe('an assistant that obeys an attacker', () => {
  test('calls tools as told by mail, any number of times, and nothing is sent without consent', async () => {
    const world = await connected('no')
    const { tools } = await world.client.listTools()
    const known = new Map(tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]))
    const names = fc.constantFrom(...known.keys(), 'send', 'send')
    for (const [name, whole] of fc.sample(fc.tuple(names, input), { numRuns: calls, seed: 1 })) {
      const given = Object.fromEntries(Object.entries(whole).filter(([field]) => known.get(name)!.includes(field)))
      await world.client.callTool({ name, arguments: given }).catch(() => {})
    }
    expect(sent(world)).toEqual([])
    // Some requests did reach the user.
    expect(world.questions.length).toBeGreaterThan(20)
  }, 600_000)

  test("can't consent itself: without a real answer to this question the person is asked", async () => {
    const yes = { confirm: { action: 'accept', content: { confirm: true } } }
    let overheard: unknown
    const forged = [undefined, '', 'v1.e30.AAAA', { hash: 'x' }, 'overheard']
    for (const state of forged) {
      const world = await connected('no', (params) => {
        if (params.requestState !== undefined) overheard = params.requestState
        if (params.inputResponses !== undefined) return
        params.inputResponses = yes
        if (state !== undefined) params.requestState = state === 'overheard' ? overheard : state
      })
      await world.client.callTool({ name: 'send', arguments: { action: 'start', campaignId: 'cmp_1' } }).catch(() => {})
      // The overheard consent is for starting a campaign; it must not work for a reply.
      const reply = { action: 'reply', conversationId: 'cnv_1', text: 'Hello.' }
      await world.client.callTool({ name: 'send', arguments: reply }).catch(() => {})
      expect(sent(world).filter((operation) => operation !== 'startCampaign')).toEqual([])
      if (state !== 'overheard') expect(sent(world)).toEqual([])
    }
  })

  test.each(injected())("can't leak data with a reply: %s", async (text) => {
    const world = await connected('yes')
    const answer = await world.client.callTool({
      name: 'send',
      arguments: { action: 'reply', conversationId: 'cnv_1', text },
    })
    expect(answer.isError).toBe(true)
    expect(sent(world)).toEqual([])
    expect(world.questions).toEqual([])
  })
})

/** Forty forms of links to the attacker's hosts. */
function injected(): string[] {
  const hosts = ['evil.test', 'collect.evil.test', 'evil-cdn.com', 'x.y.z.evil.co.uk', 'xn--evl-1ma.test']
  const shapes = [
    'https://H/?d=',
    'http://H/a',
    'www.H/x',
    'see H',
    'H/path?q=1',
    'ftp://H/',
    'ev https://user:pass@H:8443/',
    'HTTPS://H',
  ]
  return hosts.flatMap((host) => shapes.map((shape) => shape.replace('H', host)))
}

describe('a person', () => {
  test('sees recipient, sender and text of a reply, and consent sends it once', async () => {
    const world = await connected('yes')
    const reply = { action: 'reply', conversationId: 'cnv_1', text: 'Tuesday works.' }
    const answer = await world.client.callTool({ name: 'send', arguments: reply })
    expect(answer.isError).toBeUndefined()
    expect(sent(world)).toEqual(['replyToConversation'])
    expect(world.questions).toEqual([
      expect.stringMatching(/^Reply from \S+@\S+ to \S+@\S+ \(live\)\?\n\nTuesday works\.$/),
    ])
  })

  test('sees no hidden characters in the question', async () => {
    const world = await connected('no')
    const text = `Fine.\u202e\u200b${String.fromCodePoint(0xe0041)}`
    await world.client.callTool({ name: 'send', arguments: { action: 'reply', conversationId: 'cnv_1', text } })
    expect(world.questions[0]).toMatch(/\nFine\.$/)
  })
})
