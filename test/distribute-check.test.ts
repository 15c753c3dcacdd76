import { Command } from 'commander'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { assets } from '@overture/server/platform/assets.shell.ts'
import { findRefusedStatements, listStatements } from '@overture/server/platform/distributed/check.shell.ts'
import { distribute } from '@overture/server/platform/distributed/distribute.shell.ts'
import { distributedUnfitness } from '@overture/server/platform/distributed/look.shell.ts'
import { installCitusDouble } from '@overture/testing/citus/citus-double.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { registerDistribute } from '../packages/cli/src/operator/distribute.ts'
import { readCatalogue } from './house/statements/catalogue.ts'
import { findBreaches, type Rule } from './house/statements/rules.ts'

// Each check runs every statement of the product.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await installCitusDouble(client)
  await distribute(client, () => undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

/** The SQLSTATE and the message of Citus 13.2 for a statement that breaks a rule. */
const refusals: Partial<Record<Rule, readonly [code: string, message: string]>> = {
  'empty select': ['42601', 'a column definition list is required for functions returning "record"'],
  'reference join': ['0A000', 'complex joins are only supported when all distributed tables are co-located'],
  'changeable in conflict': ['0A000', 'functions used in the WHERE clause of the ON CONFLICT clause must be IMMUTABLE'],
  'changeable in returning': ['0A000', 'non-IMMUTABLE functions are not allowed in the RETURNING clause'],
  'select in returning': ['0A000', 'subqueries are not supported in the RETURNING clause'],
  'volatile in change': ['0A000', 'functions used in UPDATE queries on distributed tables must not be VOLATILE'],
  'interval over column': ['0A000', 'STABLE functions used in UPDATE queries cannot be called with column references'],
  'lock in a joined list': ['22P04', 'missing data for column "id"'],
  copied: ['0A000', 'COPY FROM not supported with row-level security'],
}

/** A client of servers that plan statements as Citus does. */
function citusClient(): pg.ClientBase {
  const catalogue = readCatalogue()
  const query = (sent: string, values?: unknown[]): Promise<unknown> => {
    const text = /^prepare checked as (?<text>[\s\S]*)$/.exec(sent)?.groups?.['text'] ?? null
    const rules = text === null ? [] : findBreaches({ name: 'planted.sql.ts: plant', text }, catalogue)
    const refusal = rules.map(({ rule }) => refusals[rule]).find((one) => one !== undefined)
    if (refusal === undefined) return client.query(sent, values)
    return Promise.reject(Object.assign(new Error(refusal[1]), { code: refusal[0] }))
  }
  return { query } as unknown as pg.ClientBase
}

const listed = (statements: readonly object[]) =>
  vi.spyOn(assets.statements, 'read').mockResolvedValue([Buffer.from(JSON.stringify(statements))])

describe.sequential('a check of all statements', () => {
  test('accepts those of the product, and leaves nothing behind', async () => {
    const statements = await listStatements()
    expect(statements.length).toBeGreaterThan(500)
    expect(await findRefusedStatements(client, statements)).toEqual([])
    const { rows } = await client.query('select account_id from accounts')
    expect(rows).toEqual([])
  })

  test.each<[Rule, string]>([
    ['empty select', 'select id from jobs where account_id = $1 and exists (select from settings)'],
    [
      'reference join',
      `select 1 from api_keys k join accounts a on a.account_id = k.account_id
       left join users u on u.account_id = k.account_id where k.digest = $1`,
    ],
    [
      'changeable in conflict',
      `insert into planning as p (account_id, environment) values ($1, $2)
       on conflict (account_id, environment) do update set trace = null where p.lease_until < now()`,
    ],
    ['changeable in returning', 'update jobs set kind = kind where account_id = $1 returning run_at < now()'],
    ['select in returning', 'delete from jobs where account_id = $1 returning (select count(*) from settings)'],
    ['volatile in change', 'update jobs set run_at = clock_timestamp() where account_id = $1'],
    ['interval over column', `update jobs set run_at = run_at + interval '1 day' where account_id = $1`],
    [
      'lock in a joined list',
      'select j.id from jobs j join unnest($2::text[]) t (kind) on t.kind = j.kind where j.account_id = $1 for update of j',
    ],
    [
      'copied',
      `insert into planning (account_id, environment) select account_id, 'live' from accounts where account_id = $1`,
    ],
  ])('names a statement with %s', async (rule, text) => {
    const statement = { name: 'planted.sql.ts: plant', text }
    // A plain PostgreSQL accepts it, so that only the form is refused.
    expect(await findRefusedStatements(client, [statement])).toEqual([])
    expect(await findRefusedStatements(citusClient(), [statement])).toEqual([
      { ...statement, reason: refusals[rule]![1] },
    ])
  })

  test('errors about values and rows are no refusals', async () => {
    const statements = [
      { name: 'a.sql.ts: divide', text: 'select 1 / ($1::int - 1)' },
      { name: 'a.sql.ts: orphan', text: `insert into planning (account_id, environment) values ('nobody', $1)` },
    ]
    expect(await findRefusedStatements(client, statements)).toEqual([])
  })

  test('an error that proves nothing is a refusal, and one that passes is tried again', async () => {
    const statement = { name: 'a.sql.ts: read', text: 'select id from jobs where account_id = $1' }
    const failing = (code: string, times: number) => {
      let left = times
      const query = (sent: string, values?: unknown[]): Promise<unknown> =>
        sent.startsWith('execute') && left-- > 0
          ? Promise.reject(Object.assign(new Error(`planted ${code}`), { code }))
          : client.query(sent, values)
      return { query } as unknown as pg.ClientBase
    }
    for (const code of ['08006', '53300', '25001', 'P0001', ''])
      expect(await findRefusedStatements(failing(code, 1), [statement])).toEqual([
        { ...statement, reason: `planted ${code}` },
      ])
    for (const code of ['57014', '55P03', '40P01']) {
      expect(await findRefusedStatements(failing(code, 2), [statement])).toEqual([])
      expect(await findRefusedStatements(failing(code, 3), [statement])).toEqual([
        { ...statement, reason: `planted ${code}` },
      ])
    }
  })

  test('is made once for a release and its servers, and a start refuses what does not pass', async () => {
    listed([{ name: 'planted.sql.ts: plant', text: 'select id from no_such_table where account_id = $1' }])
    expect(await distributedUnfitness(database.url)).toMatch(
      /refuse 1 statements of this release \(planted\.sql\.ts: plant: relation "no_such_table" does not exist\)/,
    )
    listed([{ name: 'planted.sql.ts: plant', text: 'select 1' }])
    expect(await distributedUnfitness(database.url)).toBeNull()
    const { rows } = await client.query(`select value from settings where name = 'statements_checked'`)
    expect(rows).toHaveLength(1)
    const before = await client.query(`select xmin::text from settings where name = 'statements_checked'`)
    expect(await distributedUnfitness(database.url)).toBeNull()
    expect((await client.query(`select xmin::text from settings where name = 'statements_checked'`)).rows).toEqual(
      before.rows,
    )
  })

  test('is a command that lists what is refused and fails', async () => {
    vi.stubEnv('DATABASE_URL', database.url)
    vi.stubEnv('OVERTURE_CITUS', 'on')
    vi.stubEnv('OVERTURE_ENCRYPTION_KEY', 'a'.repeat(64))
    const run = async () => {
      const said = vi.spyOn(console, 'log').mockReturnValue()
      const program = new Command().exitOverride()
      registerDistribute(program)
      await program.parseAsync(['distribute', '--check'], { from: 'user' })
      const code = process.exitCode
      process.exitCode = undefined
      const text = said.mock.calls.flat().join('\n')
      said.mockRestore()
      return { code, text }
    }
    listed([{ name: 'planted.sql.ts: plant', text: 'select id from no_such_table where account_id = $1' }])
    const failed = await run()
    expect(failed.code).toBe(1)
    expect(failed.text).toContain('planted.sql.ts: plant: relation "no_such_table" does not exist')
    listed([{ name: 'planted.sql.ts: plant', text: 'select 1' }])
    expect(await run()).toEqual({ code: undefined, text: '0 of 1 statements are refused.' })
  })
})
