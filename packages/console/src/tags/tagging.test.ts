import { taggedAtOnceMax } from '@overture/contract/tags/tags.ts'
import type { TagResults } from '@overture/sdk'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addPage, addResults, idsMax, isOver, nextPart, startTagging, startWalk, type TagProgress } from './tagging.ts'

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
      while (!isOver(tagging)) {
        const part = nextPart(tagging)
        expect(part.length).toBeLessThanOrEqual(idsMax)
        sent.push(...part)
        tagging = addResults(tagging, { results: part.map((id) => byId.get(id)!) })
      }
      const having = (outcome: string) => expected.filter((one) => one.outcome === outcome)
      expect(sent).toEqual([...byId.keys()])
      expect(tagging).toEqual({
        total: { count: expected.length, isLeast: false },
        done: expected.length,
        changed: having('changed').length,
        changedIds: having('changed').map(({ id }) => id),
        unchanged: having('unchanged').length,
        gone: having('not_found').length,
        remaining: [],
        next: null,
      })
    }),
    { numRuns: 50 },
  )
})

test('all rows of a list are sent page by page, also beyond a capped total, and one page of ids is kept', () => {
  const pages = [['a', 'b'], ['c', 'd'], ['e']]
  let tagging = startWalk({ count: 3, isLeast: true })
  const sent: string[] = []
  while (!isOver(tagging)) {
    const page = tagging.next === null ? 0 : Number(tagging.next.cursor ?? 0)
    if (tagging.remaining.length === 0)
      tagging = addPage(tagging, pages[page]!, page + 1 < pages.length ? String(page + 1) : null)
    const part = nextPart(tagging)
    sent.push(...part)
    const results = part.map((id) => ({ id, outcome: id === 'c' ? ('unchanged' as const) : ('changed' as const) }))
    tagging = addResults(tagging, { results })
    expect(tagging.remaining.length + (tagging.changedIds?.length ?? 0)).toBeLessThanOrEqual(2)
  }
  expect(sent).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(tagging).toMatchObject({
    total: { count: 5, isLeast: false },
    done: 5,
    changed: 4,
    changedIds: null,
    unchanged: 1,
    gone: 0,
  })
})

test('a page without rows ends the change', () => {
  expect(isOver(addPage(startWalk({ count: 3, isLeast: false }), [], null))).toBe(true)
})
