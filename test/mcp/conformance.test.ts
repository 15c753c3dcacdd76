import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
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
  product = await startRunningServer({ OVERTURE_MCP: 'send' })
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
    const checks = await checksOf(revision, node, suite)
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

async function checksOf(revision: string, node: string, suite: string): Promise<Check[]> {
  const results = join(folder, revision)
  const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}/mcp`
  // It ends with 1 for the tools that it misses; what it found is read from its files.
  await new Promise<void>((resolve) => {
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 }
    const words = ['--url', url, '--requirements', revision, '-o', results, '--timeout', String(scenarioTimeoutMs)]
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
 * The suite knows no keys, so that one is put to its requests on their way, and it asks faster than an address may, so that
 * it waits as it is told; all else stays as it is, the host above all.
 */
async function openDoor({ url, keys }: RunningProduct): Promise<Server> {
  const { hostname, port } = new URL(url)
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${keys.test}` }
    const pass = (body: Buffer): void => {
      const passed = request({ hostname, port, method: asked.method, path: asked.url, headers }, (answered) => {
        if (answered.statusCode === 429) {
          answered.resume()
          setTimeout(() => pass(body), 1000 * Number(answered.headers['retry-after'] ?? 1))
          return
        }
        answer.writeHead(answered.statusCode ?? 502, answered.headers)
        answered.pipe(answer)
      })
      passed.on('error', () => answer.destroy())
      passed.end(body)
    }
    void buffer(asked).then(pass, () => answer.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
