import { createHash } from 'node:crypto'
import type { AuditActor } from '@overture/contract/team/audit.ts'
import type { Erasure, KeptData } from '@overture/contract/people/erasures.ts'
import type { Secrets } from '../platform/crypto/secrets.shell.ts'

const purpose = 'erasure'

/** The numbers of rows by table that were deleted, or from which the person was removed. */
export type RemovedRows = Readonly<Record<string, number>>

/** The stored record of an erasure. `completedAt` and `seal` are null while texts that mention the address are searched. */
export interface ErasureRow {
  id: string
  at: Date
  completedAt: Date | null
  actorType: AuditActor['type']
  actorId: string | null
  actorName: string | null
  subjectHash: Buffer
  removed: RemovedRows
  kept: KeptData[]
  seal: string | null
}

/** All that an erasure keeps, with the reason. Source: docs/law-by-country.md. */
export const keptData: readonly KeptData[] = [
  {
    what: 'A keyed hash of the address on the suppression list.',
    why: 'Nothing is sent to this address again, even after an import.',
  },
  {
    what: 'The Message-IDs of sent messages, each with a keyed hash of the address.',
    why: 'Links in mail that the person still has must work, such as the link to opt out.',
  },
  {
    what: 'Events of the leads, without address, name and texts.',
    why: 'The counts of the campaigns stay correct.',
  },
  {
    what: 'The cost of AI texts, without the texts.',
    why: 'The credits of the account stay explained.',
  },
  {
    what: 'Entries of the audit log, without fields of the person.',
    why: 'They prove who used the account, and that the person was erased.',
  },
  {
    what: 'Backups, downloaded files and logs outside of this database.',
    why: 'Overture cannot reach them. Delete them by your own rules.',
  },
]

export function addRemoved(counts: readonly RemovedRows[]): RemovedRows {
  const sums = new Map<string, number>()
  for (const rows of counts)
    for (const [table, count] of Object.entries(rows)) if (count > 0) sums.set(table, (sums.get(table) ?? 0) + count)
  return Object.fromEntries([...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

export function sealErasure(secrets: Pick<Secrets, 'signToken'>, row: ErasureRow): string {
  return secrets.signToken(purpose, [digestErasure(row)])
}

export function presentErasure(secrets: Pick<Secrets, 'verifyToken'>, row: ErasureRow): Erasure {
  const { id, at, completedAt, seal, kept } = row
  return {
    id,
    status: completedAt === null ? 'running' : 'completed',
    at: at.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
    actor: { type: row.actorType, id: row.actorId, name: row.actorName },
    subjectHash: row.subjectHash.toString('hex'),
    removed: row.removed,
    kept,
    seal,
    intact: seal === null ? null : secrets.verifyToken(purpose, seal)?.[0] === digestErasure(row),
  }
}

/** The tables are sorted, because the database does not keep the order of an object's keys. */
function digestErasure(row: ErasureRow): string {
  const fields = [
    row.id,
    row.at.toISOString(),
    row.completedAt?.toISOString() ?? null,
    row.actorType,
    row.actorId,
    row.actorName,
    row.subjectHash.toString('hex'),
    Object.entries(row.removed).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    row.kept.map(({ what, why }) => [what, why]),
  ]
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex')
}
