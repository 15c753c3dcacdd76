import type { Transaction } from '../../platform/db/database.ts'
import { deleteSendingHold } from '../../platform/db/history.sql.ts'
import { listClaimingAccountsAcrossAccounts, updateClaimsInDoubt } from './recover.sql.ts'

/**
 * Somebody has compared what was sent with what is known here: live mail goes on. What was claimed is in doubt: it may
 * have left by a history that was lost. Answers how much that is; null where nothing was held.
 */
export async function resumeAfterRestore(tx: Transaction, now: Date): Promise<number | null> {
  if (!(await deleteSendingHold(tx))) return null
  let doubted = 0
  for (const accountId of await listClaimingAccountsAcrossAccounts(tx))
    doubted += await updateClaimsInDoubt(tx, accountId, { now, leaseEnded: false })
  return doubted
}
