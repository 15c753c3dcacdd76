import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { transform } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { builtCli } from '@overture/testing/programs/program.ts'
import { parse as parseToml } from 'smol-toml'
import { parse as parseYaml } from 'yaml'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import { readFences, pages, root, type Fence } from '@overture/testing/docs/fences.ts'
import { applicationKey } from '@overture/testing/mail/application-keys.ts'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'

// Each test builds, installs or runs whole programs.
vi.setConfig({ testTimeout: 300_000 })

const run = promisify(execFile)

const encryptionKey = 'an encryption key of a test run'

/** Pages whose programs another test runs completely. */
const runElsewhere: Readonly<Record<string, string>> = {
  'packages/sdk/README.md': 'test/sdk-readme.test.ts',
  'docs/automations.md': 'test/automations.test.ts',
  'docs/before-you-send.md': 'test/before-you-send.test.ts',
}

/**
 * Commands that take hours or need a corpus or the whole machine. The test checks that the files in `needs` exist: the program, and
 * the test that covers it.
 */
const notRunHere: readonly { command: string; needs: readonly string[] }[] = [
  { command: 'npm install && npm test', needs: ['package.json', '.ci/run'] },
  { command: 'node --import tsx bench/kills.ts 1000 1', needs: ['bench/kills.ts', 'test/kills.test.ts'] },
  { command: 'node --import tsx bench/hostile.ts 30', needs: ['bench/hostile.ts'] },
  { command: 'node --import tsx bench/nodes.ts 10 1', needs: ['bench/nodes.ts', 'test/nodes.test.ts'] },
  // This command is refused while a server uses the database. The test of the command checks that.
  { command: 'npx overture restore overture.tar   ', needs: ['packages/cli/src/operator/backup.test.ts'] },
]

const all = pages().flatMap((page) => readFences(page))
const programs = (language: string) => {
  const found = new Map<string, Fence[]>()
  for (const fence of all) {
    if (fence.language !== language || runElsewhere[fence.page] !== undefined) continue
    found.set(fence.page, [...(found.get(fence.page) ?? []), fence])
  }
  return [...found]
}

test('every code block has a language that is run or checked', () => {
  expect(all.length).toBeGreaterThan(50)
  const kinds = ['sh', 'ts', 'json', 'yaml', 'toml', 'text', 'console']
  expect(all.filter(({ language }) => !kinds.includes(language)).map(({ page, line }) => `${page}:${line}`)).toEqual([])
  for (const [page, file] of Object.entries(runElsewhere))
    expect(readFileSync(join(root, file), 'utf8')).toContain(page.replace(/^packages\/sdk\//, ''))
})

test('blocks of plain text contain no commands', () => {
  const shown = all.filter(({ language }) => language === 'text')
  const command = /^\s*(?:\$ |npx |npm |curl |node |export |docker |import |const |await )/m
  expect(shown.filter(({ code }) => command.test(code)).map(({ page, line }) => `${page}:${line}`)).toEqual([])
})

test('blocks of configuration can be parsed', () => {
  for (const { page, line, language, code } of all) {
    if (language === 'json') expect(() => JSON.parse(code), `${page}:${line}`).not.toThrow()
    if (language === 'toml') expect(parseToml(code), `${page}:${line}`).toBeTypeOf('object')
    if (language === 'yaml') expect(parseYaml(code), `${page}:${line}`).toBeTypeOf('object')
  }
})

test('transcripts use existing operations', () => {
  const transcripts = all.filter(({ language }) => language === 'console')
  for (const { page, line, code } of transcripts) {
    for (const [, path] of code.matchAll(/\$U(\/v2\/[^\s"?';]+)/g)) {
      const segments = path!.replaceAll(/\$\w+/g, ':id').split('/')
      const known = allEndpoints.some((endpoint) => {
        const parts = endpoint.path.split('/')
        return (
          parts.length === segments.length && parts.every((part, i) => part === segments[i] || part.startsWith(':'))
        )
      })
      expect([`${page}:${line}`, path, known]).toEqual([`${page}:${line}`, path, true])
    }
    for (const [, answer] of code.matchAll(/^(\{.*\})$/gm))
      expect(() => JSON.parse(answer!), `${page}:${line}`).not.toThrow()
  }
})

describe('with a server', () => {
  let product: RunningProduct
  let folder: string
  let environment: Record<string, string>
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'overture-fences-'))
    product = await startRunningServer({ OVERTURE_ALLOW_PRIVATE_TARGETS: '1', OVERTURE_ENCRYPTION_KEY: encryptionKey })
    const programsFolder = join(folder, 'bin')
    await mkdir(programsFolder)
    // Like after `npm install`, npx finds the command of this repository in any folder.
    const npx = [
      '#!/bin/sh',
      '[ "$1" = overture ] || { echo "npx $1?" >&2; exit 9; }',
      'shift',
      `exec node ${await builtCli()} "$@"`,
      '',
    ].join('\n')
    await writeFile(join(programsFolder, 'npx'), npx)
    await chmod(join(programsFolder, 'npx'), 0o755)
    environment = {
      PATH: `${programsFolder}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      OVERTURE_URL: product.url,
      OVERTURE_API_KEY: product.keys.test,
      // For the operator's commands, which run on the server's machine.
      DATABASE_URL: product.databaseUrl,
      OVERTURE_DATA_DIR: join(folder, 'data'),
      OVERTURE_ENCRYPTION_KEY: encryptionKey,
    }
  })
  afterAll(async () => {
    await product.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Replaces the placeholders that a reader replaces. */
  const filledIn = (code: string): string =>
    code
      .replaceAll(/ovt_test_(?:…|\.\.\.)/g, product.keys.test)
      .replaceAll('http://127.0.0.1:3000', product.url)
      .replaceAll(/\/path\/to\/overture\b/g, root)

  const skipped = (line: string): boolean => notRunHere.some(({ command }) => line.startsWith(command))

  test('commands that are not run here refer to existing files', () => {
    const lines = all.filter(({ language }) => language === 'sh').flatMap(({ code }) => code.split('\n'))
    for (const { command, needs } of notRunHere) {
      expect(lines.some((line) => line.startsWith(command))).toBe(true)
      for (const file of needs) expect([file, existsSync(join(root, file))]).toEqual([file, true])
    }
  })

  test("the first command of the README starts a server that prints keys and the console's link", async () => {
    const [first] = all.filter(({ page, language }) => page === 'README.md' && language === 'sh')
    expect(first!.code).toBe('npm install && npm start\n')
    const settings = {
      PATH: process.env['PATH'],
      OVERTURE_DATA_DIR: join(folder, 'first'),
      PORT: '0',
      LOG_LEVEL: 'error',
    }
    const child = spawn('npm', ['start'], { cwd: root, env: settings, stdio: ['ignore', 'pipe', 'inherit'] })
    const printed: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      printed.push(line)
      if (line.startsWith('listening on ')) break
    }
    child.stdout.resume()
    const closed = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    await closed
    for (const start of ['test key: ovt_test_', 'live key: ovt_live_', 'console: http://127.0.0.1:'])
      expect(printed.filter((line) => line.startsWith(start))).toHaveLength(1)
  })

  test.each(programs('sh'))('the commands of %s run in order', async (page, fences) => {
    const cwd = await mkdtemp(join(folder, 'page-'))
    await giveFiles(cwd, product.keys.test)
    const lines = fences
      .flatMap(({ code }) => code.split('\n'))
      .map((line) => (line.startsWith('npm install && npm start') || /^npm start\b/.test(line) ? ':' : line))
      .map((line) => (skipped(line) ? ':' : line))
      // Commands without an end pass if they still run after 20 seconds.
      .map((line) =>
        /^npx overture (?:listen|events tail|mcp)\b/.test(line) ? `{ timeout 20 ${line} || [ $? = 124 ]; }` : line,
      )
    const script = filledIn(lines.join('\n'))
    // Commands of a clone run in the repository, all others in the folder with their files.
    const inClone = /node --import tsx (?:bench|examples)\//.test(script)
    const answer = await run('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: inClone ? root : cwd,
      env: environment,
      timeout: 240_000,
      maxBuffer: 64 * 1024 * 1024,
    }).catch((error: Error & { stdout?: string; stderr?: string }) => {
      throw new Error(`${page}: ${error.message}\n${error.stdout ?? ''}\n${error.stderr ?? ''}`)
    })
    // curl succeeds on an API error, so the output is checked for one.
    expect(answer.stdout).not.toContain('"error":{"code"')
  })

  test.each(programs('ts'))('the program of %s prints what the page shows', async (page, fences) => {
    const source = filledIn(fences.map(({ code }) => code).join('\n'))
    const { code } = await transform(source, { loader: 'ts', target: 'es2022' })
    const words = ['--import', 'tsx', '--input-type=module', '-e', code]
    const options = { cwd: root, env: environment, timeout: 240_000, maxBuffer: 64 * 1024 * 1024 }
    await run(process.execPath, words, options).catch((error: Error & { stdout?: string; stderr?: string }) => {
      throw new Error(`${page}: ${error.message.slice(0, 200)}\n${error.stdout ?? ''}\n${error.stderr ?? ''}`)
    })
  })

  test('the programs compile in strict TypeScript', async () => {
    const folderOfAll = await mkdtemp(join(root, 'test', 'dist.fences-'))
    try {
      for (const [page, fences] of programs('ts')) {
        const name = `${page.replaceAll(/\W/g, '-')}.mts`
        await writeFile(join(folderOfAll, name), fences.map(({ code }) => code).join('\n'))
      }
      const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as Record<
        string,
        object
      >
      const config = { compilerOptions, include: ['*.mts'] }
      await writeFile(join(folderOfAll, 'tsconfig.json'), JSON.stringify(config))
      const compiling = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folderOfAll])
      expect((await compiling.catch((error: { stdout: string }) => error)).stdout).toBe('')
    } finally {
      await rm(folderOfAll, { recursive: true, force: true })
    }
  })
})

/** Creates the files that the pages mention. */
async function giveFiles(folder: string, key: string): Promise<void> {
  const campaign = {
    name: 'Spring',
    steps: [{ variants: [{ subject: 'Hello {{ firstName }}', body: 'Shall we talk?' }] }],
    schedule: { windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }] },
    sendingAccountIds: ['snd_1'],
  }
  const instantly = {
    name: 'Spring',
    sequences: [
      { steps: [{ type: 'email', delay: 2, variants: [{ subject: 'Hi {{firstName}}', body: 'Shall we talk?' }] }] },
    ],
  }
  const person = { id: 'p1', full_name: 'Ada Lovelace', job_title: 'Engineer', job_company_name: 'Example Ltd' }
  const files: Record<string, string | Buffer> = {
    'campaign.json': JSON.stringify(campaign),
    'leads.csv': 'email,first name\nada+reply@example.com,Ada\nben@example.com,Ben\n',
    'expected.json': JSON.stringify({ sent: 2, replied: 1 }),
    'spring.json': JSON.stringify(instantly),
    'spring.csv': 'email,first_name,status\nada@example.com,Ada,0\n',
    'blocklist.csv': 'email\nno-more@example.com\n',
    'people.jsonl.gz': gzipSync(`${JSON.stringify(person)}\n`),
    'people.csv': 'id,full_name,Position,Employer\np2,Alan Turing,Mathematician,Example Ltd\n',
    'key.txt': `${key}\n`,
    'mailboxes.csv': 'email,fromName,dailyLimit\nzoe@example.com,Zoe,40\n',
    'service-account.json': JSON.stringify({
      type: 'service_account',
      client_email: 'robot@project.iam.gserviceaccount.com',
      client_id: '104357',
      private_key_id: 'key1',
      private_key: applicationKey,
    }),
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}
