import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { logEvents, logEventsPage, logLevels } from '@overture/server/platform/log-events.ts'
import { pages } from '@overture/testing/docs/fences.ts'
import { isTest, readModules } from './house/source.ts'

const home = 'packages/server/src/platform/log-events.ts'
const production = readModules().filter((module) => !isTest(module) && module.path !== home)
const names = Object.keys(logEvents) as (keyof typeof logEvents)[]

interface LogCall {
  place: string
  level: string
  name: string
}

/** Log calls with a literal level and event name. Types check the others. */
const calls = production.flatMap(({ path, text }): LogCall[] =>
  [...text.matchAll(/\blog\s*\.\s*(\w+)\(\s*\{\s*event: '([^']+)'/g)].map(([, level, name]) => ({
    place: path,
    level: level!,
    name: name!,
  })),
)

test('every log call uses an event of the table with its level', () => {
  expect(calls.length).toBeGreaterThan(70)
  const wrong = calls.filter(({ level, name }) => logEvents[name as keyof typeof logEvents]?.[0] !== level)
  expect(wrong).toEqual([])
})

test('every event of the table is used', () => {
  const all = production.map(({ text }) => text).join('\n')
  // These names are built from the state of the replica.
  const byState = ['replica.lags', 'replica.gone']
  expect(all).toContain('event: `replica.${state}`')
  expect(names.filter((name) => !all.includes(`'${name}'`) && !byState.includes(name))).toEqual([])
})

test('all log calls use event names and the one logger', () => {
  const inWords = production.filter(({ text }) => /\blog\s*\.\s*(?:debug|info|warn|error|fatal)\(\s*['"`]/.test(text))
  expect(inWords.map(({ path }) => path)).toEqual([])
  const makers = production.filter(({ text }) => /from 'pino'/.test(text)).map(({ path }) => path)
  expect(makers.filter((path) => path.startsWith('packages/server/'))).toEqual([
    'packages/server/src/platform/log.shell.ts',
  ])
})

test('event names have one form, a known level and a description', () => {
  for (const name of names) {
    const [level, help] = logEvents[name]
    expect(name).toMatch(/^[a-z]+(?:_[a-z]+)*(?:\.[a-z]+(?:_[a-z]+)*)+$/)
    expect(logLevels).toContain(level)
    expect([name, /^[A-Z].{12,}\.$/.test(help)]).toEqual([name, true])
  }
})

test('docs/log-events.md is generated from the table', () => {
  expect(readFileSync(resolve(import.meta.dirname, '../docs/log-events.md'), 'utf8')).toBe(logEventsPage())
})

test('the pages mention only existing events', () => {
  const texts = pages().map((page) => readFileSync(resolve(import.meta.dirname, '..', page), 'utf8'))
  const rooms = [...new Set(names.map((name) => name.split('.')[0]!))].filter((room) =>
    names.some((one) => one.startsWith(`${room}.`)),
  )
  const named = [...texts.join('\n').matchAll(/`?\b([a-z_]+\.[a-z_]+)\b`? in (?:the|its) log/g)].map(
    ([, name]) => name!,
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => rooms.includes(name.split('.')[0]!) && !names.includes(name as never))).toEqual([])
})
