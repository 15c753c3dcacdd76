import { readFileSync, readdirSync } from 'node:fs'
import { inspectMessage } from '@overture/mail-reading/classify/inspect.ts'
import { findMiss, parseSamples } from '@overture/testing/inbox/mail-samples.ts'

/** Scores the inbox reader on the project's own samples: `node --import tsx bench/inbox-samples.ts [--misses]`. */
const folder = new URL('../packages/testing/src/inbox/samples/', import.meta.url)
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.txt'))
for (const file of files.sort()) {
  const samples = parseSamples(file, readFileSync(new URL(file, folder), 'utf8'))
  const groups = new Map<string, { good: number; all: number }>()
  const misses: string[] = []
  for (const sample of samples) {
    const miss = findMiss(sample, inspectMessage(sample.raw))
    const kind = sample.wanted.split(' ')[0]!
    const group = groups.get(kind) ?? { good: 0, all: 0 }
    groups.set(kind, { good: group.good + (miss === null ? 1 : 0), all: group.all + 1 })
    if (miss !== null) misses.push(`  ${sample.name}\n      wanted ${miss.wanted}\n      found  ${miss.found}`)
  }
  console.log(`${file}: ${samples.length - misses.length} of ${samples.length}`)
  console.log([...groups].map(([kind, { good, all }]) => `  ${kind} ${good} of ${all}`).join('\n'))
  if (process.argv.includes('--misses') && misses.length > 0) console.log(misses.join('\n'))
}
