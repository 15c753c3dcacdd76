import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { builtProgram } from '@overture/testing/programs/program.ts'
import { logFaults, mostWithin } from '@overture/testing/kills/node-watchers.ts'
import { rate, runNodes } from '@overture/testing/kills/nodes-run.ts'

// Each test starts and kills whole processes.
vi.setConfig({ testTimeout: 300_000 })

// A longer run is bench/nodes.ts (docs/reliability.md).
test('with API nodes and workers killed under load, limits hold and nothing is duplicated or lost', async () => {
  const dailyLimit = 20
  const run = await runNodes({ kills: 5, seed: 3, everyMs: 1_000, dailyLimit, gapSeconds: 0, settleMs: 300_000 })
  const { twice, lost, unheard } = run
  expect({ twice, lost, unheard, log: run.logFaults }).toEqual({ twice: [], lost: [], unheard: [], log: [] })
  expect(run.kills.api).toBeGreaterThan(0)
  expect(run.kills.worker).toBeGreaterThan(0)
  expect(run.sentOfLimited).toBe(dailyLimit)
  expect(run.admitted.perMinute).toBeLessThanOrEqual(rate.perMinute)
  expect(run.admitted.perSecond).toBeLessThanOrEqual(rate.perSecond)
  expect(run.admitted.all).toBeGreaterThan(0)
  expect(run.events).toBeGreaterThan(100)
})

test.each([
  ['a missing event', ['a', 'c'], ['b missed']],
  ['a repeated event', ['a', 'b', 'b', 'c'], ['b twice', 'b out of order']],
  ['another order', ['b', 'a', 'c'], ['a out of order']],
  ['an unknown event', ['a', 'x', 'b', 'c'], ['x out of order']],
  ['nothing', ['a', 'b', 'c'], []],
])('a followed log with %s is found', (_what, followed, faults) =>
  expect(logFaults(followed, ['a', 'b', 'c'])).toEqual(faults),
)

test('requests count for a window only if they were certainly in it', () => {
  const at = (fromMs: number, toMs: number) => ({ fromMs, toMs })
  expect(mostWithin([at(0, 10), at(5, 20), at(900, 990), at(990, 1_010)], 1_000)).toBe(3)
  expect(mostWithin([], 1_000)).toBe(0)
})

test('a killed run leaves no process and no folder behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overture-left-'))
  const program = await builtProgram(new URL('../packages/testing/src/kills/left-alone.ts', import.meta.url))
  const run = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(run, 'exit').then(() => Promise.reject(new Error('It ended by itself.')))
  ended.catch(() => undefined)
  const [line] = (await Promise.race([once(run.stdout, 'data'), ended])) as [Buffer]
  const pids = JSON.parse(line.toString()) as number[]
  pids.push(Number.parseInt(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10))
  expect(pids.map(isThere)).toEqual([true, true, true])
  run.kill('SIGKILL')
  const left = () => [...pids.filter(isThere), ...(existsSync(folder) ? [folder] : [])]
  await expect.poll(left, { timeout: 60_000 }).toEqual([])
})

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
