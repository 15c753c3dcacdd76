import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bitWords, hasBit, setBit } from './bit-kernel.ts'
import { PeoplePlan, type Group, type Part } from './people-plan.ts'
import { Employment, PeopleSets } from './people-sets.ts'
import type { DocSet } from './postings.ts'
import { SlicedColumn } from './sliced-column.ts'

const size = 20_000
const companies = 400
const fields = 3
/** How many people have code 0 … 5 of a field: from most of them to a few. */
const shares = [0.5, 0.2, 0.05, 0.01, 0.002, 0.0002]

const codeOf = (doc: number, field: number): number => {
  const chance = spread(doc * fields + field) / 0xffffffff
  let sum = 0
  return shares.findIndex((share) => (sum += share) > chance)
}
const yearsOf = (doc: number): number => spread(doc + 77_777) % 60
const companyOf = Uint32Array.from({ length: size }, (_, doc) => spread(doc + 99_999) % (companies + 20))

const employment = new Employment(companyOf, companies)
const sets = Array.from(
  { length: fields },
  (_, field) =>
    new PeopleSets(size, { codes: shares.length, lists: true }, (doc, add) => {
      const code = codeOf(doc, field)
      if (code >= 0) add(code)
    }),
)
const years = new SlicedColumn(
  Uint8Array.from({ length: size }, (_, doc) => yearsOf(doc)),
  255,
)
const plan = new PeoplePlan(size, employment)

const codesArb = fc.uniqueArray(fc.nat({ max: shares.length - 1 }), { minLength: 1, maxLength: 3 })
const groupArb = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(fc.nat({ max: fields - 1 }), codesArb).map(([field, codes]) => codeGroup(field, codes)),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat({ max: 59 }), fc.nat({ max: 59 })).map(([min, max]) => rangeGroup(min, max)),
  },
  {
    weight: 2,
    arbitrary: fc.uniqueArray(fc.nat({ max: companies - 1 }), { minLength: 1, maxLength: 60 }).map(companyGroup),
  },
)

describe('the plan', () => {
  test('finds the same people as testing each one, with any kind of plan', () => {
    const kinds = new Set<DocSet['kind']>()
    fc.assert(
      fc.property(fc.array(groupArb, { maxLength: 6 }), (groups) => {
        const found = plan.run(groups)
        kinds.add(found.kind)
        const expected = Array.from({ length: size }, (_, doc) => doc).filter((doc) =>
          groups.every((group) => group.test(doc)),
        )
        expect(docsOf(found)).toEqual(expected)
        if (found.kind === 'bits') expect(found.count).toBe(expected.length)
      }),
      { numRuns: 300 },
    )
    expect([...kinds].toSorted()).toEqual(['bits', 'list'])
  })
})

function codeGroup(field: number, codes: number[]): Group {
  const parts = codes.map((code): Part => ({ kind: 'code', sets: sets[field]!, code }))
  const count = codes.reduce((sum, code) => sum + sets[field]!.count(code), 0)
  return { kind: 'any', count, parts, test: (doc) => codes.includes(codeOf(doc, field)) }
}

function rangeGroup(min: number, max: number): Group {
  return { kind: 'range', column: years, min, max, test: (doc) => yearsOf(doc) >= min && yearsOf(doc) <= max }
}

function companyGroup(numbers: number[]): Group {
  const bits = new Uint32Array(bitWords(companies))
  for (const company of numbers) setBit(bits, company)
  return {
    kind: 'any',
    count: employment.count(bits),
    parts: [{ kind: 'companies', companies: bits }],
    test: (doc) => companyOf[doc]! < companies && hasBit(bits, companyOf[doc]!),
  }
}

function docsOf(set: DocSet): number[] {
  if (set.kind === 'list') return [...set.docs]
  return Array.from({ length: size }, (_, doc) => doc).filter((doc) => hasBit(set.bits, doc))
}

/** The same number for the same input, spread over 32 bits. */
function spread(value: number): number {
  let mixed = Math.imul(value ^ 0x9e3779b9, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
