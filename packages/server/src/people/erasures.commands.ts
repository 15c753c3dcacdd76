import type { Secrets } from '../platform/crypto/secrets.shell.ts'
import type { Transaction } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { removeExports } from './erasure-elsewhere.sql.ts'
import { addRemoved, sealErasure } from './erasure-proof.ts'
import { lockErasure, updateRemoved, updateSealed } from './erasures.sql.ts'
import { updateMentions } from './mentions.sql.ts'

/** Removes the address from the texts of a table, and adds their number to the proof. */
export async function forgetIn(
  tx: Transaction,
  tenant: Tenant,
  { id, table, spellings }: { id: string; table: string; spellings: readonly string[] },
): Promise<void> {
  const count = await updateMentions(tx, tenant, { table, spellings })
  const row = count === 0 ? null : await lockErasure(tx, tenant, id)
  if (row === null) return
  await updateRemoved(tx, tenant, { id, removed: addRemoved([row.removed, { [table]: count }]) })
}

/** Completes and seals the proof. A job that is repeated changes nothing. */
export async function completeErasure(
  tx: Transaction,
  tenant: Tenant,
  { id, now, secrets }: { id: string; now: Date; secrets: Pick<Secrets, 'signToken'> },
): Promise<void> {
  const row = await lockErasure(tx, tenant, id)
  if (row === null || row.seal !== null) return
  // An export that began before all texts were searched may contain the address.
  const removed = addRemoved([row.removed, await removeExports(tx, tenant)])
  await updateRemoved(tx, tenant, { id, removed })
  const seal = sealErasure(secrets, { ...row, removed, completedAt: now })
  await updateSealed(tx, tenant, { id, completedAt: now, seal })
}
