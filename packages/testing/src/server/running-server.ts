import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readHolder } from '@overture/server/platform/db/embedded/hold.shell.ts'
import { parseConfig } from '@overture/server/platform/config.ts'
import { createLogger, type Logger } from '@overture/server/platform/log.shell.ts'
import type { AnswerBody } from '../server.ts'
import { liftLimits, roomySessions } from './limits.ts'
import { createTestDatabase } from '../database.ts'
import { startOverture } from '@overture/server/composition/start.ts'

export interface Answer {
  status: number
  headers: Headers
  body: AnswerBody
}

type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>

export interface RunningProduct {
  url: string
  databaseUrl: string
  keys: { test: string; live: string }
  /** Send requests with the first key of each environment, without rate limits. */
  test: Call
  live: Call
  stop(): Promise<void>
}

/** Starts the product as `npm start` composes it, including workers, on its own database. */
export async function startRunningServer(
  environment: Record<string, string> = {},
  log?: Logger,
  /** Returns the database URL for the product, such as that of a proxy. */
  between: (url: string) => Promise<string> = (url) => Promise.resolve(url),
): Promise<RunningProduct> {
  const database = await createTestDatabase()
  const server = await startIn({ DATABASE_URL: await between(database.url), ...environment }, log)
  await liftLimits(database.url)
  return {
    ...server,
    databaseUrl: database.url,
    async stop() {
      await server.stop()
      await database.drop()
    },
  }
}

/** Starts the product with its embedded PostgreSQL, whose process the test may kill. */
export async function startEmbeddedServer(environment: Record<string, string> = {}) {
  const server = await startIn(environment)
  const databaseUrl = (await readHolder(server.folder))?.url ?? ''
  await liftLimits(databaseUrl)
  const postgresPid = () => Number.parseInt(readFileSync(join(server.folder, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  return { ...server, databaseUrl, postgresPid }
}

async function startIn(environment: Record<string, string>, log = createLogger('error')) {
  const folder = await mkdtemp(join(tmpdir(), 'overture-'))
  const config = parseConfig({ OVERTURE_DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error', ...environment }, folder)
  const lines: string[] = []
  const server = await startOverture({ config, log, print: (line) => lines.push(line), sessionRates: roomySessions })
  const printedKey = (name: string) =>
    lines.find((line) => line.startsWith(`${name} key: `))?.slice(name.length + 6) ?? ''
  return {
    folder,
    url: server.url,
    keys: { test: printedKey('test'), live: printedKey('live') },
    test: caller(server.url, printedKey('test')),
    live: caller(server.url, printedKey('live')),
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function caller(url: string, key: string): Call {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }
}
