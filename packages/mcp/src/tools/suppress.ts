import { z } from 'zod'
import { facts, tool } from '../tool.ts'

export const suppress = tool({
  name: 'suppress',
  title: 'Suppress an address or domain',
  description: 'Nothing more is sent to it. Only a user can remove the suppression.',
  needs: 'write',
  destructive: true,
  input: z.strictObject({
    email: z.string().max(320).optional(),
    domain: z.string().max(253).optional(),
    reason: z.string().max(200).optional(),
  }),
  async run({ overture }, { email, domain, reason }) {
    return facts(
      await overture.suppressions.create({
        ...(email !== undefined && { email }),
        ...(domain !== undefined && { domain }),
        ...(reason !== undefined && { reason }),
      }),
    )
  },
})
