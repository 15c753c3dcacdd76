import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSecrets } from '../../platform/crypto/secrets.shell.ts'
import { signTrackingToken, type TrackingPurpose } from '../../delivery/compose/tracking-token.ts'
import { signAddressToken } from '../../delivery/compose/opt-out-mailto.ts'
import { withoutLinkTokens } from './link-tokens.ts'

const secrets = createSecrets(['a key for tests'])
const sign = (purpose: string, fields: readonly string[]) => secrets.signToken(purpose, fields)
const today = {
  accountId: 'acc_1m8ap85592xtsdvwhx',
  environment: 'live' as const,
  campaignId: 'cmp_1m8ap85592xtsdvwhx',
  leadId: 'led_1m8ap85592xtsdvwhx',
  stepId: 'stp_1m8ap85592xtsdvwhx',
}
const earlier = { ...today, accountId: 'acc_01hq3v7k9w2x4y6z8a0b1c2d3e' }
const links: [string, string, string][] = [
  ...(['unsubscribe', 'open', 'click'] as TrackingPurpose[]).flatMap((purpose): [string, string, string][] =>
    [today, earlier].map((ids) => [
      `${purpose} of ${ids === today ? 'today' : 'an earlier release'}`,
      'https://o.example.com/u/',
      signTrackingToken(sign, purpose, { ...ids, target: purpose === 'click' ? 'https://example.com/?a=b' : 'x.y' }),
    ]),
  ),
  [
    'a booking',
    'https://o.example.com/book/',
    sign('booking', [today.accountId, 'live', today.campaignId, today.leadId]),
  ],
  ['a meeting', 'https://o.example.com/meeting/', sign('meeting', [today.accountId, 'test', 'mtg_1m8ap85592xtsdvwhx'])],
  ['an opt-out by mail', 'mailto:sales+', signAddressToken(sign, today.leadId)],
]

test.each(links)('%s is shown without its token', (_name, before, token) => {
  const shown = withoutLinkTokens({
    text: `Read ${before}${token}, please.`,
    html: `<a href="${before}${token}">x</a>`,
  })
  expect(shown).toEqual({ text: `Read ${before}hidden, please.`, html: `<a href="${before}hidden">x</a>` })
})

test.each(links)('%s is shown without its token behind the redirect of a mail gateway', (_name, before, token) => {
  const wrapped = `https://gateway.example.com/?url=${encodeURIComponent(`${before}${token}`)}&data=1`
  expect(withoutLinkTokens(wrapped)).not.toContain(token.slice(-16))
})

test('every other text stays as it is', () => {
  const words = [
    'https://example.com/a.b.c',
    'acc_1.txt',
    'led_1',
    'live.',
    'a.led',
    'Hello Ada, shall we talk?',
    'lt-1.x',
  ]
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom(...words)), { maxLength: 8 }), (pieces) => {
      const text = pieces.join(' ')
      expect(withoutLinkTokens({ text, at: null, count: 1 })).toEqual({ text, at: null, count: 1 })
    }),
  )
})
