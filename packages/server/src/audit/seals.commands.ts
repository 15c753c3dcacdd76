import { minuteMs } from '@overture/ground/time/spans.ts'
import { deleteMonthAcrossAccounts, listMonthsBeforeAcrossAccounts } from '../platform/events/months.sql.ts'
import type { App } from '../platform/app.ts'
import type { Database, Transaction } from '../platform/db/database.ts'
import { digestOfEntry, firstPrevious, hashOfSeal, type Seal, touchedIn, type AuditBreach } from './audit-entry.ts'
import { listAccountIdsOfMonthAcrossAccounts, listAuditEntriesById } from './audit-log.sql.ts'
import {
  deleteUnsealed,
  findDroppedBefore,
  findLastSeal,
  insertSeal,
  listEntriesWithoutSeal,
  listSeals,
  listUnsealed,
  listUnsealedAccountIdsAcrossAccounts,
  lockSeals,
} from './seals.sql.ts'

const entriesPerSealMax = 1_000
const sealsAtOnce = 100
/** After this time, sealing has certainly seen an entry. */
const sealedAfterMs = 5 * minuteMs

/** Seals the entries written since the last call, account by account. Returns the number of seals. */
export async function sealEntries(app: Pick<App, 'db' | 'log'>, now: Date): Promise<number> {
  let seals = 0
  for (const accountId of await listUnsealedAccountIdsAcrossAccounts(app.db)) {
    for (let more = true; more; seals++) more = await sealOnce(app, accountId, now)
  }
  return seals
}

async function sealOnce({ db, log }: Pick<App, 'db' | 'log'>, accountId: string, now: Date): Promise<boolean> {
  const hash = await db.transaction(async (tx) => {
    await lockSeals(tx, accountId)
    const waiting = await listUnsealed(tx, accountId, entriesPerSealMax)
    if (waiting.length === 0) return null
    const ids = waiting.map(({ id }) => id)
    const rows = new Map((await listAuditEntriesById(tx, accountId, ids)).map((row) => [row.id, row]))
    // An entry that was deleted before it was sealed is reported as missing: its seal contains its id.
    const digests = ids.map((id) => (rows.has(id) ? digestOfEntry(rows.get(id)!) : firstPrevious))
    const positions = waiting.map(({ position }) => position)
    await deleteUnsealed(tx, accountId, positions)
    return appendSeal(tx, accountId, { ids, digests: Buffer.concat(digests), droppedBefore: null, now })
  })
  // An operator who keeps this log elsewhere can compare the hashes, and detect a rebuilt chain.
  if (hash !== null) log.info({ event: 'audit.sealed', accountId, hash: hash.toString('hex') })
  return hash !== null
}

async function appendSeal(
  tx: Transaction,
  accountId: string,
  { now, ...rest }: { ids: string[]; digests: Buffer; droppedBefore: Date | null; now: Date },
): Promise<Buffer> {
  const last = await findLastSeal(tx, accountId)
  const seal = {
    ...rest,
    accountId,
    number: (last?.number ?? 0) + 1,
    sealedAt: now,
    previous: last?.hash ?? firstPrevious,
  }
  const hash = hashOfSeal(seal)
  await insertSeal(tx, { ...seal, hash })
  return hash
}

/** Drops months that ended before `before`. Writes a seal about each drop first. Returns the names of the months. */
export async function dropOldMonths(app: Pick<App, 'db' | 'log'>, before: Date, now: Date): Promise<string[]> {
  const dropped: string[] = []
  for (const { name, end } of await listMonthsBeforeAcrossAccounts(app.db, 'audit_entries', before)) {
    await sealEntries(app, now)
    await app.db.transaction(async (tx) => {
      for (const accountId of await listAccountIdsOfMonthAcrossAccounts(tx, name)) {
        await lockSeals(tx, accountId)
        await appendSeal(tx, accountId, { ids: [], digests: Buffer.alloc(0), droppedBefore: end, now })
      }
      await deleteMonthAcrossAccounts(tx, name)
    })
    dropped.push(name)
  }
  return dropped
}

interface Verification {
  accountId: string
  seals: number
  entries: number
  /** The first change that was found; null if nothing was changed. */
  touched: AuditBreach | null
  /** Entries without a seal: inserted without the log's functions, or removed from the list of entries that wait for a seal. */
  unsealed: string[]
  /** The hash of the newest seal, to compare with a copy that was kept elsewhere. */
  hash: string | null
}

/** Verifies the whole chain of an account, oldest first. */
export async function verifyAuditLog(db: Database, accountId: string, now: Date): Promise<Verification> {
  const droppedBeforeMs = (await findDroppedBefore(db, accountId))?.getTime() ?? 0
  let before: Pick<Seal, 'number' | 'hash'> = { number: 0, hash: firstPrevious }
  const result: Verification = { accountId, seals: 0, entries: 0, touched: null, unsealed: [], hash: null }
  for (;;) {
    const seals = await listSeals(db, accountId, { after: before.number, limit: sealsAtOnce })
    for (const seal of seals) {
      const rows = await listAuditEntriesById(db, accountId, seal.ids)
      result.touched = touchedIn(seal, before, new Map(rows.map((row) => [row.id, row])), droppedBeforeMs)
      if (result.touched !== null) return result
      before = seal
      result.seals++
      result.entries += rows.length
      result.hash = seal.hash.toString('hex')
    }
    if (seals.length < sealsAtOnce) break
  }
  const since = { before: new Date(now.getTime() - sealedAfterMs), limit: sealsAtOnce }
  return { ...result, unsealed: await listEntriesWithoutSeal(db, accountId, since) }
}
