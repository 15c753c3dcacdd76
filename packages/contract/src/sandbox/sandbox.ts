import { z } from 'zod'
import { id, listOf, namedObject, pageQuery, timestamp, timestampInput } from '../common.ts'
import { endpoint } from '../endpoint.ts'

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** The largest step by which one call moves the clock. */
export const advanceDaysMax = 366

/** The milliseconds of `90m`, `12h`, `3d` or `2w`. Null for anything else, including zero. Source: docs/contract.md, "Test environment". */
export function durationMs(text: string): number | null {
  const match = /^([1-9]\d{0,6})([mhdw])$/.exec(text)
  if (!match) return null
  return Number(match[1]) * unitMs[match[2] as keyof typeof unitMs]
}

export const sandboxClock = namedObject('SandboxClock', { now: timestamp, frozen: z.boolean() })
export type SandboxClockState = z.infer<typeof sandboxClock>

export const advanceInput = z
  .strictObject({
    by: z.string().max(20).optional(),
    to: timestampInput.optional(),
  })
  .superRefine((input, context) => {
    if ((input.by === undefined) === (input.to === undefined)) {
      context.addIssue({ code: 'custom', path: ['by'], message: 'Send either by or to.' })
      return
    }
    if (input.by === undefined) return
    const byMs = durationMs(input.by)
    if (byMs === null) {
      context.addIssue({ code: 'custom', path: ['by'], message: 'Use a whole number and m, h, d or w, such as 3d.' })
    } else if (byMs > advanceDaysMax * unitMs.d) {
      context.addIssue({ code: 'custom', path: ['by'], message: `Use ${advanceDaysMax} days at most.` })
    }
  })
  .meta({ id: 'AdvanceSandboxClockInput' })
export type AdvanceInput = z.infer<typeof advanceInput>

const counts = {
  sent: z.number().int(),
  delivered: z.number().int(),
  opened: z.number().int(),
  clicked: z.number().int(),
  replied: z.number().int(),
  interested: z.number().int(),
  autoReplied: z.number().int(),
  bounced: z.number().int(),
  unsubscribed: z.number().int(),
  meetingsBooked: z.number().int(),
}
export const advanceCountNames = Object.keys(counts) as (keyof typeof counts)[]

/** The events between `from` and `to`, in total and per day (UTC). Days without any event are left out. */
export const advanceOutput = namedObject('SandboxAdvance', {
  now: timestamp,
  frozen: z.boolean(),
  from: timestamp,
  to: timestamp,
  ...counts,
  byDay: z.array(namedObject('SandboxDay', { date: z.string(), ...counts })),
})
export type AdvanceOutput = z.infer<typeof advanceOutput>
export type AdvanceCounts = Pick<AdvanceOutput, keyof typeof counts>

const inboundKind = z.enum(['reply', 'auto_reply', 'bounce', 'unsubscribe', 'open', 'click', 'meeting', 'manual_mail'])

export const inboundInput = z
  .strictObject({
    leadId: id,
    kind: inboundKind,
    text: z
      .string()
      .min(1)
      .max(20_000)
      .optional()
      .meta({ description: 'The text of the reply. The default is a random text.' }),
    url: z.string().min(1).max(2000).optional().meta({
      description: 'With `click`: the link as written in the template. The default is the first link of the message.',
    }),
    direction: z
      .enum(['inbound', 'outbound'])
      .optional()
      .meta({
        description:
          'With `manual_mail`: whether the lead wrote, or the owner of the mailbox. The default is `outbound`, which is a ' +
          'message in the Sent folder.',
      }),
  })
  .superRefine(({ kind, text, url, direction }, context) => {
    const refuse = (field: string) =>
      context.addIssue({ code: 'custom', path: [field], message: `Can't be combined with \`${kind}\`.` })
    if (url !== undefined && kind !== 'click') refuse('url')
    if (direction !== undefined && kind !== 'manual_mail') refuse('direction')
    if (text !== undefined && (kind === 'open' || kind === 'click' || kind === 'meeting')) refuse('text')
  })
  .meta({ id: 'CreateSandboxInboundInput' })

export const sandboxMessage = namedObject('SandboxMessage', {
  id: z.string(),
  direction: z.enum(['to_prospect', 'from_prospect']),
  messageId: z.string().nullable(),
  campaignId: z.string().nullable(),
  leadId: z.string().nullable(),
  stepId: z.string().nullable(),
  sendingAccountId: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  sizeBytes: z.number().int(),
  at: timestamp,
})
export type SandboxMessage = z.infer<typeof sandboxMessage>

/** `raw` is the message as it was sent over the simulated connection. The other fields are what a mail program shows. */
export const sandboxMessageDetail = sandboxMessage
  .extend({
    headers: z.array(z.strictObject({ name: z.string(), value: z.string() })),
    text: z.string(),
    html: z.string().nullable(),
    raw: z.string(),
  })
  .meta({ id: 'SandboxMessageDetail' })

const tag = 'Test environment'

export const sandboxEndpoints = {
  getSandboxClock: endpoint({
    operationId: 'getSandboxClock',
    call: 'sandbox.clock.get',
    method: 'GET',
    path: '/v2/sandbox/clock',
    scope: 'read',
    environment: 'test',
    tag,
    summary: "Read the test environment's clock",
    description: 'Returns the time of the clock and whether it runs.',
    success: [200],
    output: sandboxClock,
    errors: ['NOT_FOUND'],
  }),
  setSandboxClock: endpoint({
    operationId: 'setSandboxClock',
    call: 'sandbox.clock.set',
    method: 'POST',
    path: '/v2/sandbox/clock',
    scope: 'write',
    environment: 'test',
    tag,
    summary: "Freeze or unfreeze the test environment's clock",
    description: 'With `frozen` the clock stands still, and only `advance` moves it.',
    body: namedObject('SetSandboxClockInput', { frozen: z.boolean() }),
    success: [200],
    output: sandboxClock,
    errors: ['NOT_FOUND', 'CONFLICT'],
    examples: { body: { frozen: true }, output: { now: '2026-11-20T10:00:00.000Z', frozen: true } },
  }),
  advanceSandboxClock: endpoint({
    operationId: 'advanceSandboxClock',
    call: 'sandbox.clock.advance',
    method: 'POST',
    path: '/v2/sandbox/clock/advance',
    scope: 'write',
    environment: 'test',
    tag,
    summary: "Advance the test environment's clock",
    description:
      'Runs everything that becomes due, in order, in virtual time, and returns what happened. Only one advance at a ' +
      'time; another one is 409.',
    body: advanceInput,
    success: [200],
    output: advanceOutput,
    errors: ['NOT_FOUND', 'CONFLICT'],
    examples: { body: { by: '3d' } },
  }),
  createSandboxInbound: endpoint({
    operationId: 'createSandboxInbound',
    call: 'sandbox.inbound',
    method: 'POST',
    path: '/v2/sandbox/inbound',
    scope: 'write',
    environment: 'test',
    tag,
    summary: 'Simulate an act of a lead',
    description:
      'The lead acts on the last message that it got. A reply is a real message that is read as if it came over IMAP. ' +
      "`open` and `click` request the pixel and the link like a person's mail program. `meeting` books the first free " +
      'time. `manual_mail` is mail outside of campaigns between the lead and the mailbox of the sending account. The response is ' +
      '409 if no message reached the lead, or if the message does not track the act.',
    body: inboundInput,
    success: [200],
    output: namedObject('SandboxInbound', {
      id: z.string(),
      leadId: z.string(),
      kind: inboundKind,
      receivedAt: timestamp,
    }),
    errors: ['NOT_FOUND', 'CONFLICT'],
    examples: { body: { leadId: 'led_01', kind: 'reply', text: 'Sounds good, call me on Monday.' } },
  }),
  listSandboxMessages: endpoint({
    operationId: 'listSandboxMessages',
    call: 'sandbox.messages.list',
    method: 'GET',
    path: '/v2/sandbox/messages',
    scope: 'read',
    environment: 'test',
    tag,
    summary: 'List simulated messages',
    description: 'Messages that simulated people received and sent, newest first.',
    query: z.strictObject({
      ...pageQuery,
      campaignId: id.optional(),
      leadId: id.optional(),
      sendingAccountId: id.optional(),
      direction: sandboxMessage.shape.direction.optional(),
    }),
    success: [200],
    output: listOf(sandboxMessage),
    errors: ['NOT_FOUND'],
  }),
  getSandboxMessage: endpoint({
    operationId: 'getSandboxMessage',
    call: 'sandbox.messages.get',
    method: 'GET',
    path: '/v2/sandbox/messages/:id',
    scope: 'read',
    environment: 'test',
    tag,
    summary: 'Get a simulated message',
    description: 'Returns the message with its source, headers and parts.',
    success: [200],
    output: sandboxMessageDetail,
    errors: ['NOT_FOUND'],
  }),
}
