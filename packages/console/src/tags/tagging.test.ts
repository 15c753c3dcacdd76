import { taggedAtOnceMax } from '@overture/contract/tags/tags.ts'
import type { TagResults } from '@overture/sdk'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addResults, idsMax, nextPart, startTagging, type TagProgress } from './tagging.ts'

type Result = TagResults['results'][number]

const some = fc.uniqueArray(
  fc.record({ id: fc.uuid(), outcome: fc.constantFrom('changed', 'unchanged', 'not_found') }),
  { maxLength: 350, selector: ({ id }) => id },
) as fc.Arbitrary<Result[]>

test('a call has as many ids as the API accepts', () => {
  expect(idsMax).toBe(taggedAtOnceMax)
})

test('every id is sent once, in parts, and every result is counted', () => {
  fc.assert(
    fc.property(some, (expected) => {
      const byId = new Map(expected.map((one) => [one.id, one]))
      const sent: string[] = []
      let tagging: TagProgress = startTagging([...byId.keys()])
      while (tagging.remaining.length > 0) {
        const part = nextPart(tagging)
        expect(part.length).toBeLessThanOrEqual(idsMax)
        sent.push(...part)
        tagging = addResults(tagging, { results: part.map((id) => byId.get(id)!) })
      }
      const having = (outcome: string) => expected.filter((one) => one.outcome === outcome)
      expect(sent).toEqual([...byId.keys()])
      expect(tagging).toEqual({
        total: expected.length,
        changed: having('changed').map(({ id }) => id),
        unchanged: having('unchanged').length,
        gone: having('not_found').length,
        remaining: [],
      })
    }),
    { numRuns: 50 },
  )
})
