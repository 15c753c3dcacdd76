import { z } from 'zod'
import { facts, tool } from '../tool.ts'

const shownMax = 25

/** Read-only: an assistant can't know whether a person was called. */
export const tasks = tool({
  name: 'tasks',
  title: 'Tasks',
  description: 'Lists what people do for leads: calls, LinkedIn, emails by hand. The earliest due first.',
  needs: 'read',
  input: z.strictObject({
    status: z.enum(['open', 'done', 'skipped', 'canceled']).default('open'),
    campaignId: z.string().optional(),
    leadId: z.string().optional(),
    dueBefore: z.string().optional().describe('ISO time'),
    limit: z.int().min(1).max(shownMax).default(10),
    cursor: z.string().optional(),
  }),
  async run({ overture }, { status, limit, campaignId, leadId, dueBefore, cursor }) {
    const page = await overture.tasks.list({
      status,
      limit,
      ...(campaignId !== undefined && { campaignId }),
      ...(leadId !== undefined && { leadId }),
      ...(dueBefore !== undefined && { dueBefore }),
      ...(cursor !== undefined && { cursor }),
    })
    return facts({ results: page.results, nextCursor: page.nextCursor, total: page.pagination.totalCount })
  },
})
