import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { inspectMessage } from './classify/inspect.ts'
import { findMiss, parseSamples } from '@overture/testing/inbox/mail-samples.ts'

/** Mail of many servers, programs and languages. docs/inbox-accuracy.md lists the results of the first reading. */
const folder = new URL('../../testing/src/inbox/samples/', import.meta.url)

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.txt'))
for (const file of files.sort()) {
  describe(`samples in ${file} are read as expected`, () => {
    const samples = parseSamples(file, readFileSync(new URL(file, folder), 'utf8'))
    test.each(samples)('$name', (sample) => {
      expect(findMiss(sample, inspectMessage(sample.raw))).toBeNull()
    })
  })
}
