import { AppError } from '@overture/contract/errors.ts'
import type { Transaction } from '../platform/db/database.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { CampaignContent } from './campaign.ts'
import { lockFollowedList } from './followed-list.sql.ts'

/** The job that makes the members of a list leads of the campaign that follows it. */
export const followJobKind = 'lists.follow'

type ListSettings = Pick<CampaignContent, 'settings'>

/** The list stays at least until the end of the transaction. A list that was followed before may be sent back unchanged. */
export async function assertListExists(
  tx: Transaction,
  tenant: Tenant,
  after: ListSettings,
  before: ListSettings,
): Promise<void> {
  const listId = newListId(after, before)
  if (listId !== null && !(await lockFollowedList(tx, tenant, listId)))
    throw new AppError('NOT_FOUND', 'settings.followsListId: there is no list with this id.')
}

export async function beginFollowing(
  tx: Transaction,
  tenant: Tenant,
  { id, after, before, now }: { id: string; after: ListSettings; before: ListSettings; now: Date },
): Promise<void> {
  if (newListId(after, before) === null) return
  await enqueueJob(tx, { kind: followJobKind, tenant, payload: { campaignId: id }, runAt: now, key: id })
}

function newListId(after: ListSettings, before: ListSettings): string | null {
  const { followsListId } = after.settings
  return followsListId === before.settings.followsListId ? null : followsListId
}
