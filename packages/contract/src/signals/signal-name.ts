import { z } from 'zod'

/** `crm.deal_won`; those that this service makes itself begin with where they come from, too. */
export const signalName = z.string().regex(/^[a-z0-9_.]{1,64}$/, 'Use 1 to 64 of a-z, 0-9, _ and a full stop.')
