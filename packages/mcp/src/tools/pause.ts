import { z } from 'zod'
import { facts, tool } from '../tool.ts'

/** Stopping needs no confirmation. */
export const pause = tool({
  name: 'pause',
  title: 'Pause',
  description: 'Pauses a campaign or one of its leads immediately.',
  needs: 'write',
  input: z.strictObject({ campaignId: z.string(), leadId: z.string().optional() }),
  async run({ overture }, { campaignId, leadId }) {
    if (leadId === undefined) {
      const { id, status } = await overture.campaigns.pause(campaignId)
      return facts({ campaignId: id, status })
    }
    const { id, status } = await overture.campaigns.leads.update(campaignId, leadId, { status: 'paused' })
    return facts({ campaignId, leadId: id, status })
  },
})
