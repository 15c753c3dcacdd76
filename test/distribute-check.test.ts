import { Command } from 'commander'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { assets } from '@overture/server/platform/assets.shell.ts'
import { findRefusedStatements, listStatements } from '@overture/server/platform/distributed/check.shell.ts'
import { distribute } from '@overture/server/platform/distributed/distribute.shell.ts'
import { distributedUnfitness } from '@overture/server/platform/distributed/look.shell.ts'
import { installCitusDouble } from '@overture/testing/distributed/citus-double.ts'
import { citusRefusals, planLikeCitus, type RefusedForm } from '@overture/testing/distributed/citus-planner.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { registerDistribute } from '../packages/cli/src/operator/distribute.ts'
import { readCatalogue, referenceTables } from './house/statements/catalogue.ts'
import { findBreaches } from './house/statements/rules.ts'
import { find, parse } from './house/statements/tree.ts'

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
let planAsBefore: () => void = () => undefined
afterEach(() => {
  planAsBefore()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const catalogue = readCatalogue()

/** Citus leaves a text to PostgreSQL if it names none of its tables. */
function findForms(text: string): string[] {
  const trees = parse(text)
  // The tree has no kind for the table that a statement changes.
  const tables = [...find('RangeVar', trees), ...find('relation', trees)].map(({ relname }) => relname as string)
  const isPlanned = tables.some((table) => catalogue.ofAccounts.has(table) || referenceTables.has(table))
  return isPlanned ? findBreaches({ name: 'planted.sql.ts: plant', text }, catalogue).map(({ rule }) => rule) : []
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

  const planted: [RefusedForm, string][] = [
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
  ]

  test('a form is planted for each refusal of Citus', () =>
    expect(planted.map(([form]) => form)).toEqual(Object.keys(citusRefusals)))

  test.each(planted)('names a statement with %s', async (form, text) => {
    const statement = { name: 'planted.sql.ts: plant', text }
    // A plain PostgreSQL accepts it, so that only the form is refused.
    expect(await findRefusedStatements(client, [statement])).toEqual([])
    planAsBefore = planLikeCitus(findForms)
    expect(await findRefusedStatements(client, [statement])).toEqual([{ ...statement, reason: citusRefusals[form][1] }])
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
    planAsBefore = planLikeCitus(findForms)
    for (const [form, text] of planted) {
      listed([{ name: 'planted.sql.ts: plant', text }])
      expect(await distributedUnfitness(database.url)).toContain(`planted.sql.ts: plant: ${citusRefusals[form][1]}`)
    }
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
    planAsBefore = planLikeCitus(findForms)
    listed(planted.map(([form, text]) => ({ name: `planted.sql.ts: ${form}`, text })))
    const failed = await runCommand('--check')
    expect(failed.code).toBe(1)
    for (const [form] of planted) expect(failed.text).toContain(`planted.sql.ts: ${form}: ${citusRefusals[form][1]}`)
    expect(failed.text).toContain('9 of 9 statements are refused.')
    listed([{ name: 'planted.sql.ts: plant', text: 'select 1' }])
    expect(await runCommand('--check')).toEqual({ code: undefined, text: '0 of 1 statements are refused.' })
  })
})

test('a server that was added is prepared by the command that declares it, and gets the highest epoch', async () => {
  await client.query(`select citus_add_node('worker-3.test', 5432)`)
  await expect(client.query('select event_horizons()')).rejects.toThrow(/relation "event_epochs" does not exist/)
  const { code, text } = await runCommand('--receives', 'worker-3.test:5432')
  const { rows } = await client.query<{ epoch: number }>(
    'select (t::text::bigint >> 48)::int as epoch from event_horizons() t order by 1 desc limit 1',
  )
  const highest = `worker-3.test:5432 is in epoch ${rows[0]!.epoch}, above all others.`
  expect({ code, text }).toEqual({ code: undefined, text: expect.stringContaining(highest) })
  expect(await runCommand('--dry-run')).toEqual({ code: undefined, text: 'Nothing to do.' })
})

/** Runs `overture distribute` in this process. Returns its exit code and what it printed. */
async function runCommand(...options: string[]): Promise<{ code: typeof process.exitCode; text: string }> {
  vi.stubEnv('DATABASE_URL', database.url)
  vi.stubEnv('OVERTURE_CITUS', 'on')
  vi.stubEnv('OVERTURE_ENCRYPTION_KEY', 'a'.repeat(64))
  const said = vi.spyOn(console, 'log').mockReturnValue()
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const program = new Command().exitOverride()
  registerDistribute(program)
  await program.parseAsync(['distribute', ...options], { from: 'user' })
  const code = process.exitCode
  process.exitCode = undefined
  const text = said.mock.calls.flat().join('\n')
  said.mockRestore()
  return { code, text }
}
