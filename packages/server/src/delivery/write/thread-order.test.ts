import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inThreadOrder, type ThreadedMessage } from './thread-order.ts'

const id = fc.option(fc.constantFrom('<a>', '<b>', '<c>', '<d>'))
const at = fc.option(fc.integer({ min: 0, max: 3_000 }).map((ms) => new Date(ms)))
const message: fc.Arbitrary<ThreadedMessage> = fc.record({
  rfcMessageId: id,
  inReplyTo: id,
  sentAt: at,
  receivedAt: at,
})

test('a reply sent in the same second as the received message comes after it', () => {
  const hello = { rfcMessageId: '<1>', inReplyTo: null, sentAt: new Date(5_100), receivedAt: null }
  const reply = { rfcMessageId: '<3>', inReplyTo: '<2>', sentAt: new Date(5_900), receivedAt: null }
  const answer = { rfcMessageId: '<2>', inReplyTo: '<1>', sentAt: null, receivedAt: new Date(5_000) }
  expect(inThreadOrder([hello, reply, answer])).toEqual([hello, answer, reply])
})

test('every message appears once, and seconds are in order', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
      const ordered = inThreadOrder(messages)
      expect(ordered.toSorted((a, b) => messages.indexOf(a) - messages.indexOf(b))).toEqual(messages)
      const second = (one: ThreadedMessage) => Math.floor((one.sentAt ?? one.receivedAt)!.getTime() / 1000)
      const dated = messages.filter((one) => one.sentAt !== null || one.receivedAt !== null)
      const sorted = dated.toSorted((a, b) => second(a) - second(b))
      const seconds = inThreadOrder(sorted).map(second)
      expect(seconds).toEqual(seconds.toSorted((a, b) => a - b))
    }),
  )
})
