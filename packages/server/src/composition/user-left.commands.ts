// Not by their indexes: the operator's commands need no model, and would wait for the libraries of all of them.
import { updateCampaignsOfNobody } from '../campaigns/owners.sql.ts'
import { updateConversationsOfNobody } from '../delivery/messages/arrivals.sql.ts'
import type { Transaction } from '../platform/db/database.ts'

/** What was a user's who goes is nobody's from then on. */
export async function userLeft(tx: Transaction, accountId: string, userId: string): Promise<void> {
  await updateCampaignsOfNobody(tx, accountId, userId)
  await updateConversationsOfNobody(tx, accountId, userId)
}
