import { invalid, notFound } from '@overture/contract/errors.ts'
import { changedReadOnly } from '@overture/contract/read-only.ts'
import { type Tag, tagsMax, type TagResults } from '@overture/contract/tags/tags.ts'
import type { Transaction } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import type { Tenant } from '../platform/tenant.ts'
import {
  countTags,
  deleteTag,
  deleteTaggings,
  findOtherTagByName,
  findTag,
  insertTag,
  insertTaggings,
  lockTaggedObjects,
  type TagRow,
  updateTagName,
} from './tags.sql.ts'

export function presentTag({ id, name, createdAt }: TagRow): Tag {
  return { id, name, createdAt: createdAt.toISOString() }
}

export async function createTag(
  tx: Transaction,
  tenant: Tenant,
  { name, now }: { name: string; now: Date },
): Promise<TagRow> {
  if ((await countTags(tx, tenant)) >= tagsMax)
    throw invalid({ path: 'name', rule: 'max', message: `There are ${tagsMax} tags already. Delete one first.` })
  const row = await insertTag(tx, tenant, { id: newId('tag'), name, now })
  if (row === undefined) throw nameTaken((await findOtherTagByName(tx, tenant, { id: null, name }))?.name ?? name)
  return row
}

export async function renameTag(
  tx: Transaction,
  tenant: Tenant,
  {
    id,
    input,
  }: { id: string; input: { name?: string | undefined; id?: string | undefined; createdAt?: string | undefined } },
): Promise<TagRow> {
  const row = await findTag(tx, tenant, id)
  if (row === undefined) throw notFound()
  const found = changedReadOnly({ ...presentTag(row) }, input, ['id', 'createdAt'])
  if (found.length > 0) throw invalid(...found)
  const { name } = input
  if (name === undefined || name === row.name) return row
  const other = await findOtherTagByName(tx, tenant, { id, name })
  if (other) throw nameTaken(other.name)
  const renamed = await updateTagName(tx, tenant, { id, name })
  if (renamed === undefined) throw notFound()
  return renamed
}

export async function removeTag(tx: Transaction, tenant: Tenant, id: string) {
  if ((await deleteTag(tx, tenant, id)) === 0) throw notFound()
  return { id, deleted: true as const }
}

/** Gives the tag to each of the resources, or takes it from them. */
export async function changeTagged(
  tx: Transaction,
  tenant: Tenant,
  { tagId, ids, change }: { tagId: string; ids: readonly string[]; change: 'assign' | 'unassign' },
): Promise<TagResults> {
  if ((await findTag(tx, tenant, tagId)) === undefined) throw notFound()
  const found = await lockTaggedObjects(tx, tenant, ids)
  const objects = [...new Map(found.map((object) => [object.id, object])).values()]
  const changed = new Set(await (change === 'assign' ? insertTaggings : deleteTaggings)(tx, tenant, { tagId, objects }))
  const objectByGivenId = new Map(found.map(({ givenId, id }) => [givenId, id]))
  return {
    results: ids.map((id) => {
      const object = objectByGivenId.get(id)
      if (object === undefined) return { id, outcome: 'not_found' }
      return { id, outcome: changed.delete(object) ? 'changed' : 'unchanged' }
    }),
  }
}

/** Gives tags to a new campaign, and creates those that do not exist. Returns the indexes of names for which there is no room. */
export async function giveTags(
  tx: Transaction,
  tenant: Tenant,
  { campaignId, names, now }: { campaignId: string; names: readonly string[]; now: Date },
): Promise<number[]> {
  const missing: number[] = []
  for (const [index, name] of names.entries()) {
    const tag = await findOrCreateTag(tx, tenant, { name, now })
    const objects = [{ givenId: campaignId, kind: 'campaign' as const, id: campaignId }]
    if (tag === undefined) missing.push(index)
    else await insertTaggings(tx, tenant, { tagId: tag.id, objects })
  }
  return missing
}

async function findOrCreateTag(
  tx: Transaction,
  tenant: Tenant,
  { name, now }: { name: string; now: Date },
): Promise<TagRow | undefined> {
  const found = await findOtherTagByName(tx, tenant, { id: null, name })
  if (found !== undefined || (await countTags(tx, tenant)) >= tagsMax) return found
  // Another request may have created it since.
  return (
    (await insertTag(tx, tenant, { id: newId('tag'), name, now })) ?? findOtherTagByName(tx, tenant, { id: null, name })
  )
}

function nameTaken(name: string) {
  return invalid({ path: 'name', rule: 'unique', message: `There is a tag "${name}" already.` })
}
