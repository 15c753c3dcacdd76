import { AppError, notFound } from '@overture/contract/errors.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { hideEmptyThread } from './arrivals.sql.ts'
import { updateAwaiting } from './awaiting.sql.ts'
import { deleteUngatedClaims } from './scheduled.sql.ts'
import { deleteWaitingReply, lockThreadMessage } from './withdraw.sql.ts'

/** Deletes a waiting reply without a trace. Throws 409 for every other message. */
export async function withdrawReply(
  tx: Transaction,
  tenant: Tenant,
  key: { threadId: string; messageId: string },
): Promise<{ id: string; deleted: true }> {
  const message = await lockThreadMessage(tx, tenant, key)
  if (message === undefined) throw notFound()
  await deleteUngatedClaims(tx, tenant, [key.messageId])
  if ((await deleteWaitingReply(tx, tenant, key.messageId)) === 0) {
    const isLeaving = message.kind === 'manual' && message.status === 'queued'
    const currentStatus = isLeaving ? 'sending' : message.status
    throw new AppError('CONFLICT', 'Only a queued reply can be withdrawn.', {
      currentStatus,
      allowedActions: [],
    })
  }
  await updateAwaiting(tx, tenant, key.threadId)
  await hideEmptyThread(tx, tenant, key.threadId)
  return { id: key.messageId, deleted: true }
}
