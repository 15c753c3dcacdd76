import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test, vi } from 'vitest'
import { builtCli } from '@overture/testing/programs/program.ts'

// Each command of the guide starts a process with a database.
vi.setConfig({ testTimeout: 600_000 })

const root = resolve(import.meta.dirname, '..')
const program = await builtCli()

/** The lines of the first shell code block of a page, without comments. */
async function firstFence(page: string): Promise<string[]> {
  const text = await readFile(join(root, page), 'utf8')
  const fence = /```sh\n([^`]*)```/.exec(text)![1]!
  return fence.split('\n').flatMap((line) => line.replace(/\s+#.*$/, '').trim() || [])
}

test("the guide's commands for backup and restore work in order", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overture-guide-'))
  const key = 'g'.repeat(64)
  const run = (words: string[], dataDir: string) =>
    new Promise<{ code: number; out: string }>((done) => {
      const env = { PATH: process.env.PATH, OVERTURE_DATA_DIR: join(folder, dataDir), OVERTURE_ENCRYPTION_KEY: key }
      execFile(process.execPath, [program, ...words], { cwd: folder, env }, (error, stdout, stderr) =>
        done({ code: error === null ? 0 : 1, out: stdout + stderr }),
      )
    })
  expect(await run(['accounts', 'create', '--name', 'Guided'], 'first')).toMatchObject({ code: 0 })
  const lines = await firstFence('docs/backup.md')
  expect(lines).toHaveLength(3)
  for (const [at, line] of lines.entries()) {
    expect(line).toMatch(/^npx overture (?:backup|restore) /)
    // The last command restores into an empty folder, as the guide says.
    const { code, out } = await run(line.split(' ').slice(2), at === 2 ? 'second' : 'first')
    expect([line, code, out]).toEqual([line, 0, expect.stringMatching(/\d+ rows/)])
  }
  expect((await run(['accounts', 'list'], 'second')).out).toContain('Guided')
  const { out } = await run(['doctor'], 'second')
  expect(out).toMatch(/broken {3}sending: held since .*\n {9}→ compare with the Sent folders/)
  await rm(folder, { recursive: true, force: true })
})
