import { z } from 'zod'
import { namedObject } from '../common.ts'

export const ignoredMailMax = 20

/** A rule for the mail of another tool. `contains` is compared without case; `header` is any line of the message's header. */
export const ignoredMail = namedObject('IgnoredMail', {
  in: z.enum(['header', 'subject', 'body']),
  contains: z
    .string()
    .trim()
    .min(3)
    .max(200)
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'Must be one line without control characters.'),
})
export type IgnoredMail = z.infer<typeof ignoredMail>
