import { expect, test } from 'vitest'
import { event } from './events-endpoints.ts'
import { eventIds, eventPayloads } from './event-payloads.ts'
import { eventSamples } from './event-samples.ts'
import { eventTypes } from './events.ts'

const ids = Object.fromEntries(Object.keys(eventIds).flatMap((name) => (name === 'test' ? [] : [[name, null]])))

test('each type of event has a payload, a sample of it, and a place in the union', () => {
  expect(Object.keys(eventPayloads)).toEqual([...eventTypes])
  expect(event.options.map((option) => option.shape.type.value)).toEqual([...eventTypes])
})

test.each(eventTypes)('the sample of %s is an event, and what it lacks or has too much is refused', (type) => {
  const whole = { id: 'evt_1', actor: null, type, occurredAt: '2026-11-03T09:30:00.000Z', environment: 'test' }
  const data = { ...ids, ...eventSamples[type] }
  expect(event.safeParse({ ...whole, data }).success).toBe(true)
  expect(event.safeParse({ ...whole, data: { ...data, unheardOf: 1 } }).success).toBe(false)
  expect(event.safeParse({ ...whole, data: { ...data, leadId: undefined } }).success).toBe(false)
})
