// Not imported from the indexes: the operator's commands need no model and should not load the libraries of all models.
import type { KeptWebhook } from '@overture/contract/team/users.ts'
import { updateCampaignsOfNobody } from '../campaigns/owners.sql.ts'
import { updateConversationsOfNobody } from '../delivery/messages/arrivals.sql.ts'
import type { Transaction } from '../platform/db/database.ts'
import { deleteDeliveriesToUser, updateReportsWithoutUser } from '../reports/reports.sql.ts'
import { updateTasksOfNobody } from '../tasks/tasks.sql.ts'
import type { TakenRight } from '../team/user.ts'
import { listWebhooksMadeBy } from '../webhooks/webhooks.sql.ts'

/**
 * Applies in other slices the loss of a user's right, as described in `team/user.ts`. Returns the webhooks that the user made,
 * which keep posting.
 */
export async function userLeft(
  tx: Transaction,
  accountId: string,
  { userId, right }: { userId: string; right: TakenRight },
): Promise<KeptWebhook[]> {
  if (right !== 'demoted') {
    await updateCampaignsOfNobody(tx, accountId, userId)
    await updateConversationsOfNobody(tx, accountId, userId)
    await updateTasksOfNobody(tx, accountId, userId)
  }
  // A disabled user stays a recipient and gets no mail, so that nothing is lost when they come back.
  if (right === 'removed') {
    await updateReportsWithoutUser(tx, accountId, userId)
    await deleteDeliveriesToUser(tx, accountId, userId)
  }
  return listWebhooksMadeBy(tx, accountId, userId)
}
