import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { deleteStrandedBudget } from '../budgets/recipient-budgets.sql.ts'
import { updateMailboxesLost } from '../reconnect.sql.ts'
import { readerNoticesMs } from '../sending-accounts.commands.ts'
import {
  countConnectionSenders,
  deleteTenantConnection,
  lockTenantConnection,
  replaceConnection,
  updateRefusedSendersDue,
} from './tenant-connections.sql.ts'

/** Deletes a connection. Throws 404, or 409 with the number of its sending accounts, unless `replaceWith` takes them over. */
export async function removeConnection(
  tx: Transaction,
  tenant: Tenant,
  id: string,
  { replaceWith, now }: { replaceWith: string | undefined; now: Date },
): Promise<void> {
  if (replaceWith === id)
    throw invalid({ path: 'replaceWith', rule: 'other', message: 'Choose another tenant connection.' })
  const locked = new Map<string, Awaited<ReturnType<typeof lockTenantConnection>>>()
  // Locks are taken in the same order in all transactions, which prevents deadlocks.
  for (const connectionId of [id, ...(replaceWith === undefined ? [] : [replaceWith])].toSorted())
    locked.set(connectionId, await lockTenantConnection(tx, tenant, connectionId))
  const connection = locked.get(id) ?? null
  if (connection === null) throw notFound()
  if (replaceWith === undefined) {
    await assertUnused(tx, tenant, id)
  } else {
    const other = locked.get(replaceWith) ?? null
    if (other === null) throw notFound()
    const serves =
      other.access === 'application' &&
      other.provider === connection.provider &&
      other.organization === connection.organization
    if (!serves) {
      const message = 'Choose a connection that logs in mailboxes of the same organization.'
      throw invalid({ path: 'replaceWith', rule: 'organization', message })
    }
    const moved = await replaceConnection(tx, tenant, id, replaceWith)
    await updateMailboxesLost(tx, tenant, moved, readerNoticesMs)
    if (tenant.environment === 'live') await updateRefusedSendersDue(tx, tenant, replaceWith, now)
  }
  await deleteTenantConnection(tx, tenant, id)
  await deleteStrandedBudget(tx, tenant, connection.organization)
}

async function assertUnused(tx: Transaction, tenant: Tenant, id: string): Promise<void> {
  const count = await countConnectionSenders(tx, tenant, id)
  if (count === 0) return
  const message =
    `${count} sending ${count === 1 ? 'account logs' : 'accounts log'} in through this connection. Set replaceWith to another ` +
    'connection of the organization, or delete these sending accounts first.'
  throw new AppError('CONFLICT', message, {
    currentStatus: 'in_use',
    allowedActions: [],
    blockers: [{ code: 'used_by_sending_accounts', message, ref: null }],
  })
}
