import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import pg from 'pg'
import { parse } from 'yaml'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { createSignal, createPollingWorker } from '../packages/server/src/platform/lifecycle/polling.worker.ts'
import { parseConfig } from '../packages/server/src/platform/config.ts'
import { createLogger } from '../packages/server/src/platform/log.shell.ts'
import { startOverture } from '../packages/server/src/composition/start.ts'
import { lacks } from '@overture/testing/tools.ts'

// Prometheus checks all rules, and a database goes away.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const log = createLogger('silent')
const deploy = resolve(import.meta.dirname, '../deploy')
const hasPromtool = spawnSync('promtool', ['--version']).status === 0

let folder: string
let database: TestDatabase
let server: Awaited<ReturnType<typeof startOverture>>
let url: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-observed-'))
  database = await createTestDatabase()
  // The server has no workers, so due work stays due.
  const environment = {
    DATABASE_URL: database.url,
    OVERTURE_DATA_DIR: folder,
    OVERTURE_ENCRYPTION_KEY: 'o'.repeat(64),
    OVERTURE_ROLE: 'api',
    PORT: '0',
  }
  server = await startOverture({ config: parseConfig(environment, folder), log, print: () => undefined })
  url = server.url
})
afterAll(async () => {
  await server.stop()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const text = (path: string) => readFile(join(deploy, path), 'utf8')
const metricsText = async () => (await fetch(`${url}/metrics`)).text()

interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

function samplesOf(answer: string): Sample[] {
  return answer
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, labels = '', value] = /^([a-z_A-Z0-9:]+)(?:\{(.*)\})? (\S+)$/.exec(line)!
      const pairs = [...labels.matchAll(/([a-z_A-Z]+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, of]) => [key, of])
      return { name: name!, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }
    })
}

const families = (answer: string) =>
  new Map([...answer.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name, help]) => [name!, help!]))

/** Names of the metrics in an expression. Suffixes of histograms are removed. */
function namesIn(expression: string): string[] {
  const bare = expression.replaceAll(/\{[^}]*\}|by \([^)]*\)|"[^"]*"/g, '')
  return [...bare.matchAll(/\b(?:overture|nodejs|process)_\w+/g)].map(([name]) =>
    name.replace(/_(?:bucket|sum|count)$/, ''),
  )
}

interface Alert {
  name: string
  expression: string
  summary: string
  action: string
}

async function alerts(): Promise<Alert[]> {
  const { groups } = parse(await text('prometheus/alerts.yaml')) as {
    groups: { rules: { alert: string; expr: string; annotations: { summary: string; action: string } }[] }[]
  }
  return groups.flatMap(({ rules }) =>
    rules.map(({ alert, expr, annotations }) => ({ name: alert, expression: expr, ...annotations })),
  )
}

async function dashboardExpressions(): Promise<string[]> {
  const { panels } = JSON.parse(await text('grafana/overture.json')) as { panels: { targets: { expr: string }[] }[] }
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
}

test('every metric of the alerts and the dashboard is exported by a server', async () => {
  const exported = new Set([...families(await metricsText()).keys(), 'up'])
  // Metrics of the process, which main.ts collects.
  for (const name of [
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'process_start_time_seconds',
  ])
    exported.add(name)
  const named = [...(await alerts()).map(({ expression }) => expression), ...(await dashboardExpressions())].flatMap(
    namesIn,
  )
  expect(named.length).toBeGreaterThan(40)
  expect([...new Set(named)].filter((name) => !exported.has(name))).toEqual([])
  expect((await dashboardExpressions()).length).toBeGreaterThan(20)
})

test('every exported metric is used by the dashboard or an alert, without account labels', async () => {
  const answer = await metricsText()
  const labels = new Set(samplesOf(answer).flatMap((sample) => Object.keys(sample.labels)))
  const known = [
    'environment',
    'outcome',
    'operation',
    'status',
    'kind',
    'reason',
    'how',
    'phase',
    'pool',
    'state',
    'reader',
  ]
  const others = [
    'code',
    'provider',
    'version',
    'node',
    'le',
    'type',
    'space',
    'quantile',
    'major',
    'minor',
    'patch',
    'loop',
  ]
  expect([...labels].filter((label) => ![...known, ...others].includes(label))).toEqual([])
  expect(answer).not.toMatch(/"[a-z]{2,4}_[0-9a-z]{18,}"/)
  const used = new Set(
    [...(await alerts()).map(({ expression }) => expression), ...(await dashboardExpressions())].flatMap(namesIn),
  )
  const unused = [...families(answer).keys()].filter((name) => name.startsWith('overture_') && !used.has(name))
  // These metrics need no alert or panel.
  expect(
    unused.filter(
      (name) => !['overture_deprecated_requests_total', 'overture_template_threads_ended_total'].includes(name),
    ),
  ).toEqual(['overture_webhook_oldest_seconds'])
})

test('the guide contains every metric and alert with its exact text', async () => {
  const texts = ['monitoring', 'alerts'].map((page) => readFile(resolve(deploy, `../docs/${page}.md`), 'utf8'))
  const guide = (await Promise.all(texts)).join('\n')
  const metrics = [...families(await metricsText())].filter(([name]) => name.startsWith('overture_'))
  const missing = metrics.filter(([name, help]) => !guide.includes(`| \`${name}\` | ${help} |`))
  expect(missing.map(([name, help]) => `| \`${name}\` | ${help} |`)).toEqual([])
  for (const { name, action } of await alerts()) {
    expect(guide).toContain(`| \`${name}\` |`)
    expect(guide).toContain(action)
    expect([name, action.length > 60]).toEqual([name, true])
  }
})

test('each alert has a test in which it fires and one in which it is silent', async () => {
  const cases = [...(await text('prometheus/alerts.test.yaml')).matchAll(/- name: (\w+) (fires|is silent)$/gm)]
  const drilled = cases.map(([, name, how]) => `${name} ${how}`).sort()
  const expected = (await alerts()).flatMap(({ name }) => [`${name} fires`, `${name} is silent`]).sort()
  expect(drilled).toEqual(expected)
  expect(expected.length).toBeGreaterThan(30)
})

test.skipIf(lacks('promtool', hasPromtool))(
  'promtool accepts the metrics and rules, and the rule tests pass',
  async () => {
    const run = (words: string[]) => promisify(execFile)('promtool', words, { cwd: join(deploy, 'prometheus') })
    expect((await run(['check', 'rules', 'alerts.yaml'])).stdout).toContain('SUCCESS')
    expect((await run(['test', 'rules', 'alerts.test.yaml'])).stdout).toContain('SUCCESS')
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: await metricsText() })
    expect([status, String(stdout), String(stderr)]).toEqual([0, '', ''])
    // Proves that the rules are run and not only parsed: a different threshold breaks their tests.
    const broken = await mkdtemp(join(tmpdir(), 'overture-rules-'))
    await writeFile(
      join(broken, 'alerts.yaml'),
      (await text('prometheus/alerts.yaml')).replace('> 172800', '> 172800000'),
    )
    await writeFile(join(broken, 'alerts.test.yaml'), await text('prometheus/alerts.test.yaml'))
    await expect(
      promisify(execFile)('promtool', ['test', 'rules', 'alerts.test.yaml'], { cwd: broken }),
    ).rejects.toThrow()
    await rm(broken, { recursive: true })
  },
)

/** Waits until a metric exceeds a value. Metrics are cached for a short time. */
async function reaches(name: string, labels: Record<string, string>, above: number): Promise<void> {
  const matches = (sample: Sample) =>
    sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value)
  await expect
    .poll(async () => samplesOf(await metricsText()).find(matches)?.value ?? -1, { timeout: 60_000, interval: 500 })
    .toBeGreaterThan(above)
}

test('problems in the database show in the metrics that the alerts use', async () => {
  const { db } = database
  const [account] = await db.query<{ accountId: string }>('select account_id from accounts limit 1')
  const id = account!.accountId
  const ago = (what: string) => `now() - interval '${what}'`
  await db.execute(
    `insert into planning (account_id, environment, next_plan_at) values ($1, 'live', ${ago('20 minutes')})
     on conflict (account_id, environment) do update set next_plan_at = excluded.next_plan_at`,
    [id],
  )
  await db.execute(
    `insert into claims (account_id, environment, message_id, kind, sending_account_id, claimed_at, lease_token, lease_until)
     values ($1, 'live', 'msg_doubt', 'manual', 'sa_1', now(), gen_random_uuid(), null)`,
    [id],
  )
  await db.execute(
    `insert into jobs (account_id, environment, kind, run_at, dead_at)
     values ($1, 'live', 'x', ${ago('30 minutes')}, null), ($1, 'live', 'y', ${ago('30 minutes')}, now())`,
    [id],
  )
  await db.execute(
    `insert into sending_accounts (account_id, environment, id, email, from_name, provider, status, daily_limit,
       min_gap_seconds, max_gap_seconds, timezone, created_at, updated_at)
     values ($1, 'live', 'sa_1', 'a@example.com', 'A', 'smtp', 'auth_required', 50, 0, 0, 'UTC', now(), now())`,
    [id],
  )
  await db.execute(
    `insert into events (account_id, environment, id, type, occurred_at, recorded_at, data)
     values ($1, 'live', 'evt_1', 'campaign.paused', now(), ${ago('3 minutes')}, '{}')`,
    [id],
  )
  await db.execute(`insert into settings (name, value) values ('last_backup', to_jsonb((${ago('3 days')})::text))`)
  await reaches('overture_due_oldest_seconds', {}, 600)
  await reaches('overture_due_accounts', {}, 0)
  await reaches('overture_messages_uncertain', {}, 0)
  await reaches('overture_jobs_oldest_seconds', {}, 900)
  await reaches('overture_jobs_dead', {}, 0)
  await reaches('overture_sending_accounts', { status: 'auth_required' }, 0)
  await reaches('overture_feed_lag_seconds', { reader: 'webhooks' }, 30)
  await reaches('overture_backup_age_seconds', {}, 172_800)
  await reaches('overture_database_answers', {}, 0)
})

test('refusals are counted by code', async () => {
  const before = samplesOf(await metricsText()).find(({ labels }) => labels['code'] === 'UNAUTHORIZED')?.value ?? 0
  await fetch(`${url}/v2/campaigns`)
  await reaches('overture_refusals_total', { code: 'UNAUTHORIZED' }, before)
})

test('/healthz fails with the name of a hanging loop until its round ends', async () => {
  const health = async () => {
    const answer = await fetch(`${url}/healthz`)
    return [answer.status, await answer.json()]
  }
  expect(await health()).toEqual([200, { status: 'ok' }])
  const { heartbeats } = server.app
  const hang = createSignal()
  const workers = ['hanging', 'busy'].map((name) =>
    createPollingWorker({
      name,
      log,
      heartbeats,
      pollMs: 1,
      roundMsMax: name === 'hanging' ? 50 : 60_000,
      // One worker hangs like a call without a response; the other continues.
      run: async () => {
        if (name === 'hanging') await hang.wait(600_000, new AbortController().signal)
        return false
      },
    }),
  )
  for (const worker of workers) await worker.start()
  await expect.poll(health, { timeout: 60_000 }).toEqual([503, { status: 'stuck', loops: ['hanging'] }])
  await reaches('overture_loops_stuck', {}, 0)
  hang.raise()
  await expect.poll(health, { timeout: 60_000 }).toEqual([200, { status: 'ok' }])
  await Promise.all(workers.map((worker) => worker.stop()))
})

test('an unavailable database is reported, and old values are not exported', async () => {
  const address = new URL(database.url)
  const name = address.pathname.slice(1)
  address.pathname = '/postgres'
  const client = new pg.Client({ connectionString: address.toString() })
  await client.connect()
  await client.query(`alter database ${name} allow_connections false`)
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
    [name],
  )
  await expect
    .poll(
      async () => samplesOf(await metricsText()).find((sample) => sample.name === 'overture_database_answers')?.value,
      {
        timeout: 90_000,
        interval: 500,
      },
    )
    .toBe(0)
  const answer = samplesOf(await metricsText())
  expect(
    answer.filter((sample) => /_(?:due_\w+|messages_uncertain|feed_lag_seconds|sending_accounts)$/.test(sample.name)),
  ).toEqual([])
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  await client.query(`alter database ${name} allow_connections true`)
  await reaches('overture_database_answers', {}, 0)
  await client.end()
})
