import { minuteMs } from '@overture/ground/time/spans.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { signOptOut, signTrackingToken } from '../delivery/index.ts'
import { newId } from '../platform/ids.ts'
import { trackingRoutes } from './index.ts'

const start = new Date('2026-03-02T10:00:00.000Z')
const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'

let server: TestServer
let now = start
let sent: { campaignId: string; leadId: string; stepId: string }
let sentTo: string

beforeAll(async () => {
  server = await startTestServer({ publicRoutes: ({ app }) => trackingRoutes(app), clock: { now: () => now } })
})
afterAll(() => server.stop())

let counter = 0
beforeEach(async () => {
  now = start
  sent = await insertSentMessage()
})

/** Inserts a message that was sent an hour ago. */
async function insertSentMessage() {
  const { app, tenant } = server
  const senderId = await insertTestSender(app.db, tenant, { port: 25 })
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
  const prefix = `t${String(++counter).padStart(8, '0')}n`
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count: 1, dueAt: start, prefix })
  const leadId = `led_${prefix}00000001`
  sentTo = `${prefix}1@acme.test`
  const stepId = campaign.stepIds[0] ?? ''
  await app.db.execute(
    `insert into message_heads (account_id, environment, id, campaign_id, lead_id, step_id, sending_account_id, direction, kind, status,
       rfc_message_id, queued_at, sent_at)
     values ($1, $2, $3, $4, $5, $6, $7, 'outbound', 'campaign', 'sent', $3, $8, $8)`,
    [
      tenant.accountId,
      tenant.environment,
      newId('msg'),
      campaign.id,
      leadId,
      stepId,
      senderId,
      new Date(start.getTime() - 60 * minuteMs),
    ],
  )
  return { campaignId: campaign.id, leadId, stepId }
}

function link(purpose: 'open' | 'click', target: string | null): string {
  const sign = (name: string, fields: readonly string[]) => server.app.secrets.signToken(name, fields)
  const token = signTrackingToken(sign, purpose, { ...server.tenant, ...sent, target })
  return `${server.url}/${purpose === 'open' ? 'o' : 'c'}/${token}`
}

const visit = (url: string, userAgent = browser) =>
  fetch(url, { redirect: 'manual', headers: { 'user-agent': userAgent } })

const hits = () =>
  server.app.db.query<{ type: string; machine: boolean; url: string | null; at: Date }>(
    `select type, (data->>'machine')::boolean as machine, data->>'url' as url, occurred_at as at from events
     where account_id = $1 and lead_id = $2 order by position`,
    [server.tenant.accountId, sent.leadId],
  )

describe('a tracked link', () => {
  const letters = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  const host = fc.constantFrom('example.com', 'пример.example', '例え.テスト', 'büro.example', 'xn--e1afmkfd.example')
  const target = fc
    .tuple(fc.constantFrom('http', 'https'), host, fc.array(letters, { maxLength: 3 }), letters)
    .map(([scheme, name, path, query]) => `${scheme}://${name}/${path.join('/')}?q=${query}`)

  test('redirects to its target in any script', async () => {
    await fc.assert(
      fc.asyncProperty(target, async (url) => {
        const answer = await visit(link('click', url))
        const expected = URL.canParse(url) ? [302, new URL(url).href] : [404, null]
        expect([answer.status, answer.headers.get('location')]).toEqual(expected)
      }),
      { numRuns: 60, examples: [['https://пример.example/путь?q=да'], ['https://example.com/🎉?q=🎉'], ['http://']] },
    )
  })

  test.each(['javascript:alert(1)', 'ftp://example.com/', 'data:text/html,x', '//example.com', ''])(
    'never redirects to: %s',
    async (url) => expect((await visit(link('click', url))).status).toBe(404),
  )
})

test('an opt-out for a deleted account is answered without an error', async () => {
  const tokenOf = (accountId: string) =>
    signOptOut(server.app.secrets, { ...server.tenant, ...sent, accountId, email: 'ann@example.com' })
  const post = (accountId: string) => fetch(`${server.url}/u/${tokenOf(accountId)}`, { method: 'POST' })
  const gone = await post(newId('acc'))
  expect([gone.status, await gone.text()]).toEqual([200, expect.stringContaining('This account was closed')])
  const there = await post(server.tenant.accountId)
  expect([there.status, await there.text()]).toEqual([200, expect.stringContaining('You are unsubscribed')])
})

describe('the page of an opt-out link', () => {
  const own = 'ann.lee@example.com'
  const linkTo = (email: string) =>
    `${server.url}/u/${signOptOut(server.app.secrets, { ...server.tenant, ...sent, email })}`
  const enter = (link: string, address: string) =>
    fetch(link, { method: 'POST', body: new URLSearchParams({ address }) })
  const findSource = async (email: string) =>
    (await server.app.db.query<{ source: string }>(`select source from suppressions where email = $1`, [email]))[0]
      ?.source

  test('names the address of the link in part, before and after the opt-out', async () => {
    const link = linkTo(own)
    const asked = await (await fetch(link)).text()
    const done = await (await fetch(link, { method: 'POST', body: new URLSearchParams({ confirm: 'yes' }) })).text()
    for (const page of [asked, done])
      expect([page.includes('a…@example.com'), page.includes('ann')]).toEqual([true, false])
    expect(await (await fetch(linkTo('<b>@example.com'))).text()).not.toContain('<b>')
    expect(await (await fetch(linkTo('x@example.com'))).text()).toContain('<strong><bdi>…@example.com')
  })

  test('names the sender of the lead, and the account once it has a name', async () => {
    const { app, tenant } = server
    const email = 'eve@example.com'
    const link = `${server.url}/u/${signOptOut(app.secrets, { ...tenant, ...sent, email })}`
    const page = async () => (await fetch(link)).text()
    await app.db.execute("update accounts set name = 'My account' where account_id = $1", [tenant.accountId])
    expect(await page()).toContain('Stop emails <bdi>from this sender</bdi>?')
    await app.db.execute(
      `update lead_progress set sending_account_id = (select id from sending_accounts where account_id = $1 limit 1)
       where lead_id = $2`,
      [tenant.accountId, sent.leadId],
    )
    await app.db.execute("update sending_accounts set from_name = '<i>Ada' where account_id = $1", [tenant.accountId])
    expect(await page()).toContain('<bdi>from &lt;i&gt;Ada</bdi>')
    await app.db.execute("update accounts set name = 'Mills & Co' where account_id = $1", [tenant.accountId])
    expect(await page()).toContain('<bdi>from &lt;i&gt;Ada (Mills &amp; Co)</bdi>')
    const german = await (await fetch(link, { headers: { 'accept-language': 'de-AT, en;q=0.5' } })).text()
    expect(german).toContain('Keine E-Mails mehr <bdi>von')
    expect(german).toContain('<html lang="de">')
  })

  test('suppresses another address that is entered as unproven, three at most, and not the address of the link', async () => {
    const link = linkTo('bob@example.com')
    const statuses = []
    for (const n of [1, 2, 3, 4]) statuses.push((await enter(link, `Other${n}@example.com`)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    expect([await findSource('other1@example.com'), await findSource('other4@example.com')]).toEqual([
      'unproven',
      undefined,
    ])
    expect(await findSource('bob@example.com')).toBeUndefined()
  })

  test('opts out the address of the link if that one is entered, and refuses a text that is no address', async () => {
    const link = linkTo('cat@example.com')
    expect((await enter(link, 'no address')).status).toBe(400)
    expect(await findSource('cat@example.com')).toBeUndefined()
    expect((await enter(link, ' CAT@example.com ')).status).toBe(200)
    expect(await findSource('cat@example.com')).toBe('recipient')
    expect((await enter(`${server.url}/u/forged`, 'dan@example.com')).status).toBe(404)
    expect(await findSource('dan@example.com')).toBeUndefined()
  })
})

describe('the log of hits', () => {
  const agents = [browser, 'curl/8', 'Mimecast', '']
  const moment = fc.record({
    afterMs: fc.constantFrom(0, 500, 5_000, 59_000, 61_000),
    agent: fc.constantFrom(...agents),
    what: fc.constantFrom('pixel', 'https://example.com/a', 'https://example.com/b'),
    times: fc.integer({ min: 1, max: 8 }),
  })

  test('has one machine hit per minute and link, and a few of people, also for concurrent hits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { minLength: 1, maxLength: 12 }), async (moments) => {
        now = start
        sent = await insertSentMessage()
        for (const { afterMs, agent, what, times } of moments) {
          now = new Date(now.getTime() + afterMs)
          const url = what === 'pixel' ? link('open', null) : link('click', what)
          const answers = await Promise.all(Array.from({ length: times }, () => visit(url, agent)))
          expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => (what === 'pixel' ? 200 : 302)))
        }
        const kept = await hits()
        expect(kept.length).toBeGreaterThan(0)
        for (const hit of kept) {
          const within = kept.filter((one) => {
            const ageMs = hit.at.getTime() - one.at.getTime()
            return one.url === hit.url && ageMs >= 0 && ageMs < minuteMs
          })
          expect(within.filter((one) => one.machine).length).toBeLessThanOrEqual(1)
          expect(within.filter((one) => !one.machine).length).toBeLessThanOrEqual(5)
        }
      }),
      { numRuns: 15 },
    )
  })

  test('a returning person is distinguished from a program that repeats requests', async () => {
    const url = link('click', 'https://example.com/a')
    for (let index = 0; index < 20; index++) await visit(url)
    expect((await hits()).map((hit) => hit.machine)).toEqual([false, false, false, false, false, true])
    now = new Date(start.getTime() + 2 * minuteMs)
    await visit(url)
    expect((await hits()).at(-1)?.machine).toBe(false)
  })
})

describe('after an opt-out', () => {
  const optOut = async () => {
    const token = signOptOut(server.app.secrets, { ...server.tenant, ...sent, email: sentTo })
    expect((await fetch(`${server.url}/u/${token}`, { method: 'POST' })).status).toBe(200)
  }
  const trackedHits = async () => (await hits()).filter(({ machine }) => machine !== null)
  const counts = () =>
    server.app.db.query(
      `select open_count as opens, click_count as clicks from leads where account_id = $1 and id = $2`,
      [server.tenant.accountId, sent.leadId],
    )

  test('opens and clicks are neither stored nor counted, and links still work', async () => {
    const target = 'https://example.com/a'
    await visit(link('open', null))
    await visit(link('click', target))
    const before = [await trackedHits(), await counts()]
    expect(before[0]).toHaveLength(2)
    expect(before[1]).toEqual([{ opens: 1, clicks: 1 }])
    await optOut()
    now = new Date(start.getTime() + 2 * minuteMs)
    for (const agent of [browser, 'GoogleImageProxy']) {
      expect((await visit(link('open', null), agent)).status).toBe(200)
      const clicked = await visit(link('click', target), agent)
      expect([clicked.status, clicked.headers.get('location')]).toEqual([302, target])
    }
    expect([await trackedHits(), await counts()]).toEqual(before)
  })

  test('a hit that was waiting for the database is dropped', async () => {
    const { db } = server.app
    let waiting: Promise<Response> | undefined
    await db.transaction(async (tx) => {
      await tx.query(`select id from message_heads where account_id = $1 and lead_id = $2 for update`, [
        server.tenant.accountId,
        sent.leadId,
      ])
      waiting = visit(link('click', 'https://example.com/a'))
      await optOut()
    })
    expect((await waiting)?.status).toBe(302)
    await visit(link('open', null))
    expect(await trackedHits()).toEqual([])
  })
})

test("events have the actor: a recipient's lead, and none for a machine", async () => {
  await visit(link('click', 'https://example.com/'))
  await visit(link('open', null), 'GoogleImageProxy')
  const token = signOptOut(server.app.secrets, { ...server.tenant, ...sent, email: sentTo })
  expect((await fetch(`${server.url}/u/${token}`, { method: 'POST' })).status).toBe(200)
  const events = await server.app.db.query<{
    type: string
    actorType: string
    actorId: string | null
    machine: boolean
  }>(
    `select type, actor_type, actor_id, (data->>'machine')::boolean as machine from events where lead_id = $1
     and type in ('message.opened', 'message.clicked', 'lead.unsubscribed')`,
    [sent.leadId],
  )
  expect(events.map(({ type }) => type)).toContain('lead.unsubscribed')
  for (const { actorType, actorId, machine } of events)
    expect([actorType, actorId]).toEqual(machine ? ['system', null] : ['recipient', sent.leadId])
})

test('an opt-out by link is recorded once, by the lead', async () => {
  const token = signOptOut(server.app.secrets, { ...server.tenant, ...sent, email: sentTo })
  for (let n = 0; n < 3; n++) expect((await fetch(`${server.url}/u/${token}`, { method: 'POST' })).status).toBe(200)
  const acts = await server.app.db.query(
    `select action, target_id, actor_id, ip, user_agent from audit_entries where actor_type = 'recipient' and actor_id = $1`,
    [sent.leadId],
  )
  const unknownClient = { ip: null, userAgent: null }
  expect(acts).toEqual([
    { action: 'recipient.unsubscribe', targetId: sent.leadId, actorId: sent.leadId, ...unknownClient },
  ])
})
