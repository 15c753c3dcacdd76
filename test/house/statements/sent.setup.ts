import { readFile } from 'node:fs/promises'
import { subscribe } from 'node:diagnostics_channel'
import { afterAll, expect } from 'vitest'
import { type SentStatement, type SentText, sentFrom } from './texts.ts'

/** The statements that the product sent in this process, by text. */
interface Sent {
  /** Statements of this file's tests. Null if a test or a test tool sent the text. */
  ofFile: Map<string, SentStatement | null>
  /** Texts that earlier files were judged by. */
  judged: Set<string>
}

// Files share a process, but this module runs once for each of them. One listener serves them all.
const shared = globalThis as { overtureSent?: Sent }
const sent = (shared.overtureSent ??= listen())

function listen(): Sent {
  const { ofFile, judged }: Sent = { ofFile: new Map(), judged: new Set() }
  subscribe('overture.statement', (message) => {
    const one = message as SentText
    const isKnown = judged.has(one.text) || ofFile.has(one.text)
    if (!isKnown) ofFile.set(one.text, sentFrom(one, new Error().stack ?? ''))
  })
  return { ofFile, judged }
}

// Loads the parser only if statements were sent.
afterAll(async () => {
  const statements = [...sent.ofFile.values()].filter((one) => one !== null)
  sent.ofFile.clear()
  if (statements.length === 0) return
  const { breachesIn, excepted } = await import('./held.ts')
  const allowed = excepted()
  const unplanned = [...breachesIn(statements)].filter(([key]) => !allowed.includes(key))
  expect(unplanned, 'Statements that were sent and break a rule of test/house/statements/rules.ts').toEqual([])
  const { statementsFile, unlistedAmong } = await import('./sent-list.ts')
  const unlisted = unlistedAmong(statements, await readFile(statementsFile, 'utf8'))
  expect(
    unlisted,
    'Statements that overture distribute --check would not try (test/house/statements/by-hand.ts)',
  ).toEqual([])
  for (const { text } of statements) sent.judged.add(text)
})
