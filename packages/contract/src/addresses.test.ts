import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { invisibleCharacterIn, isWritable, normalizeDomain, normalizeEmail } from './addresses.ts'
import { domainName, email } from './common.ts'
import { createSuppressionInput } from './suppressions/suppressions.ts'

test.each([
  [' Ada@Example.COM ', 'ada@example.com'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@BÜCHER.example.', 'ada@xn--bcher-kva.example'],
  ['ada@straße.example', 'ada@xn--strae-oqa.example'],
  ['"a@b"@example.com', '"a@b"@example.com'],
  ['acme.com', 'acme.com'],
  ['', ''],
  ['ada@ex ample.com', 'ada@ex ample.com'],
  ['\u200bada@example.com', 'ada@example.com'],
  ['a\u00add\u2060a@exam\u200bple.com\u202c', 'ada@example.com'],
  ['ＡＤＡ@example.com', 'ada@example.com'],
  ['ﬁona@example.com', 'fiona@example.com'],
  ['jose\u0301@example.com', 'jos\u00e9@example.com'],
  ['ΝΊΚΟΣ@example.com', 'νίκοσ@example.com'],
  ['νίκος@example.com', 'νίκοσ@example.com'],
  ['.ada.@example.com', '.ada.@example.com'],
  ['"ada"@example.com', 'ada@example.com'],
  ['"a\\da"@example.com', 'ada@example.com'],
  ['".ada."@example.com', '.ada.@example.com'],
  ['"ada (sales)"@example.com', '"ada (sales)"@example.com'],
  ['(sales)"ada"@example.com', 'ada@example.com'],
  ['ada(sales(east))@example.com', 'ada@example.com'],
  ['ada@(east)example.com', 'ada@example.com'],
  ['@relay.test:ada@example.com', 'ada@example.com'],
  ['@one.test,@two.test:"Ada"@example.com', 'ada@example.com'],
])('%s is normalised to %s', (given, expected) => expect(normalizeEmail(given).email).toBe(expected))

test.each([
  ['ada@example.com', true],
  ['.ada+x.@example.com', true],
  ['用户@例え.test', true],
  ['"ada b"@example.com', true],
  ['"a\\da"@example.com', false],
  ['ada(sales)@example.com', false],
  ['@relay.test:ada@example.com', false],
  ['mailto:ada@example.com', false],
  ['bob@example.com,ada@example.com', false],
  ['bob@example.com ada@example.com', false],
  ['bob@example.com；ada@example.com', false],
  ['ada\u200b@example.com', false],
  ['ada@example.com\r\nRCPT TO:<bob@example.com>', false],
  ['ada@[192.0.2.1]', false],
  ['ada', false],
])('%j can be written to: %s', (given, expected) => expect(isWritable(given)).toBe(expected))

test('domains are normalised like in Node.js, without using Node.js', () => {
  const label = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  const names = fc.oneof(
    fc.domain(),
    fc.array(label, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.')),
  )
  fc.assert(
    fc.property(names, (name) => {
      fc.pre(invisibleCharacterIn(name) === null)
      const lower = name.trim().toLowerCase().replace(/\.$/, '')
      expect(normalizeDomain(name)).toBe(domainToASCII(lower) || lower)
    }),
    { numRuns: 2_000 },
  )
})

const hidden = [
  '\u00ad',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u200e',
  '\u202c',
  '\u2060',
  '\ufe0f',
  '\u034f',
  '\u3164',
  '\u2800',
]
const controls = ['\u0001', '\u007f', '\u0085', '\u061c', '\ue000', '\u0378', '\u{e0041}']

test.each([...hidden, ...controls])("an address containing %j is refused with the character's name", (character) => {
  const name = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
  for (const given of [`a${character}da@example.com`, `${character}ada@example.com`, `ada@exam${character}ple.com`]) {
    const refused = email.safeParse(given)
    expect(refused.error?.issues.map(({ message }) => message)).toEqual([
      `Contains the invisible character ${name}. Type it again without that character.`,
    ])
  }
  expect(domainName.safeParse(`exam${character}ple.com`).error?.issues[0]?.message).toContain(name)
  const suppressed = createSuppressionInput.safeParse({ domain: `@exam${character}ple.com` })
  expect(suppressed.error?.issues[0]?.message).toContain(name)
})

test.each([
  ['spaces and a byte order mark at the ends', ' \u00a0ada@example.com\ufeff', true],
  ['dots at the ends of the local part', '.ada..@example.com', true],
  ['a local part in another alphabet', 'иван@example.com', true],
  ['an emoji of one character', '🙂@example.com', true],
  ['a full-width at sign in the local part', 'a＠b@example.com', false],
  ['a full-width comma in the local part', 'a，b@example.com', false],
  ['a letter that folds to a space and an accent', 'a\u00a8b@example.com', false],
])('an address with %s', (_, given, isAccepted) => expect(email.safeParse(given).success).toBe(isAccepted))

const spelled = fc
  .tuple(
    fc.string({
      unit: fc.constantFrom('a', 'z', '1', '.', '+', 'é', 'ß', 'σ', 'и', '名'),
      minLength: 1,
      maxLength: 12,
    }),
    fc.array(fc.tuple(fc.nat(40), fc.constantFrom(...hidden, ...controls)), { maxLength: 6 }),
  )
  .map(([local, inserted]) => {
    const plain = Array.from(`${local}@example.com`)
    const changed = [...plain]
    for (const [at, character] of inserted) changed.splice(at % (changed.length + 1), 0, character)
    return { plain: plain.join(''), spelled: changed.join('') }
  })

test('invisible characters, case and composition never make a different address', () => {
  fc.assert(
    fc.property(spelled, fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'), fc.boolean(), (one, form, isUpper) => {
      const composed = one.spelled.normalize(form)
      const written = isUpper && !one.plain.includes('ß') ? composed.toUpperCase() : composed
      expect(normalizeEmail(written).email).toBe(normalizeEmail(one.plain).email)
    }),
    { numRuns: 2_000 },
  )
})

test('normalising an address twice changes nothing', () => {
  const any = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })
  // An address with a code point of any kind is mostly refused, so most are letters.
  const unit = fc.oneof(
    { weight: 19, arbitrary: fc.constantFrom(...Array.from('azAZ09.+-_éßσςИİı名')) },
    { weight: 1, arbitrary: any },
  )
  fc.assert(
    fc.property(fc.string({ unit, minLength: 1, maxLength: 20 }), (local) => {
      const once = normalizeEmail(`${local}@example.com`).email
      fc.pre(email.safeParse(`${local}@example.com`).success)
      expect(normalizeEmail(once).email).toBe(once)
    }),
    { numRuns: 1_000 },
  )
})
