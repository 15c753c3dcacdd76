import { createHash } from 'node:crypto'
import type { AuditEntry } from '@overture/contract/team/audit.ts'
import { madeAtMs } from '@overture/ground/text/id-form.ts'

/** An entry as it is stored. */
export interface AuditRow {
  accountId: string
  position: number
  id: string
  at: Date
  environment: AuditEntry['environment']
  actorType: AuditEntry['actor']['type']
  actorId: string | null
  actorName: string | null
  action: string
  targetType: string | null
  targetId: string | null
  outcome: AuditEntry['outcome']
  ip: string | null
  userAgent: string | null
  requestId: string | null
  changes: AuditEntry['changes']
}

export function toAuditEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    environment: row.environment,
    actor: { type: row.actorType, id: row.actorId, name: row.actorName },
    action: row.action,
    target: { type: row.targetType, id: row.targetId },
    outcome: row.outcome,
    ip: row.ip,
    userAgent: row.userAgent,
    requestId: row.requestId,
    changes: row.changes,
  }
}

const digestBytes = 32

/** The digest of everything in an entry, including its account and its position. */
export function digestOfEntry(row: AuditRow): Buffer {
  const content = JSON.stringify([row.accountId, row.position, toAuditEntry(row)])
  return createHash('sha256').update(content).digest()
}

export interface Seal {
  accountId: string
  number: number
  sealedAt: Date
  ids: string[]
  /** Digests of the entries, 32 bytes each, in the order of `ids`. */
  digests: Buffer
  /** All entries before this time were dropped on schedule. Null for a seal of entries. */
  droppedBefore: Date | null
  previous: Buffer
  hash: Buffer
}

export const firstPrevious = Buffer.alloc(digestBytes)

/** The hash of a seal. It includes the previous hash, so it covers all earlier seals as well. */
export function hashOfSeal(seal: Omit<Seal, 'hash'>): Buffer {
  const { accountId, number, sealedAt, ids, droppedBefore } = seal
  const head = JSON.stringify([accountId, number, sealedAt.toISOString(), ids, droppedBefore?.toISOString() ?? null])
  return createHash('sha256').update(seal.previous).update(head).update(seal.digests).digest()
}

export interface AuditBreach {
  /** The id of the entry; null if the seal itself was changed. */
  id: string | null
  seal: number
  reason: 'changed' | 'missing' | 'seal_changed' | 'seal_missing'
}

/** Returns the first change found in a seal. `rows` are its entries as they are now. */
export function touchedIn(
  seal: Seal,
  before: { number: number; hash: Buffer },
  rows: ReadonlyMap<string, AuditRow>,
  droppedBeforeMs: number,
): AuditBreach | null {
  const { number } = seal
  if (number !== before.number + 1) return { id: null, seal: before.number + 1, reason: 'seal_missing' }
  if (!seal.previous.equals(before.hash) || !hashOfSeal(seal).equals(seal.hash))
    return { id: null, seal: number, reason: 'seal_changed' }
  for (const [index, id] of seal.ids.entries()) {
    const row = rows.get(id)
    const digest = seal.digests.subarray(index * digestBytes, (index + 1) * digestBytes)
    if (row === undefined && madeAtMs(id) >= droppedBeforeMs) return { id, seal: number, reason: 'missing' }
    if (row !== undefined && !digestOfEntry(row).equals(digest)) return { id, seal: number, reason: 'changed' }
  }
  return null
}
