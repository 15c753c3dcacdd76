import { z } from 'zod'
import { email, id, listOf, namedObject, pageQuery, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { messageStatus } from './delivery.ts'

/** Limits per environment, for all callers together: test messages are for checking a text and not a way to send mail. */
export const testMessagesMax = { perHour: 20, perDay: 100 }

export const sendTestMessageInput = namedObject('SendTestMessageInput', {
  leadId: id,
  stepId: id,
  variantId: id.optional(),
  /** The address of a user or of a sending account. */
  to: email,
})
export type SendTestMessageInput = z.infer<typeof sendTestMessageInput>

export const testMessage = namedObject('TestMessage', {
  id: z.string(),
  campaignId: z.string(),
  leadId: z.string(),
  stepId: z.string(),
  variantId: z.string(),
  sendingAccountId: z.string(),
  to: z.string(),
  subject: z.string(),
  status: messageStatus,
  sentAt: timestamp.nullable(),
  createdAt: timestamp,
})
export type TestMessage = z.infer<typeof testMessage>

export const testMessageEndpoints = {
  sendTestMessage: endpoint({
    operationId: 'sendTestMessage',
    call: 'campaigns.testMessage',
    method: 'POST',
    path: '/v2/campaigns/:id/test-message',
    environment: 'both',
    scope: 'write',
    tag: 'Campaigns',
    summary: 'Send a test message',
    description:
      "Writes and sends the message of the lead through the lead's sending account, but to an address of a user or " +
      'sending account of this account. The message is in no statistic and changes nothing about the lead, whose step ' +
      'is still sent once. Its opt-out link does nothing, and nothing is tracked. A missing variable is a conflict ' +
      `that names it. At most ${testMessagesMax.perHour} per hour and ${testMessagesMax.perDay} per day. Simulated in ` +
      'the test environment.',
    body: sendTestMessageInput,
    success: [202],
    output: testMessage,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  listTestMessages: endpoint({
    operationId: 'listTestMessages',
    call: 'campaigns.testMessages',
    method: 'GET',
    path: '/v2/campaigns/:id/test-messages',
    environment: 'both',
    scope: 'read',
    tag: 'Campaigns',
    summary: 'List test messages',
    description: 'Newest first, with the outcome of each.',
    query: z.strictObject(pageQuery),
    success: [200],
    output: listOf(testMessage),
    errors: ['NOT_FOUND'],
  }),
}
