import { z } from 'zod'
import { namedObject, timestamp } from '../common.ts'
import { verificationModes, verificationReasons, verificationResults } from '../vocabularies.ts'

/** The addresses that a campaign writes to. */
export const verificationSettings = namedObject('VerificationSettings', {
  mode: z.enum(verificationModes).meta({
    description:
      'The addresses that the campaign does not write to: none, those that are undeliverable, also risky ones, or all that ' +
      'are not known to be deliverable.',
  }),
  roleAddresses: z.enum(['allow', 'block']).meta({
    description: 'Whether the campaign writes to role addresses, such as `info@`.',
  }),
})

export const verificationResult = z.enum(verificationResults).meta({ id: 'VerificationResult' })
export type VerificationResult = z.infer<typeof verificationResult>
export const verificationReason = z.enum(verificationReasons).meta({ id: 'VerificationReason' })
export type VerificationReason = z.infer<typeof verificationReason>

/** The last result of the address of a lead. */
export const leadVerification = namedObject('LeadVerification', {
  result: verificationResult,
  reasons: z.array(verificationReason),
  checkedAt: timestamp,
})
export type LeadVerification = z.infer<typeof leadVerification>

/** A result, or `none` for addresses without one. */
export const leadVerificationFilter = z.enum([...verificationResults, 'none'])
