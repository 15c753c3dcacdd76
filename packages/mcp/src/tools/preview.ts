import { z } from 'zod'
import { facts, tool } from '../tool.ts'

export const preview = tool({
  name: 'preview',
  title: 'Preview',
  description: 'Shows a message as one lead would get it. Sends nothing.',
  needs: 'write',
  input: z.strictObject({
    campaignId: z.string(),
    leadId: z.string(),
    stepId: z.string().optional(),
    variantId: z.string().optional(),
  }),
  async run({ overture }, { campaignId, leadId, stepId, variantId }) {
    const message = await overture.campaigns.preview(campaignId, {
      leadId,
      ...(stepId !== undefined && { stepId }),
      ...(variantId !== undefined && { variantId }),
    })
    const { stepId: step, variantId: variant, sendingAccountId, subject, text } = message
    return facts({ stepId: step, variantId: variant, sendingAccountId, subject, text })
  },
})
