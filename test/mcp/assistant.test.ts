import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Overture } from '@overture/sdk'
import { overHttp, overStdio, type Assistant } from '@overture/testing/mcp/assistant.ts'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'

const readTools = ['overview', 'find', 'campaign_report', 'explain_lead', 'conversations', 'tasks']
const writeTools = [...readTools, 'save_campaign', 'preview', 'add_leads', 'tag', 'suppress', 'pause', 'simulate']

let product: RunningProduct
let overture: Overture
let readKey: string
beforeAll(async () => {
  product = await startRunningServer({ OVERTURE_MCP: 'send' })
  overture = new Overture({ apiKey: product.keys.test, baseUrl: product.url })
  readKey = (await overture.account.apiKeys.create({ name: 'reader', scopes: ['read'] })).key!
})
afterAll(() => product.stop())

const open: Assistant[] = []
afterAll(() => Promise.all(open.map((one) => one.close())))
async function kept(assistant: Promise<Assistant>): Promise<Assistant> {
  const one = await assistant
  open.push(one)
  return one
}

const eras = ['modern', 'legacy'] as const

describe.each(eras)('an assistant with the %s protocol', (era) => {
  test('sees the tools that its key allows, over HTTP and stdio', async () => {
    const { url } = product
    const reader = await kept(overHttp({ url, apiKey: readKey, era }))
    expect(await reader.tools()).toEqual(readTools)
    const writer = await kept(overStdio({ url, apiKey: product.keys.test, era }))
    expect(await writer.tools()).toEqual(writeTools)
    const readOnly = await kept(
      overStdio({ url, apiKey: product.keys.test, era, options: ['--read-only', '--no-inbound'] }),
    )
    expect(await readOnly.tools()).toEqual(readTools.filter((name) => name !== 'conversations'))
  })

  test('works from a draft to a reply, and a person confirms the sending', async () => {
    const questions: string[] = []
    const person = (question: string) => questions.push(question) > 0
    const options = ['--allow-send']
    const assistant = await kept(overStdio({ url: product.url, apiKey: product.keys.test, era, person, options }))
    expect(await assistant.tools()).toEqual([...writeTools, 'send'])
    const campaignId = await draft(assistant, era)
    const started = await assistant.call('send', { action: 'start', campaignId })
    expect(started.isError).toBe(false)
    expect(questions).toHaveLength(1)
    expect(questions[0]).toContain(`${era}+interested@prospects.test`)
    expect(questions[0]).toContain('Hello {{ firstName }}')
    await assistant.call('simulate', { by: '3d' })
    const { text } = await assistant.call('conversations', { campaignId, view: 'all' })
    expect(text).toContain('untrustedText')
    expect(JSON.parse((await assistant.call('campaign_report', { campaignId })).text).stats.replied).toBe(1)
  })
})

async function draft(assistant: Assistant, era: string): Promise<string> {
  const sender = await overture.sendingAccounts.create({
    email: `sales@${era}.test`,
    fromName: 'Ada',
    provider: 'smtp',
    smtp: { host: '127.0.0.1', port: 25, security: 'none', username: 'a', password: 'b' },
  })
  const { text, isError } = await assistant.call('save_campaign', {
    name: `By an assistant (${era})`,
    steps: [{ variants: [{ subject: 'Hello {{ firstName }}', body: 'Shall we talk?' }] }],
    sendingAccountIds: [sender.id],
  })
  expect(isError).toBe(false)
  const { campaign, blockers, note } = JSON.parse(text)
  expect(blockers).toEqual([])
  expect(note).toContain('no leads')
  const added = await assistant.call('add_leads', {
    campaignId: campaign.id,
    leads: [{ email: `${era}+interested@prospects.test`, firstName: 'Ada' }],
  })
  expect(JSON.parse(added.text).added).toBe(1)
  return campaign.id
}

describe('sending', () => {
  test("is not offered to a client that can't ask a person", async () => {
    const { url, keys } = product
    const stateless = await kept(overHttp({ url, apiKey: keys.test, era: 'legacy', person: () => true }))
    expect(await stateless.tools()).toEqual(writeTools)
    const asking = await kept(overHttp({ url, apiKey: keys.test, era: 'modern', person: () => true }))
    expect(await asking.tools()).toEqual([...writeTools, 'send'])
  })

  test("doesn't happen if the person declines", async () => {
    const { url, keys } = product
    const assistant = await kept(overHttp({ url, apiKey: keys.test, era: 'modern', person: () => false }))
    const campaignId = await draft(assistant, 'declined')
    const { text } = await assistant.call('send', { action: 'start', campaignId })
    expect(text).toContain('Nothing was sent')
    expect((await overture.campaigns.get(campaignId)).status).toBe('draft')
  })

  test('needs another confirmation if the campaign changed meanwhile', async () => {
    const { url, keys } = product
    const questions: string[] = []
    let campaignId = ''
    const person = async (question: string) => {
      questions.push(question)
      if (questions.length === 1) {
        const { steps } = await overture.campaigns.get(campaignId)
        const [{ id, variants }] = steps as [(typeof steps)[number]]
        const changed = [{ id: variants[0]!.id, subject: 'Quite another', body: 'Buy now.' }]
        await overture.campaigns.update(campaignId, { steps: [{ id, variants: changed }] })
      }
      return questions.length < 3
    }
    const assistant = await kept(overHttp({ url, apiKey: keys.test, era: 'modern', person }))
    campaignId = await draft(assistant, 'changed')
    expect((await assistant.call('send', { action: 'start', campaignId })).isError).toBe(false)
    expect(questions).toHaveLength(2)
    expect(questions[1]).toContain('Quite another')
    expect((await overture.campaigns.get(campaignId)).status).toBe('active')
  })
})

describe('access', () => {
  const ask = (headers: Record<string, string>, method = 'POST') =>
    fetch(new URL('/mcp', product.url), {
      method,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      ...(method === 'POST' && { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) }),
    })

  test('no key, a wrong key and a live key have different responses', async () => {
    const none = await ask({})
    expect(none.status).toBe(401)
    expect(none.headers.get('www-authenticate')).toMatch(/^Bearer realm="overture", resource_metadata="http/)
    expect((await ask({ authorization: `Bearer ovt_test_${'A'.repeat(30)}` })).status).toBe(401)
    const live = await ask({ authorization: `Bearer ${product.keys.live}` })
    expect([live.status, await live.text()]).toEqual([403, expect.stringContaining('OVERTURE_MCP=write,live')])
  })

  test('pages of other sites and foreign hosts are refused', async () => {
    const authorization = `Bearer ${product.keys.test}`
    expect((await ask({ authorization, origin: 'https://evil.example.com' })).status).toBe(403)
    expect((await ask({ authorization, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await ask({ authorization })).status).toBe(200)
  })

  test('invalid JSON gets a protocol error, and GET opens no stream', async () => {
    const authorization = `Bearer ${product.keys.test}`
    const answer = await fetch(new URL('/mcp', product.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization },
      body: '{"jsonrpc":',
    })
    expect(answer.status).toBe(400)
    expect((await ask({ authorization }, 'GET')).status).toBe(405)
  })
})
