import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { verify } from '@overture/sdk/webhooks'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'
import { until } from '@overture/testing/server/until.ts'

vi.setConfig({ testTimeout: 120_000 })

const program = fileURLToPath(new URL('../bin/overture.js', import.meta.url))
let product: RunningProduct
let folder: string
let receiver: Server
const running: ChildProcess[] = []
const received: { body: string; headers: Record<string, string> }[] = []
let refusals = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-cli-api-'))
  product = await startRunningServer({ OVERTURE_ALLOW_PRIVATE_TARGETS: '1' })
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      if (refusals-- > 0) return void response.writeHead(503).end()
      received.push({ body, headers: request.headers as Record<string, string> })
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

function start(words: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: folder, HOME: folder, ...environment }
  const child = spawn(process.execPath, [program, ...words], { env, stdio: 'pipe' })
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

const receiverUrl = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`

describe('the CLI uses a server as its clients do', () => {
  test('a login keeps the key for its user alone, once the server has taken it', async () => {
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

  test('any operation can be called by its name, with a body from a file, from standard input or in the line', async () => {
    const file = join(folder, 'campaign.json')
    await writeFile(file, JSON.stringify({ name: 'From a file' }))
    const made = [
      await run(['api', 'campaigns.create', '-d', `@${file}`]),
      await run(['api', 'campaigns.create', '-d', '@-'], JSON.stringify({ name: 'From standard input' })),
      await run(['api', 'campaigns.create', '--data', '{"name": "From the line"}']),
    ].map(({ stdout }) => JSON.parse(stdout) as { id: string; name: string })
    expect(made.map(({ name }) => name)).toEqual(['From a file', 'From standard input', 'From the line'])
    const shown = await run(['api', 'campaigns.get', made[0]!.id])
    expect(JSON.parse(shown.stdout)).toEqual(made[0])
    const list = await run(['api', 'campaigns.list', '-q', 'limit=1', '-q', 'q=From the line'])
    expect(JSON.parse(list.stdout).results).toMatchObject([{ id: made[2]!.id }])
    const missing = await run(['api', 'campaigns.get'])
    expect(missing).toMatchObject({ code: 1, stderr: 'campaigns.get takes id.\n' })
    const refused = await run(['api', 'campaigns.create', '-d', '{"name": 5}'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^VALIDATION_ERROR: .*name: .*req_/) })
  })

  test('the leads of a file are added, and waited for', async () => {
    const { id } = JSON.parse((await run(['api', 'campaigns.create', '-d', '{"name": "Rows"}'])).stdout)
    const file = join(folder, 'leads.csv')
    await writeFile(file, 'email,first name\nada@prospects.test,Ada\nnobody,No\nbob@prospects.test,Bob\n')
    const added = await run(['leads', 'add', file, '--campaign', id])
    expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/^2 added, 0 updated, 0 skipped, 1 refused/) })
  })

  test('events are posted to a program on this machine, signed, in order, and again where it was busy', async () => {
    const listening = start(['listen', '--forward-to', receiverUrl(), '--type', 'campaign.created'])
    let said = ''
    listening.stdout!.on('data', (chunk: Buffer) => (said += chunk.toString()))
    await until(
      async () => said,
      (all) => all.includes('whsec_'),
    )
    const secret = /whsec_\S+/.exec(said)![0]
    refusals = 1
    // What happens before it follows is not told, so that something has to happen until it is.
    await until(
      async () => (await run(['api', 'campaigns.create', '-d', '{"name": "Told"}']), received),
      (all) => all.length > 1,
    )
    for (const { body, headers } of received)
      expect(await verify(body, headers, secret)).toMatchObject({ type: 'campaign.created', data: { name: 'Told' } })
    listening.kill()
    await until(
      async () => said,
      (all) => /campaign\.created {2}evt_\w+ {2}200/.test(all),
    )
  })

  test('a sample is sent to a webhook on demand', async () => {
    received.length = 0
    const made = await run(['api', 'webhooks.create', '-d', JSON.stringify({ url: receiverUrl() })])
    const { id, secret } = JSON.parse(made.stdout)
    expect(await run(['trigger', 'reply.received', '--webhook', id])).toMatchObject({ code: 0 })
    await until(
      async () => received,
      (all) => all.length > 0,
    )
    const [{ body, headers }] = received as [(typeof received)[number]]
    expect(await verify(body, headers, secret)).toMatchObject({ type: 'reply.received', data: { test: true } })
    expect(await run(['trigger', 'reply.eaten', '--webhook', id])).toMatchObject({ code: 1 })
  })

  test('help, version and completion read none of the server', async () => {
    expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    const help = (await run(['--help'])).stdout
    for (const name of ['accounts', 'api', 'listen', 'doctor']) expect(help).toContain(name)
    const script = (await run(['completion', 'bash'])).stdout
    expect(script).toContain('campaigns.launch')
    const ofOne = (await run(['help', 'listen'])).stdout
    expect(ofOne).toContain('--forward-to')
  })
})
