import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { inspectMessage } from './inspect.ts'
import { missOf, samplesOf } from './mail-samples.ts'

/** Mail in the words of many servers, programs and languages; how it was first read stands in docs/inbox-accuracy.md. */
const folder = new URL('samples/', import.meta.url)

for (const file of readdirSync(folder).sort()) {
  describe(`read as wanted: ${file}`, () => {
    const samples = samplesOf(file, readFileSync(new URL(file, folder), 'utf8'))
    test.each(samples)('$name', (sample) => {
      expect(missOf(sample, inspectMessage(sample.raw))).toBeNull()
    })
  })
}
