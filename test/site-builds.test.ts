import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { oneAtATime } from '../docs/site/one-at-a-time.ts'

// Each test builds, installs or runs whole programs.
vi.setConfig({ testTimeout: 300_000 })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-builds-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('simultaneous builds run one after the other, even if one fails', async () => {
  const lock = join(folder, 'together')
  const [seen, under] = [[] as number[], { way: 0 }]
  const builds = Array.from({ length: 8 }, (_, at) =>
    oneAtATime(lock, async () => {
      seen.push(++under.way)
      await new Promise((resolve) => setImmediate(resolve))
      under.way--
      if (at % 3 === 0) throw new Error(`${at} failed`)
      return at
    }),
  )
  const ended = await Promise.allSettled(builds)
  expect(seen).toEqual(builds.map(() => 1))
  expect(ended.map(({ status }) => status)).toEqual(builds.map((_, at) => (at % 3 === 0 ? 'rejected' : 'fulfilled')))
  expect(existsSync(lock)).toBe(false)
})

test.each(['with its name', 'without one'])('the lock of a dead process, %s, blocks no build', async (how) => {
  const lock = join(folder, how)
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  await mkdir(lock)
  if (how === 'with its name') await writeFile(join(lock, 'pid'), String(pid))
  else await utimes(lock, new Date(0), new Date(0))
  expect(await oneAtATime(lock, () => Promise.resolve('built'))).toBe('built')
  expect(existsSync(lock)).toBe(false)
})
