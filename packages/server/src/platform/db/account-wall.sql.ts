import pg from 'pg'
import type { Logger } from '../log.shell.ts'

/**
 * A second wall between accounts, in addition to the `where` of each statement: requests run as a role that sees only the rows of
 * one account. Planning, workers and migrations read several accounts, so they run as the role that owns the tables.
 */
export const walledRole = 'overture_request'

// Since PostgreSQL 16, a user who created a role is its member, but may not switch to it yet.
const mayPutOn = (user: string) => `pg_has_role(${user}, '${walledRole}',
  case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end)`

// Another database of the same server may do this at the same moment. 23505 means that both created the role, 42710 that it exists.
const makeRole = `do $$ begin
  if not exists (select 1 from pg_roles where rolname = '${walledRole}') then create role ${walledRole} nologin; end if;
  if not ${mayPutOn('current_user')} then execute format('grant ${walledRole} to %I', current_user); end if;
exception when unique_violation or duplicate_object then null; end $$`

// A view has the rights of the role that queries it (security_invoker), so the policies of its tables protect it.
const ownTables = `select c.oid, c.relkind, c.relname::text, format('%I', c.relname) as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and pg_get_userbyid(c.relowner) = current_user`

/**
 * Adds the wall to every table that has none yet. Runs after the migrations, under their lock. If the database user may not
 * create a role, the service runs without the wall and logs a warning.
 */
export async function raiseAccountWall(client: pg.Client, log: Logger): Promise<void> {
  try {
    await client.query(makeRole)
    if (await hasWalledRole(client)) await closeGaps(client)
    else log.warn({ event: 'database.no_account_wall', reason: `The user is no member of ${walledRole}.` })
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    log.warn({ event: 'database.no_account_wall', reason: (error as Error).message })
  }
}

/** Whether requests of this session's user can run behind the wall. */
export async function hasWalledRole(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    `select case when exists (select 1 from pg_roles where rolname = '${walledRole}')
       then ${mayPutOn('session_user')} else false end as has`,
  )
  return rows[0].has
}

/** Tables without an account that requests write all the same: they count and continue calls of people-data providers. */
export const sharedTables = ['finder_provider_usage', 'finder_scroll_tokens']

/** Requests only add to these tables, so that no request can change the log about it. */
export const appendedTables = ['audit_entries', 'audit_seals', 'audit_unsealed']

/** The columns of users that requests change. Users are added, signed in, given a role and deleted outside of the wall. */
export const userColumns = [
  'name',
  'preferences',
  'recovery_digests',
  'totp_confirmed_at',
  'totp_last_step',
  'totp_secret',
]

type TableRight = 'select' | 'insert' | 'update' | 'delete'
const tableRights: readonly TableRight[] = ['select', 'insert', 'update', 'delete']

interface WalledTable {
  name: string
  isView: boolean
  hasAccount: boolean
}

/**
 * Returns the rights of requests to a whole table. They read every table and change those with an account, within the account. All
 * others are written outside of the wall: settings, migrations, failures to sign in, events of the payment provider.
 */
function rightsTo({ name, isView, hasAccount }: WalledTable): readonly TableRight[] {
  if (name === 'users') return ['select']
  if (name.startsWith('audit_')) return appendedTables.includes(name) ? ['select', 'insert'] : ['select']
  // A view of two tables can't be changed. PostgreSQL asks for the right to update before it locks rows.
  if (isView) return ['select', 'update']
  return hasAccount || sharedTables.includes(name) ? tableRights : ['select']
}

interface HeldRights {
  /** As SQL writes it. */
  name: string
  relname: string
  isView: boolean
  hasAccount: boolean
  held: TableRight[]
  /** The columns that may be updated. */
  columns: string[]
}

/** Grants what requests may do to each table, and takes away what they need not. */
async function setRights(client: pg.Client): Promise<void> {
  const { rows: tables } = await client.query<HeldRights>(
    `select name, relname, relkind = 'v' as "isView",
       exists (select 1 from pg_attribute a where a.attrelid = oid and a.attname = 'account_id' and not a.attisdropped) as "hasAccount",
       array(select r from unnest($1::text[]) r where has_table_privilege('${walledRole}', oid, r)) as held,
       array(select attname::text from pg_attribute a where a.attrelid = oid and a.attnum > 0 and not a.attisdropped
         and has_column_privilege('${walledRole}', a.attrelid, a.attnum, 'update')) as columns
     from (${ownTables}) t`,
    [tableRights],
  )
  for (const table of tables) await setTableRights(client, table)
  await client.query(`grant usage on schema public to ${walledRole}`)
  await client.query(`grant usage on all sequences in schema public to ${walledRole}`)
}

async function setTableRights(client: pg.Client, table: HeldRights): Promise<void> {
  const { name, relname, isView, hasAccount, held, columns } = table
  const may = rightsTo({ name: relname, isView, hasAccount })
  const ofColumns = may.includes('update') ? columns : relname === 'users' ? userColumns : []
  const excess = held.filter((right) => !may.includes(right))
  if (!excess.includes('update') && columns.some((column) => !ofColumns.includes(column))) excess.push('update')
  // Revoking a right to a table revokes it for the columns, too.
  if (excess.length > 0) await client.query(`revoke ${excess.join(', ')} on ${name} from ${walledRole}`)
  const lacking: string[] = may.filter((right) => !held.includes(right))
  const lacksColumns = excess.includes('update') || ofColumns.some((column) => !columns.includes(column))
  if (lacksColumns && ofColumns.length > 0) lacking.push(`update (${ofColumns.join(', ')})`)
  if (lacking.length > 0) await client.query(`grant ${lacking.join(', ')} on ${name} to ${walledRole}`)
}

async function closeGaps(client: pg.Client): Promise<void> {
  await setRights(client)
  const { rows: open } = await client.query<{ name: string }>(
    `select name from (${ownTables}) t
     where relkind <> 'v' and exists (
         select from pg_attribute a where a.attrelid = t.oid and a.attname = 'account_id' and not a.attisdropped)
       and not exists (select 1 from pg_policy p where p.polrelid = t.oid)`,
  )
  for (const { name } of open) {
    await client.query('begin')
    await client.query(
      `create policy account_wall on ${name} to ${walledRole} using (account_id = (select current_setting('overture.account')))`,
    )
    await client.query(`alter table ${name} enable row level security`)
    await client.query('commit')
  }
}

/**
 * Returns the owner of tables whose rows this user can't see, as after a restore by another user. Returns undefined if there are no such
 * tables.
 */
export async function findHidingOwner(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ owner: string }>(
    `select pg_get_userbyid(c.relowner) as owner from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity and row_security_active(c.oid)
     limit 1`,
  )
  return rows[0]?.owner
}

/** Puts a session behind the wall of an account, or outside of it (null), and limits its statements. Both remain after a rollback. */
export async function enterWall(client: pg.ClientBase, accountId: string | null, statementMs: number): Promise<void> {
  // Returns to the first role of the session, which an operator may have set for its user.
  if (accountId === null) await client.query(`reset role; set statement_timeout = ${statementMs}`)
  else
    await client.query({
      text: `select set_config('role', '${walledRole}', false), set_config('overture.account', $1, false),
        set_config('statement_timeout', $2, false)`,
      values: [accountId, String(statementMs)],
      name: 'enter_wall',
    })
}

/**
 * Enters the wall until the end of a transaction. For several servers: session settings stay on the first server, settings of a
 * transaction reach them all.
 */
export function wallWithin(accountId: string): string {
  return `set local role ${walledRole}; set local overture.account = ${pg.escapeLiteral(accountId)}`
}
