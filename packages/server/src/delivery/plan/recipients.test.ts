import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  recipientAddresses,
  attributeBounce,
  findComplainants,
  decideRecipients,
  recipientCount,
  lastWroteAt,
  type Envelope,
  type RecipientFacts,
} from './recipients.ts'

const at = (minute: number): Date => new Date(Date.UTC(2026, 2, 2, 9, minute))
const address = (email: string) => ({ email, name: null })
const to = (...emails: string[]): Envelope => ({ to: emails.map(address), cc: [], bcc: [] })
const facts = (changes: Partial<RecipientFacts> = {}): RecipientFacts => ({
  suppressedAt: new Map([['ada@acme.test', at(10)]]),
  lastWriter: null,
  ...changes,
})

describe('a suppressed recipient', () => {
  test.each([
    ['never wrote', facts(), 0],
    ['wrote before the suppression', facts({ lastWriter: { email: 'ada@acme.test', at: at(9) } }), 0],
    ['wrote in the moment of the suppression', facts({ lastWriter: { email: 'ada@acme.test', at: at(10) } }), 0],
    ['wrote after the suppression', facts({ lastWriter: { email: 'Ada@Acme.test', at: at(11) } }), 1],
    ['wrote, and another person wrote last', facts({ lastWriter: { email: 'bob@acme.test', at: at(11) } }), 0],
  ])('%s', (_name, known, count) => {
    const { envelope, refused } = decideRecipients({ kind: 'manual', ...to('ADA@acme.test') }, known)
    expect([recipientCount(envelope), refused.length]).toEqual([count, 1 - count])
  })

  test('gets no notice, even if the person wrote after the suppression', () => {
    const known = facts({ lastWriter: { email: 'ada@acme.test', at: at(11) } })
    expect(recipientCount(decideRecipients({ kind: 'notification', ...to('ada@acme.test') }, known).envelope)).toBe(0)
  })
})

test.each(['bob@acme.test,eve@acme.test', 'bob(x)@acme.test', '@relay.test:bob@acme.test'])(
  'refuses %s, which a server could read as another address',
  (email) => {
    const { envelope, refused } = decideRecipients({ kind: 'manual', ...to(email, 'bob@acme.test') }, facts())
    expect([envelope.to, refused]).toMatchObject([[{ email: 'bob@acme.test' }], [{ email, code: null }]])
  },
)

test('removes every suppressed address from every field and keeps all others', () => {
  const pool = ['ada@acme.test', 'bob@acme.test', 'cat@acme.test', 'dan@acme.test']
  const list = fc.array(fc.constantFrom(...pool), { maxLength: 6 })
  const input = fc.record({
    kind: fc.constantFrom('manual' as const, 'notification' as const),
    fields: fc.tuple(list, list, list),
    suppressed: fc.subarray(pool),
    writer: fc.option(fc.record({ email: fc.constantFrom(...pool), minute: fc.integer({ min: 0, max: 20 }) })),
  })
  fc.assert(
    fc.property(input, ({ kind, fields, suppressed, writer }) => {
      const [first, second, third] = fields.map((emails) => emails.map(address))
      const message = { kind, to: first!, cc: second!, bcc: third! }
      const lastWriter = writer === null ? null : { email: writer.email, at: at(writer.minute) }
      const known = { suppressedAt: new Map(suppressed.map((email) => [email, at(10)])), lastWriter }
      const { envelope, refused } = decideRecipients(message, known)
      const exempt = kind === 'manual' && writer !== null && writer.minute > 10 ? writer.email : null
      const refusedNow = (email: string) => suppressed.includes(email) && email !== exempt
      for (const field of ['to', 'cc', 'bcc'] as const)
        expect(envelope[field]).toEqual(message[field].filter(({ email }) => !refusedNow(email)))
      expect(refused.map(({ email }) => email).toSorted()).toEqual(
        [...new Set(fields.flat())].filter(refusedNow).toSorted(),
      )
    }),
  )
})

test('a mail server gets each address once, however often and wherever it is named', () => {
  const message = {
    to: [address('Ada@acme.test')],
    cc: [address('ADA@acme.test'), address('bob@acme.test.')],
    bcc: [address('bob@acme.test'), address('"ada"@acme.test'), address('cat@acme.test')],
  }
  expect(recipientAddresses(message)).toEqual(['Ada@acme.test', 'bob@acme.test.', 'cat@acme.test'])
})

test('a person counts as the writer only if the newest reply is theirs', () => {
  expect(lastWroteAt(null, 'ada@acme.test')).toBeNull()
  expect(lastWroteAt({ email: 'ADA@acme.test', at: at(1) }, 'ada@acme.test')).toEqual(at(1))
  expect(lastWroteAt({ email: 'bob@acme.test', at: at(1) }, 'ada@acme.test')).toBeNull()
})

describe('a bounce', () => {
  const lead = 'ada@acme.test'
  const withCopies = { to: [address('Ada@acme.test')], cc: [address('bob@acme.test')], bcc: [address('cat@acme.test')] }
  test.each([
    ['of the only recipient, who is the lead', to('ADA@acme.test'), lead, 'lead'],
    ['of the lead, whose mail is forwarded', to('ada@acme.test'), 'ada@home.test', 'lead'],
    ['of a message to the lead in a report without an address', to('ada@acme.test'), null, 'lead'],
    ['of a message whose recipients are unknown', to(), null, 'lead'],
    ['of the lead among several recipients', withCopies, lead, 'lead'],
    ['of a copy', withCopies, 'bob@acme.test', 'copy'],
    ['of a blind copy', withCopies, 'cat@acme.test', 'copy'],
    ['of several recipients in a report without an address', withCopies, null, 'copy'],
    ['of several recipients in a report with an unknown address', withCopies, 'ada@home.test', 'copy'],
    ['of the only recipient, who is not the lead', to('bob@acme.test'), 'bob@acme.test', 'only_recipient'],
    ['in the name of the lead, who is not the recipient', to('bob@acme.test'), lead, 'only_recipient'],
    ['in the name of the lead, who is not among the recipients', to('bob@acme.test', 'cat@acme.test'), lead, 'copy'],
  ] as const)('%s', (_name, envelope, failed, expected) => {
    expect(attributeBounce({ ...envelope, leadEmail: lead }, failed)).toBe(expected)
  })
})

describe('a complaint', () => {
  const lead = 'ada@acme.test'
  const withCopy = { ...to('Ada@acme.test'), cc: [address('bob@acme.test')] }
  test.each([
    ['about a message to the lead alone', to('ADA@acme.test'), ['ada@home.test'], [lead]],
    ['about a message whose recipients are unknown', to(), [], [lead]],
    ['that names a copy', withCopy, ['BOB@acme.test'], ['bob@acme.test']],
    ['that names the lead', withCopy, [lead], [lead]],
    ['that names the lead, who is no recipient', to('bob@acme.test'), [lead], ['bob@acme.test']],
    ['that names none of several recipients', withCopy, ['ada@home.test'], []],
    [
      'about a message to the lead and to us',
      { ...withCopy, bcc: [] as const, cc: [address('us@own.test')] },
      [],
      [lead],
    ],
    ['about a message to us alone', to('us@own.test'), [lead], []],
  ] as const)('%s', (_name, envelope, named, expected) => {
    expect(findComplainants({ ...envelope, leadEmail: lead }, { named, own: ['us@own.test'] })).toEqual(expected)
  })
})
