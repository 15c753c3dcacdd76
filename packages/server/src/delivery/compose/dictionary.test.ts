import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSecrets } from '../../platform/crypto/secrets.shell.ts'
import { packBytes } from '../../ground/text/packed.ts'
import { renderMessage, unrendered } from '../../templates/render.ts'
import { bytesOf, composeCampaignMessage, renderInputOf, type ComposeInput } from './compose.ts'
import { Dictionaries, dictionaryOf } from './dictionary.ts'

const secrets = createSecrets(['an encryption key of a test run'])
const may = new Date('2026-05-17T12:00:00.000Z')
const words = 'Some of your colleagues look for a tool that plans their week. '.repeat(8).trim()
const template = { subject: 'Hello {{ firstName }}', body: `Hi {{ firstName }},\n\n${words}\n\n{{ sender.fromName }}` }
const ada = {
  id: 'led_01m87fes4a2b3c4d5e6f7g8h9j',
  email: 'ada@acme.test',
  firstName: 'Ada',
  lastName: 'Lovelace',
  jobTitle: null,
  company: 'Acme',
  companyDomain: null,
  linkedinUrl: null,
  mobile: null,
  country: null,
  city: null,
  timezone: null,
  customVariables: {},
}
const compose: ComposeInput = {
  messageId: 'msg_01m87fes4a2b3c4d5e6f7g8h9j',
  now: new Date('2026-05-17T11:59:00.000Z'),
  tenant: { accountId: 'acc_01m87fes4a2b3c4d5e6f7g8h9j', environment: 'live' },
  campaignId: 'cmp_01m87fes4a2b3c4d5e6f7g8h9j',
  stepId: 'stp_01m87fes4a2b3c4d5e6f7g8h9j',
  lead: ada,
  sender: {
    email: 'eve@sender.test',
    fromName: 'Eve',
    signature: 'Eve of Sender',
    replyTo: null,
    trackingDomain: null,
  },
  template,
  settings: { textOnly: false, unsubscribe: 'link', openTracking: true, linkTracking: true },
  thread: null,
  postalAddress: '1 Main St, Town',
  publicUrl: 'https://mail.example.com',
  meetingUrl: null,
  sign: (purpose, fields) => secrets.signToken(purpose, fields),
  sealAddress: (email) => secrets.sealAddress(email),
}
const bytesMax = 16 * 1024

const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 })
const field = fc.option(anyText)
const lead = fc.record({
  id: fc.stringMatching(/^led_[0-9a-z]{26}$/),
  email: fc.emailAddress(),
  firstName: field,
  lastName: field,
  jobTitle: field,
  company: field,
  companyDomain: field,
  linkedinUrl: field,
  mobile: field,
  country: field,
  city: field,
  timezone: field,
  customVariables: fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), anyText, { maxKeys: 4 }),
})
const sender = fc.record({
  email: fc.emailAddress(),
  fromName: anyText,
  signature: field,
  replyTo: field,
  trackingDomain: fc.option(fc.domain()),
})
const thread = fc.option(
  fc.record({
    subject: anyText,
    messages: fc.array(
      fc.record({ direction: fc.constantFrom('outbound' as const, 'inbound' as const), rfcMessageId: field }),
      { maxLength: 3 },
    ),
  }),
)

test('nothing of a lead, a sender, a conversation, a message or its time is in a dictionary', () => {
  const plain = dictionaryOf(compose, template, may)
  const own = {
    lead,
    sender,
    thread,
    meetingUrl: fc.option(fc.webUrl()),
    messageId: fc.stringMatching(/^msg_[0-9a-z]{26}$/),
  }
  fc.assert(
    fc.property(fc.record({ ...own, now: fc.date({ noInvalidDate: true }) }), anyText, (of, written) => {
      // A text that a model or a person wrote for this lead is in the message's template, but not in the variant's.
      const input: ComposeInput = { ...compose, ...of, template: { subject: written, body: written } }
      expect(dictionaryOf(input, template, may)).toEqual(plain)
    }),
  )
  for (const word of ['Ada', 'ada@', 'Acme', 'Eve', 'sender.test', 'msg_', ada.id, '2026'])
    expect(plain.bytes.toString()).not.toContain(word)
})

test('a text of a batch is looked at once, and each has its own', () => {
  const dictionaries = new Dictionaries(may)
  const first = dictionaries.of(compose, { id: 'var_a', ...template })
  expect(dictionaries.of({ ...compose, lead: { ...ada, id: 'led_b' } }, { id: 'var_a', ...template })).toBe(first)
  expect(dictionaries.of(compose, { id: 'var_b', subject: 'Hi', body: 'Another' }).id).not.toEqual(first.id)
  expect(first).toEqual(dictionaryOf(compose, template, may))
})

describe('another id has', () => {
  const id = dictionaryOf(compose, template, may).id.toString('hex')
  const others: [string, Partial<ComposeInput>, typeof template, Date][] = [
    ['the next month', {}, template, new Date('2026-06-01T00:00:00.000Z')],
    ['the same month of another year', {}, template, new Date('2027-05-17T12:00:00.000Z')],
    ['another campaign', { campaignId: 'cmp_b' }, template, may],
    ['another step', { stepId: 'stp_b' }, template, may],
    ['another body', {}, { ...template, body: `${template.body}!` }, may],
    ['another subject', {}, { ...template, subject: 'Hi' }, may],
    ['another postal address', { postalAddress: null }, template, may],
    ['text alone', { settings: { ...compose.settings, textOnly: true } }, template, may],
    ['no line to opt out', { settings: { ...compose.settings, unsubscribe: 'header_only' } }, template, may],
    ['no pixel', { settings: { ...compose.settings, openTracking: false } }, template, may],
  ]
  test.each(others)('%s', (_, change, text, at) => {
    expect(dictionaryOf({ ...compose, ...change }, text, at).id.toString('hex')).not.toBe(id)
  })

  test('no other moment of its month', () => {
    for (const at of ['2026-05-01T00:00:00.000Z', '2026-05-31T23:59:59.999Z'])
      expect(dictionaryOf(compose, template, new Date(at)).id.toString('hex')).toBe(id)
  })
})

const hostile = [
  ['{'],
  ['{{'],
  ['{%'],
  ['}}'],
  ['{{}}'],
  ['{% %'],
  ['<a '],
  ['</body>'],
  ['http://'],
  ['\n'],
  [' '],
  ['ü'],
  ['<p>🙂</p>'],
]

describe('a text may be as it will', () => {
  test.each(hostile)(
    '%j, over and over: a dictionary has 16 KiB at most, and nothing further back is looked at',
    (one) => {
      const body = one.repeat(Math.ceil(100_000 / one.length))
      const whole = dictionaryOf(compose, { subject: one.repeat(1_000), body }, may)
      expect(whole.bytes.length).toBeLessThanOrEqual(bytesMax)
      expect(dictionaryOf(compose, { subject: one.repeat(1_000), body: body.slice(0, bytesMax) }, may)).toEqual(whole)
    },
  )

  test.each(hostile)('%j, a hundred thousand times: its tags are taken out in linear time', (one) => {
    // Far longer than a text may be, so that quadratic work would not end.
    const content = renderInputOf({ ...compose, template: { subject: '', body: one.repeat(100_000) } })
    expect(unrendered(content).kind).toBe('rendered')
  })

  test('whatever it is, a dictionary is made of it', () => {
    const piece = fc.oneof(fc.constantFrom(...hostile.map(([one]) => one!), '{{ firstName }}', '{% if a %}'), anyText)
    const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, text, fc.boolean(), (subject, body, textOnly) => {
        const input = { ...compose, settings: { ...compose.settings, textOnly } }
        const { bytes, id } = dictionaryOf(input, { subject, body }, may)
        expect([bytes.length <= bytesMax, id.length]).toEqual([true, 8])
        expect(bytes.toString()).not.toContain('{{ firstName }}')
      }),
    )
  })
})

describe('a message takes less than a quarter of its bytes', () => {
  const html = { subject: 'Hello', body: `<p>Hi {{ firstName }},</p>\n<p>${words}</p>\n<p>${words.toUpperCase()}</p>` }
  const german = {
    subject: 'Grüße',
    body: template.body.replaceAll('colleagues', 'Kolleginnen und Büronachbarn für über'),
  }
  const kinds: [string, Partial<ComposeInput>][] = [
    ['in text and HTML', {}],
    ['written as HTML', { template: html }],
    ['of text alone', { settings: { ...compose.settings, textOnly: true } }],
    ['in another language', { template: german }],
    ['without a postal address', { postalAddress: null }],
    [
      'in a thread',
      { thread: { subject: 'Hello', messages: [{ direction: 'outbound', rfcMessageId: '<a@sender.test>' }] } },
    ],
  ]
  test.each(kinds)('%s', (_, change) => {
    const input: ComposeInput = { ...compose, ...change }
    const content = renderInputOf(input)
    const rendered = renderMessage(content)
    if (rendered.kind !== 'rendered') throw new Error(rendered.kind)
    const raw = bytesOf(composeCampaignMessage(input, content.unsubscribeUrl, rendered).mime)
    const packed = packBytes(raw, dictionaryOf(input, input.template, may).bytes)
    expect(packed.length / raw.length).toBeLessThan(1 / 4)
  })
})
