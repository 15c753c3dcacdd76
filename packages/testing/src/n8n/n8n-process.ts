import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'
import { dropDatabase, runOnce } from '../superuser.ts'

type Json = Record<string, unknown>

const source = fileURLToPath(new URL('../../../../integrations/n8n/', import.meta.url))
const commandMs = 900_000
const saidMax = 20_000

export interface RealN8n {
  url: string
  output(): string
  stop(): Promise<void>
}

interface Options {
  /** The folder where `integrations/n8n/install-n8n` installed n8n and the Node.js that it needs. */
  folder: string
  /** A PostgreSQL in which another database may be created. */
  databaseUrl: string
  credentials: { baseUrl: string; apiKey: string }
  workflows: readonly (Json & { id: string })[]
}

/** Starts the real n8n with our package as a community node, one credential named `overture`, and active workflows. */
export async function startRealN8n({ folder, databaseUrl, credentials, workflows }: Options): Promise<RealN8n> {
  const home = await mkdtemp(join(tmpdir(), 'overture-n8n-'))
  const database = `n8n_${randomBytes(6).toString('hex')}`
  await runOnce(databaseUrl, `create database ${database}`)
  await installNodes(join(home, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-overture'))
  const [port, brokerPort] = [await freePort(), await freePort()]
  const environment = { ...settings(home, { port, brokerPort }), ...databaseSettings(databaseUrl, database) }
  const run = (words: readonly string[]): ChildProcess =>
    spawn(join(folder, 'node_modules/node-24/bin/node'), [join(folder, 'node_modules/n8n/bin/n8n'), ...words], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const imported = join(home, 'import.json')
  const hold = [{ id: 'overture', name: 'overture', type: 'overtureApi', data: credentials }]
  await writeFile(imported, JSON.stringify(hold))
  await ended(run(['import:credentials', `--input=${imported}`]))
  await writeFile(imported, JSON.stringify(workflows))
  await ended(run(['import:workflow', `--input=${imported}`]))
  for (const { id } of workflows) await ended(run(['publish:workflow', `--id=${id}`]))
  const child = run(['start'])
  const output = collected(child)
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await new Promise((resolve) => child.once('close', resolve))
    await dropDatabase(databaseUrl, database)
    await rm(home, { recursive: true, force: true })
  }
  const looked = new Promise<void>((resolve, reject) => {
    child.stdout!.on('data', () => {
      if (output().includes('Editor is now accessible')) resolve()
    })
    child.once('close', () => reject(new Error(`n8n ended: ${output()}`)))
  })
  await looked.catch(async (error: Error) => {
    await stop()
    throw error
  })
  return { url: `http://127.0.0.1:${port}`, output, stop }
}

/** Installs the package as it is published: each file compiled separately, with its pictures and manifest. */
async function installNodes(folder: string): Promise<void> {
  const files = await readdir(source, { recursive: true })
  for (const file of files.filter((one) => /^(?:nodes|credentials)\/.*\.(?:ts|svg)$/.test(one))) {
    const to = join(folder, 'dist', file.replace(/\.ts$/, '.js'))
    await mkdir(dirname(to), { recursive: true })
    if (file.endsWith('.svg')) await copyFile(join(source, file), to)
    else await writeFile(to, await compiled(join(source, file)))
  }
  await copyFile(join(source, 'package.json'), join(folder, 'package.json'))
}

async function compiled(file: string): Promise<string> {
  const { code } = await transform(await readFile(file, 'utf8'), { loader: 'ts', format: 'cjs', target: 'es2022' })
  return code
}

function settings(home: string, { port, brokerPort }: { port: number; brokerPort: number }): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    N8N_USER_FOLDER: home,
    N8N_ENCRYPTION_KEY: randomBytes(16).toString('hex'),
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_HOST: '127.0.0.1',
    N8N_PORT: String(port),
    WEBHOOK_URL: `http://127.0.0.1:${port}/`,
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_HIRING_BANNER_ENABLED: 'false',
    N8N_RUNNERS_BROKER_PORT: String(brokerPort),
    N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
    // Blocks n8n's own requests to its vendor.
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1',
  }
}

function databaseSettings(url: string, database: string): Record<string, string> {
  const { hostname, port, username, password, searchParams } = new URL(url)
  return {
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_DATABASE: database,
    DB_POSTGRESDB_HOST: searchParams.get('host') ?? decodeURIComponent(hostname),
    DB_POSTGRESDB_PORT: searchParams.get('port') ?? (port || '5432'),
    DB_POSTGRESDB_USER: searchParams.get('user') ?? decodeURIComponent(username),
    DB_POSTGRESDB_PASSWORD: decodeURIComponent(password),
  }
}

function collected(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => (text = `${text}${chunk.toString()}`.slice(-saidMax)))
  return () => text
}

async function ended(child: ChildProcess): Promise<void> {
  const output = collected(child)
  const timer = setTimeout(() => child.kill('SIGKILL'), commandMs)
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  if (code !== 0) throw new Error(`n8n ${child.spawnargs.slice(2).join(' ')} ended with ${String(code)}: ${output()}`)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}
