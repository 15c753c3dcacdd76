import type { Transaction } from '../../platform/db/database.ts'
import { deleteSendingHold } from '../../platform/db/history.sql.ts'
import { listClaimingAccountsAcrossAccounts, updateClaimsInDoubt } from './recover.sql.ts'

/**
 * Resumes live mail after a person has compared what was sent with what is recorded. Claims are in doubt, because they may have
 * been sent in the lost history. Returns their number, or null if sending was not held.
 */
export async function resumeAfterRestore(tx: Transaction, now: Date): Promise<number | null> {
  if (!(await deleteSendingHold(tx))) return null
  let doubted = 0
  for (const accountId of await listClaimingAccountsAcrossAccounts(tx))
    doubted += await updateClaimsInDoubt(tx, accountId, { now, leaseEnded: false })
  return doubted
}
