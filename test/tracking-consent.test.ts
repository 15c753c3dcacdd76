import { afterAll, beforeAll, expect, test } from 'vitest'
import { anyTime } from '@overture/testing/schedules.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
let senderId: string
const link = 'https://example.com/a'
const leads = [
  { email: 'yes@example.com', trackingConsent: true },
  { email: 'no@example.com', trackingConsent: false },
  { email: 'unasked@example.com' },
]

const ask = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.test, ...(body !== undefined && { body }) })
const done = async (method: string, path: string, body?: unknown) => {
  const answer = await ask(method, path, body)
  expect([path, answer.status < 300 ? null : answer.text]).toEqual([path, null])
  return answer.body
}
const post = (path: string, body: unknown) => done('POST', path, body)
const advance = (by: string) => post('/v2/sandbox/clock/advance', { by })

beforeAll(async () => {
  server = await startWholeServer()
  await post('/v2/sandbox/clock', { frozen: true })
  const sender = { email: 'mara@sender.example.com', fromName: 'Mara', provider: 'sandbox', timezone: 'UTC' }
  senderId = (await post('/v2/sending-accounts', sender)).id
})
afterAll(() => server.stop())

async function send(settings: object): Promise<{ id: string; leads: { id: string; email: string }[] }> {
  const campaign = await post('/v2/campaigns', {
    name: 'Tracked',
    schedule: { timezone: 'UTC', ...anyTime },
    sendingAccountIds: [senderId],
    settings: { openTracking: true, linkTracking: true, ...settings },
    steps: [{ variants: [{ subject: 'Hello', body: `<a href="${link}">Read</a>` }] }],
  })
  await post(`/v2/campaigns/${campaign.id}/leads`, { leads })
  const added = (await ask('GET', `/v2/campaigns/${campaign.id}/leads`)).body.results
  return { id: campaign.id, leads: added }
}

/** Whether the preview and the sent message of each lead have a pixel and a tracked link, by address. */
async function tracked(campaign: Awaited<ReturnType<typeof send>>) {
  const path = `/v2/campaigns/${campaign.id}`
  const texts = new Map<string, string[]>()
  for (const { email, id } of campaign.leads) texts.set(email, [(await post(`${path}/preview`, { leadId: id })).html])
  await post(`${path}/start`, {})
  await advance('1d')
  for (const { email, id } of campaign.leads) {
    const [message] = (await done('GET', `${path}/leads/${id}/thread`)).messages
    texts.get(email)?.push(message.html)
  }
  return Object.fromEntries(
    [...texts].map(([email, htmls]) => [
      email,
      htmls.map((html) => [/<img[^>]+\/o\//.test(html), html.includes(link) ? 'plain' : /\/c\//.exec(html)?.[0]]),
    ]),
  )
}

const withBoth = [true, '/c/']
const withNothing = [false, 'plain']

test('by_consent tracks only leads with consent, in previews and sent messages', async () => {
  const campaign = await send({ tracking: 'by_consent' })
  expect(await tracked(campaign)).toEqual({
    'yes@example.com': [withBoth, withBoth],
    'no@example.com': [withNothing, withNothing],
    'unasked@example.com': [withNothing, withNothing],
  })
  const [agreed] = campaign.leads.filter(({ email }) => email === 'yes@example.com')
  const path = `/v2/campaigns/${campaign.id}/leads/${agreed?.id}`
  const look = async () => {
    for (const kind of ['open', 'click']) await post('/v2/sandbox/inbound', { leadId: agreed?.id, kind })
    await advance('1h')
    const { openCount, clickCount } = await done('GET', path)
    return [openCount, clickCount]
  }
  expect(await look()).toEqual([1, 1])
  await done('PUT', path, { trackingConsent: false })
  expect(await look()).toEqual([1, 1])
  await done('PUT', path, { trackingConsent: true })
  expect(await look()).toEqual([2, 2])
  await done('PUT', `/v2/campaigns/${campaign.id}`, { settings: { tracking: 'off' } })
  expect(await look()).toEqual([2, 2])
})

test('preflight counts leads by country that need to agree first', async () => {
  const { id } = await send({})
  const inFrance = { email: 'paris@example.com', country: 'France' }
  const others = [
    { email: 'lyon@example.com', country: 'FR', trackingConsent: false },
    { email: 'agreed@example.com', country: 'FR', trackingConsent: true },
    { email: 'rom@example.com', country: 'Italien' },
    { email: 'berlin@example.com', country: 'DE' },
  ]
  await post(`/v2/campaigns/${id}/leads`, { leads: [inFrance, ...others] })
  const warned = async () => {
    const { warnings } = await done('GET', `/v2/campaigns/${id}/preflight`)
    const about = warnings.filter(({ code }: { code: string }) => code === 'tracking_consent')
    return about.map(({ ref, count }: { ref: string; count: number }) => [ref, count])
  }
  expect(await warned()).toEqual([
    ['FR', 2],
    ['IT', 1],
  ])
  await done('PUT', `/v2/campaigns/${id}`, { settings: { tracking: 'by_consent' } })
  expect(await warned()).toEqual([])
})

test('on tracks every lead and off none, and campaigns stored without the setting track', async () => {
  const all = (found: unknown) => Object.fromEntries(leads.map(({ email }) => [email, [found, found]]))
  expect((await done('POST', '/v2/campaigns', { name: 'Default' })).settings.tracking).toBe('on')
  expect(await tracked(await send({}))).toEqual(all(withBoth))
  expect(await tracked(await send({ tracking: 'off' }))).toEqual(all(withNothing))
  const older = await send({})
  await server.database.db.execute(`update campaigns set settings = settings - 'tracking' where id = $1`, [older.id])
  expect((await done('GET', `/v2/campaigns/${older.id}`)).settings.tracking).toBe('on')
  expect(await tracked(older)).toEqual(all(withBoth))
})

test('a condition on opens is refused while nothing is tracked', async () => {
  const settings = { openTracking: true, tracking: 'off' }
  const waitBefore = { value: 1, unit: 'days' }
  const branches = [{ when: { did: 'opened' }, goTo: 'end', label: 'Opened' }]
  const steps = [
    { variants: [{ subject: 'Hello', body: 'Hi' }] },
    { key: 'fork', type: 'branch', waitBefore, branches },
    { waitBefore, sameThread: false, variants: [{ subject: 'Again', body: 'Hi' }] },
  ]
  const made = await post('/v2/campaigns', { name: 'Blind', settings, steps })
  const { blockers } = await done('GET', `/v2/campaigns/${made.id}/preflight`)
  expect(blockers).toContainEqual({
    code: 'condition_unreachable',
    message: expect.stringContaining('nothing is tracked (tracking)'),
    ref: made.steps[1].id,
  })
})
