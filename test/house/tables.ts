import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { composition, knows, platform, server } from './rooms.ts'
import { isTest, findRole, findRoom, type Module } from './source.ts'

const migrations = resolve(import.meta.dirname, '../../packages/server/migrations')
const owned = /^comment on table (\w+) is\s+'([a-z-]+): /gm
const write = /\b(?:insert into|update(?! set)|delete from|merge into|truncate)\s+(?:only\s+)?([a-z_]+)/g
/** Words after `update` that are no table, as in `for update of` or `on conflict do update set`. */
const noTable = new Set(['of', 'set', 'skip', 'nowait', 'only'])

export interface Write {
  table: string
  /** The path relative to the server's sources. */
  file: string
}

/** Tables that are written by a slice that doesn't own them, by file, with the reason. */
export const foreignWriters: Record<string, { tables: readonly string[]; why: string }> = {
  'campaigns/campaigns.sql.ts': { tables: ['planning'], why: 'Delivery knows campaigns, which wake it.' },
  'campaigns/purge.sql.ts': {
    tables: ['claims', 'message_contents', 'message_heads'],
    why: 'Delivery knows campaigns, which take their messages along when they are deleted.',
  },
  'campaigns/test-remains.sql.ts': {
    tables: ['test_messages', 'forwards', 'claims', 'message_contents', 'message_heads'],
    why: 'What users sent to themselves or forwarded goes with the campaign that it was written for.',
  },
  'campaigns/leads/lead-moves.sql.ts': {
    tables: ['claims', 'sender_days', 'campaign_days', 'campaign_domain_days', 'message_heads', 'message_contents'],
    why: 'A lead that stops takes back what is claimed for it and has not left, in the same transaction.',
  },
  'campaigns/leads/stop-leads.sql.ts': {
    tables: ['claims', 'sender_days', 'campaign_days', 'campaign_domain_days', 'message_heads', 'message_contents'],
    why: 'As one lead that stops, many take back what is claimed for them and has not left.',
  },
  'campaigns/paths/planned-tasks.sql.ts': {
    tables: ['tasks'],
    why: 'A plan that moves a lead opens or skips its task in the same transaction.',
  },
  'campaigns/paths/tasks.sql.ts': {
    tables: ['tasks'],
    why: 'The end of a lead cancels its tasks in the same transaction.',
  },
  'campaigns/steering/hand-over.sql.ts': {
    tables: ['threads'],
    why: 'What was said with a person goes along to the lead that it has become, in the same transaction.',
  },
  'composition/account-end.sql.ts': {
    tables: ['accounts', 'claims'],
    why: 'An account goes with all that it has: first by the doors, then table by table.',
  },
  'delivery/record/record.sql.ts': {
    tables: ['lead_progress'],
    why: 'What left and where its lead stands are of one statement.',
  },
  'platform/audit/audit.sql.ts': {
    tables: ['audit_entries', 'audit_unsealed'],
    why: 'Entries are written where handlers are called, and where people sign in; the slice seals and shows them.',
  },
  'platform/backup/catalog.sql.ts': {
    tables: ['settings'],
    why: 'A restore brings all tables back, and holds sending in the same transaction.',
  },
  'platform/db/history.sql.ts': {
    tables: ['settings'],
    why: 'Connections note which history of the database they see, and hold sending where it is another.',
  },
  'people/erasure-elsewhere.sql.ts': {
    tables: [
      'lead_progress',
      'events',
      'import_rows',
      'finder_reveals',
      'sandbox_messages',
      'signals',
      'contacts',
      'exchanges',
      'verification_addresses',
      'address_checks',
      'meetings',
      'claims',
      'message_heads',
      'message_contents',
      'list_members',
      'lists',
      'taggings',
      'exports',
      'export_files',
      'export_chunks',
    ],
    why: 'Erasing a person reaches everything that knows of it, in one transaction.',
  },
  'people/erasure.sql.ts': {
    tables: [
      'events',
      'claims',
      'message_heads',
      'message_contents',
      'test_messages',
      'forwards',
      'threads',
      'meetings',
      'decisions',
      'step_drafts',
      'tasks',
      'generations',
      'lead_profiles',
      'lead_progress',
      'campaigns',
    ],
    why: 'Erasing a person reaches everything that knows of it, in one transaction.',
  },
  'sandbox/clock.sql.ts': {
    tables: ['planning'],
    why: 'Moving the clock holds the planner’s lease, in the statement that begins the run.',
  },
  'sending-accounts/reconnect.sql.ts': {
    tables: ['mailboxes'],
    why: 'A login that changed is tried at once; the inbox knows senders.',
  },
  'sending-accounts/sender-users.sql.ts': {
    tables: ['campaigns', 'lead_progress', 'message_heads', 'message_contents', 'threads'],
    why: 'A sender that is replaced is replaced everywhere at once; all of these know senders.',
  },
  'tasks/simulation.sql.ts': {
    tables: ['sandbox_clocks'],
    why: 'The test clock completes tasks, and its row says when.',
  },
  'team/sessions.sql.ts': { tables: ['rate_windows'], why: 'A session’s requests are counted as a key’s are.' },
}

/** The migrations, in order. */
export function migrationTexts(): string[] {
  return readdirSync(migrations)
    .toSorted()
    .map((name) => readFileSync(join(migrations, name), 'utf8'))
}

/** The slice that owns each table: the first word of the table's comment in the migrations. */
export function tableOwners(texts: readonly string[]): Map<string, string> {
  return new Map(
    texts.flatMap((text) => Array.from(text.matchAll(owned), ([, table = '', slice = '']) => [table, slice])),
  )
}

/** Tables whose comment names an unknown slice. */
export function tablesOfNobody(owners: ReadonlyMap<string, string>): string[] {
  const rooms = [platform, composition, ...Object.keys(knows)]
  return [...owners].filter(([, slice]) => !rooms.includes(slice)).map(([table, slice]) => `${table}: ${slice}`)
}

/** Writes to other slices' tables that are not in the plan, and planned writes that don't exist. */
export function unplannedWrites(modules: readonly Module[], owners: ReadonlyMap<string, string>): string[] {
  const found = modules.flatMap((module) => foreignWrites(module, owners)).map(({ file, table }) => `${file}: ${table}`)
  const planned = Object.entries(foreignWriters).flatMap(([file, { tables }]) =>
    tables.map((table) => `${file}: ${table}`),
  )
  return [...found.filter((one) => !planned.includes(one)), ...planned.filter((one) => !found.includes(one))].sort()
}

/** Names of statements in the comments of migrations. */
export function namedStatements(texts: readonly string[]): string[] {
  const comments = texts.flatMap((text) => text.split('\n').filter((line) => line.startsWith('--')))
  const inParentheses = comments.flatMap((line) =>
    Array.from(line.matchAll(/\(([a-z]\w*[A-Z][\w, ]*)\)/g), ([, names = '']) => names),
  )
  return [...new Set(inParentheses.flatMap((names) => names.split(', ')))]
}

/** The named statements that no file contains. */
export function missingStatements(named: readonly string[], modules: readonly Module[]): string[] {
  const statements = modules.filter(({ path }) => findRole(path) === 'sql').map(({ text }) => text)
  return named.filter((name) => !statements.some((text) => text.includes(`function ${name}(`)))
}

/** Writes of a module to tables of other slices. */
export function foreignWrites(module: Module, owners: ReadonlyMap<string, string>): Write[] {
  const room = findRoom(module.path)
  if (room === null || findRole(module.path) !== 'sql' || isTest(module)) return []
  const tables = Array.from(module.text.matchAll(write), ([, table = '']) => table)
  const foreign = new Set(
    tables.filter((table) => !noTable.has(table) && owners.has(table) && owners.get(table) !== room),
  )
  return [...foreign].map((table) => ({ table, file: module.path.slice(server.length + 1) }))
}
