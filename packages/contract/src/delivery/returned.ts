import { z } from 'zod'
import { bulkIds, namedObject } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { returnedReasons } from '../vocabularies.ts'

/** Why a message was returned for a reason that is not the recipient's. */
export const returnedBecause = z.enum(returnedReasons).meta({ id: 'ReturnedBecause' })
export type ReturnedBecause = z.infer<typeof returnedBecause>

export const resolveReturnedMax = 1_000

export const resolveReturnedInput = z
  .strictObject({
    action: z.enum(['send_again', 'skip']),
    leadIds: bulkIds(resolveReturnedMax).optional(),
    all: z.literal(true).optional(),
  })
  .refine(({ leadIds, all }) => (leadIds === undefined) !== (all === undefined), {
    message: 'Send either leadIds or all.',
    path: ['leadIds'],
  })
  .meta({ id: 'ResolveReturnedInput' })
export type ResolveReturnedInput = z.output<typeof resolveReturnedInput>

export const resolveReturnedOutput = namedObject('ResolveReturnedResult', {
  resolved: z.number().int().meta({ description: 'How many leads no longer wait for this decision.' }),
  skipped: z.record(z.string(), z.number().int()).meta({
    description: 'Reasons why leads were not changed, each with the number of leads: `not_returned`.',
  }),
  more: z
    .boolean()
    .meta({ description: 'The call reached its limit, and more leads may wait. Send the same request again.' }),
})
export type ResolveReturnedOutput = z.infer<typeof resolveReturnedOutput>

export const returnedEndpoints = {
  resolveReturned: endpoint({
    operationId: 'resolveReturned',
    call: 'campaigns.returned.resolve',
    method: 'POST',
    path: '/v2/campaigns/:id/returned/resolve',
    environment: 'both',
    scope: 'write',
    tag: 'Campaigns',
    summary: 'Resolve returned messages',
    description:
      'Decides about messages that were returned because of their sender. `send_again` makes the step due again; `skip` continues ' +
      'with the next step. At most 1,000 leads per call. `send_again` opens a completed campaign again.',
    body: resolveReturnedInput,
    itemsField: 'leadIds',
    success: [200],
    output: resolveReturnedOutput,
    errors: ['NOT_FOUND'],
    examples: { body: { action: 'send_again', all: true }, output: { resolved: 120, skipped: {}, more: false } },
  }),
}
