import { z } from 'zod'
import { facts, tool } from '../tool.ts'

const idsMax = 100

export const tag = tool({
  name: 'tag',
  title: 'Tag',
  description: 'Gives a tag to campaigns, people or sending accounts, or removes it.',
  needs: 'write',
  input: z.strictObject({
    tagId: z.string(),
    ids: z.array(z.string()).min(1).max(idsMax),
    remove: z.boolean().default(false),
  }),
  async run({ overture }, { tagId, ids, remove }) {
    const { results } = await overture.tags[remove ? 'unassign' : 'assign'](tagId, { ids })
    const having = (outcome: string) => results.filter((one) => one.outcome === outcome)
    return facts({
      changed: having('changed').length,
      unchanged: having('unchanged').length,
      notFound: having('not_found').map(({ id }) => id),
    })
  },
})
