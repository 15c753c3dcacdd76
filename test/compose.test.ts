import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '@overture/server/platform/db/embedded/embedded.shell.ts'
import { migrate } from '@overture/server/platform/db/migrate.shell.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { runOnce, superuserUrl } from '@overture/testing/superuser.ts'
import { lacks } from '@overture/testing/tools.ts'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const hasPsql = spawnSync('psql', ['--version']).status === 0
const file = read('compose.yaml')
const [, services = ''] = /^services:\n([\s\S]*?)^\S/m.exec(file) ?? []
const parts = services.split(/^ {2}(?=\w+:$)/m).filter((part) => /^\w+:/.test(part))

test('services restart, have health checks, and limits for memory and stopping', () => {
  expect(parts.map((part) => part.slice(0, part.indexOf(':')))).toEqual(['postgres', 'overture'])
  for (const part of parts) {
    const has = (name: string) => new RegExp(`^ {4}${name}:`, 'm').test(part)
    const kept = ['restart', 'healthcheck', 'mem_limit', 'stop_grace_period']
    expect([part.split('\n')[0], kept.filter(has)]).toEqual([part.split('\n')[0], kept])
    expect(part).toMatch(/^ {4}restart: (?:unless-stopped|always)$/m)
  }
  const own = parts[1] ?? ''
  expect(own).toMatch(/127\.0\.0\.1:3000\/readyz/)
  expect(own).toMatch(/^ {8}USER node$/m)
})

test('safety settings can be set in the environment', () => {
  const names = ['OVERTURE_ENCRYPTION_KEY', 'OVERTURE_PUBLIC_URL', 'OVERTURE_METRICS_TOKEN', 'OVERTURE_DRAIN_SECONDS']
  const retention = ['OVERTURE_MESSAGE_RETENTION_DAYS', 'OVERTURE_EVENT_RETENTION_DAYS']
  for (const name of [...names, ...retention]) expect(file).toContain(`${name}: \${${name}:`)
})

test('no port is public and no password is known by default', () => {
  expect(file).not.toMatch(/:-overture\}/)
  expect(file.match(/\$\{POSTGRES_PASSWORD:\?/g)).toHaveLength(2)
  const own = parts[1] ?? ''
  expect(own).toMatch(/^ {6}- '\$\{OVERTURE_BIND:-127\.0\.0\.1\}:3000:3000'$/m)
})

interface Service {
  read_only?: boolean
  tmpfs?: string[]
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
  user?: string
  volumes?: string[]
  environment?: Record<string, string>
}

describe.each([
  ['compose.yaml', './deploy/postgres/role.sql'],
  ['deploy/compose.yaml', './postgres/role.sql'],
])('the services of %s', (path, script) => {
  const { services } = parse(read(path), { merge: true }) as { services: Record<string, Service> }

  test('have a read-only file system, no capabilities and no new privileges', () => {
    for (const [name, service] of Object.entries(services)) {
      expect([name, service.read_only, service.cap_drop, service.security_opt]).toEqual([
        name,
        true,
        ['ALL'],
        ['no-new-privileges:true'],
      ])
      expect(service.cap_add).toEqual(name === 'proxy' ? ['NET_BIND_SERVICE'] : undefined)
      expect(service.tmpfs?.[0]).toBe('/tmp')
    }
  })

  test("run PostgreSQL without root, with the script for the product's role", () => {
    const { user, volumes, environment } = services['postgres']!
    expect([user, volumes?.[1]]).toEqual(['postgres', `${script}:/docker-entrypoint-initdb.d/role.sql:ro`])
    expect(existsSync(new URL(script, new URL(`../${path}`, import.meta.url)))).toBe(true)
    for (const name of ['POSTGRES_USER', 'POSTGRES_DB']) expect(environment).not.toHaveProperty(name)
  })
})

describe.skipIf(lacks('psql', hasPsql))('deploy/postgres/role.sql', () => {
  test("creates a role that isn't superuser, owns its database and can enforce row-level security", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'overture-role-'))
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
    const log = createLogger('silent')
    const postgres = await startEmbeddedPostgres({ dataDir, log, kind: 'server', settings: { fsync: 'off' } })
    onTestFinished(() => postgres.stop())
    const administrator = new URL(superuserUrl(postgres.url))
    administrator.pathname = '/postgres'
    for (const statement of ['drop database overture', 'drop role overture'])
      await runOnce(administrator.href, statement)
    const file = fileURLToPath(new URL('../deploy/postgres/role.sql', import.meta.url))
    const env = { ...process.env, POSTGRES_PASSWORD: "it's a secret" }
    const psql = spawnSync('psql', [administrator.href, '-X', '-v', 'ON_ERROR_STOP=1', '-f', file], { env })
    expect([psql.status, psql.stderr.toString()]).toEqual([0, ''])
    await migrate({ url: postgres.url, log })
    const rows = await rowsOf(
      administrator.href,
      `select rolname, rolsuper, rolpassword is not null as "hasPassword", pg_has_role(rolname, 'overture_request', 'set') as "hasWall"
       from pg_authid where rolcanlogin order by rolsuper`,
    )
    expect(rows).toEqual([
      { rolname: 'overture', rolsuper: false, hasPassword: true, hasWall: true },
      { rolname: expect.any(String), rolsuper: true, hasPassword: false, hasWall: true },
    ])
  })
})

async function rowsOf(connectionString: string, statement: string): Promise<object[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(statement)).rows as object[]
  } finally {
    await client.end()
  }
}
