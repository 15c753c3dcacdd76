import { expect, test } from 'vitest'
import { openSlots, unsentTextsMax } from './text-slots.ts'

const holder = (leadId: string, emailDomain = 'a.test') => ({ leadId, emailDomain })

test('there are slots for two days of sending, at least twenty', () => {
  const unlimited = { dailyLimit: null, dailyNewLeadLimit: null }
  expect(unsentTextsMax([30, 20], unlimited)).toBe(100)
  expect(unsentTextsMax([30, 20], { dailyLimit: 40, dailyNewLeadLimit: null })).toBe(80)
  expect(unsentTextsMax([30, 20], { dailyLimit: 40, dailyNewLeadLimit: 15 })).toBe(30)
  expect(unsentTextsMax([30, 20], { dailyLimit: 40, dailyNewLeadLimit: 5 })).toBe(20)
  expect(unsentTextsMax([], unlimited)).toBe(20)
})

test('slots are given until none is free; a lead that has one needs no other', () => {
  const slots = openSlots({ max: 3, maxPerRecipientDomainPerDay: null }, [holder('a'), holder('a'), holder('b')])
  expect(['c', 'd', 'a', 'c'].map((id) => slots.take(holder(id)))).toEqual([true, false, true, true])
})

test('a recipient domain takes two days of its own limit and leaves the rest to others', () => {
  const slots = openSlots({ max: 5, maxPerRecipientDomainPerDay: 1 }, [holder('a')])
  expect(['b', 'c', 'd'].map((id) => slots.take(holder(id)))).toEqual([true, false, false])
  expect(['e', 'f', 'g'].map((id) => slots.take(holder(id, 'b.test')))).toEqual([true, true, false])
})

test('no slot is given until the free share is reached, then all free slots are', () => {
  const limits = { max: 4, freeShare: 0.5, maxPerRecipientDomainPerDay: null }
  const few = openSlots(
    limits,
    ['a', 'b', 'c'].map((id) => holder(id)),
  )
  expect(['a', 'd'].map((id) => few.take(holder(id)))).toEqual([true, false])
  const many = openSlots(
    limits,
    ['a', 'b'].map((id) => holder(id)),
  )
  expect(['c', 'd', 'e'].map((id) => many.take(holder(id)))).toEqual([true, true, false])
})
