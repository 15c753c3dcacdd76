import type { Module } from './source.ts'

const statement = /`\s*(select\s[^`$]*?\sfrom\s|insert into\s|update \w+ (\w+ )?set\s|delete from\s|with \w+ as \()/
const clock =
  /(?<![\w.])(?:now|clock_timestamp|statement_timestamp|transaction_timestamp)\(\)|\bcurrent_(?:timestamp|date)\b/

/** Files whose statements use real time even if the tenant has its own clock: leases, retention, limits. */
export const clockReaders: readonly string[] = [
  'api-keys/api-nodes.sql.ts',
  'composition/account-end.sql.ts',
  'credits/credits.sql.ts',
  'delivery/plan/claims.sql.ts',
  'delivery/plan/direct.sql.ts',
  'delivery/plan/lease.sql.ts',
  'delivery/record/recover.sql.ts',
  'delivery/send/gate.sql.ts',
  'inbox/mailboxes/mailboxes.sql.ts',
  'inbox/mailboxes/sharing.sql.ts',
  'lead-finder/store/finder-store.sql.ts',
  'platform/db/clock-skew.sql.ts',
  'platform/imports/uploads.sql.ts',
  'platform/jobs/claims.sql.ts',
  'platform/jobs/jobs.sql.ts',
  'sandbox/clock.sql.ts',
  'sending-accounts/reconnect.sql.ts',
  'suppressions/suppressions.sql.ts',
  'webhooks/deliveries.sql.ts',
  'webhooks/dispatch.sql.ts',
  'webhooks/webhooks.sql.ts',
]

export function statementOutsideSql({ text }: Module): boolean {
  return statement.test(text)
}

export function readsDatabaseClock({ text }: Module): boolean {
  return clock.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ''))
}

const leaseAgainstParameter = /lease_until\s*(?:=|<>|<=?|>=?)\s*\$\d+|\$\d+\S*\s*(?:<=?|>=?)\s*(?:\w+\.)?lease_until/
const leaseEnds = /lease_until\s*=(?!\s*(?:null|excluded|to_timestamp\(0\)|case when \$\d then lease_until end))/
const leaseBegins = /insert into [^(]*\([^)]*lease_until/

/** Statements that set or compare the end of a lease with a node's time. Clocks of nodes differ. */
export function leasesByNodeClock({ text }: Module): string[] {
  const written = [...text.matchAll(/`[^`]*lease_until[^`]*`/g)].map(([whole]) => whole)
  return written.filter((whole) => {
    const sets = leaseEnds.test(whole) || leaseBegins.test(whole)
    return leaseAgainstParameter.test(whole) || (sets && !clock.test(whole) && !whole.includes('${inMs('))
  })
}

const statusList = /'pending',\s*'active'/
const statusListHomes = ['packages/contract/src/vocabularies.ts', 'packages/ground/src/lead-statuses.ts']

/** Finds lists of lead statuses that are written out. They have one home, because the same list once had two meanings. */
export function statusLists({ path, text }: Module): string[] {
  return statusList.test(text) && !statusListHomes.includes(path) ? [`${path}: write waitingList or openList`] : []
}

/** The largest number of parallel lists in one statement. */
const listsMax = 4
const listsInSql = /\bunnest\(([^()]*)\)/g
/** Five lines that are each one field of every row, as the formatter writes them. */
const listsOfFields = /(?:^ *[\w.]+\.map\(.*\),\n){5}/m

/** Whether a statement has more parallel lists. Two swapped lists of one type would compile. */
export function hasParallelLists({ text }: Module): boolean {
  const widths = Array.from(text.matchAll(listsInSql), ([, lists = '']) => lists.split(',').length)
  return widths.some((width) => width > listsMax) || listsOfFields.test(text)
}
