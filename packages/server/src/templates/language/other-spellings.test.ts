import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ordinaryTemplates } from '@overture/testing/templates/hostile-templates.ts'
import { templateProblem } from '../template-check.ts'
import { otherSpellings } from './other-spellings.ts'

const customNames = ['Plan', 'team_size']

/** The text with all proposals applied, from the last to the first. */
function rewritten(text: string): string {
  return otherSpellings(text, customNames)
    .toReversed()
    .reduce(
      (changed, { at, replacement }) =>
        replacement === null ? changed : changed.slice(0, at[0]) + replacement + changed.slice(at[1]),
      text,
    )
}

describe('the spellings of other products', () => {
  test.each([
    ['Hi {{firstName|there}},', 'Hi {{ firstName | default: "there" }},'],
    ['Hi {{ first_name | "my friend" }},', 'Hi {{ firstName | default: "my friend" }},'],
    ['{{First Name|you "all"}}', `{{ firstName | default: 'you "all"' }}`],
    ['{{plan|basic}} {{Favourite Tea|green}}', '{{ Plan | default: "basic" }} {{ Favourite_Tea | default: "green" }}'],
    ['{{First Name}} at {{company-name}}', '{{ firstName }} at {{ company }}'],
    ['Hi {first_name} {Company} {Plan} {TeamSize}', 'Hi {{ firstName }} {{ company }} {{ Plan }} {{ team_size }}'],
    ['Hi [First Name] and [Job Title]', 'Hi {{ firstName }} and {{ jobTitle }}'],
    ['Hi %FIRSTNAME% of %COMPANY%', 'Hi {{ firstName }} of {{ company }}'],
    ['Hi *|FNAME|* *|LNAME|* *|TEA|*', 'Hi {{ firstName }} {{ lastName }} {{ TEA }}'],
    ['{Cheers|Best},', '{{ "Cheers|Best" | spin }},'],
    ['{ Hi | Hello|Hey }', '{{ "Hi|Hello|Hey" | spin }}'],
    ['{{RANDOM|Hi|Hello}} {{Hi|Hello|Hey}}', '{{ "Hi|Hello" | spin }} {{ "Hi|Hello|Hey" | spin }}'],
  ])('%s becomes %s', (text, ours) => {
    expect(rewritten(text)).toBe(ours)
    expect(templateProblem('body', ours, () => 0)).toBeNull()
    expect(otherSpellings(ours, customNames)).toEqual([])
  })

  test.each([
    '{{ firstName | default: "there" }} {{ Plan | upcase }} {{ "Hi|Hello" | spin }} {{ size | plus: 1 }}',
    '{{ first_name }} {{ Unknown }} {% if a or b %}{first_name in a loop}{% endif %}',
    'See [this page](https://a.test) and [1], {x}, 100% of all, 5 % and 6 %, {}, {{}}, { and }, a|b, **|**',
    '<style>p {color: red} [title] {a|b}</style>{% assign x = "{a|b}" %}',
  ])('are not found in %s', (text) => expect(otherSpellings(text, customNames)).toEqual([]))

  test('say what happens, and what to write', () => {
    expect(otherSpellings('Hi {{firstName|there}}, {Cheers|Best}', [])).toEqual([
      {
        at: [3, 22],
        replacement: '{{ firstName | default: "there" }}',
        message: 'A fallback is written {{ firstName | default: "there" }}.',
      },
      {
        at: [24, 37],
        replacement: '{{ "Cheers|Best" | spin }}',
        message: '{Cheers|Best} is sent unchanged. Alternatives are written {{ "Cheers|Best" | spin }}.',
      },
    ])
  })

  test('with a variable among the alternatives are found without a replacement', () => {
    expect(otherSpellings('{Hi {{ firstName }}|Hello}', [])).toMatchObject([{ at: [0, 26], replacement: null }])
  })

  test('are never found in ordinary texts', () => {
    fc.assert(
      fc.property(ordinaryTemplates, (text) => {
        expect(otherSpellings(text, customNames)).toEqual([])
      }),
    )
  })

  test('are found quickly in any text', () => {
    const pieces = ['{', '}', '{{', '}}', '|', '*|', '|*', '[', ']', '%', 'First Name', '<style>', '{%', ' ', 'a']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }), (some) => {
        const text = some.join('').repeat(20_000 / some.join('').length)
        expect(otherSpellings(text, customNames).length).toBeLessThanOrEqual(20)
      }),
    )
  })
})
