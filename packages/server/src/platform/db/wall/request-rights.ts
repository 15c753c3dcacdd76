/**
 * What requests may write. They read every table. Tables of an account are theirs to change, within the account. All other tables
 * are written outside of the wall: settings, migrations, failures to sign in, what Stripe told.
 */

/** Tables without an account that requests write all the same: they count and continue calls of people-data providers. */
export const sharedTables = ['finder_provider_usage', 'finder_scroll_tokens']

/** Requests only add to these tables, so that nobody can change what was logged about them. */
export const appendedTables = ['audit_entries', 'audit_seals', 'audit_unsealed']

/** The columns of users that requests change. Users are added, given a role and deleted outside of the wall. */
export const userColumns = [
  'last_seen_at',
  'name',
  'oidc_issuer',
  'oidc_subject',
  'password_hash',
  'preferences',
  'recovery_digests',
  'totp_confirmed_at',
  'totp_last_step',
  'totp_secret',
]

export type TableRight = 'select' | 'insert' | 'update' | 'delete'
export const tableRights: readonly TableRight[] = ['select', 'insert', 'update', 'delete']

interface WalledTable {
  name: string
  isView: boolean
  hasAccount: boolean
}

/** Returns the rights of requests to a whole table. */
export function rightsTo({ name, isView, hasAccount }: WalledTable): readonly TableRight[] {
  if (name === 'users') return ['select']
  if (name.startsWith('audit_')) return appendedTables.includes(name) ? ['select', 'insert'] : ['select']
  // A view of two tables can't be changed. PostgreSQL asks for the right to update before it locks rows.
  if (isView) return ['select', 'update']
  return hasAccount || sharedTables.includes(name) ? tableRights : ['select']
}
