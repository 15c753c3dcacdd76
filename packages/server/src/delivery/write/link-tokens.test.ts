import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSecrets } from '../../platform/crypto/secrets.shell.ts'
import { createManageUrl, createMeetingUrl } from '../../meetings/notices/tokens.ts'
import { signOptOut } from './opt-out-link.ts'
import { signTrackingToken, type TrackingPurpose } from './tracking-token.ts'
import { signAddressToken } from './opt-out-mailto.ts'
import { withoutLinkTokens } from '@overture/ground/text/link-tokens.ts'

const secrets = createSecrets(['a key for tests'])
const sign = (purpose: string, fields: readonly string[]) => secrets.signToken(purpose, fields)
const ids = {
  accountId: 'acc_1m8ap85592xtsdvwhx',
  environment: 'live' as const,
  campaignId: 'cmp_1m8ap85592xtsdvwhx',
  leadId: 'led_1m8ap85592xtsdvwhx',
  stepId: 'stp_1m8ap85592xtsdvwhx',
}
const tenant = { accountId: ids.accountId, environment: ids.environment }
const pages = { config: { publicUrl: '' }, secrets }
const tokenOf = (path: string): string => path.split('/').at(-1)!
const links: [string, string, string][] = [
  ...(['open', 'click'] as TrackingPurpose[]).map((purpose): [string, string, string] => [
    purpose,
    'https://o.example.com/c/',
    signTrackingToken(sign, purpose, { ...ids, target: purpose === 'click' ? 'https://example.com/?a=b' : null }),
  ]),
  ['an opt-out', 'https://o.example.com/u/', signOptOut(secrets, { ...ids, email: 'a@b.test' })],
  [
    'the opt-out of a person who is no lead',
    'https://o.example.com/u/',
    signOptOut(secrets, { ...ids, leadId: null, email: 'a@b.test' }),
  ],
  ['a booking', 'https://o.example.com/b/', tokenOf(createMeetingUrl(pages, tenant, ids))],
  ['a meeting', 'https://o.example.com/b/', tokenOf(createManageUrl(pages, tenant, 'mtg_1m8ap85592xtsdvwhx'))],
  ['an opt-out by mail', 'mailto:sales+', signAddressToken(sign, ids.leadId)],
]

test.each(links)('%s is shown without its token', (_name, before, token) => {
  const shown = withoutLinkTokens({
    text: `Read ${before}${token}, please.`,
    html: `<a href="${before}${token}">x</a>`,
  })
  expect(shown).toEqual({ text: `Read ${before}hidden, please.`, html: `<a href="${before}hidden">x</a>` })
})

test.each(links)("%s behind a mail gateway's redirect is shown without its token", (_name, before, token) => {
  const wrapped = `https://gateway.example.com/?url=${encodeURIComponent(`${before}${token}`)}&data=1`
  expect(withoutLinkTokens(wrapped)).not.toContain(token.slice(-16))
})

test('every other text is unchanged', () => {
  const words = [
    'https://example.com/a.b.c',
    'acc_1.txt',
    'led_1',
    'live.',
    'a.led',
    'Hello Ada, shall we talk?',
    'lt-1.x',
    'thequickbrownfoxjumpsoverlazydg.example.com',
    'lt-files-of-the-year-2026-part1.tar.gz',
  ]
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom(...words)), { maxLength: 8 }), (pieces) => {
      const text = pieces.join(' ')
      expect(withoutLinkTokens({ text, at: null, count: 1 })).toEqual({ text, at: null, count: 1 })
    }),
  )
})
