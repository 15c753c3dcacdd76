import fc from 'fast-check'
import { expect, test } from 'vitest'
import { comparePositions, tenantsToRead } from './stretches.ts'

const at = (number: number, position = number) => ({ txId: String(number), position })
const event = (accountId: string, number: number, environment: 'live' | 'test' = 'live') => ({
  accountId,
  environment,
  ...at(number),
})
const place = (accountId: string, number: number) => ({ accountId, environment: 'live' as const, ...at(number) })
const placeless = (accountId: string) => ({ accountId, environment: null, ...at(0) })

test('numbers above 2^53 are compared exactly', () => {
  expect(comparePositions({ txId: '9007199254740993', position: 0 }, { txId: '9007199254740992', position: 5 })).toBe(1)
  expect(comparePositions({ txId: '9', position: 7 }, { txId: '10', position: 1 })).toBe(-1)
  expect(comparePositions(at(4, 2), at(4, 9))).toBeLessThan(0)
  expect(comparePositions(at(4), at(4))).toBe(0)
})

test("reading starts at the account's position, else at the lowest position, else its first event", () => {
  const events = [event('a', 11), event('b', 12), event('c', 13), event('a', 14), event('d', 15)]
  const places = [place('a', 12), place('b', 12), place('c', 3), placeless('d')]
  const read = (lowest: number | null) => tenantsToRead(events, places, lowest === null ? null : at(lowest))
  // The second account has read all of it.
  expect(read(10)).toEqual([
    { accountId: 'a', environment: 'live', place: at(12) },
    { accountId: 'c', environment: 'live', place: at(10) },
    { accountId: 'd', environment: 'live', place: at(10) },
  ])
  // An earlier epoch may have unread events, so no place is moved beyond it.
  expect(read(null).map(({ place }) => place.txId)).toEqual(['12', '3', '0'])
})

test('deleted accounts are not read, and environments are read separately', () => {
  expect(tenantsToRead([event('gone', 5)], [], at(1))).toEqual([])
  const both = tenantsToRead([event('a', 5), event('a', 6, 'test')], [place('a', 5)], at(1))
  expect(both).toEqual([{ accountId: 'a', environment: 'test', place: at(1) }])
})

test('every account with unread events is read, from its first unread event at the latest', () => {
  const letters = fc.constantFrom('a', 'b', 'c')
  fc.assert(
    fc.property(
      fc.array(fc.tuple(letters, fc.integer({ min: 11, max: 40 })), { maxLength: 20 }),
      fc.array(fc.tuple(letters, fc.integer({ min: 0, max: 45 })), { maxLength: 3 }),
      (happened, known) => {
        const events = happened.toSorted((one, other) => one[1] - other[1]).map(([who, when]) => event(who, when))
        const reached = new Map<string, number>(known)
        const places = ['a', 'b', 'c'].map((who) => (reached.has(who) ? place(who, reached.get(who)!) : placeless(who)))
        const read = new Map(
          tenantsToRead(events, places, at(10)).map((one) => [one.accountId, Number(one.place.txId)]),
        )
        for (const { accountId, txId } of events) {
          const isUnread = Number(txId) > (reached.get(accountId) ?? 0)
          if (isUnread) expect(read.get(accountId)).toBeLessThan(Number(txId))
        }
        for (const [who, from] of read) expect(from).toBe(Math.max(10, reached.get(who) ?? 0))
      },
    ),
  )
})
