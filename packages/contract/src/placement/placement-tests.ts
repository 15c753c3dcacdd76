import { z } from 'zod'
import { id, listOf, namedObject, pageQuery, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'

export const placementSendersMax = 20
export const placementSeedsMax = 30
/** Placement tests of one environment that begin within a day. */
export const placementTestsPerDayMax = 50

export const placements = ['pending', 'inbox', 'tab', 'spam', 'missing'] as const
export const placement = z.enum(placements).meta({ id: 'Placement' })
export type Placement = z.infer<typeof placement>

/** The reasons why a result says nothing about the sender. Such results are not counted. */
export const placementProblems = ['not_sent', 'seed_unreadable', 'seed_deleted'] as const
const placementProblem = z.enum(placementProblems).meta({ id: 'PlacementProblem' })
export type PlacementProblem = z.infer<typeof placementProblem>

export const authenticationResults = [
  'pass',
  'fail',
  'softfail',
  'neutral',
  'none',
  'policy',
  'temperror',
  'permerror',
] as const
const authenticationResult = z.enum(authenticationResults).meta({ id: 'AuthenticationResult' })
export type AuthenticationResult = z.infer<typeof authenticationResult>

export const placementRepeats = ['none', 'weekly'] as const
const repeat = z.enum(placementRepeats).meta({ id: 'PlacementRepeat' })
export type PlacementRepeat = z.infer<typeof repeat>

/** The reasons why a weekly test ended. */
export const repeatEnds = ['user', 'sender_deleted', 'seeds_deleted', 'text_deleted', 'text_not_written'] as const
const repeatEnd = z.enum(repeatEnds).meta({ id: 'PlacementRepeatEnd' })
export type RepeatEnd = z.infer<typeof repeatEnd>

export const placementStatuses = ['running', 'completed'] as const

const count = z.number().int()
const counts = {
  pending: count,
  inbox: count,
  tab: count.meta({ description: 'In another category of Gmail, or in another folder than Inbox and spam.' }),
  spam: count,
  missing: count.meta({ description: 'Not found 30 minutes after the message was sent.' }),
  unknown: count.meta({ description: 'Results with a `problem`. They are in none of the other counts.' }),
}

export const placementTest = namedObject('PlacementTest', {
  id: z.string(),
  status: z.enum(placementStatuses).meta({ id: 'PlacementTestStatus' }),
  campaignId: z.string().nullable(),
  stepId: z.string().nullable(),
  variantId: z.string().nullable(),
  templateId: z.string().nullable(),
  leadId: z.string().nullable().meta({ description: 'The lead whose values the text has.' }),
  sendingAccountIds: z.array(z.string()),
  seedMailboxIds: z.array(z.string()),
  repeat,
  nextRunAt: timestamp.nullable().meta({ description: 'When the test is repeated, as a new test. Null: not again.' }),
  repeatEndedBecause: repeatEnd.nullable(),
  counts: namedObject('PlacementTestCounts', counts),
  createdAt: timestamp,
  completedAt: timestamp.nullable(),
})
export type PlacementTest = z.infer<typeof placementTest>

const result = authenticationResult.nullable()
export const placementResult = namedObject('PlacementResult', {
  id: z.string().meta({ description: 'The id of the message.' }),
  sendingAccountId: z.string(),
  from: z.string(),
  seedMailboxId: z.string(),
  to: z.string(),
  placement,
  problem: placementProblem.nullable().meta({ description: 'Why the result says nothing about the sender.' }),
  folder: z.string().nullable(),
  spf: result,
  dkim: result,
  dmarc: result,
  optOutSigned: z
    .boolean()
    .nullable()
    .meta({
      description:
        'Whether a DKIM signature that the receiver accepted covers List-Unsubscribe and List-Unsubscribe-Post (RFC 8058, section 4). ' +
        'Null if the receiver wrote no results.',
    }),
  receivedMessageId: z.string().nullable().meta({ description: 'The Message-ID of the message as it arrived.' }),
  sentAt: timestamp.nullable(),
  seconds: count.nullable().meta({ description: 'From sending to arrival.' }),
})
export type PlacementResult = z.infer<typeof placementResult>

export const createPlacementTestInput = z
  .strictObject({
    sendingAccountIds: z.array(id).min(1).max(placementSendersMax),
    campaignId: id.optional(),
    stepId: id.optional(),
    variantId: id.optional(),
    templateId: id.optional(),
    leadId: id.optional(),
    /** All seed mailboxes of the environment, up to 30, if it is missing. */
    seedMailboxIds: z.array(id).min(1).max(placementSeedsMax).optional(),
    repeat: repeat.default('none'),
  })
  .refine((body) => (body.templateId === undefined) !== (body.campaignId === undefined), {
    message: 'Send either templateId, or campaignId with stepId.',
    path: ['campaignId'],
  })
  .refine((body) => body.campaignId === undefined || body.stepId !== undefined, {
    message: 'Required with campaignId.',
    path: ['stepId'],
  })
  .refine((body) => body.templateId === undefined || (body.stepId ?? body.variantId ?? body.leadId) === undefined, {
    message: 'Leave out stepId, variantId and leadId with a template.',
    path: ['templateId'],
  })
  .meta({ id: 'CreatePlacementTestInput' })
export type CreatePlacementTestInput = z.infer<typeof createPlacementTestInput>

const tag = 'Deliverability'
const common = { environment: 'both', tag } as const

export const placementTestEndpoints = {
  createPlacementTest: endpoint({
    ...common,
    operationId: 'createPlacementTest',
    call: 'placementTests.create',
    method: 'POST',
    path: '/v2/placement-tests',
    scope: 'write',
    summary: 'Start a placement test',
    description:
      'Sends a text from sending accounts to your own seed mailboxes, and finds out where each message arrived. The text is that ' +
      'of a step, with the values of `leadId` or of the first lead of the campaign, or that of a template with sample values. The ' +
      'messages count for the limits of the sending accounts and wait for them; they appear in no statistic, and their links do ' +
      'nothing. Messages to one account are 20 seconds apart. A message that is not found 30 minutes after it was sent is `missing`. ' +
      `One that is not sent within a day has the problem \`not_sent\`. At most ${placementTestsPerDayMax} tests per day.`,
    body: createPlacementTestInput,
    success: [202],
    output: placementTest,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  listPlacementTests: endpoint({
    ...common,
    operationId: 'listPlacementTests',
    call: 'placementTests.list',
    method: 'GET',
    path: '/v2/placement-tests',
    scope: 'read',
    summary: 'List placement tests',
    description: 'Newest first. Tests are kept for 400 days.',
    query: z.strictObject({ ...pageQuery, campaignId: id.optional() }),
    success: [200],
    output: listOf(placementTest),
  }),
  getPlacementTest: endpoint({
    ...common,
    operationId: 'getPlacementTest',
    call: 'placementTests.get',
    method: 'GET',
    path: '/v2/placement-tests/:id',
    scope: 'read',
    summary: 'Get a placement test',
    description: 'Returns the progress. The results are a list of their own.',
    success: [200],
    output: placementTest,
    errors: ['NOT_FOUND'],
  }),
  updatePlacementTest: endpoint({
    ...common,
    operationId: 'updatePlacementTest',
    call: 'placementTests.update',
    method: 'PUT',
    path: '/v2/placement-tests/:id',
    scope: 'write',
    summary: 'Stop a weekly placement test',
    description: 'Ends the repetition. The test that is running continues.',
    body: namedObject('UpdatePlacementTestInput', { repeat: z.literal('none') }),
    success: [200],
    output: placementTest,
    errors: ['NOT_FOUND'],
  }),
  listPlacementResults: endpoint({
    ...common,
    operationId: 'listPlacementResults',
    call: 'placementTests.results',
    method: 'GET',
    path: '/v2/placement-tests/:id/results',
    scope: 'read',
    summary: 'List the results of a placement test',
    description:
      'One per message. `spf`, `dkim` and `dmarc` are from the Authentication-Results that the receiver itself put above the message, ' +
      'and null if it wrote none.',
    query: z.strictObject(pageQuery),
    success: [200],
    output: listOf(placementResult),
    errors: ['NOT_FOUND'],
  }),
}
