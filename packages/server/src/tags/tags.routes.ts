import { notFound } from '@overture/contract/errors.ts'
import { tagEndpoints as api } from '@overture/contract/tags/tags.ts'
import { answerList, type CursorKey } from '../platform/http/paging.ts'
import { command, query, type Route } from '../platform/http/route.ts'
import { changeTagged, createTag, presentTag, removeTag, renameTag } from './tags.commands.ts'
import { countTags, findTag, listTags, type TagPlace, type TagRow } from './tags.sql.ts'

const byName: CursorKey<TagRow, TagPlace> = {
  of: ({ nameKey }) => [nameKey],
  read: ([nameKey, ...rest]) => (typeof nameKey === 'string' && rest.length === 0 ? { nameKey } : null),
}

export function tagRoutes(): Route[] {
  return [
    query(api.listTags, ({ app, tenant }, { query: listQuery }) =>
      answerList(listQuery, {
        key: byName,
        list: (range) => listTags(app.db, tenant, range),
        count: (seen) => seen ?? countTags(app.db, tenant),
        present: (rows) => rows.map(presentTag),
      }),
    ),
    command(api.createTag, async ({ tenant, now }, { body }, tx) =>
      presentTag(await createTag(tx, tenant, { name: body.name, now })),
    ),
    query(api.getTag, async ({ app, tenant }, { params }) => {
      const row = await findTag(app.db, tenant, params.id)
      if (row === undefined) throw notFound()
      return presentTag(row)
    }),
    command(api.updateTag, async ({ tenant }, { params, body }, tx) =>
      presentTag(await renameTag(tx, tenant, { id: params.id, input: body })),
    ),
    command(api.deleteTag, ({ tenant }, { params }, tx) => removeTag(tx, tenant, params.id)),
    command(api.assignTag, ({ tenant }, { params, body }, tx) =>
      changeTagged(tx, tenant, { tagId: params.id, ids: body.ids, change: 'assign' }),
    ),
    command(api.unassignTag, ({ tenant }, { params, body }, tx) =>
      changeTagged(tx, tenant, { tagId: params.id, ids: body.ids, change: 'unassign' }),
    ),
  ]
}
