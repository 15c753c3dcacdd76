import type { MessageKind, MessageStatus } from '@overture/sdk'
import { words } from '../platform/text/words.ts'

const kinds: Readonly<Record<MessageKind, string>> = {
  campaign: 'Campaign',
  reply: 'Reply',
  manual: 'Manual',
  auto_reply: 'Automatic reply',
  bounce: 'Bounce',
  unsubscribe: 'Opt-out',
  other: 'Other',
}
const statuses: Readonly<Record<MessageStatus, string>> = {
  queued: 'Queued',
  sending: 'Sending',
  sent: 'Sent',
  bounced: 'Bounced',
  returned: 'Returned because of the sender',
  failed: 'Failed',
  uncertain: 'Delivery unknown',
  received: 'Received',
}

export const messageKindText = words('messageKinds', kinds)
export const messageStatusText = words('messageStatuses', statuses)
export const recipientText = words('recipients', {
  to: (addresses: string) => `To ${addresses}`,
  toAndCopies: (addresses: string, copies: string) => `To ${addresses}, copies to ${copies}`,
  refused: (address: string, reason: string) => `Not sent to ${address}: ${reason}`,
})
export const attachmentText = words('attachments', {
  attachments: 'Attachments',
  download: 'Download',
  tooLarge: 'This attachment was too large to store.',
})
export const calendarText = words('calendars', {
  request: 'Invitation',
  reply: 'Reply to an invitation',
  cancel: 'Canceled meeting',
  at: (what: string) => `${what}: `,
  timeUnknown: 'time unknown',
})
