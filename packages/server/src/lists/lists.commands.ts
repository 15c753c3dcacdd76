import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import {
  type CreateListInput,
  listsMax,
  type PersonList,
  type UpdateListInput,
} from '@overture/contract/lists/lists.ts'
import { changedReadOnly } from '@overture/contract/read-only.ts'
import { groupBy } from '@overture/ground/group-by.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import type { Tenant } from '../platform/tenant.ts'
import { type FollowerRow, listFollowers } from './follows.sql.ts'
import { countLists, deleteList, findList, insertList, type ListRow, lockList, updateList } from './lists.sql.ts'

/** The lists with the campaigns that follow them. */
export async function presentLists(db: Executor, tenant: Tenant, rows: readonly ListRow[]): Promise<PersonList[]> {
  const followers = await listFollowers(
    db,
    tenant,
    rows.map(({ id }) => id),
  )
  const byList = groupBy(followers, ({ listId }) => listId)
  return rows.map((row) => presentList(row, byList.get(row.id) ?? []))
}

function presentList(row: ListRow, followers: readonly FollowerRow[]): PersonList {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    memberCount: row.memberCount,
    followers: followers.map(({ listId: _listId, ...follower }) => follower),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export async function getList(db: Executor, tenant: Tenant, id: string): Promise<PersonList> {
  const row = await findList(db, tenant, id)
  if (row === undefined) throw notFound()
  return presentList(row, await listFollowers(db, tenant, [id]))
}

export async function createList(
  tx: Transaction,
  tenant: Tenant,
  { input, now }: { input: CreateListInput; now: Date },
): Promise<PersonList> {
  if ((await countLists(tx, tenant, null)) >= listsMax)
    throw invalid({ path: 'name', rule: 'max', message: `There are ${listsMax} lists already. Delete one first.` })
  const { name, description = '' } = input
  return presentList(await insertList(tx, tenant, { id: newId('lst'), name, description, now }), [])
}

const readOnly = ['id', 'memberCount', 'followers', 'createdAt', 'updatedAt']

export async function changeList(
  tx: Transaction,
  tenant: Tenant,
  { id, input, now }: { id: string; input: UpdateListInput; now: Date },
): Promise<PersonList> {
  const row = await lockList(tx, tenant, id)
  if (row === undefined) throw notFound()
  const found = changedReadOnly(presentList(row, await listFollowers(tx, tenant, [id])), input, readOnly)
  if (found.length > 0) throw invalid(...found)
  const { name = row.name, description = row.description } = input
  await updateList(tx, tenant, { id, name, description, now })
  return getList(tx, tenant, id)
}

const namesShownMax = 5

/** A list that a campaign follows is kept, so that no campaign waits for people who never come. */
export async function removeList(tx: Transaction, tenant: Tenant, id: string) {
  const row = await lockList(tx, tenant, id)
  if (row === undefined) throw notFound()
  const followers = await listFollowers(tx, tenant, [id])
  if (followers.length > 0) {
    const names = followers.slice(0, namesShownMax).map(({ campaignName }) => `"${campaignName}"`)
    const more = followers.length > namesShownMax ? ` and ${followers.length - namesShownMax} more` : ''
    const message = `Campaigns follow this list: ${names.join(', ')}${more}. Set their settings.followsListId to null first.`
    throw new AppError('CONFLICT', message, { currentStatus: 'followed', allowedActions: [] })
  }
  await deleteList(tx, tenant, id)
  return { id, deleted: true as const }
}
