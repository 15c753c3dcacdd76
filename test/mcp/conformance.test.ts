import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'
import { missingTool, toolPath } from '@overture/testing/tools.ts'

/** The scenarios of the protocol's own test suite that apply to every server, by revision. */
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

/** Other scenarios need tools, prompts and resources of the suite's example server, which this server doesn't have. */
const examples = [
  /(?:Tool|Prompt) '?(?:test_|json_schema_2020_12_tool)\w*'? not found/,
  /Resource not found: test:/,
  /^Not testable: server /,
  // These scenarios start with the result of such a tool.
  /^Expected InputRequiredResult with inputRequests/,
  /^Prerequisite failed: could not get initial InputRequiredResult/,
]

/** Features that Overture neither offers nor announces: its tools and resources never change during a connection. */
const notOffered = [
  'completion-complete',
  'logging-set-level',
  'tools-call-with-logging',
  'resources-subscribe',
  'resources-unsubscribe',
  'sep-2575-server-sends-subscription-ack',
  'sep-2575-server-tags-subscription-id',
]

/** The time limit of a scenario, long enough for a busy machine. */
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

describe.each(['2025-11-25', '2026-07-28'] as const)('the conformance suite of the protocol %s', (revision) => {
  test("has no failures that aren't listed", async ({ skip }) => {
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

/** The results of the suite for a revision. Scenarios in which a check ran into the suite's own time limit are run again alone. */
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

/** Some checks wait 600 ms for a response, which a busy machine may exceed. */
function gaveUp({ status, errorMessage = '' }: Check): boolean {
  return status === 'FAILURE' && errorMessage.startsWith('Failed to receive ')
}

async function checksOf([node, suite]: readonly [string, string], results: string, asked: string[]): Promise<Check[]> {
  const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}/mcp`
  // The exit code is 1 because of the missing example tools, so the results are read from files.
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
  // Leaves out the extensions of the protocol, since none is offered.
  return found.flat().filter(({ scenario }) => !scenario.startsWith('tasks-'))
}

/**
 * A proxy in front of the server, since the suite sends no key and more requests than the limit per address. The proxy adds a key and
 * a different client address to each request. Everything else stays unchanged, in particular the host.
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
