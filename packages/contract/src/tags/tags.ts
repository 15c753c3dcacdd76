import { z } from 'zod'
import { bulkIds, deleted, id, listOf, namedObject, pageQuery, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'

export const tagsMax = 1_000
export const taggedAtOnceMax = 100

/** Controls, line breaks and characters that are not seen or that mirror a text. Emojis have joiners, selectors and tag characters. */
const unseen =
  /(?!\u200c|\u200d|\ufe0e|\ufe0f|[\u{e0020}-\u{e007f}])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u
const seen = /[\p{L}\p{N}\p{P}\p{S}]/u

export const tagName = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .refine((name) => seen.test(name) && !unseen.test(name), 'Remove line breaks and invisible characters.')

export const tag = namedObject('Tag', {
  id: z.string(),
  name: z.string(),
  createdAt: timestamp,
})
export type Tag = z.infer<typeof tag>

/** The ids of the tags of a resource, in its answers. */
export const tagIds = z
  .array(z.string())
  .meta({ description: 'The tags of this resource, by id. See `POST /v2/tags/:id/assign`.' })
/** The query parameter of lists whose resources can have tags. */
export const tagFilter = { tagId: id.optional().meta({ description: 'Only what has this tag.' }) }

const taggedIds = namedObject('TaggedIds', {
  ids: bulkIds(taggedAtOnceMax).meta({
    description:
      'Ids of campaigns, people and sending accounts. The id of a campaign lead, or an address, stands for its person.',
  }),
})
const results = namedObject('TagResults', {
  results: z.array(
    namedObject('TagResult', {
      id: z.string(),
      outcome: z.enum(['changed', 'unchanged', 'not_found']),
    }),
  ),
})
export type TagResults = z.infer<typeof results>

const area = { environment: 'both', tag: 'Tags', success: [200] } as const

export const tagEndpoints = {
  listTags: endpoint({
    ...area,
    operationId: 'listTags',
    call: 'tags.list',
    method: 'GET',
    path: '/v2/tags',
    scope: 'read',
    summary: 'List tags',
    description: 'By name.',
    query: z.strictObject(pageQuery),
    output: listOf(tag),
  }),
  createTag: endpoint({
    ...area,
    operationId: 'createTag',
    call: 'tags.create',
    method: 'POST',
    path: '/v2/tags',
    scope: 'write',
    summary: 'Create a tag',
    description: 'A name is used once, in upper or lower case. There are 1,000 tags at most.',
    body: namedObject('CreateTagInput', { name: tagName }),
    success: [201],
    output: tag,
    examples: { body: { name: 'Trade fair' } },
  }),
  getTag: endpoint({
    ...area,
    operationId: 'getTag',
    call: 'tags.get',
    method: 'GET',
    path: '/v2/tags/:id',
    scope: 'read',
    summary: 'Get a tag',
    description: 'Returns the name of a tag. What has the tag is found by the filter `tagId` of each list.',
    output: tag,
    errors: ['NOT_FOUND'],
  }),
  updateTag: endpoint({
    ...area,
    operationId: 'updateTag',
    call: 'tags.update',
    method: 'PUT',
    path: '/v2/tags/:id',
    scope: 'write',
    summary: 'Rename a tag',
    description: 'Everything that has the tag keeps it.',
    body: namedObject('UpdateTagInput', {
      name: tagName.optional(),
      id: z.string().optional(),
      createdAt: z.string().optional(),
    }),
    output: tag,
    errors: ['NOT_FOUND'],
    examples: { body: { name: 'Trade fair 2026' } },
  }),
  deleteTag: endpoint({
    ...area,
    operationId: 'deleteTag',
    call: 'tags.delete',
    method: 'DELETE',
    path: '/v2/tags/:id',
    scope: 'write',
    summary: 'Delete a tag',
    description: 'Removes the tag from everything that has it, and changes nothing else.',
    output: deleted,
    errors: ['NOT_FOUND'],
  }),
  assignTag: endpoint({
    ...area,
    operationId: 'assignTag',
    call: 'tags.assign',
    method: 'POST',
    path: '/v2/tags/:id/assign',
    scope: 'write',
    summary: 'Assign a tag',
    description: 'Gives the tag to campaigns, people and sending accounts. Returns a result per id.',
    body: taggedIds,
    itemsField: 'ids',
    output: results,
    errors: ['NOT_FOUND'],
    examples: {
      body: { ids: ['cmp_1m3q8z0c0n7t5w2k9x'] },
      output: { results: [{ id: 'cmp_1m3q8z0c0n7t5w2k9x', outcome: 'changed' }] },
    },
  }),
  unassignTag: endpoint({
    ...area,
    operationId: 'unassignTag',
    call: 'tags.unassign',
    method: 'POST',
    path: '/v2/tags/:id/unassign',
    scope: 'write',
    summary: 'Unassign a tag',
    description: 'Takes the tag from campaigns, people and sending accounts. Returns a result per id.',
    body: taggedIds,
    itemsField: 'ids',
    output: results,
    errors: ['NOT_FOUND'],
    examples: {
      body: { ids: ['cmp_1m3q8z0c0n7t5w2k9x'] },
      output: { results: [{ id: 'cmp_1m3q8z0c0n7t5w2k9x', outcome: 'changed' }] },
    },
  }),
}
