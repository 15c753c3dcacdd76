import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { dropDatabase } from '@overture/testing/superuser.ts'
import type { Stage } from './stage.ts'

const root = resolve(import.meta.dirname, '..')

/** The product as an operator runs it, without limits for requests. */
export interface Server {
  databaseUrl: string
  send(method: string, path: string, content?: { type: string; body: string | ReadableStream }): Promise<Response>
  call(method: string, path: string, body?: string): Promise<Record<string, unknown>>
  /** The peak memory of the server's process, without PostgreSQL. */
  peakMb(): number
  stop(): Promise<void>
}

/** Runs from source like `npm start`, or the output of `npm run build`. */
export const built = process.env.OVERTURE_BENCH_BUILT !== undefined
const program = built
  ? [join(root, 'packages/overture', 'dist', 'overture.mjs'), 'start']
  : ['--import', 'tsx', join(root, 'packages/server/src/composition/main.ts')]

/** Starts the product like an operator, on its own database and without limits. */
export async function startServer(stage: Stage, name: string): Promise<Server> {
  await stage.app.db.execute(`create database ${name}`)
  const address = new URL(stage.url)
  address.pathname = `/${name}`
  const folder = await mkdtemp(join(tmpdir(), 'overture-bench-'))
  const child = spawn(process.execPath, program, {
    cwd: root,
    env: { ...process.env, DATABASE_URL: address.href, OVERTURE_DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const progress = await readStart(child)
  const db = createDatabase({ url: address.href, log: createLogger('error'), connectionsMax: 1 })
  await db.execute(
    'update accounts set requests_per_minute = 1000000, burst_per_second = 1000000, monthly_requests = 100000000',
  )
  await db.close()
  const send: Server['send'] = (method, path, content) =>
    fetch(progress.url + path, {
      method,
      headers: { authorization: `Bearer ${progress.key}`, ...(content && { 'content-type': content.type }) },
      ...(content && { body: content.body, duplex: 'half' }),
    } as RequestInit)
  return {
    databaseUrl: address.href,
    send,
    async call(method, path, body) {
      const answer = await send(method, path, body === undefined ? undefined : { type: 'application/json', body })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return JSON.parse(text) as Record<string, unknown>
    },
    peakMb: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    async stop() {
      const ended = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      await ended
      await dropDatabase(stage.app.config.databaseUrl!, name)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function readStart(child: ChildProcess): Promise<{ url: string; key: string }> {
  let key = ''
  for await (const text of createInterface({ input: child.stdout! })) {
    if (text.startsWith('live key: ')) key = text.slice('live key: '.length)
    if (text.startsWith('listening on ')) return { url: text.slice('listening on '.length), key }
  }
  throw new Error('The server ended before it listened.')
}

/** Polls until the import has ended, and counts how often the number of read rows changed. */
export async function watch(server: Server, id: string): Promise<{ progress: Record<string, unknown>; steps: number }> {
  let steps = 0
  let before = 0
  for (;;) {
    const progress = await server.call('GET', `/v2/imports/${id}`)
    const read = Number(progress['rowsRead'])
    if (read < before) throw new Error(`Progress went back from ${before} to ${read}.`)
    if (read !== before) steps++
    before = read
    if (progress['status'] === 'completed') return { progress, steps }
    if (progress['status'] === 'failed') throw new Error(`The import failed: ${String(progress['error'])}`)
    await sleep(200)
  }
}

export function expectEqual(what: string, value: unknown, expected: unknown): void {
  if (value !== expected) throw new Error(`${what}: ${String(value)}, not ${String(expected)}.`)
}
