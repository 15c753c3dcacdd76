import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { receiveMessage } from '@overture/server/inbox/receive/receive.commands.ts'
import { findSuppressed } from '@overture/server/suppressions/index.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
let senderId: string
const senderEmail = 'mara@run.test'

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.test, body })
const succeed = async (method: string, path: string, body?: unknown) => {
  const answer = await call(method, path, body)
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, expect.anything()])
  return answer.body
}

beforeAll(async () => {
  server = await startWholeServer()
  await succeed('POST', '/v2/sandbox/clock', { frozen: true })
  await succeed('POST', '/v2/sandbox/clock/advance', { to: '2027-02-01T07:00:00.000Z' })
  senderId = (
    await succeed('POST', '/v2/sending-accounts', {
      email: senderEmail,
      fromName: 'Mara Vogel',
      provider: 'sandbox',
      timezone: 'UTC',
      dailyLimit: 1000,
      minGapSeconds: 0,
      maxGapSeconds: 0,
    })
  ).id
})
afterAll(() => server.stop())

const everyDay = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }
const campaignFor = (email: string) => ({
  name: 'One of several',
  sendingAccountIds: [senderId],
  schedule: { timezone: 'UTC', windows: [everyDay] },
  steps: [
    { variants: [{ subject: 'Hello', body: 'Hello' }] },
    { waitBefore: { value: 1, unit: 'days' }, variants: [{ body: 'Again' }] },
  ],
  leads: [{ email }],
})

interface Mail {
  token: string
  rfcMessageId: string
}

/** One recipient, the actions on them and the messages that they have. */
class World {
  readonly campaigns: string[] = []
  readonly mails: Mail[] = []
  readonly #seen = new Set<string>()
  readonly email: string

  constructor(email: string) {
    this.email = email
  }

  async launch() {
    const answer = await call('POST', '/v2/campaigns/launch', campaignFor(this.email))
    expect(answer.status, answer.text).toBe(201)
    this.campaigns.push(answer.body.id)
  }

  async advance(by: string) {
    await succeed('POST', '/v2/sandbox/clock/advance', { by })
    const { results } = await succeed('GET', `/v2/sandbox/messages?limit=100`)
    for (const { id, to } of results as { id: string; to: string[] }[]) {
      if (!to.includes(this.email) || this.#seen.has(id)) continue
      this.#seen.add(id)
      const headers = new Map<string, string>(
        (await succeed('GET', `/v2/sandbox/messages/${id}`)).headers.map((one: { name: string; value: string }) => [
          one.name.toLowerCase(),
          one.value,
        ]),
      )
      const token = /<[^>]*\/u\/([^>\s]+)>/.exec(headers.get('list-unsubscribe') ?? '')?.[1] ?? ''
      this.mails.push({ token, rfcMessageId: headers.get('message-id') ?? '' })
    }
  }

  pause = () => this.#act((id) => call('POST', `/v2/campaigns/${id}/pause`))

  remove = () =>
    this.#act(async (id) => {
      await call('POST', `/v2/campaigns/${id}/pause`)
      await call('DELETE', `/v2/campaigns/${id}`)
    })

  async erase() {
    const { results } = await succeed('GET', `/v2/leads?email=${encodeURIComponent(this.email)}`)
    for (const { id } of results) await succeed('DELETE', `/v2/leads/${id}`)
  }

  /** Lifts the suppression if the account's owner may. */
  async lift() {
    const row = await findOf(this.email)
    if (row !== null) await call('DELETE', `/v2/suppressions/${row.id}`)
  }

  async #act(act: (id: string) => Promise<unknown>) {
    const id = this.campaigns.at(-1)
    if (id !== undefined) await act(id)
  }
}

async function findOf(email: string) {
  const { db, secrets } = server.app
  return (await findSuppressed(db, server.testTenant, { secrets, emails: [email] })).get(email) ?? null
}

let uid = 0
async function receive(from: string, subject: string, references: string[], text: string) {
  const now = await server.app.clocks.now(server.app.db, server.testTenant)
  const lines = [
    `From: <${from}>`,
    `To: ${senderEmail}`,
    `Subject: ${subject}`,
    `Message-ID: <in${++uid}@there.test>`,
    ...(references.length === 0 ? [] : [`In-Reply-To: ${references.at(-1)}`, `References: ${references.join(' ')}`]),
    '',
    text,
  ]
  const raw = Buffer.from(lines.join('\r\n'))
  const input = { sendingAccountId: senderId, raw, folder: 'INBOX', junk: false, uid, receivedAt: now, now }
  return receiveMessage(server.app, server.testTenant, input)
}

const post = (token: string, body: string) =>
  fetch(`${server.url}/u/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  })

/** Every way to opt out of one message. */
const ways: Record<string, (world: World, mail: Mail) => Promise<void>> = {
  async link({ email }, { token }) {
    const page = await post(token, 'confirm=yes')
    expect([email, page.status, (await page.text()).includes('You are unsubscribed')]).toEqual([email, 200, true])
  },
  async one_click(_world, { token }) {
    expect((await post(token, 'List-Unsubscribe=One-Click')).status).toBe(200)
  },
  async answer({ email }, { rfcMessageId }) {
    await receive(email, 'Re: Hello', [rfcMessageId], 'Please remove me from your list.')
  },
  async answer_by_another({ email }, { rfcMessageId }) {
    const colleague = `colleague.of.${email}`
    await receive(colleague, 'Re: Hello', [rfcMessageId], 'Please remove us from your list.')
    // Nothing proves that the colleague wrote this, so an admin can lift it.
    expect(await findOf(colleague)).toMatchObject({ source: 'unproven' })
  },
  async mail_program({ email }) {
    await receive(email, 'unsubscribe', [], '')
  },
}

type Step = 'launch' | 'short' | 'long' | 'pause' | 'remove' | 'erase' | 'lift'
const step = fc.constantFrom<Step>('launch', 'short', 'long', 'pause', 'remove', 'erase', 'lift')

let people = 0
async function live(steps: readonly Step[]): Promise<World> {
  const world = new World(`person${++people}@prospects.test`)
  await world.launch()
  await world.advance('1h')
  for (const one of steps) {
    if (one === 'short') await world.advance('2h')
    else if (one === 'long') await world.advance('2d')
    else await world[one]()
  }
  return world
}

test('an opt-out always suppresses, whatever happened to the lead before and however it arrives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 7 }),
      fc.constantFrom(...Object.keys(ways)),
      fc.nat(),
      async (steps, way, which) => {
        const world = await live(steps)
        const mail = world.mails[which % world.mails.length]!
        await ways[way]!(world, mail)
        expect(await findOf(world.email), `${steps.join(' ')}, ${way}`).toMatchObject({ source: 'recipient' })
        const again = await call('POST', '/v2/campaigns/launch', campaignFor(world.email))
        expect(again.body.leadResults.results).toMatchObject([{ outcome: 'skipped', reason: 'suppressed' }])
      },
    ),
    { numRuns: 25, examples: Object.keys(ways).map((way, index) => [['long', 'remove', 'short'], way, index]) },
  )
})

test('unrelated senders and unknown references suppress no one', async () => {
  const world = await live(['long', 'remove', 'short'])
  await receive('stranger@elsewhere.test', 'unsubscribe', ['<msg_00000000000000000000000000@run.test>'], 'Remove me.')
  await receive('stranger@elsewhere.test', 'Hello', [world.mails[0]!.rfcMessageId], 'Nice weather today.')
  expect([await findOf('stranger@elsewhere.test'), await findOf(world.email)]).toEqual([null, null])
})

test("a bounce and a complaint for a deleted campaign's message suppress permanently", async () => {
  const returned = await live(['remove', 'short'])
  const angry = await live(['remove', 'short'])
  const now = await server.app.clocks.now(server.app.db, server.testTenant)
  const take = (lines: string[]) =>
    receiveMessage(server.app, server.testTenant, {
      sendingAccountId: senderId,
      raw: Buffer.from(lines.join('\r\n')),
      folder: 'INBOX',
      junk: false,
      uid: ++uid,
      receivedAt: now,
      now,
    })
  const report = (type: string, part: string[], about: World) => [
    'From: MAILER-DAEMON@mx.test',
    `Message-ID: <report${++uid}@mx.test>`,
    `Content-Type: multipart/report; report-type=${type}; boundary=b`,
    '',
    '--b',
    ...part,
    '',
    '--b',
    'Content-Type: message/rfc822',
    '',
    `Message-ID: ${about.mails[0]!.rfcMessageId}`,
    '',
    'Hello',
    '--b--',
  ]
  const status = ['Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; mx.test', '']
  const failed = [`Final-Recipient: rfc822; ${returned.email}`, 'Action: failed', 'Status: 5.1.1']
  expect(await take(report('delivery-status', [...status, ...failed], returned))).toEqual({ outcome: 'late' })
  const feedback = ['Content-Type: message/feedback-report', '', 'Feedback-Type: abuse', 'Version: 1']
  expect(await take(report('feedback-report', feedback, angry))).toEqual({ outcome: 'late' })
  expect([await findOf(returned.email), await findOf(angry.email)]).toMatchObject([
    { source: 'bounce', reason: '5.1.1' },
    { source: 'complaint' },
  ])
})
