import { sealedColumns } from '../../../packages/server/src/composition/secrets.shell.ts'
import { deleteRowsOfAccount } from '../../../packages/server/src/composition/account-end.sql.ts'
import {
  listSealedWithOtherKeysAcrossAccounts,
  updateSealed,
} from '../../../packages/server/src/composition/secrets.sql.ts'
import { listGroups } from '../../../packages/server/src/analytics/groups.sql.ts'
import { appendEvents, type NewEvent } from '../../../packages/server/src/platform/events/events.sql.ts'
import { countEvents, listEvents, type FeedFilter } from '../../../packages/server/src/platform/events/feed.sql.ts'
import { createMonthsAcrossAccounts } from '../../../packages/server/src/platform/events/months.sql.ts'
import { upsertListEntries } from '../../../packages/server/src/suppressions/list-entries.sql.ts'
import { listDueTestJobs } from '../../../packages/server/src/platform/jobs/claims.sql.ts'
import { createTenantClocks } from '../../../packages/server/src/platform/tenant-clocks.sql.ts'
import type { Executor, Transaction } from '../../../packages/server/src/platform/db/database.ts'
import { groupDimensions } from '../../../packages/contract/src/vocabularies.ts'
import type { SentStatement } from './texts.ts'

const tenant = { accountId: 'acc_check', environment: 'test' } as const
const at = new Date('2026-01-01T00:00:00.000Z')
const range = {
  timezone: 'UTC',
  from: null,
  to: null,
  campaignId: null,
  sendingAccountId: null,
  tagId: null,
  groupsMax: 10,
}
const event: NewEvent = { type: 'campaign.completed', occurredAt: at }
const listImport = { list: 'check', importId: 'check', importedAt: at }
const listEntry = { id: 'check', email: null, domain: null, sha256: null, reason: null, expiresAt: null }
const place = { txId: '1', position: 1 }

/** Each filter of the log alone, and all of them at once. */
const filters: readonly Partial<FeedFilter>[] = [
  {},
  { campaignId: 'check' },
  { leadId: 'check' },
  { type: 'check' },
  { from: at },
  { to: at },
  { after: place },
  { campaignId: 'check', leadId: 'check', type: 'check', from: at, to: at, after: place },
]

interface CallByHand {
  /** The file and the function. */
  named: string
  run: (db: Transaction) => Promise<unknown>
  /** SQL literals for the parameters, if the text needs certain ones. */
  values?: readonly string[]
}

/** Calls with real arguments, for functions whose text depends on them. */
const calls: readonly CallByHand[] = [
  {
    named: 'composition/account-end.sql.ts: deleteRowsOfAccount',
    run: (db) => deleteRowsOfAccount(db, tenant.accountId, { table: 'jobs', limit: 10 }),
    values: [`'${tenant.accountId}'`, `'jobs'`, '10'],
  },
  // The text for more than six events reads lists.
  ...[2, 3, 4, 5, 6, 7].map((count) => ({
    named: 'platform/events/events.sql.ts: appendEvents',
    run: (db: Executor) => appendEvents(db, tenant, Array<NewEvent>(count).fill(event)),
  })),
  ...(['now', 'hold'] as const).map((method) => ({
    named: `platform/tenant-clocks.sql.ts: ${method}`,
    run: (db: Transaction) => createTenantClocks({ now: () => at })[method](db, tenant),
  })),
  ...(['events', 'audit_entries'] as const).map((table) => ({
    named: 'platform/events/months.sql.ts: createMonthsAcrossAccounts',
    run: (db: Executor) => createMonthsAcrossAccounts(db, table, at),
  })),
  ...(['asc', 'desc'] as const).flatMap((order) =>
    filters.flatMap((filter) => [
      {
        named: 'platform/events/feed.sql.ts: listEvents',
        run: (db: Executor) => listEvents(db, tenant, { limit: 10, order, ...filter }),
      },
      {
        named: 'platform/events/feed.sql.ts: countEvents',
        run: (db: Executor) => countEvents(db, tenant, { limit: 10, order, ...filter }),
      },
    ]),
  ),
  ...groupDimensions.flatMap((dimension) =>
    [[dimension], ['campaign' as const, dimension]].map((groupBy) => ({
      named: 'analytics/groups.sql.ts: listGroups',
      run: (db: Executor) => listGroups(db, tenant, { ...range, groupBy }),
    })),
  ),
  ...[null, Buffer.alloc(1)].map((hash) => ({
    named: 'suppressions/list-entries.sql.ts: upsertListEntries',
    run: (db: Executor) => upsertListEntries(db, tenant, { ...listImport, entries: [{ ...listEntry, hash }] }),
  })),
  ...[1, 2, 3].map((count) => ({
    named: 'platform/jobs/claims.sql.ts: listDueTestJobs',
    run: (db: Executor) =>
      listDueTestJobs(db, tenant.accountId, { kinds: Array<string>(count).fill('check'), now: at, limit: 10 }),
  })),
  ...sealedColumns.flatMap((column) => {
    const row = { ...tenant, key: column.key.map(() => 'check'), sealed: Buffer.alloc(1) }
    return [
      ...[null, row].map((after) => ({
        named: 'composition/secrets.sql.ts: listSealedWithOtherKeysAcrossAccounts',
        run: (db: Executor) =>
          listSealedWithOtherKeysAcrossAccounts(db, column, { keyId: Buffer.alloc(4), after, limit: 10 }),
      })),
      {
        named: 'composition/secrets.sql.ts: updateSealed',
        run: (db: Executor) => updateSealed(db, tenant, { column, row, sealed: Buffer.alloc(1) }),
      },
    ]
  }),
]

/** The texts that the calls send. */
export async function statementsByHand(): Promise<SentStatement[]> {
  const statements: SentStatement[] = []
  for (const { named, run, values } of calls) {
    const before = statements.length
    const note = (text: string, preparedAs: string | undefined): number =>
      statements.push({ name: `packages/server/src/${named}`, text, preparedAs, isByHand: true, values })
    // No row is returned, so the function may fail after its query.
    await Promise.resolve(run(recorder(note))).catch(() => undefined)
    if (statements.length === before) throw new Error(`${named} sends nothing.`)
  }
  return statements
}

function recorder(note: (text: string, preparedAs: string | undefined) => unknown): Transaction {
  const refuse = (): never => {
    throw new Error('A call by hand only queries.')
  }
  return {
    query: <Row>(text: string, _values?: readonly unknown[], preparedAs?: string) => {
      note(text, preparedAs)
      return Promise.resolve<Row[]>([])
    },
    execute: (text, _values, preparedAs) => {
      note(text, preparedAs)
      return Promise.resolve(0)
    },
    beforeCommit: refuse,
    afterCommit: refuse,
    wake: refuse,
    copyFrom: refuse,
  }
}
