import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type SmtpDouble, startSmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { connectAda } from '@overture/testing/server/launched-campaign.ts'
import { type Answer, type RunningProduct, startRunningServer } from '@overture/testing/server/running-server.ts'
import { anyTime } from '@overture/testing/schedules.ts'
import { withoutLinkTokens } from '@overture/ground/text/link-tokens.ts'

const eventually = { timeout: 30_000, interval: 50 }

let product: RunningProduct
let smtp: SmtpDouble
let senderId: string
let names = 0

beforeAll(async () => {
  smtp = await startSmtpDouble({ users: { 'ada@sender.test': 'secret', 'eve@sender.test': 'right' } })
  product = await startRunningServer({ OVERTURE_ALLOW_PRIVATE_TARGETS: '1' })
  await product.live('PUT', '/v2/account', { postalAddress: '1 Main Street, Springfield' })
  senderId = await connectAda(product, smtp)
})
afterAll(async () => {
  await product.stop()
  await smtp.stop()
})
beforeEach(() => {
  smtp.faults = []
})

interface Placed {
  email: string
  lead: string
  campaign: string
}

/** Launches a campaign of two steps, a day apart, with one new lead. */
async function launch(from = senderId): Promise<Placed> {
  const email = `p${names++}@r.test`
  const { status, body } = await product.live('POST', '/v2/campaigns/launch', {
    name: email,
    sendingAccountIds: [from],
    schedule: anyTime,
    steps: [
      { variants: [{ subject: 'Hello {{ firstName }}', body: 'Hi {{ firstName }}, {{ "one|two|three" | spin }}?' }] },
      { waitBefore: { value: 1, unit: 'days' }, variants: [{ body: 'Still there, {{ firstName }}?' }] },
    ],
    leads: [{ email, firstName: 'Gräce' }],
  })
  expect(status).toBe(201)
  const { body: leads } = await product.live('GET', `/v2/campaigns/${body.id}/leads`)
  const lead = `/v2/campaigns/${body.id}/leads/${leads.results[0].id}`
  return { email, lead, campaign: `/v2/campaigns/${body.id}` }
}

const get = async (path: string) => (await product.live('GET', path)).body
const post = (path: string, body?: unknown): Promise<Answer> => product.live('POST', path, body)
const acceptedFor = (email: string) => smtp.accepted.filter((mail) => mail.to.includes(email))
/** Waits until the first step was sent and recorded. */
const leftFirst = (of: Placed) =>
  vi.waitFor(async () => {
    expect(acceptedFor(of.email)).toHaveLength(1)
    expect((await get(of.lead)).currentStep).toBe(1)
  }, eventually)
const isUncertain = (of: Placed) =>
  vi.waitFor(async () => expect((await get(of.lead)).blockedReason).toBe('delivery_uncertain'), eventually)

describe('preview', () => {
  test('shows exactly what is sent: text, headers and links', async () => {
    const of = await launch()
    await leftFirst(of)
    const leadId = of.lead.split('/').at(-1)
    const { status, body } = await post(`${of.campaign}/preview`, { leadId })
    expect(status).toBe(200)
    expect(body).toMatchObject({ sendingAccountId: senderId, subject: 'Re: Hello Gräce' })
    expect((await post(`${of.lead}/send-now`)).status).toBe(202)
    await vi.waitFor(() => expect(acceptedFor(of.email)).toHaveLength(2), eventually)
    await vi.waitFor(async () => expect((await get(of.lead)).status).toBe('completed'), eventually)
    const { messages } = await get(`${of.lead}/thread`)
    const { subject, text, html } = withoutLinkTokens(body)
    expect(messages.at(-1)).toMatchObject({ subject, text, html, status: 'sent' })
    const raw = (acceptedFor(of.email)[1]?.raw.toString() ?? '').replaceAll(/\r\n[ \t]+/g, ' ')
    for (const [name, value] of Object.entries(body.headers)) {
      if (name !== 'Subject') expect(raw).toContain(`${name}: ${String(value)}`)
    }
  })
})

describe('send-now', () => {
  test('skips the wait, and later waits count from the send', async () => {
    const of = await launch()
    await leftFirst(of)
    const queued = await post(`${of.lead}/send-now`)
    expect(queued.status).toBe(202)
    expect(queued.body).toMatchObject({ kind: 'campaign', direction: 'outbound', from: { email: 'ada@sender.test' } })
    await vi.waitFor(() => expect(acceptedFor(of.email)).toHaveLength(2), eventually)
    await vi.waitFor(async () => expect((await get(of.lead)).status).toBe('completed'), eventually)
    const again = await post(`${of.lead}/send-now`)
    expect([again.status, again.body.error.code]).toEqual([409, 'CONFLICT'])
    expect(acceptedFor(of.email)).toHaveLength(2)
  })

  test('is refused while the campaign is paused, the lead suppressed or its delivery uncertain', async () => {
    const paused = await launch()
    await leftFirst(paused)
    await post(`${paused.campaign}/pause`)
    expect((await post(`${paused.lead}/send-now`)).status).toBe(409)
    await post(`${paused.campaign}/resume`)
    await post('/v2/suppressions', { email: paused.email })
    expect((await post(`${paused.lead}/send-now`)).status).toBe(409)

    smtp.faults = [{ stage: 'end', action: 'drop' }]
    const uncertain = await launch()
    await isUncertain(uncertain)
    expect((await post(`${uncertain.lead}/send-now`)).status).toBe(409)
    expect(acceptedFor(paused.email)).toHaveLength(1)
  })
})

describe('an uncertain delivery', () => {
  test('is explained, not sent again, and continues after a person resolves it as sent', async () => {
    smtp.faults = [{ stage: 'end', action: 'drop', times: 1 }]
    const of = await launch()
    await isUncertain(of)
    const explanation = await get(`${of.lead}/explain`)
    expect(explanation.blockedReason).toBe('delivery_uncertain')
    expect(explanation.next.at).toBeNull()
    expect((await get(`${of.campaign}/followup-status`)).blocked).toEqual([{ reason: 'delivery_uncertain', count: 1 }])
    const settled = await post(`${of.lead}/resolve`, { outcome: 'sent' })
    expect(settled.status).toBe(200)
    expect(settled.body).toMatchObject({ status: 'active', currentStep: 1, blockedReason: 'wait_not_over' })
    expect(acceptedFor(of.email)).toHaveLength(0)
    expect((await get(`${of.campaign}/stats`)).sent).toBe(1)
    expect((await post(`${of.lead}/resolve`, { outcome: 'sent' })).status).toBe(409)
  })

  test('is due again after a person resolves it as not sent', async () => {
    smtp.faults = [{ stage: 'end', action: 'drop', times: 1 }]
    const of = await launch()
    await isUncertain(of)
    expect((await post(`${of.lead}/resolve`, { outcome: 'not_sent' })).status).toBe(200)
    await vi.waitFor(() => expect(acceptedFor(of.email)).toHaveLength(1), eventually)
    await vi.waitFor(async () => expect((await get(of.lead)).currentStep).toBe(1), eventually)
    expect((await get(`${of.campaign}/stats`)).sent).toBe(1)
  })

  test('can only be resolved as sent or not_sent', async () => {
    const of = await launch()
    await leftFirst(of)
    const { status, body } = await post(`${of.lead}/resolve`, { outcome: 'perhaps' })
    expect([status, body.error.details.issues[0].path]).toEqual([400, 'outcome'])
  })
})

describe('a temporarily refused recipient', () => {
  test('is retried later, and explain shows the wait', async () => {
    const later = { code: 451, text: '4.7.1 Greylisted, come back later' }
    smtp.faults = [{ stage: 'rcpt', action: later, times: 1, only: `p${names}@r.test` }]
    const of = await launch()
    await vi.waitFor(async () => expect((await get(of.lead)).blockedReason).toBe('wait_not_over'), eventually)
    expect(acceptedFor(of.email)).toHaveLength(0)
    const status = await get(`${of.campaign}/followup-status`)
    expect(status.blocked).toEqual([{ reason: 'wait_not_over', count: 1 }])
    const explanation = await get(`${of.lead}/explain`)
    expect(explanation.blockedReason).toBe('wait_not_over')
    expect((await get(of.lead)).nextSendAt).toBe(explanation.next.at)
    expect(explanation.history.at(-1)).toMatchObject({
      decision: 'message.deferred',
      reason: expect.stringContaining('Greylisted, come back later'),
      messageId: expect.stringMatching(/^msg_/),
    })
    const { results } = await get(`${of.campaign}/activity?type=message.deferred`)
    expect(results).toMatchObject([{ leadEmail: of.email, data: { attempts: 1, retryAt: expect.any(String) } }])
    expect((await post(`${of.lead}/send-now`)).status).toBe(202)
    await vi.waitFor(() => expect(acceptedFor(of.email)).toHaveLength(1), eventually)
  })
})

describe('reply', () => {
  test('ends the sequence, joins the thread and keeps cc and bcc apart', async () => {
    const of = await launch()
    await leftFirst(of)
    const answered = await post(`${of.lead}/reply`, {
      text: 'One more thing.',
      cc: ['carol@r.test'],
      bcc: ['dan@r.test'],
    })
    expect(answered).toMatchObject({ status: 202, body: { from: { email: 'ada@sender.test', name: 'Ada' } } })
    await vi.waitFor(() => expect(acceptedFor(of.email)).toHaveLength(2), eventually)
    const mail = acceptedFor(of.email)[1]
    expect(mail?.to.toSorted()).toEqual(['carol@r.test', 'dan@r.test', of.email].toSorted())
    const raw = mail?.raw.toString() ?? ''
    expect(raw).toMatch(/^Cc: carol@r\.test\r$/m)
    expect(raw).not.toContain('dan@r.test')
    expect(raw).toContain(`In-Reply-To: ${acceptedFor(of.email)[0]?.messageId ?? ''}`)
    // The lead never replied, so this is a follow-up with an opt-out header.
    expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    const lead = await get(of.lead)
    expect(lead).toMatchObject({ status: 'stopped', stoppedBy: { rule: 'manual_reply' }, nextSendAt: null })
    const { next, gates } = await get(`${of.lead}/explain`)
    expect(next).toBeNull()
    expect(gates).toContainEqual({
      gate: 'wait_not_over',
      passed: true,
      detail: 'The lead has no next message.',
      until: null,
    })
  })

  test('needs a text', async () => {
    const of = await launch()
    await leftFirst(of)
    const { status, body } = await post(`${of.lead}/reply`, {})
    expect([status, body.error.details.issues[0].path]).toEqual([400, 'text'])
  })
})

describe('a campaign whose only sender is refused', () => {
  test('is paused, and resumes after the sender is verified', async () => {
    const login = { host: '127.0.0.1', port: smtp.port, security: 'none', username: 'eve@sender.test' }
    const { body: eve } = await product.live('POST', '/v2/sending-accounts', {
      email: 'eve@sender.test',
      fromName: 'Eve',
      provider: 'smtp',
      smtp: { ...login, password: 'wrong' },
      minGapSeconds: 0,
      maxGapSeconds: 0,
    })
    const of = await launch(eve.id)
    await vi.waitFor(async () => expect((await get(of.campaign)).status).toBe('paused'), eventually)
    expect((await get(of.campaign)).statusReason).toBe('sending_accounts_unavailable')
    expect((await get(`/v2/sending-accounts/${eve.id}`)).status).toBe('auth_required')
    expect(await get(of.lead)).toMatchObject({ status: 'pending', blockedReason: 'campaign_not_active' })
    await product.live('PUT', `/v2/sending-accounts/${eve.id}`, { smtp: { ...login, password: 'right' } })
    expect((await post(`/v2/sending-accounts/${eve.id}/verify`)).body.ok).toBe(true)
    await vi.waitFor(() => expect(acceptedFor(of.email)).toHaveLength(1), eventually)
    expect(await get(of.campaign)).toMatchObject({ status: 'active', statusReason: null })
    const { results } = await get(`${of.campaign}/activity`)
    const types = results.map((event: { type: string }) => event.type)
    expect(types).toEqual(expect.arrayContaining(['campaign.paused', 'campaign.resumed']))
  })
})
