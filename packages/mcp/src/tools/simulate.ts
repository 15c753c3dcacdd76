import { z } from 'zod'
import { facts, tool } from '../tool.ts'

/** Only available in the test environment, where no real mail is sent. */
export const simulate = tool({
  name: 'simulate',
  title: 'Advance the test clock',
  description:
    'Advances the clock of the test environment. Campaigns run, simulated prospects reply. Returns what happened.',
  needs: 'clock',
  input: z.strictObject({
    by: z.string().max(20).optional().describe('such as 3d, 12h or 30m'),
    to: z.string().max(40).optional().describe('a time, instead of by'),
  }),
  async run({ overture }, { by, to }) {
    return facts(
      await overture.sandbox.clock.advance({ ...(by !== undefined && { by }), ...(to !== undefined && { to }) }),
    )
  },
})
