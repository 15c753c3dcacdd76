import { expect, test } from 'vitest'
import { responseText } from './response-text.client.ts'

test('an answer is read whole up to its bound', async () => {
  expect(await responseText(new Response('żółw'), 7)).toBe('żółw')
  expect(await responseText(new Response('żółw'), 6)).toBeNull()
  expect(await responseText(new Response(null), 1)).toBe('')
})

test('beyond its bound nothing is read: an answer without end is let go', async () => {
  let pulled = 0
  let canceled = false
  const endless = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(1000))
      },
      cancel() {
        canceled = true
      },
    },
    { highWaterMark: 0 },
  )
  expect(await responseText(new Response(endless), 10_000)).toBeNull()
  expect({ pulled, canceled }).toEqual({ pulled: 11, canceled: true })
})
