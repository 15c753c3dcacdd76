import { describe, expect, test } from 'vitest'
import { needsNotice, noticeParts, type PrivacyNotice } from './privacy-notice.ts'

test.each([
  ['DE', true],
  ['Frankreich', true],
  ['Norway', true],
  ['UK', true],
  ['Schweiz', true],
  [null, true],
  ['Atlantis', true],
  ['US', false],
  ['Brasil', false],
])('a person in %s gets a notice: %s', (country, needs) => expect(needsNotice(country)).toBe(needs))

describe('a notice', () => {
  const notice: PrivacyNotice = {
    form: 'link',
    controller: 'Acme <Ltd>',
    source: 'Fair & Expo',
    basis: 'legitimate_interests',
    contact: 'privacy@acme.test',
    url: 'https://acme.test/privacy?a=1&b=2',
  }

  test('of the form link names the source and the page', () => {
    expect(noticeParts(notice)).toEqual({
      text: 'We have your data from this source: Fair & Expo. Privacy policy: https://acme.test/privacy?a=1&b=2',
      html:
        'We have your data from this source: Fair &amp; Expo. ' +
        '<a href="https://acme.test/privacy?a=1&amp;b=2">Privacy policy</a>',
    })
  })

  test('of the form link names the contact if there is no page', () => {
    expect(noticeParts({ ...notice, url: null }).text).toBe(
      'We have your data from this source: Fair & Expo. Questions about your data: privacy@acme.test.',
    )
  })

  test('of the form text names controller, purpose, basis, source, rights and contact', () => {
    const { text, html } = noticeParts({ ...notice, form: 'text' })
    expect(text).toBe(
      'Acme <Ltd> uses your contact data to write to you about a business offer. Legal basis: legitimate interests (GDPR Art. 6). ' +
        'We have your data from this source: Fair & Expo. You can object, or ask for access, correction or deletion at ' +
        'privacy@acme.test. You can complain to a data protection authority. Privacy policy: https://acme.test/privacy?a=1&b=2',
    )
    expect(html).toContain('Acme &lt;Ltd&gt; uses')
  })

  test('leaves out facts that are not known', () => {
    const bare = { form: 'text' as const, controller: null, source: ' ', basis: null, contact: null, url: null }
    expect(noticeParts(bare).text).toBe(
      'We use your contact data to write to you about a business offer. You can object, or ask for access, correction or ' +
        'deletion by replying. You can complain to a data protection authority.',
    )
  })
})
