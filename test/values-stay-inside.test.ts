import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setBalance } from '../packages/server/src/credits/index.ts'
import { ProviderStub } from '@overture/testing/lead-finder/provider-stub.server.ts'
import { createDatabase, type PoolDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { startRunningServer, type Answer, type RunningProduct } from '@overture/testing/server/running-server.ts'

/**
 * Runs the whole product with two sources of people and records every log line. A real value leaves the server only in the response
 * of its reveal, and never because of an error (docs/contract.md, "AI and credits").
 */
const lines: string[] = []
const delivered: string[] = []
const answers: { status: number; text: string }[] = []
const provider = new ProviderStub()
const hidden = { email: 'grace.hopper@hidden.example', mobile: '+4915198765432' }
const shown = { email: 'ada.lovelace@shown.example', mobile: '+4915112345678' }
let product: RunningProduct
let db: PoolDatabase
let receiver: Server
let demo: { id: string; email: string | null; mobile: string | null }[]
let revealed: string

beforeAll(async () => {
  await provider.listen()
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      delivered.push(body)
      response.end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  product = await startRunningServer(
    {
      LOG_LEVEL: 'trace',
      OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
      OVERTURE_FINDER_PROVIDER: 'prospeo',
      PROSPEO_API_KEY: 'provider key',
      PROSPEO_BASE_URL: `${provider.url}/prospeo`,
    },
    pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
  )
  db = createDatabase({ url: product.databaseUrl, log: createLogger('silent'), connectionsMax: 2 })
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const hook = await product.test('POST', '/v2/webhooks', { url, events: ['credits.low', 'credits.exhausted'] })
  expect(hook.status).toBe(201)
  await demoPost('search', {})
  demo = await db.query(`select id, email, mobile from finder_people where dataset = 'demo'`)
})

afterAll(async () => {
  await db?.close()
  await product?.stop()
  await provider.stop()
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
})

type Caller = 'test' | 'live'

async function ask(key: Caller, method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await product[key](method, `/v2/campaigns/lead-finder/${path}`, body)
  answers.push({ status: answer.status, text: JSON.stringify(answer.body) })
  return answer
}
const demoPost = (path: string, body: unknown) => ask('test', 'POST', path, body)
const live = (path: string, body: unknown) => ask('live', 'POST', path, body)

/** Real values of the demo people and of the provider, without those for which `isTold` returns true. */
function secrets(isTold: (value: string) => boolean = () => false): string[] {
  const values = demo.flatMap((person) => [person.email, person.mobile]).filter((value) => value !== null)
  return [...values, ...Object.values(hidden), ...Object.values(shown)].filter((value) => !isTold(value))
}

/** The values that the text contains. Phone numbers also match without their plus. */
function found(values: readonly string[], where: string): string[] {
  return values.filter((value) => where.includes(value.replace(/^\+/, '')))
}

async function refusing<Result>(table: string, run: () => Promise<Result>): Promise<Result> {
  await db.execute(`create or replace function refuse() returns trigger language plpgsql as $$ begin
    raise exception 'refused: % %', new, (select string_agg(email || mobile, ' ') from finder_people p
      where p.id = new.person_id) using errcode = '23514', detail = '${shown.email} ${hidden.mobile}'; end $$`)
  await db.execute(`create trigger refuse before insert on ${table} for each row execute function refuse()`)
  try {
    return await run()
  } finally {
    await db.execute(`drop trigger refuse on ${table}`)
  }
}

/** Blocks connections to the database while `run` runs. */
async function withoutDatabase<Result>(run: () => Promise<Result>): Promise<Result> {
  const url = new URL(product.databaseUrl)
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  const outside = createDatabase({ url: url.toString(), log: createLogger('silent'), connectionsMax: 1 })
  try {
    await outside.execute(`alter database ${name} allow_connections false`)
    await outside.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
      [name],
    )
    return await run()
  } finally {
    await outside.execute(`alter database ${name} allow_connections true`)
    await outside.close()
  }
}

const answerOf = (person: object) => ({ error: false, person })
const row = (id: string, { email, mobile }: typeof shown) => ({
  person: { person_id: id, first_name: 'A', last_name: 'B', email: { email }, mobile: { mobile } },
  company: { company_id: 'c', name: 'C' },
})

describe('real contact values', () => {
  test('are masked in searches and suggestions of demo people, and shown by their own reveal', async () => {
    for (const body of [
      { page: 2 },
      { seniority: ['vp'] },
      { jobTitle: 'head of sales' },
      { domain: 'none.example' },
    ]) {
      expect((await demoPost('search', body)).status).toBe(200)
    }
    expect((await demoPost('search-company', {})).status).toBe(200)
    for (const field of ['industry', 'technology', 'jobTitle', 'location', 'companyName']) {
      for (const q of ['', 'a', '@'])
        expect((await ask('test', 'GET', `suggest?field=${field}&q=${q}`)).status).toBe(200)
    }
    expect(found(secrets(), answers.map((answer) => answer.text).join('\n'))).toEqual([])
    const person = demo.find(({ email, mobile }) => email !== null && mobile !== null)!
    const none = demo.find(({ email }) => email === null)!
    expect((await demoPost('reveal', { personId: none.id, field: 'email' })).body.found).toBe(false)
    revealed = (await demoPost('reveal', { personId: person.id, field: 'email' })).body.value
    expect(revealed).toBe(person.email)
  })

  test('are never in refusals or failures of demo people', async () => {
    const next = demo.filter(({ email, mobile }) => email !== null && mobile !== null)[7]!
    const reveal = { personId: next.id, field: 'email' }
    for (const body of [{ ...reveal, field: 'mail' }, { ...reveal, extra: 1 }, { personId: 5 }]) {
      expect((await demoPost('reveal', body)).status).toBe(400)
    }
    for (const personId of ['per_nobody', '', 'x'.repeat(201)])
      expect((await demoPost('reveal', { ...reveal, personId })).status).toBe(404)
    expect((await refusing('finder_reveals', () => demoPost('reveal', reveal))).status).toBe(500)
    const account = (await db.query<{ accountId: string }>('select account_id from accounts'))[0]!.accountId
    const tenant = { accountId: account, environment: 'test' } as const
    await db.transaction((tx) => setBalance(tx, tenant, { balance: 1 }))
    expect((await demoPost('search', { seniority: ['head'] })).status).toBe(200)
    expect((await demoPost('reveal', reveal)).status).toBe(402)
    await expect.poll(() => delivered.join('\n'), { timeout: 30_000 }).toContain('credits.exhausted')
  })

  test("are masked in a provider's searches, and never in its refusals and failures", async () => {
    provider.respond = () => ({
      status: 200,
      body: { error: false, results: [row('p1', shown), row('p2', hidden)], pagination: { total_count: 2 } },
    })
    const page = await live('search', { jobTitle: 'x' })
    expect(page.body.results.map(({ emailMasked }: { emailMasked: string }) => emailMasked)).toEqual([
      'a*****@shown.example',
      'g*****@hidden.example',
    ])
    const quoting = `${hidden.email} and ${hidden.mobile} are locked`
    for (const [status, body, revealing, searching] of [
      [400, { error: true, error_code: quoting, message: quoting }, 503, 503],
      [500, { error: true, error_code: quoting }, 503, 503],
      [429, { error: true, message: quoting }, 503, 503],
      [400, { error: true, error_code: 'NO_MATCH', message: quoting }, 404, 200],
      // A valid response to a reveal is invalid for a search.
      [200, answerOf({ email: { email: 'g*****@hidden.example' }, note: quoting }), 200, 503],
    ] as const) {
      provider.respond = () => ({ status, body, headers: { 'retry-after': '60' } })
      expect((await live('reveal', { personId: 'prospeo:p2', field: 'email' })).status).toBe(revealing)
      expect((await live('search', { jobTitle: `y ${status} ${revealing}` })).status).toBe(searching)
    }
  })

  test('of a provider are shown by their own reveal, and not if the database refuses it', async () => {
    provider.respond = () => ({
      status: 200,
      body: answerOf({ email: { email: hidden.email }, mobile: { mobile: hidden.mobile } }),
    })
    const refused = () => live('reveal', { personId: 'prospeo:p3', field: 'mobile' })
    expect((await refusing('finder_reveals', refused)).status).toBe(500)
    provider.respond = () => ({
      status: 200,
      body: answerOf({ email: { email: shown.email }, mobile: { mobile: shown.mobile } }),
    })
    for (const field of ['email', 'mobile'] as const) {
      expect((await live('reveal', { personId: 'prospeo:p1', field })).body.value).toBe(shown[field])
      expect((await live('reveal', { personId: 'prospeo:p1', field })).body.alreadyRevealed).toBe(true)
    }
  })

  test('are never in failures of an unavailable database', async () => {
    const statuses = await withoutDatabase(async () => [
      (await demoPost('search', { seniority: ['entry'] })).status,
      (await demoPost('reveal', { personId: demo[3]!.id, field: 'mobile' })).status,
      (await live('reveal', { personId: 'prospeo:p1', field: 'email' })).status,
    ])
    expect(statuses).toEqual([503, 503, 503])
  })

  test("are in no log line, error, event, webhook or table except the people's own", async () => {
    const log = lines.join('')
    for (const event of ['http.request_failed', 'lead_finder.provider_failed']) expect(log).toContain(`"${event}"`)
    expect(found(secrets(), log)).toEqual([])
    const errors = answers.filter(({ status }) => status >= 400)
    expect(new Set(errors.map(({ status }) => status))).toEqual(new Set([400, 402, 404, 500, 503]))
    expect(found(secrets(), errors.map((answer) => answer.text).join('\n'))).toEqual([])
    expect(found(secrets(), delivered.join('\n'))).toEqual([])
    const isShown = (value: string) => value === revealed || Object.values(shown).includes(value)
    expect(found(secrets(isShown), answers.map((answer) => answer.text).join('\n'))).toEqual([])
    const tables = await db.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'finder_people'`,
    )
    for (const { name } of tables) {
      const rows = await db.query<{ row: string }>(`select t::text as row from "${name}" t`)
      expect([name, found(secrets(), rows.map((each) => each.row).join('\n'))]).toEqual([name, []])
    }
  })
})
