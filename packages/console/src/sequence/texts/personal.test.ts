import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withVariables, type PersonalFacts } from './personal.ts'

const noFacts: PersonalFacts = {
  firstName: null,
  lastName: null,
  jobTitle: null,
  company: null,
  city: null,
  email: 'x@example.com',
}
const name = fc
  .string({ unit: fc.constantFrom('a', 'B', 'é', '.', '+', '(', '$', '\\', '-', ' ', '7'), minLength: 1, maxLength: 8 })
  .filter((text) => text.trim() !== '')

test("the variables give the lead the same text, and none of the lead's values remain", () => {
  const facts = fc.record({ firstName: name, lastName: name, company: name })
  const words = fc.array(fc.oneof(name, fc.constantFrom('firstName', 'lastName', 'company')), { maxLength: 12 })
  fc.assert(
    fc.property(facts, words, (known, parts) => {
      const lead = { ...noFacts, ...known }
      const written = parts.map((part) => (part in known ? `, ${known[part as keyof typeof known]},` : part)).join(' ')
      const forAll = withVariables(written, lead)
      const read = forAll.replaceAll(/\{\{ (\w+) \}\}/g, (_whole, field: keyof PersonalFacts) => lead[field]!.trim())
      expect(read).toBe(written)
      for (const { length } of [known.firstName.trim()].filter((value) => value.length > 1 && written === value))
        expect([length, forAll]).toEqual([length, expect.stringMatching(/^\{\{ \w+ \}\}$/)])
    }),
  )
})

test.each([
  ['Hi Al, also Alan.', { firstName: 'Al' }, 'Hi {{ firstName }}, also Alan.'],
  ['Ada at Ada Mills', { firstName: 'Ada', company: 'Ada Mills' }, '{{ firstName }} at {{ company }}'],
  ['X marks it', { firstName: 'X' }, 'X marks it'],
  ['Grace’s ships', { firstName: 'Grace' }, '{{ firstName }}’s ships'],
])('%s', (written, facts, forAll) => expect(withVariables(written, { ...noFacts, ...facts })).toBe(forAll))
