import { notFound } from '@overture/contract/errors.ts'
import type { Transaction } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { hasActiveUser } from './owners.sql.ts'

interface Ownership {
  ownerId: string | null
}

/** Throws 404 unless the new owner is an active user of the account. An unchanged owner is accepted. */
export async function assertOwnerExists(
  tx: Transaction,
  tenant: Tenant,
  { ownerId }: Ownership,
  before: Ownership,
): Promise<void> {
  if (ownerId === null || ownerId === before.ownerId) return
  if (!(await hasActiveUser(tx, tenant.accountId, ownerId))) throw notFound()
}
