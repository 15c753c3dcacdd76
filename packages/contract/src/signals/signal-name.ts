import { z } from 'zod'

/** A name such as `crm.deal_won`. Names of signals that this service makes also begin with their source. */
export const signalName = z.string().regex(/^[a-z0-9_.]{1,64}$/, 'Use 1 to 64 of a-z, 0-9, _ and a full stop.')
