import { z } from 'zod'
import { id, listOf, namedObject, pageQuery, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { verificationReason, verificationResult } from './verification-settings.ts'

export { verificationReason, verificationResult }
export type { VerificationReason, VerificationResult } from './verification-settings.ts'

export const addressesAtOnceMax = 1_000
/** How long the evidence of a mail server or of a provider counts. */
export const checkDays = 90

/** The origin of the evidence. `simulation` is the test environment. */
export const verificationSources = ['rules', 'history', 'zerobounce', 'neverbounce', 'bouncer', 'simulation'] as const
const verificationSource = z.enum(verificationSources).meta({ id: 'VerificationSource' })
export type VerificationSource = z.infer<typeof verificationSource>

const count = z.number().int()
const nullableText = z.string().nullable()

const counts = {
  total: count.meta({ description: 'Addresses found so far. Final when the status is `completed`.' }),
  deliverable: count,
  risky: count,
  undeliverable: count,
  unknown: count,
  creditsCharged: count,
}

export const verification = namedObject('AddressVerification', {
  id: z.string(),
  status: z.enum(['running', 'completed']),
  campaignId: nullableText.meta({ description: 'The campaign whose leads are verified, if it was given.' }),
  ...counts,
  createdAt: timestamp,
  completedAt: timestamp.nullable(),
})
export type AddressVerification = z.infer<typeof verification>

/** The fields of a result, null while the address is not checked. */
export const verifiedAddress = namedObject('VerifiedAddress', {
  email: z.string(),
  result: verificationResult.nullable(),
  reasons: z.array(verificationReason),
  suggestion: nullableText.meta({
    description: 'The address that was probably meant, if the domain has a typing error.',
  }),
  source: verificationSource.nullable(),
  checkedAt: timestamp.nullable(),
  creditsCharged: count,
})
export type VerifiedAddress = z.infer<typeof verifiedAddress>

const createVerificationInput = z
  .strictObject({
    emails: z.array(z.string().trim().min(1).max(320)).min(1).max(addressesAtOnceMax).optional(),
    campaignId: id
      .optional()
      .meta({ description: 'Verifies the leads of this campaign that can still get a message.' }),
  })
  .refine((body) => (body.emails === undefined) !== (body.campaignId === undefined), {
    message: 'Send either emails or campaignId.',
    path: ['emails'],
  })
  .meta({ id: 'CreateVerificationInput' })

const tag = 'Verification'
const exampleId = 'vrf_1m3q8z0c0n7t5w2k9x'
const running: AddressVerification = {
  id: exampleId,
  status: 'running',
  campaignId: null,
  total: 2,
  deliverable: 0,
  risky: 0,
  undeliverable: 0,
  unknown: 0,
  creditsCharged: 0,
  createdAt: '2026-03-02T09:30:00.000Z',
  completedAt: null,
}

export const verificationEndpoints = {
  createVerification: endpoint({
    operationId: 'createVerification',
    call: 'verifications.create',
    method: 'POST',
    path: '/v2/verifications',
    environment: 'both',
    scope: 'write',
    tag,
    summary: 'Verify addresses',
    description:
      'Checks up to 1,000 addresses, or the leads of a campaign, and returns at once. Read the progress with `GET ' +
      '/v2/verifications/:id`, or wait for the event `verification.completed`. An address that is listed twice is checked ' +
      'once. An invalid address is not an error: its result is `undeliverable` with the reason `syntax`. No mail server of ' +
      'a recipient is contacted.',
    body: createVerificationInput,
    success: [202],
    output: verification,
    errors: ['NOT_FOUND'],
    examples: { body: { emails: ['ada@example.com', 'info@example.com'] }, output: running },
  }),
  getVerification: endpoint({
    operationId: 'getVerification',
    call: 'verifications.get',
    method: 'GET',
    path: '/v2/verifications/:id',
    environment: 'both',
    scope: 'read',
    tag,
    summary: 'Get a verification',
    description: 'Returns the progress. Verifications are kept for 90 days.',
    success: [200],
    output: verification,
    errors: ['NOT_FOUND'],
    examples: {
      output: { ...running, status: 'completed', deliverable: 1, unknown: 1, completedAt: '2026-03-02T09:30:04.000Z' },
    },
  }),
  listVerificationResults: endpoint({
    operationId: 'listVerificationResults',
    call: 'verifications.results',
    method: 'GET',
    path: '/v2/verifications/:id/results',
    environment: 'both',
    scope: 'read',
    tag,
    summary: 'List the results of a verification',
    description:
      'By address. `result` is null while the address is not checked. `unknown` means that nothing is proven. `role` and ' +
      '`free_mail` are facts that change no result. One credit is charged for each definite result of a provider, and ' +
      'none for the rules, for your own history and for results that are stored.',
    query: z.strictObject({ ...pageQuery, result: verificationResult.optional() }),
    success: [200],
    output: listOf(verifiedAddress),
    errors: ['NOT_FOUND'],
  }),
}
