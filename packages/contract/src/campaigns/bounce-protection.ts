import { z } from 'zod'
import { namedObject } from '../common.ts'

/** When a campaign pauses itself because its messages bounce. */
export const bounceProtection = namedObject('BounceProtection', {
  enabled: z.boolean(),
  maxBounceRate: z.number().min(0).max(1),
  minSent: z.number().int().min(1).max(1_000_000),
})
