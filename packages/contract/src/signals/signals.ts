import { z } from 'zod'
import {
  checkedLater,
  domainName,
  email,
  id,
  listOf,
  namedObject,
  pageQuery,
  timestamp,
  timestampInput,
} from '../common.ts'
import { signalName } from './signal-name.ts'
import { endpoint } from '../endpoint.ts'

export const signalsAtOnceMax = 1_000
const valueLengthMax = 500
/** The clocks of other systems may run ahead of the server clock by this much. */
export const signalAheadMsMax = 5 * 60_000

const value = z.union([z.string().max(valueLengthMax), z.number(), z.boolean()])

/** One item. The command checks each item separately. */
export const signalInput = z
  .strictObject({
    name: signalName,
    email: email.optional().meta({ description: 'A person, in all campaigns.' }),
    domain: domainName.optional().meta({ description: 'A company. The signal is about all of its leads.' }),
    leadId: id.max(64).optional().meta({ description: 'One lead of one campaign.' }),
    value: value.optional(),
    occurredAt: timestampInput.optional().meta({ description: 'When it happened. The default is now.' }),
    dedupeKey: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'A signal with an existing key is a duplicate.' }),
  })
  .refine(
    ({ email: one, domain, leadId }) => [one, domain, leadId].filter((given) => given !== undefined).length === 1,
    {
      message: 'Send one of email, domain and leadId.',
      path: ['email'],
    },
  )
  .meta({ id: 'SignalInput' })
export type SignalInput = z.infer<typeof signalInput>

export const sendSignalsInput = namedObject('SendSignalsInput', {
  signals: z.array(checkedLater(signalInput)).min(1).max(signalsAtOnceMax),
})

export const signalOutcomes = ['accepted', 'duplicate', 'unknown', 'invalid'] as const
export type SignalOutcome = (typeof signalOutcomes)[number]

const result = namedObject('SignalResult', {
  index: z.number().int(),
  outcome: z.enum(signalOutcomes).meta({ id: 'SignalOutcome' }),
  message: z.string().nullable().meta({ description: 'Why an item is invalid.' }),
  id: z.string().nullable().meta({ description: 'The id of an accepted signal.' }),
  matchedLeads: z.number().int().meta({ description: 'Leads that the signal is about, 10,000 at most.' }),
})
export type SignalResult = z.infer<typeof result>

export const sendSignalsOutput = namedObject('SendSignalsResults', {
  accepted: z.number().int(),
  duplicates: z.number().int(),
  unknown: z.number().int().meta({ description: 'Signals that match no lead. They are not stored.' }),
  invalid: z.number().int(),
  results: z.array(result),
})
export type SendSignalsOutput = z.infer<typeof sendSignalsOutput>

export const signal = namedObject('Signal', {
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  domain: z.string().nullable(),
  leadId: z.string().nullable(),
  value: value.nullable(),
  occurredAt: timestamp,
  dedupeKey: z.string().nullable(),
  createdAt: timestamp,
})
export type Signal = z.infer<typeof signal>

const tag = 'Signals'

export const signalEndpoints = {
  sendSignals: endpoint({
    operationId: 'sendSignals',
    call: 'signals.send',
    method: 'POST',
    path: '/v2/signals',
    environment: 'both',
    scope: 'write',
    tag,
    summary: 'Record signals',
    description:
      'Records what a CRM, a product or a workflow knows about leads: they became customers, asked for a trial, opened ' +
      'a ticket. Campaigns with the name in `settings.stopOnSignals` immediately stop the leads that a signal is ' +
      'about, even if a message is already queued. Returns a result per item. One bad item never fails the call.',
    body: sendSignalsInput,
    itemsField: 'signals',
    success: [200],
    output: sendSignalsOutput,
    examples: {
      body: {
        signals: [
          { name: 'crm.deal_won', domain: 'acme.example.com', dedupeKey: 'deal-4711' },
          { name: 'product.signed_up', email: 'ada@example.com', value: 'pro' },
        ],
      },
    },
  }),
  listSignals: endpoint({
    operationId: 'listSignals',
    call: 'signals.list',
    method: 'GET',
    path: '/v2/signals',
    environment: 'both',
    scope: 'read',
    tag,
    summary: 'List signals',
    description: 'Newest first. Signals are kept for 400 days, or until their person is erased.',
    query: z.strictObject({
      ...pageQuery,
      name: signalName.optional(),
      email: email.optional(),
      domain: domainName.optional(),
      leadId: id
        .optional()
        .meta({ description: 'All signals about this lead, by its id, its address or its company.' }),
    }),
    success: [200],
    output: listOf(signal),
  }),
}
