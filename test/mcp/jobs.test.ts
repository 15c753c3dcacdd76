import { countTokens } from 'gpt-tokenizer'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Overture } from '@overture/sdk'
import { overHttp, type Assistant } from '@overture/testing/mcp/assistant.ts'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'

/** The token limit for the results of one job: a model that reads more forgets its task. */
const jobTokensMax = 4_000

let product: RunningProduct
let overture: Overture
let assistant: Assistant
let senderId = ''
let campaignId = ''
let read = 0
const questions: string[] = []

beforeAll(async () => {
  product = await startRunningServer({ OVERTURE_MCP: 'send' })
  overture = new Overture({ apiKey: product.keys.test, baseUrl: product.url })
  const sender = await overture.sendingAccounts.create({
    email: 'sales@own.test',
    fromName: 'Grace',
    provider: 'smtp',
    smtp: { host: '127.0.0.1', port: 25, security: 'none', username: 'a', password: 'b' },
  })
  senderId = sender.id
  const person = (question: string) => questions.push(question) > 0
  assistant = await overHttp({ url: product.url, apiKey: product.keys.test, era: 'modern', person })
})
afterAll(async () => {
  await assistant.close()
  await product.stop()
})
afterEach(() => {
  expect(read).toBeLessThanOrEqual(jobTokensMax)
  read = 0
  questions.length = 0
})

/** Calls a tool and returns its result. Throws if the result is an error. */
async function ask(name: string, input: Record<string, unknown> = {}): Promise<ReturnType<typeof JSON.parse>> {
  const { text, isError } = await assistant.call(name, input)
  read += countTokens(text)
  if (isError) throw new Error(`${name}: ${text}`)
  const json = text.replace(/^<untrusted-\S+>\n|\n<\/untrusted-\S+>$/g, '')
  return JSON.parse(json)
}

/** Calls a tool that must refuse, and returns the refusal. */
async function toRefusal(name: string, input: Record<string, unknown>): Promise<string> {
  const { text, isError } = await assistant.call(name, input)
  read += countTokens(text)
  expect(isError).toBe(true)
  return text
}

const steps = [
  {
    variants: [{ subject: 'A question, {{ firstName | default: "there" }}', body: 'Shall we talk, {{ firstName }}?' }],
  },
  { waitBefore: { value: 9, unit: 'days' }, sameThread: true, variants: [{ body: 'Did you see this?' }] },
]

// A session with an assistant: each job continues with the result of the previous one.
describe.sequential('eleven jobs', () => {
  test('1: what is here at the start?', async () => {
    const { account, mayWrite, maySend, sendingAccounts, campaigns, clock } = await ask('overview')
    expect([account.environment, mayWrite, maySend, campaigns]).toEqual(['test', true, true, []])
    expect(sendingAccounts).toMatchObject([{ id: senderId, email: 'sales@own.test', status: 'active' }])
    expect(clock.now).toEqual(expect.any(String))
  })

  test('2: write a sequence and list its blockers', async () => {
    const { campaign, blockers, note } = await ask('save_campaign', { name: 'By an assistant', steps })
    campaignId = campaign.id
    expect([campaign.status, campaign.leadCount, note]).toEqual(['draft', 0, expect.stringContaining('add_leads')])
    expect(blockers).toMatchObject([{ code: 'no_sending_accounts' }])
    expect(await toRefusal('send', { action: 'start', campaignId })).toMatch(/no_sending_accounts/)
    expect((await overture.campaigns.get(campaignId)).status).toBe('draft')
  })

  test('3: fix the blockers, and correct a mistake by its error', async () => {
    const wrong = [{ variants: [{ subject: 'Hello', body: 'Hi {{ firstName | shout }}' }] }]
    expect(await toRefusal('save_campaign', { campaignId, steps: wrong })).toContain('steps[0].variants[0].body')
    const saved = await ask('save_campaign', { campaignId, steps, sendingAccountIds: [senderId] })
    expect([saved.blockers, saved.steps.length]).toEqual([[], 2])
  })

  test('4: add five people, one without an address and one twice', async () => {
    const leads = ['ada+interested', 'bob+silent', 'ada+interested', 'no address', 'eve+unsubscribe'].map((name) => ({
      email: name === 'no address' ? name : `${name}@prospects.test`,
      firstName: 'Ada',
    }))
    const { added, notAdded } = await ask('add_leads', { campaignId, leads })
    expect(added).toBe(3)
    expect(notAdded.map(({ index, outcome }: { index: number; outcome: string }) => [index, outcome])).toEqual([
      [2, 'skipped'],
      [3, 'invalid'],
    ])
  })

  test('4b: put people into a list, and tag a campaign and find it by its tag', async () => {
    const [list, tag] = [
      await overture.lists.create({ name: 'Visitors' }),
      await overture.tags.create({ name: 'Fair' }),
    ]
    const [found] = (await ask('find', { what: 'lists', q: 'visit' })).results
    const leads = [{ email: 'ada@visitors.test' }, { email: 'no address' }]
    const { added, invalidItems } = await ask('add_leads', { listId: found.id, leads })
    expect([added, invalidItems]).toEqual([1, [expect.objectContaining({ index: 1 })]])
    expect((await overture.lists.get(list.id)).memberCount).toBe(1)
    expect(await toRefusal('add_leads', { leads })).toContain('one of campaignId, listId and newList')
    expect(await toRefusal('add_leads', { listId: list.id, campaignId, leads })).toContain(
      'one of campaignId, listId and newList',
    )

    const fresh = await ask('add_leads', { newList: 'Guests', leads })
    expect([fresh.added, (await overture.lists.get(fresh.listId)).name]).toEqual([1, 'Guests'])
    expect(await toRefusal('add_leads', { newList: 'guests', leads })).toContain(`Its listId is ${fresh.listId}.`)

    expect((await ask('find', { what: 'tags' })).results).toEqual([{ id: tag.id, name: 'Fair' }])
    const ids = [campaignId, 'cmp_unknown']
    const named = { id: tag.id, name: 'Fair' }
    const given = await ask('tag', { tag: 'fair', ids })
    expect(given).toEqual({ tag: named, changed: 1, unchanged: 0, notFound: ['cmp_unknown'] })
    expect(await toRefusal('tag', { tag: 'Autumn', ids, remove: true })).toContain('There is no tag Autumn')
    expect(await toRefusal('tag', { tag: 'tag_unknown', ids })).toContain('There is no tag tag_unknown')
    const made = await ask('tag', { tag: 'Autumn', ids: [campaignId] })
    expect(made).toMatchObject({ tag: { name: 'Autumn', created: true }, changed: 1 })
    expect((await overture.tags.get(made.tag.id)).name).toBe('Autumn')
    const tagged = async () => (await ask('find', { what: 'campaigns', tagId: tag.id })).results
    expect((await tagged()).map(({ id }: { id: string }) => id)).toEqual([campaignId])
    expect((await ask('tag', { tag: tag.id, ids: [campaignId], remove: true })).changed).toBe(1)
    expect(await tagged()).toEqual([])
  })

  test("5: show Ada's message", async () => {
    const { results } = await ask('find', { what: 'leads', campaignId, q: 'ada' })
    const { subject, text } = await ask('preview', { campaignId, leadId: results[0].id })
    expect([subject, text]).toEqual(['A question, Ada', expect.stringContaining('Shall we talk, Ada?')])
  })

  test('6: never write to that company again', async () => {
    await ask('suppress', { domain: 'rival.test', reason: 'a competitor' })
    const { added, notAdded } = await ask('add_leads', { campaignId, leads: [{ email: 'ceo@rival.test' }] })
    expect([added, notAdded]).toEqual([0, [expect.objectContaining({ index: 0, reason: 'suppressed' })]])
  })

  test('7: start it after I confirm', async () => {
    expect((await ask('send', { action: 'start', campaignId })).result.status).toBe('active')
    expect(questions).toEqual([expect.stringContaining('sales@own.test')])
    await ask('simulate', { by: '3d' })
    const { stats } = await ask('campaign_report', { campaignId })
    expect(stats).toMatchObject({ replied: 1 })
  })

  test('8: why does Eve get nothing more?', async () => {
    const explained = await ask('explain_lead', { campaignId, email: 'eve+unsubscribe@prospects.test' })
    expect(explained.status).toBe('unsubscribed')
    expect(explained.next).toBeNull()
  })

  test('9: who is waiting for a reply? Reply to them', async () => {
    const { results } = await ask('conversations', { campaignId })
    const [{ id }] = results
    const { messages } = await ask('conversations', { id })
    expect(messages.at(-1)).toMatchObject({ direction: 'inbound', from: 'ada+interested@prospects.test' })
    await ask('send', { action: 'reply', conversationId: id, text: 'Does Tuesday at ten work?' })
    expect(questions).toEqual([expect.stringContaining('ada+interested@prospects.test')])
    const { messages: after } = await overture.conversations.get(id)
    expect(after.at(-1)).toMatchObject({ direction: 'outbound', text: expect.stringContaining('Tuesday at ten') })
  })

  test('10: stop everything and report the results', async () => {
    expect(await ask('pause', { campaignId })).toEqual({ campaignId, status: 'paused' })
    expect(questions).toEqual([])
    const { campaign, stats, waiting } = await ask('campaign_report', { campaignId })
    expect([campaign.status, stats.replied]).toEqual(['paused', 1])
    expect(waiting).toBeDefined()
    expect((await ask('overview')).campaigns).toMatchObject([{ id: campaignId, status: 'paused' }])
  })

  test('11: send leads that open another email, others a last one, and report both', async () => {
    const branching = [
      { key: 'hello', variants: [{ subject: 'Hello', body: 'Hello' }] },
      {
        type: 'branch',
        waitBefore: { value: 1, unit: 'days' },
        branches: [{ label: 'Opened', when: { did: 'opened' }, goTo: 'fast' }],
      },
      { key: 'slow', sameThread: false, variants: [{ subject: 'Slow', body: 'Slow' }], then: 'end' },
      { key: 'fast', sameThread: false, variants: [{ subject: 'Fast', body: 'Fast' }] },
    ]
    const made = {
      name: 'Two ways',
      steps: branching,
      sendingAccountIds: [senderId],
      settings: { openTracking: true },
      entry: { from: [] },
    }
    const saved = await ask('save_campaign', made)
    expect([saved.blockers, saved.steps.length]).toEqual([[], 4])
    const { id, entry, steps: stored } = await overture.campaigns.get(saved.campaign.id)
    expect([entry, stored[1]?.branches[0]?.goTo]).toEqual([{ from: [], when: null }, stored[3]?.id])
    const leads = ['reads+open', 'rests+silent'].map((name) => ({ email: `${name}@prospects.test`, firstName: 'Ada' }))
    expect((await ask('add_leads', { campaignId: id, leads })).added).toBe(2)
    await ask('send', { action: 'start', campaignId: id })
    questions.length = 0
    await ask('simulate', { by: '9d' })
    const { paths, forecast } = await ask('campaign_report', { campaignId: id })
    expect(paths.map((path: { label: string | null; leads: number }) => [path.label, path.leads])).toEqual([
      ['Opened', 1],
      [null, 1],
    ])
    expect(forecast).toMatchObject({ byBranch: [], handedOver: 0, arrivals: 0 })
    const explanation = await ask('explain_lead', { campaignId: id, email: 'reads+open@prospects.test' })
    expect(explanation.path[1]).toMatchObject({ type: 'branch', outcome: stored[3]?.id })
    expect(explanation.history).toContainEqual(
      expect.objectContaining({ decision: 'branch.decided', detail: expect.stringMatching(/^Opened: Opened/) }),
    )
  })
})
