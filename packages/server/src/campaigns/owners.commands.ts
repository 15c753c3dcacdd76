import { notFound } from '@overture/contract/errors.ts'
import type { Transaction } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { hasActiveUser } from './owners.sql.ts'

interface Ownership {
  ownerId: string | null
}

/** Refuses as missing whoever is nobody here, or may not come in; who it was already may be sent back. */
export async function assertOwnerExists(
  tx: Transaction,
  tenant: Tenant,
  { ownerId }: Ownership,
  before: Ownership,
): Promise<void> {
  if (ownerId === null || ownerId === before.ownerId) return
  if (!(await hasActiveUser(tx, tenant.accountId, ownerId))) throw notFound()
}
