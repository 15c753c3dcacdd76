import fc from 'fast-check'
import { dayNumberAt, startOfDayMs } from '@overture/ground/time/time-zone.ts'
import { describe, expect, test } from 'vitest'
import { ContactBook, firstClosedGate, judgeContact, type ContactLimits, type PersonRecord } from './contact-policy.ts'

const dayMs = 86_400_000
const noon = Date.parse('2026-10-24T12:00:00.000Z')
const noLimits: ContactLimits = {
  perPerson: null,
  perCompany: null,
  oneCampaignAtATime: false,
  conversationDays: null,
  quietAfterReplyDays: null,
  timezone: 'Europe/Berlin',
}
const lead = { id: 'led_1', campaignId: 'cmp_1', person: 'ada@acme.test', company: 'acme.test' }

function bookOf(limits: Partial<ContactLimits>, known: Partial<PersonRecord> = {}, first: number[] = []): ContactBook {
  const record = { contacts: [], exchange: null, repliedAtMs: null, ...known }
  return new ContactBook(
    { ...noLimits, ...limits },
    { persons: new Map([[lead.person, record]]), companies: new Map([['acme.test', first]]) },
  )
}

const contactsAt = (times: readonly number[]) =>
  times.map((atMs) => ({ atMs, campaignId: 'cmp_2', leadId: 'led_2', isOpen: true }))

/** Messages over 60 days around a change of clocks, oldest first. */
const times = fc
  .array(fc.integer({ min: -30 * dayMs, max: 0 }), { maxLength: 12 })
  .map((offsets) => offsets.map((offset) => noon + offset).sort((a, b) => a - b))
const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'UTC')

describe('a limit per person', () => {
  test('is closed exactly while the days of the zone contain that many messages', () => {
    fc.assert(
      fc.property(
        times,
        zone,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 20 }),
        (sent, timezone, messages, days) => {
          const book = bookOf({ perPerson: { messages, days }, timezone }, { contacts: contactsAt(sent) })
          const isFull = (nowMs: number) => {
            const today = dayNumberAt(timezone, nowMs)
            return sent.filter((atMs) => dayNumberAt(timezone, atMs) > today - days).length >= messages
          }
          const { passed, untilMs } = judgeContact('person_limit', { book, lead, nowMs: noon })
          expect(passed).toBe(!isFull(noon))
          if (passed) return
          // It opens at the start of the first day that is not full.
          let day = dayNumberAt(timezone, noon)
          while (isFull(startOfDayMs(timezone, day + 1))) day++
          expect(untilMs).toBe(startOfDayMs(timezone, day + 1))
        },
      ),
      { numRuns: 300 },
    )
  })

  test('counts messages that the same plan sends', () => {
    const book = bookOf({ perPerson: { messages: 1, days: 7 } })
    const copy = book.fork()
    copy.record({ ...lead, id: 'led_3' }, noon)
    expect(firstClosedGate(copy, lead, noon)?.gate).toBe('person_limit')
    expect(firstClosedGate(book, lead, noon)).toBeNull()
  })
})

describe('a limit per company', () => {
  test('holds people who never got a message, and no others', () => {
    const limits = { perCompany: { people: 1, days: 30 } }
    expect(firstClosedGate(bookOf(limits, {}, [noon - dayMs]), lead, noon)?.gate).toBe('company_limit')
    const known = { contacts: contactsAt([noon - 300 * dayMs]) }
    expect(firstClosedGate(bookOf(limits, known, [noon - dayMs]), lead, noon)).toBeNull()
    expect(firstClosedGate(bookOf(limits, {}, [noon - 31 * dayMs]), lead, noon)).toBeNull()
  })

  test('does not hold a person whose company is not known', () => {
    const book = bookOf({ perCompany: { people: 1, days: 30 } }, {}, [noon - dayMs])
    expect(firstClosedGate(book, { ...lead, company: null }, noon)).toBeNull()
  })
})

describe('one campaign at a time', () => {
  const limits = { oneCampaignAtATime: true }
  test('keeps the person for the lead that got the first message and has not ended', () => {
    const own = { atMs: noon - dayMs, campaignId: 'cmp_1', leadId: 'led_1', isOpen: true }
    const other = { atMs: noon - 2 * dayMs, campaignId: 'cmp_2', leadId: 'led_2', isOpen: true }
    expect(firstClosedGate(bookOf(limits, { contacts: [other, own] }), lead, noon)?.gate).toBe('other_campaign')
    expect(firstClosedGate(bookOf(limits, { contacts: [own, other] }), lead, noon)).toBeNull()
    expect(firstClosedGate(bookOf(limits, { contacts: [{ ...other, isOpen: false }, own] }), lead, noon)).toBeNull()
  })

  test('opens when that lead ends', () => {
    const book = bookOf(limits, { contacts: contactsAt([noon - dayMs]) })
    book.end({ ...lead, id: 'led_2' })
    expect(firstClosedGate(book, lead, noon)).toBeNull()
  })
})

test('after mail outside of campaigns the later of two pauses counts', () => {
  const exchange = { atMs: noon - dayMs, mailbox: 'mara@example.com', direction: 'outbound' as const }
  const limits = { conversationDays: 3, quietAfterReplyDays: 10 }
  const both = bookOf(limits, { exchange, repliedAtMs: noon - 2 * dayMs })
  expect(firstClosedGate(both, lead, noon)).toMatchObject({
    gate: 'in_conversation',
    detail: 'The person replied on 22 October. Messages may follow on 1 November.',
  })
  expect(firstClosedGate(bookOf(limits, { exchange }), lead, noon)?.detail).toBe(
    'mara@example.com wrote to the person on 23 October. Messages may follow on 26 October.',
  )
})
