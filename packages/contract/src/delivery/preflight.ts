import { z } from 'zod'
import { blockedReason } from '../campaigns/leads.ts'
import { calendarDate, namedObject, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { senderWarningCodes } from '../sending-accounts/domain-health.ts'

/** Warnings that don't prevent a campaign from starting, but that the user should read before. */
export const preflightWarnings = [
  'missing_variable',
  'unknown_variable',
  'sender_not_healthy',
  'authentication',
  'replies_not_read',
  'overlap',
  'step_never_reached',
  'contact_policy',
  'address_check',
  'opt_out_header_only',
  'tracking_consent',
  'privacy_notice',
  'other_spelling',
  'task_without_assignee',
  'task_without_phone',
  'task_never_expires',
  ...senderWarningCodes,
] as const

const blocker = namedObject('Blocker', {
  code: z.string(),
  message: z.string(),
  ref: z.string().nullable().meta({ description: 'The id of the object to fix, or null.' }),
})

const preflightWarning = namedObject('PreflightWarning', {
  code: z.enum(preflightWarnings),
  message: z.string(),
  ref: z
    .string()
    .nullable()
    .meta({
      description:
        'A variable, the gate of the contact policy, a country (ISO 3166), a missing field of a privacy notice, or the id of a ' +
        'sending account, a step or another campaign.',
    }),
  count: z.number().int().nullable().meta({ description: 'How many leads it is about; null where it is about none.' }),
})
export type PreflightWarning = z.infer<typeof preflightWarning>

/** The largest number of leads that a preflight names for one reason. */
export const leftOutLeadsMax = 10

const preflightRecipients = namedObject('PreflightRecipients', {
  count: z.number().int().meta({
    description: 'Leads that get at least one message. A lead that only a limit or a sending window holds is counted.',
  }),
  firstMessageAt: timestamp.nullable().meta({ description: 'When the forecast sends the first message.' }),
  leftOut: z.array(
    namedObject('LeftOutLeads', {
      reason: blockedReason,
      count: z.number().int(),
      leads: z
        .array(
          namedObject('LeftOutLead', {
            id: z.string(),
            email: z.string(),
            missingVariables: z.array(z.string()).meta({ description: 'Variables without a value and a default.' }),
          }),
        )
        .meta({ description: `The first ${leftOutLeadsMax} of them.` }),
    }),
  ),
  partial: z.boolean().meta({ description: 'Whether the campaign has more leads than the forecast reads.' }),
})
export type PreflightRecipients = z.infer<typeof preflightRecipients>

export const preflight = namedObject('Preflight', {
  ready: z.boolean(),
  blockers: z.array(blocker),
  warnings: z.array(preflightWarning),
  recipients: preflightRecipients,
  capacityPerDay: z
    .number()
    .int()
    .meta({
      description:
        'Messages that the sending accounts could send on the day with the longest sending window, within their ' +
        'limits and gaps and the limit of the campaign.',
    }),
  finishesOn: calendarDate.nullable().meta({ description: 'As in the forecast.' }),
})
export type Preflight = z.infer<typeof preflight>

export const preflightEndpoints = {
  getPreflight: endpoint({
    operationId: 'getPreflight',
    call: 'campaigns.preflight',
    method: 'GET',
    path: '/v2/campaigns/:id/preflight',
    environment: 'both',
    scope: 'read',
    tag: 'Campaigns',
    summary: 'Run preflight checks',
    description:
      'Lists all blockers of a start and all warnings: missing values, variables that no lead has, ' +
      'sending accounts whose mail may be treated as spam or whose replies are not read, leads that are also in ' +
      'another campaign, and steps that no lead reaches. ' +
      '`recipients` counts the leads that get a message, and names those that get none. ' +
      'Works in every status and changes nothing.',
    success: [200],
    output: preflight,
    errors: ['NOT_FOUND'],
  }),
}
