import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeWorkbook } from '@overture/testing/workbook.ts'
import { builtCli } from '@overture/testing/programs/program.ts'
import { Overture, version, type StepInput } from '@overture/sdk'
import { anyTime } from '@overture/testing/schedules.ts'
import { verify } from '@overture/sdk/webhooks'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'
import { until } from '@overture/testing/server/until.ts'
import { commands } from './commands.ts'

// The test of all operations runs a whole server.
vi.setConfig({ testTimeout: 120_000 })

const execute = promisify(execFile)
const sources = fileURLToPath(new URL('../bin/overture.js', import.meta.url))
const program = await builtCli()
let product: RunningProduct
let folder: string
let receiver: Server
const running: ChildProcess[] = []
const received: { path: string; body: string; headers: Record<string, string> }[] = []
let refusals = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-cli-api-'))
  product = await startRunningServer({ OVERTURE_ALLOW_PRIVATE_TARGETS: '1' })
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      if (refusals-- > 0) return void response.writeHead(503).end()
      received.push({ path: request.url ?? '', body, headers: request.headers as Record<string, string> })
      response.end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  for (const child of running) child.kill()
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
  await product.stop()
  await rm(folder, { recursive: true, force: true })
})

function start(words: readonly string[], environment: Record<string, string> = {}, main = program): ChildProcess {
  const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: folder, HOME: folder, ...environment }
  const child = spawn(process.execPath, [main, ...words], { env, stdio: 'pipe' })
  running.push(child)
  return child
}

async function run(words: readonly string[], input = '') {
  const child = start(words)
  child.stdin!.end(input)
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout!), text(child.stderr!), exit])
  return { stdout, stderr, code }
}

/** Launches a campaign with two leads before a branch on a signal, in a frozen test environment. */
async function launchBranching() {
  const api = new Overture({ apiKey: product.keys.test, baseUrl: product.url })
  await api.sandbox.clock.set({ frozen: true })
  const { id: senderId } = await api.sendingAccounts.create({
    email: 'mara@sender.example.com',
    fromName: 'Mara',
    provider: 'sandbox',
    timezone: 'UTC',
  })
  const steps: StepInput[] = [
    { key: 'hello', variants: [{ subject: 'Hello', body: 'Hello' }] },
    {
      type: 'branch',
      waitBefore: { value: 1, unit: 'days' },
      branches: [{ label: 'Told', when: { signal: 'crm.demo' }, goTo: 'end' }],
    },
    { sameThread: false, variants: [{ subject: 'Last', body: 'Last' }] },
  ]
  const launched = await api.campaigns.launch({
    name: 'Two ways',
    steps,
    sendingAccountIds: [senderId],
    schedule: { timezone: 'UTC', ...anyTime },
    leads: ['told', 'waits'].map((name) => ({ email: `${name}@prospects.test` })),
  })
  return { ...launched, clock: api.sandbox.clock }
}

async function addedTo(campaignId: string): Promise<string> {
  const api = new Overture({ apiKey: product.keys.test, baseUrl: product.url })
  const { results } = await api.campaigns.leads.add(campaignId, { leads: [{ email: 'later@prospects.test' }] })
  return results[0]!.leadId!
}

const receiverUrl = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`

describe('the CLI uses a server as an API client', () => {
  test('login stores the key readable by its user only, after the server accepted it', async () => {
    const wrong = await run(['login', '--url', product.url], `ovt_test_${'A'.repeat(30)}`)
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('UNAUTHORIZED') })
    expect(wrong.stderr).not.toContain('at ')
    const done = await run(['login', '--url', product.url], `${product.keys.test}\n`)
    expect(done).toMatchObject({ code: 0, stderr: '' })
    const file = join(folder, 'overture', 'profiles.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      default: { url: product.url, apiKey: product.keys.test },
    })
    expect(done.stdout).not.toContain(product.keys.test)
  })

  test('any operation can be called by name, with a body from file, stdin or argument', async () => {
    const file = join(folder, 'campaign.json')
    await writeFile(file, JSON.stringify({ name: 'From a file' }))
    const made = [
      await run(['api', 'campaigns.create', '-d', `@${file}`]),
      await run(['api', 'campaigns.create', '-d', '@-'], JSON.stringify({ name: 'From standard input' })),
      await run(['api', 'campaigns.create', '--data', '{"name": "From the line"}']),
    ].map(({ stdout }) => JSON.parse(stdout) as { id: string; name: string })
    expect(made.map(({ name }) => name)).toEqual(['From a file', 'From standard input', 'From the line'])
    const tried = await run(['api', 'campaigns.dryRun', made[0]!.id, '-d', '{"name": "Tried"}'])
    expect(JSON.parse(tried.stdout).campaign.name).toBe('Tried')
    const shown = await run(['api', 'campaigns.get', made[0]!.id])
    expect(JSON.parse(shown.stdout)).toEqual(made[0])
    const list = await run(['api', 'campaigns.list', '-q', 'limit=1', '-q', 'q=From the line'])
    expect(JSON.parse(list.stdout).results).toMatchObject([{ id: made[2]!.id }])
    const csv = await run(['api', 'campaigns.list', '-q', 'format=csv', '-q', 'q=From the line'])
    expect([csv.code, csv.stdout]).toEqual([0, expect.stringMatching(new RegExp(`^id,.*\\n${made[2]!.id},`, 's'))])
    const missing = await run(['api', 'campaigns.get'])
    expect(missing).toMatchObject({ code: 1, stderr: 'campaigns.get needs id.\n' })
    const refused = await run(['api', 'campaigns.create', '-d', '{"name": 5}'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^VALIDATION_ERROR: .*name: .*req_/) })
  })

  // Each call of the CLI starts a process, so the data is set up without the CLI.
  test('branch and planner operations can be called by the same names', async () => {
    const { id, steps, clock } = await launchBranching()
    const api = async (words: readonly string[], body?: object) => {
      const { stdout, stderr, code } = await run(['api', ...words, ...(body ? ['-d', JSON.stringify(body)] : [])])
      expect([words, code, stderr]).toEqual([words, 0, ''])
      return JSON.parse(stdout)
    }
    const { results } = await api(['signals.send'], { signals: [{ name: 'crm.demo', email: 'told@prospects.test' }] })
    expect(results).toMatchObject([{ outcome: 'accepted', matchedLeads: 1 }])
    const [forecast, preflight, diagnosis, shorter] = await Promise.all([
      api(['campaigns.forecast', id]),
      api(['campaigns.preflight', id]),
      api(['campaigns.diagnose', id]),
      api(['campaigns.dryRun', id], { steps: steps.slice(0, 2) }),
    ])
    expect(forecast.byBranch.map(({ count }: { count: number }) => count)).toEqual([1, 1])
    expect([preflight.blockers, diagnosis.finishesOn]).toEqual([[], expect.any(String)])
    expect(shorter).toMatchObject({ effects: { decisionsVoided: 0 }, forecastAfter: { handedOver: 0 } })
    await clock.advance({ by: '3d' })
    const [firstLead] = (await api(['campaigns.leads.list', id])).results
    const resumeAt = new Date(Date.parse((await clock.get()).now) + 5 * 86_400_000).toISOString()
    const [lead, explained, paused] = await Promise.all([
      api(['campaigns.leads.get', id, firstLead.id]),
      api(['campaigns.leads.explain', id, firstLead.id]),
      api(['campaigns.leads.update', id, await addedTo(id)], { status: 'paused', resumeAt }),
    ])
    expect(lead.path[1]).toMatchObject({ type: 'branch', outcome: 'end' })
    expect(explained.history).toContainEqual(
      expect.objectContaining({ decision: 'branch.decided', detail: expect.stringMatching(/^Told: Signal crm.demo/) }),
    )
    expect([paused.status, paused.resumeAt]).toEqual(['paused', resumeAt])
  }, 600_000)

  test('leads of a file are added, and the command waits for the result', async () => {
    const { id } = JSON.parse((await run(['api', 'campaigns.create', '-d', '{"name": "Rows"}'])).stdout)
    const file = join(folder, 'leads.csv')
    await writeFile(file, 'email,first name\nada@prospects.test,Ada\nnobody,No\nbob@prospects.test,Bob\n')
    const added = await run(['leads', 'add', file, '--campaign', id])
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^2 added, 0 updated, 0 skipped, 1 rejected/),
    })
    expect((await run(['leads', 'add', file, '--campaign', id, '--verify'])).code).toBe(0)
    const verified = async () => {
      const { results } = JSON.parse((await run(['api', 'campaigns.leads.list', id])).stdout)
      return results.map(({ verification }: { verification: object | null }) => verification !== null)
    }
    await expect.poll(verified, { timeout: 60_000 }).toEqual([true, true])
  })

  test('a file is imported into a suppression list, and the command waits for the end', async () => {
    const file = join(folder, 'customers.csv')
    await writeFile(file, 'email,domain\nada@customers.test,\n,rival.test\nnobody,\n')
    const imported = await run(['suppressions', 'import', file, '--list', 'customers'])
    expect(imported).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^2 added, 0 updated, 0 removed, 1 rejected/),
    })
    await writeFile(file, 'domain\nrival.test\n')
    const replaced = await run(['suppressions', 'import', file, '--list', 'customers', '--mode', 'replace', '--json'])
    expect(JSON.parse(replaced.stdout)).toMatchObject({ status: 'completed', updated: 1, removed: 1 })
  })

  test('a file is imported into a list of people, and the command waits for the end', async () => {
    const { id } = JSON.parse((await run(['api', 'lists.create', '-d', '{"name": "Visitors"}'])).stdout)
    const file = join(folder, 'people.csv')
    await writeFile(file, 'email,first name\nada@lists.test,Ada\nnobody,No\n')
    const imported = await run(['lists', 'import', file, '--list', id])
    expect(imported).toMatchObject({ code: 0, stdout: expect.stringMatching(/^1 added, 0 updated, 1 rejected/) })

    const workbook = join(folder, 'people.xlsx')
    const row = (...cells: string[]) =>
      `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`
    const sheets = { Cover: row('Fair 2026'), Data: row('who', 'plan') + row('bo@lists.test', 'gold') }
    await writeFile(workbook, makeWorkbook({ sheets }))
    const columns = '["email","customVariables.level"]'
    const ofSheet = await run(['lists', 'import', workbook, '--list', id, '--sheet', 'Data', '--columns', columns])
    expect(ofSheet).toMatchObject({ code: 0, stdout: expect.stringMatching(/^1 added, 0 updated, 0 rejected/) })
    const members = JSON.parse((await run(['api', 'lists.members.list', id])).stdout).results
    expect(members).toMatchObject([{ email: 'ada@lists.test' }, { customVariables: { level: 'gold' } }])
    const lost = join(folder, 'lost.csv')
    expect(await run(['lists', 'import', lost, '--list', id])).toMatchObject({
      code: 1,
      stderr: `There is no file ${lost}.\n`,
    })
  })

  test('listen posts signed events in order to a local program, and retries when it is busy', async () => {
    const listening = start(['listen', '--forward-to', receiverUrl(), '--type', 'campaign.created'])
    let output = ''
    listening.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await until(
      async () => output,
      (all) => all.includes('whsec_'),
    )
    const secret = /whsec_\S+/.exec(output)![0]
    refusals = 1
    // The listener reports no event from before it follows the log, so the test creates campaigns until one is reported.
    await until(
      async () => (await run(['api', 'campaigns.create', '-d', '{"name": "Told"}']), received),
      (all) => all.length > 1,
    )
    for (const { body, headers } of received)
      expect(await verify(body, headers, secret)).toMatchObject({ type: 'campaign.created', data: { name: 'Told' } })
    await until(
      async () => output,
      (all) => /campaign\.created {2}evt_\w+ {2}200/.test(all),
    )
    listening.kill()
  })

  test('trigger sends a sample to a webhook', async () => {
    const url = receiverUrl().replace('hooks', 'samples')
    const made = await run(['api', 'webhooks.create', '-d', JSON.stringify({ url })])
    const { id, secret } = JSON.parse(made.stdout)
    expect(await run(['trigger', 'reply.received', '--webhook', id])).toMatchObject({ code: 0 })
    // A listener that an earlier test ended may still post events here, signed with another secret.
    const [{ body, headers }] = (await until(
      async () => received.filter(({ path }) => path === '/samples'),
      (all) => all.length > 0,
    )) as [(typeof received)[number]]
    expect(await verify(body, headers, secret)).toMatchObject({ type: 'reply.received', data: { test: true } })
    expect(await run(['trigger', 'reply.eaten', '--webhook', id])).toMatchObject({ code: 1 })
  })

  test('tail prints events as they happen, with the given filters', async () => {
    const newest = JSON.parse((await run(['api', 'events.list', '-q', 'order=desc', '-q', 'limit=1'])).stdout)
    const after = newest.results[0].id as string
    const tailing = start([
      'events',
      'tail',
      '--after',
      after,
      '--type',
      'campaign.created',
      '--type',
      'campaign.deleted',
    ])
    let output = ''
    tailing.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const { id } = JSON.parse((await run(['api', 'campaigns.create', '-d', '{"name": "Tailed"}'])).stdout)
    await run(['api', 'campaigns.leads.add', id, '-d', '{"leads": [{"email": "tailed@prospects.test"}]}'])
    await run(['api', 'campaigns.delete', id])
    const lines = await until(
      async () => output.split('\n').filter(Boolean),
      (all) => all.length === 2,
    )
    const events = lines.map((line) => JSON.parse(line) as { type: string; data: { campaignId: string } })
    expect(events.map(({ type }) => type)).toEqual(['campaign.created', 'campaign.deleted'])
    expect(events.map(({ data }) => data.campaignId)).toEqual([id, id])
    expect((await run(['events', 'tail', '--type', 'campaign.eaten'])).code).toBe(1)
  })

  describe("a refusal shows the API's error with request id and field path", () => {
    const body = '{"name": "x", "steps": [{"variants": [{"weight": -1}]}]}'
    test.each<[string, string[], RegExp]>([
      ['a body', ['api', 'campaigns.create', '-d', body], /^VALIDATION_ERROR: .*steps\[0\]\.variants\[0\]\.weight: /],
      ['a query', ['api', 'campaigns.list', '-q', 'limit=0'], /^VALIDATION_ERROR: .*limit: /],
      ['an id', ['api', 'campaigns.get', 'cmp_unknown'], /^NOT_FOUND: /],
      ['a campaign of leads', ['leads', 'add', program, '--campaign', 'cmp_unknown'], /^NOT_FOUND: /],
      ['a webhook', ['trigger', 'reply.received', '--webhook', 'whk_nobody'], /^NOT_FOUND: /],
      ['where to begin', ['events', 'tail', '--after', 'evt_nobody'], /^NOT_FOUND: /],
    ])('%s', async (_name, words, message) => {
      const { code, stdout, stderr } = await run(words)
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(message)])
      expect(stderr).toMatch(/\(request req_\w+\)\n$/)
      expect(stderr).not.toMatch(/^\s+at /m)
    })

    test('an unreachable server is reported with its address', async () => {
      const { code, stderr } = await run(['api', 'account.get', '--url', 'http://127.0.0.1:1'])
      expect([code, stderr]).toEqual([1, expect.stringContaining('http://127.0.0.1:1')])
      expect(stderr).not.toMatch(/^\s+at /m)
    })
  })
})

describe('commands without a server load no server code', () => {
  test.each([['--help'], ['--version'], ['help']])('%s loads commander only', async (words) => {
    const coverage = await mkdtemp(join(folder, 'read-'))
    const child = start(words.split(' '), { NODE_V8_COVERAGE: coverage }, sources)
    const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const [stdout, code] = await Promise.all([text(child.stdout!), exit])
    expect(code).toBe(0)
    if (words === '--version') expect(stdout).toBe(`${version}\n`)
    else for (const name of Object.keys(commands)) expect(stdout).toContain(`  ${name} `)
    const read = await modulesRead(coverage)
    expect(read).toContain('packages/cli/src/main.ts')
    const own = ['packages/cli/bin/overture.js', 'main.ts', 'commands.ts', 'output.ts', 'platform/version.ts']
    const isExpected = (path: string) =>
      own.some((name) => path.endsWith(`/${name}`)) ||
      /^node_modules\/(commander|tsx|esbuild|get-tsconfig)\//.test(path)
    expect(read.filter((path) => !isExpected(path) && !own.includes(path))).toEqual([])
  })

  test('help for one command shows its options', async () => {
    expect((await run(['help', 'listen'])).stdout).toContain('--forward-to')
  })
})

/** The files of this repository that a process loaded as modules, according to its coverage report. */
async function modulesRead(coverage: string): Promise<string[]> {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const files = await readdir(coverage)
  const reports = await Promise.all(files.map(async (name) => JSON.parse(await readFile(join(coverage, name), 'utf8'))))
  const urls = reports.flatMap(({ result }: { result: { url: string }[] }) => result.map(({ url }) => url))
  const paths = urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url.replace(/\?.*$/, '')))
  return [...new Set(paths.map((path) => path.slice(root.length)))]
}

describe('completion of commands and calls in', () => {
  test('bash', async () => {
    const script = (await run(['completion', 'bash'])).stdout
    expect(await completed(script, ['overture', 'liste'])).toEqual(['listen'])
    expect(await completed(script, ['overture', 'api', 'campaigns.la'])).toEqual(['campaigns.launch'])
    expect(await completed(script, ['overture', 'help', 'even'])).toEqual(['events'])
  })

  test.for([
    ['zsh', zshCompleted],
    ['fish', fishCompleted],
  ] as const)('%s', async ([shell, completedBy], { skip }) => {
    const { code, stdout } = await run(['completion', shell])
    expect(code).toBe(0)
    for (const name of [...Object.keys(commands), 'campaigns.launch']) expect(stdout).toContain(name)
    if (!(await has(shell))) return skip(`${shell} is not installed: nobody here reads its script.`)
    const file = join(folder, `completion.${shell}`)
    await writeFile(file, stdout)
    expect(await completedBy(file, ['overture', 'liste'])).toEqual(['listen'])
    expect(await completedBy(file, ['overture', 'api', 'campaigns.la'])).toEqual(['campaigns.launch'])
    expect(await completedBy(file, ['overture', 'help', 'even'])).toEqual(['events'])
    // Other arguments of a command are completed as file names.
    const elsewhere = await completedBy(file, ['overture', 'leads', 'add', join(folder, 'completion.')])
    expect(elsewhere.some((word) => word.endsWith(`completion.${shell}`))).toBe(true)
  })

  test('other shells are refused', async () => {
    expect(await run(['completion', 'tcsh'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('bash, zsh, fish'),
    })
  })
})

/** The words that bash offers for the last word, after it has read the script. */
async function completed(script: string, words: readonly string[]): Promise<string[]> {
  const line = words.map((word) => `'${word}'`).join(' ')
  const program = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _overture; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await execute('bash', ['-c', program])
  return stdout.split('\n').filter(Boolean)
}

/** The words that fish offers, asked with fish's own `complete -C`. */
async function fishCompleted(file: string, words: readonly string[]): Promise<string[]> {
  const line = words.join(' ')
  const program = `source ${file}; complete -C '${line}'`
  const { stdout } = await execute('fish', ['--no-config', '-c', program], { env: shellEnvironment() })
  return stdout.split('\n').flatMap((offered) => offered.split('\t')[0] || [])
}

/**
 * The words that zsh offers. The script registers its function with the completion system of zsh, which then calls it. The two functions
 * that hand words to the line editor print them instead, since there is no line editor.
 */
async function zshCompleted(file: string, words: readonly string[]): Promise<string[]> {
  const program = `
    source ${file}
    compadd() { print -rl -- \${(M)@:#\${words[CURRENT]}*} }
    _files() { print -rl -- \${words[CURRENT]}*(N) }
    words=(${words.join(' ')}); CURRENT=\${#words}
    $_comps[overture]`
  const { stdout } = await execute('zsh', ['-f', '-c', program], { env: shellEnvironment() })
  return stdout.split('\n').filter(Boolean)
}

const shellEnvironment = () => ({ PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: folder, LANG: 'C.UTF-8' })

async function has(shell: string): Promise<boolean> {
  return execute(shell, ['--version']).then(
    () => true,
    () => false,
  )
}
