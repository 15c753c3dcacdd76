import type { Step } from '@overture/contract/campaigns/campaigns.ts'
import { notFound } from '@overture/contract/errors.ts'
import type { Transaction } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { hasActiveUser } from './owners.sql.ts'

interface Ownership {
  ownerId: string | null
}

/** Throws 404 unless each new assignee of a task step is an active user of the account. */
export async function assertAssigneesExist(
  tx: Transaction,
  tenant: Tenant,
  after: readonly Pick<Step, 'assigneeId'>[],
  before: readonly Pick<Step, 'assigneeId'>[],
): Promise<void> {
  const known = new Set(before.map(({ assigneeId }) => assigneeId))
  for (const ownerId of new Set(after.map(({ assigneeId }) => assigneeId)))
    if (!known.has(ownerId)) await assertOwnerExists(tx, tenant, { ownerId }, { ownerId: null })
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
