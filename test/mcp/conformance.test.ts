import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'
import { missingTool, toolPath } from '@overture/testing/tools.ts'

/** The protocol's own suite, at either revision: what every server is judged by, whatever its tools are. */
const judged = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'caching',
    'http-header-validation',
    'dns-rebinding-protection',
    'server-sse-multiple-streams',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
  ],
} as const

/** The rest asks for tools, prompts and resources of the suite's own example server, which this one has not. */
const examples = [
  /(?:Tool|Prompt) '?(?:test_|json_schema_2020_12_tool)\w*'? not found/,
  /Resource not found: test:/,
  /^Not testable: server /,
  // These begin by what such a tool answers.
  /^Expected InputRequiredResult with inputRequests/,
  /^Prerequisite failed: could not get initial InputRequiredResult/,
]

/** What Overture does not offer, and does not say that it offers: what callers are shown never changes under them. */
const notOffered = [
  'completion-complete',
  'logging-set-level',
  'tools-call-with-logging',
  'resources-subscribe',
  'resources-unsubscribe',
  'sep-2575-server-sends-subscription-ack',
  'sep-2575-server-tags-subscription-id',
]

/** Of a scenario, however busy the machine is. */
const scenarioTimeoutMs = 120_000

interface Check {
  scenario: string
  id: string
  status: string
  errorMessage?: string
}

let product: RunningProduct
let door: Server
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-conformance-'))
  product = await startRunningServer({ OVERTURE_MCP: 'send', OVERTURE_TRUSTED_PROXIES: '127.0.0.1' })
  door = await openDoor(product)
})
afterAll(async () => {
  door.closeAllConnections()
  await new Promise((resolve) => door.close(resolve))
  await product.stop()
  await rm(folder, { recursive: true, force: true })
})

describe.each(['2025-11-25', '2026-07-28'] as const)('the suite of the protocol of %s', (revision) => {
  test('finds nothing that it may find fault with', async ({ skip }) => {
    const node = toolPath('node-24/bin/node')
    const suite = toolPath('@modelcontextprotocol/conformance/dist/index.js')
    if (node === null || suite === null) return skip(missingTool('The suite of the Model Context Protocol'))
    const checks = await judgedTwice(revision, [node, suite])
    const failed = checks.filter(({ status }) => status === 'FAILURE')
    const unexcused = failed.filter(
      ({ id, errorMessage = '' }) => !notOffered.includes(id) && !examples.some((one) => one.test(bare(errorMessage))),
    )
    expect(unexcused).toEqual([])
    for (const scenario of judged[revision]) {
      const own = checks.filter((check) => check.scenario === scenario)
      expect(own.map(({ id, status }) => ({ scenario, id, status }))).toContainEqual({
        scenario,
        id: expect.any(String),
        status: 'SUCCESS',
      })
      expect(own.filter(({ status }) => status === 'FAILURE')).toEqual([])
    }
  })
})

function bare(message: string): string {
  return message.replace(/^(?:Failed|JSON-RPC error): /, '').replace(/^MCP error -\d+: /, '')
}

/** What the suite of a revision finds, with what it says of a scenario alone where its own stopwatch ended a check. */
async function judgedTwice(revision: string, command: readonly [string, string]): Promise<Check[]> {
  const checks = await checksOf(command, join(folder, revision), ['--requirements', revision])
  const hurried = new Set(checks.filter(gaveUp).map(({ scenario }) => scenario))
  for (const scenario of hurried) {
    const words = ['--scenario', scenario, '--spec-version', revision]
    const alone = await checksOf(command, join(folder, `${revision}-${scenario}`), words)
    expect(alone.map(({ id }) => id)).toEqual(checks.filter((check) => check.scenario === scenario).map(({ id }) => id))
    checks.splice(0, checks.length, ...checks.filter((check) => check.scenario !== scenario), ...alone)
  }
  return checks
}

/** Some checks wait 600 ms for an answer, which a machine that does much else may take. */
function gaveUp({ status, errorMessage = '' }: Check): boolean {
  return status === 'FAILURE' && errorMessage.startsWith('Failed to receive ')
}

async function checksOf([node, suite]: readonly [string, string], results: string, asked: string[]): Promise<Check[]> {
  const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}/mcp`
  // It ends with 1 for the tools that it misses; what it found is read from its files.
  await new Promise<void>((resolve) => {
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 }
    const words = ['--url', url, ...asked, '-o', results, '--timeout', String(scenarioTimeoutMs)]
    execFile(node, [suite, 'server', ...words], options, () => resolve())
  })
  const names = await readdir(results)
  const found = await Promise.all(
    names.map(async (name) => {
      const scenario = /^server-(.+)-\d{4}-\d{2}-\d{2}T/.exec(name)![1]!
      const checks = JSON.parse(await readFile(join(results, name, 'checks.json'), 'utf8')) as Check[]
      return checks.map((check) => ({ ...check, scenario }))
    }),
  )
  // Extensions of the protocol, of which none is offered.
  return found.flat().filter(({ scenario }) => !scenario.startsWith('tasks-'))
}

/**
 * The suite knows no keys and asks faster than one address may: a key is put to its requests on their way, and each comes
 * from an address of its own. All else stays as it is, the host above all.
 */
async function openDoor({ url, keys }: RunningProduct): Promise<Server> {
  const { hostname, port } = new URL(url)
  let asking = 0
  const server = createServer((asked, answer) => {
    const address = `192.0.2.${asking++ % 255}`
    const headers = { ...asked.headers, authorization: `Bearer ${keys.test}`, 'x-forwarded-for': address }
    const passed = request({ hostname, port, method: asked.method, path: asked.url, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers)
      answered.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
