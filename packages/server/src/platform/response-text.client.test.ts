import { expect, test } from 'vitest'
import { responseText } from './response-text.client.ts'

test('a response is read completely up to the limit', async () => {
  expect(await responseText(new Response('żółw'), 7)).toBe('żółw')
  expect(await responseText(new Response('żółw'), 6)).toBeNull()
  expect(await responseText(new Response(null), 1)).toBe('')
})

test('beyond the limit an endless response is cancelled', async () => {
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
