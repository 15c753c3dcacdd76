import { z } from 'zod'
import { facts, refusal, tool, type ToolContext } from '../tool.ts'

const idsMax = 100
const tagsPerPage = 100

export const tag = tool({
  name: 'tag',
  title: 'Tag',
  description: 'Gives a tag to campaigns, people or sending accounts, or removes it. A new name creates a tag.',
  needs: 'write',
  input: z.strictObject({
    tag: z.string().describe('Id or name'),
    ids: z.array(z.string()).min(1).max(idsMax),
    remove: z.boolean().default(false),
  }),
  async run({ overture }, { tag: given, ids, remove }) {
    const found = await findTag(overture, given)
    if (found === null && (remove || looksLikeId.test(given)))
      return refusal(`There is no tag ${given}. Find tags with find and what: tags.`)
    const { id, name } = found ?? (await overture.tags.create({ name: given }))
    const { results } = await overture.tags[remove ? 'unassign' : 'assign'](id, { ids })
    const having = (outcome: string) => results.filter((one) => one.outcome === outcome)
    return facts({
      tag: { id, name, ...(found === null && { created: true }) },
      changed: having('changed').length,
      unchanged: having('unchanged').length,
      notFound: having('not_found').map(({ id: unknown }) => unknown),
    })
  },
})

const looksLikeId = /^tag_[0-9a-z]+$/

async function findTag(overture: ToolContext['overture'], given: string): Promise<{ id: string; name: string } | null> {
  const name = given.trim().toLowerCase()
  for await (const one of overture.tags.list({ limit: tagsPerPage }))
    if (one.id === given || one.name.toLowerCase() === name) return one
  return null
}
