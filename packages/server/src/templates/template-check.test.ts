import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endlessTemplates, hostileTemplates, ordinaryTemplates } from '@overture/testing/templates/hostile-templates.ts'
import { templateProblem } from './template-check.ts'

/** A clock that never advances, so that results don't depend on the speed of the machine. */
const noTime = () => 0

/** A clock for which the first measurements take as long as `lateMs` says, in this order. */
function slowFor(lateMs: readonly number[]): () => number {
  let now = 0
  let readings = 0
  return () => (now += readings++ % 2 === 1 ? (lateMs[(readings - 2) / 2] ?? 0) : 0)
}

describe('a submitted template', () => {
  test.each([
    ['{{ firstName', 'not closed'],
    ['{% if x %}', 'not closed'],
    ['{{ a | nofilter }}', 'undefined filter'],
    ["{% include 'a' %}", 'not found'],
    ['{% nope %}', 'not found'],
    ['{% for i in (1..1001) %}{% endfor %}', 'The range (1..1001)'],
    [`<p>${'<div>'.repeat(300)}</p>`, 'nested too deeply'],
    ['{{ a }}'.repeat(1_001), '1000 tags'],
  ])('%s is refused with a message', (text, part) => expect(templateProblem('body', text, noTime)).toContain(part))

  test.each(Object.entries(hostileTemplates))('with %s is refused on any machine', (_name, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(text.length).toBeLessThanOrEqual(20_000)
        expect(templateProblem('body', text, noTime)).not.toBeNull()
      }),
      { numRuns: 25 },
    )
  })

  test('as usually written is accepted', () => {
    fc.assert(
      fc.property(ordinaryTemplates, (text) => {
        expect(templateProblem('body', text, noTime)).toBeNull()
      }),
    )
  })

  test('of the maximum depth, length and content is accepted', () => {
    const deep = `${'{% if a %}'.repeat(20)}x${'{% endif %}'.repeat(20)}`
    for (const text of [
      deep,
      '{% for i in (1..1000) %}{{ i }} {% endfor %}',
      `${'<div>'.repeat(150)}Hi`,
      '{{ firstName | default: "x" }} '.repeat(490),
      'x'.repeat(20_000),
    ])
      expect(templateProblem('body', text, noTime)).toBeNull()
    // A subject is never HTML, even if it contains tags.
    expect(templateProblem('subject', '<div>'.repeat(300), noTime)).toBeNull()
  })

  test('is refused if it is always slow, but not after a single slow measurement', () => {
    expect(templateProblem('body', 'Hi', slowFor([500, 300, 25, 19]))).toBeNull()
    expect(templateProblem('body', 'Hi', slowFor([21, 21, 21, 21, 21]))).toBe(
      'The template takes more than 20 ms to render. Shorten it.',
    )
  })

  test('with slow steps is stopped by the clock', () => {
    const [text = ''] = fc.sample(endlessTemplates, { numRuns: 1, seed: 1 })
    let now = 0
    expect(templateProblem('body', text.replace('(1..1000)', '(1..2)'), () => (now += 30))).toContain('20 ms')
  })
})
