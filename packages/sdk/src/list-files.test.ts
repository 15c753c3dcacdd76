import { expect, test } from 'vitest'
import { Overture } from './index.ts'

test('a list as a file is returned while it arrives', async () => {
  const endless = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('\ufeffid')),
  })
  const client = new Overture({
    apiKey: `ovt_test_${'0'.repeat(30)}`,
    baseUrl: 'http://127.0.0.1:1',
    fetch: async () => new Response(endless),
  })
  const { body } = await client.tags.list({ format: 'csv' } as object).raw()
  const reader = body!.getReader()
  // The first character tells spreadsheet programs that the file is UTF-8.
  expect((await reader.read()).value).toEqual(new Uint8Array([0xef, 0xbb, 0xbf, 0x69, 0x64]))
  await reader.cancel()
})
