import { createHash } from 'node:crypto'
import type pg from 'pg'
import { assets } from '../assets.shell.ts'
import { hasWalledRole, walledRole } from '../db/account-wall.sql.ts'
import { errorCode } from '../db/errors.ts'
import { onAllNodes } from './plan.ts'

/** A statement that the product sends. */
interface ListedStatement {
  /** `file: function`. */
  name: string
  text: string
  /** SQL literals for the parameters, if the text needs certain ones. */
  values?: readonly string[]
}

interface RefusedStatement extends ListedStatement {
  /** The error of the servers. */
  reason: string
}

/** No account has this id: the statements find no rows. */
const checkAccount = 'acc_check'
const statementMs = 30_000
const lockMs = 1_000

/** All statements of this release. */
export async function listStatements(): Promise<ListedStatement[]> {
  const [bytes] = await assets.statements.read(['statements.json'])
  return JSON.parse(bytes!.toString('utf8')) as ListedStatement[]
}

/**
 * Runs each statement in a transaction that is rolled back, with the account of a check, and returns those that the servers refuse.
 */
export async function findRefusedStatements(
  client: pg.ClientBase,
  statements: readonly ListedStatement[],
  onProgress: (done: number) => void = () => undefined,
): Promise<RefusedStatement[]> {
  const isWalled = await hasWalledRole(client)
  const refused: RefusedStatement[] = []
  for (const [index, statement] of statements.entries()) {
    const isOfAll = statement.name.endsWith('AcrossAccounts')
    const walled = isWalled && !isOfAll ? await tryOften(client, statement, 'wall') : null
    // Some tables are only written outside of the wall.
    const error = walled === null || walled.code === noRight ? await tryOften(client, statement, 'owner') : walled
    if (error !== null && isRefusal(error.code)) refused.push({ ...statement, reason: error.reason })
    onProgress(index + 1)
  }
  return refused
}

const noRight = '42501'

/**
 * Any error, except those about values and rows: a statement that gets so far was planned and run. A broken answer between servers has the
 * class of an error about values.
 */
function isRefusal(code: string): boolean {
  return code !== noRight && (!/^2[23]/.test(code) || code === '22P04')
}

/** Another transaction had a lock, or the servers were busy: cancelled, locked, or chosen in a deadlock. */
const passing: readonly string[] = ['57014', '55P03', '40P01']
const triesMax = 3

async function tryOften(
  client: pg.ClientBase,
  statement: ListedStatement,
  as: 'wall' | 'owner',
): Promise<Refusal | null> {
  for (let tries = 1; ; tries++) {
    const error = await tryStatement(client, statement, as)
    if (error === null || !passing.includes(error.code) || tries === triesMax) return error
  }
}

interface Refusal {
  code: string
  reason: string
}

async function tryStatement(
  client: pg.ClientBase,
  statement: ListedStatement,
  as: 'wall' | 'owner',
): Promise<Refusal | null> {
  await client.query('begin')
  try {
    await client.query(`set local statement_timeout = ${statementMs}`)
    await client.query(`set local lock_timeout = ${lockMs}`)
    // Its row makes the statements that insert from a select insert something.
    await client.query(
      `insert into accounts (account_id, name, plan, created_at) values ('${checkAccount}', 'Check', 'trial', now())
       on conflict do nothing`,
    )
    if (as === 'wall') {
      await client.query(`set local role ${walledRole}`)
      await client.query(`set local overture.account = '${checkAccount}'`)
    }
    await client.query(`prepare checked as ${statement.text}`)
    const { rows } = await client.query<{ types: string[] }>(
      `select parameter_types::text[] as types from pg_prepared_statements where name = 'checked'`,
    )
    const values = statement.values ?? (rows[0]?.types ?? []).map(sampleLiteral)
    await client.query(`execute checked${values.length === 0 ? '' : ` (${values.join(', ')})`}`)
    return null
  } catch (error) {
    return { code: errorCode(error) ?? '', reason: (error as Error).message }
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
  }
}

const literals: Readonly<Record<string, string>> = {
  boolean: 'true',
  bytea: `'\\x00'`,
  date: `'2026-01-01'`,
  'double precision': '1',
  inet: `'127.0.0.1'`,
  interval: `'1 second'`,
  jsonb: `'[]'`,
  numeric: '1',
  regclass: `'jobs'`,
  'timestamp with time zone': `'2026-01-01'`,
  'timestamp without time zone': `'2026-01-01'`,
  uuid: `'00000000-0000-4000-8000-000000000000'`,
}

/** A value of the type for the parameter at a place: the account comes first, then the environment. */
function sampleLiteral(type: string, at: number): string {
  const base = type.replace(/\[\]$/, '')
  const text = at === 0 ? checkAccount : at === 1 ? 'test' : 'check'
  const value = literals[base] ?? (/^(?:bigint|integer|smallint|xid8|oid)$/.test(base) ? `'1'` : `'${text}'`)
  return base === type ? `${value}::${type}` : `array[${value}]::${type}`
}

const versionsOfNodes = `select concat_ws(' ', current_setting('server_version'),
  (select extversion from pg_extension where extname = 'citus'))`
const checkedSetting = 'statements_checked'

/** Names the statements and the releases of the servers, for which a passed check is valid. */
async function digestPlans(client: pg.ClientBase, statements: readonly ListedStatement[]): Promise<string> {
  const { rows } = await client.query<{ result: string }>(onAllNodes(versionsOfNodes))
  const facts = [JSON.stringify(statements), ...rows.map(({ result }) => result)]
  return createHash('sha256').update(facts.join('\n')).digest('hex')
}

/** Checks all statements, unless they passed on these releases of the servers before. Returns those that are refused. */
export async function checkStatements(client: pg.ClientBase): Promise<RefusedStatement[]> {
  const statements = await listStatements()
  const digest = await digestPlans(client, statements)
  const { rows } = await client.query<{ digest: string }>(
    `select value #>> '{}' as digest from settings where name = $1`,
    [checkedSetting],
  )
  if (rows[0]?.digest === digest) return []
  const refused = await findRefusedStatements(client, statements)
  if (refused.length === 0)
    await client.query(
      `insert into settings (name, value) values ($1, to_jsonb($2::text)) on conflict (name) do update set value = excluded.value`,
      [checkedSetting, digest],
    )
  return refused
}
