import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignDocument } from '@overture/contract/campaigns/campaign-document.ts'
import { anyTime } from '@overture/testing/schedules.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
let here: string[] = []
beforeAll(async () => {
  server = await startWholeServer()
  here = [await makeSender('test', 'mara@sender.example.com'), await makeSender('test', 'noor@sender.example.com')]
  await makeSender('live', 'Noor@sender.example.com')
})
afterAll(() => server.stop())

type Environment = 'test' | 'live'

/** The two environments share nothing but users, so the live one stands for another account. */
const ask = (environment: Environment, method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys[environment], ...(body !== undefined && { body }) })

async function done(environment: Environment, method: string, path: string, body?: unknown) {
  const answer = await ask(environment, method, path, body)
  expect([path, answer.status < 300 ? null : answer.text]).toEqual([path, null])
  return answer.body
}

async function makeSender(environment: Environment, email: string): Promise<string> {
  const smtp = { host: 'smtp.example.com', port: 587, username: email, password: 'secret of the mailbox' }
  const login = environment === 'test' ? { provider: 'sandbox' } : { provider: 'smtp', smtp }
  return (await done(environment, 'POST', '/v2/sending-accounts', { email, fromName: 'Mara', ...login })).id
}

const days = (value: number) => ({ value, unit: 'days' })
const written = { subject: 'Hello {{ firstName }}', body: '<p>Shall we talk, {{ firstName | default: "there" }}?</p>' }

/** A sequence with each type of step and each kind of reference. */
const everything = (otherCampaign: string) => ({
  name: 'Spring',
  sendingAccountIds: here,
  schedule: { timezone: 'Europe/Madrid', ...anyTime, startDate: '2030-01-07', blackoutDates: ['2030-01-08'] },
  settings: { dailyLimit: 40, stopForCompany: true, stopOnSignals: ['signed_up'] },
  steps: [
    { key: 'hello', variants: [written, { ...written, label: 'Shorter', weight: 3, enabled: false }] },
    { type: 'task', channel: 'call', title: 'Call {{ firstName }}', instructions: 'Ask.', waitBefore: days(2) },
    {
      type: 'branch',
      waitBefore: days(3),
      branches: [
        { label: 'Opened', when: { all: [{ did: 'opened', stepId: 'hello' }, { chance: 50 }] }, goTo: 'last' },
        { label: 'Other', when: { field: 'company', is: 'exists' }, goTo: otherCampaign, immediately: true },
      ],
      then: 'last',
    },
    { variants: [{ body: 'One more thing.' }], byHand: true, then: 'last' },
    { key: 'last', sameThread: false, variantSelection: 'auto', variants: [written] },
  ],
})

const errorPaths = (body: { error: { details: { issues: { path: string }[] } } }) =>
  body.error.details.issues.map(({ path }) => path)

test('an exported campaign is imported as a draft, and its export is the same document', async () => {
  const other = await done('test', 'POST', '/v2/campaigns', { name: 'Other' })
  const made = await done('test', 'POST', '/v2/campaigns', everything(other.id))
  const document = await done('test', 'GET', `/v2/campaigns/${made.id}/export`)
  expect(campaignDocument.parse(document)).toEqual(document)
  const { campaign, notes } = await done('test', 'POST', '/v2/campaigns/import', { document })
  expect(notes).toEqual([])
  expect(campaign).toMatchObject({ status: 'draft', name: 'Spring', sendingAccountIds: here, leadCount: 0 })
  expect(campaign.id).not.toBe(made.id)
  expect(campaign.steps[2].branches[0].when.all[0].stepId).toBe(campaign.steps[0].id)
  expect(await done('test', 'GET', `/v2/campaigns/${campaign.id}/export`)).toEqual(document)
})

test('a document has no ids of steps, no leads and no secrets', async () => {
  const made = await done('test', 'POST', '/v2/campaigns', { name: 'Small', steps: [{ variants: [written] }] })
  await done('test', 'POST', `/v2/campaigns/${made.id}/leads`, { leads: [{ email: 'ada@prospects.test' }] })
  const text = JSON.stringify(await done('test', 'GET', `/v2/campaigns/${made.id}/export`))
  expect(text).not.toMatch(/stp_|var_|brn_|sac_|ada@prospects\.test|secret/)
  expect(text).toContain('"key":"step-1"')
})

test('fields that a document lacks have the values of a new campaign', async () => {
  const made = await done('test', 'POST', '/v2/campaigns', { name: 'Made here' })
  const short = { format: 'overture-campaign/1', name: 'Short', steps: [], schedule: {}, settings: { dailyLimit: 7 } }
  const { campaign, notes } = await done('test', 'POST', '/v2/campaigns/import', { document: short })
  expect(notes).toEqual([])
  expect(campaign.schedule).toEqual(made.schedule)
  expect(campaign.settings).toEqual({ ...made.settings, dailyLimit: 7 })
  expect([campaign.entry, campaign.sendingAccountIds]).toEqual([null, []])
})

test('what the other account lacks is left out, and a note says so', async () => {
  const other = await done('test', 'POST', '/v2/campaigns', { name: 'Other' })
  const body = everything(other.id)
  const made = await done('test', 'POST', '/v2/campaigns', body)
  const document = await done('test', 'GET', `/v2/campaigns/${made.id}/export`)
  document.settings.aiTriage = { modelId: 'no-such-model' }
  document.settings.replyDrafts = 'on'
  document.steps[0].variants[0].ai = { presetId: 'prs_none', modelId: 'no-such-model' }
  document.steps[1].assigneeId = 'usr_none'
  document.entry = { from: [other.id], when: { interest: ['interested'] } }
  const { campaign, notes } = await done('live', 'POST', '/v2/campaigns/import', { document })
  expect(notes.map(({ path }: { path: string }) => path)).toEqual([
    'senders[0]',
    'settings.aiTriage',
    'steps[1].assigneeId',
    'steps[2].branches[1].goTo',
    'entry.from',
    'steps[0].variants[0].ai',
  ])
  expect(notes[0].message).toBe('mara@sender.example.com is no sending account here.')
  expect(campaign.sendingAccountIds).toHaveLength(1)
  expect(campaign.steps[2].branches[1].goTo).toBe('end')
  expect(campaign).toMatchObject({ entry: { from: [], when: null }, settings: { aiTriage: null, replyDrafts: 'off' } })
})

describe('a document is refused with the place of the fault', () => {
  const good = async () => {
    const made = await done('test', 'POST', '/v2/campaigns', { name: 'Good', steps: [{ variants: [written] }] })
    return done('test', 'GET', `/v2/campaigns/${made.id}/export`)
  }
  test.each([
    ['of another version', (one: Document) => void (one['format'] = 'overture-campaign/2'), 'document.format'],
    ['with an unknown field', (one: Document) => void (one['password'] = 'x'), 'document.password'],
    ['with a broken template', (one: Document) => void (one.steps[0]!.variants[0]!.body = '{{ firstName'), textPath],
    ['that leads to no step', (one: Document) => void (one.steps[0]!.then = 'nowhere'), 'document.steps[0].then'],
    ['with a key twice', (one: Document) => void one.steps.push(one.steps[0]!), 'document.steps[1].key'],
  ])('%s', async (_name, change, path) => {
    const document = await good()
    change(document)
    const answer = await ask('test', 'POST', '/v2/campaigns/import', { document })
    expect(answer.status, answer.text).toBe(400)
    expect(errorPaths(answer.body)).toContain(path)
  })

  test('another version is named in the message', async () => {
    const answer = await ask('test', 'POST', '/v2/campaigns/import', { document: { format: 'overture-campaign/2' } })
    expect(answer.text).toContain('It reads the format overture-campaign/1.')
  })

  test('of a foreign campaign: not found', async () => {
    const made = await done('live', 'POST', '/v2/campaigns', { name: 'Not yours' })
    expect((await ask('test', 'GET', `/v2/campaigns/${made.id}/export`)).status).toBe(404)
  })
})

const textPath = 'document.steps[0].variants[0].body'

interface Document extends Record<string, unknown> {
  steps: { then: string | null; variants: { body: string }[] }[]
}
