import { z } from 'zod'
import { namedObject } from '../common.ts'
import { verificationModes } from '../vocabularies.ts'

/** The addresses that a campaign writes to. */
export const verificationSettings = namedObject('VerificationSettings', {
  mode: z.enum(verificationModes).meta({
    description:
      'The addresses that the campaign does not write to: none, those that are undeliverable, also risky ones, or all that ' +
      'are not known to be deliverable.',
  }),
  roleAddresses: z.enum(['allow', 'block']).meta({
    description: 'Whether the campaign writes to addresses of a function, such as `info@`.',
  }),
})
