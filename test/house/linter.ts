import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** Returns the lint rules that a product file with this text breaks. */
export async function refusedByLinter(text: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'overture-lint-'))
  try {
    const file = join(folder, 'planted.ts')
    await writeFile(file, text)
    const found = JSON.parse(await lint(['-c', join(root, '.oxlintrc.json'), '--format', 'json', file])) as Findings
    return found.diagnostics.map(({ code }) => /\(([\w-]+)\)/.exec(code)?.[1] ?? code)
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface Findings {
  diagnostics: { code: string }[]
}

// Ignores the exit code, since the linter exits with an error if it finds problems.
function lint(args: readonly string[]): Promise<string> {
  const program = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint')
  return new Promise((done) =>
    execFile(process.execPath, [program, ...args], { cwd: root }, (_, output) => done(output)),
  )
}
