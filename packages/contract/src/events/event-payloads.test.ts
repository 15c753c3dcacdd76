import { expect, test } from 'vitest'
import { event } from './events-endpoints.ts'
import { eventIds, eventPayloads } from './event-payloads.ts'
import { eventSamples } from './event-samples.ts'
import { eventTypes } from './events.ts'

const ids = Object.fromEntries(Object.keys(eventIds).flatMap((name) => (name === 'test' ? [] : [[name, null]])))

test('each event type has a payload, a sample and a place in the union', () => {
  expect(Object.keys(eventPayloads)).toEqual([...eventTypes])
  expect(event.options.map((option) => option.shape.type.value)).toEqual([...eventTypes])
})

test.each(eventTypes)('the sample of %s is valid, and missing or unknown fields are refused', (type) => {
  const whole = { id: 'evt_1', actor: null, type, occurredAt: '2026-11-03T09:30:00.000Z', environment: 'test' }
  const data = { ...ids, ...eventSamples[type] }
  expect(event.safeParse({ ...whole, data }).success).toBe(true)
  expect(event.safeParse({ ...whole, data: { ...data, unknownField: 1 } }).success).toBe(false)
  expect(event.safeParse({ ...whole, data: { ...data, leadId: undefined } }).success).toBe(false)
})
