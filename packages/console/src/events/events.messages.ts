import type { EventType } from '@overture/sdk'
import { words } from '../platform/text/words.ts'

const types: Readonly<Record<EventType, string>> = {
  'campaign.created': 'Campaign created',
  'campaign.started': 'Campaign started',
  'campaign.paused': 'Campaign paused',
  'campaign.resumed': 'Campaign resumed',
  'campaign.completed': 'Campaign completed',
  'campaign.deleted': 'Campaign deleted',
  'lead.added': 'Lead added',
  'lead.status_changed': 'Lead status changed',
  'lead.interest_changed': 'Label changed',
  'lead.unsubscribed': 'Opted out',
  'lead.handed_over': 'Handed over',
  'branch.decided': 'Branch decided',
  'message.sent': 'Sent',
  'message.opened': 'Opened',
  'message.clicked': 'Clicked',
  'message.deferred': 'Delayed',
  'message.bounced': 'Bounced',
  'message.returned': 'Returned because of the sender',
  'message.failed': 'Failed',
  'message.uncertain': 'Delivery unknown',
  'message.manual_sent': 'Written to by hand',
  'conversation.noted': 'Note added',
  'message.set_aside': 'Mail held',
  'reply.received': 'Replied',
  'reply.auto_received': 'Automatic reply',
  'reply.classified': 'Reply classified by AI',
  'meeting.booked': 'Meeting booked',
  'meeting.rescheduled': 'Meeting rescheduled',
  'meeting.canceled': 'Meeting canceled',
  'meeting.completed': 'Meeting completed',
  'sending_account.error': 'Sender error',
  'sending_account.recovered': 'Sender recovered',
  'sending_account.deliverability_changed': 'Deliverability changed',
  'credits.low': 'Credits low',
  'credits.exhausted': 'Credits used up',
  'import.completed': 'Import completed',
  'verification.completed': 'Address verification completed',
  'domain.report_received': 'DMARC report received',
  'signal.received': 'Signal received',
  'webhook.disabled': 'Webhook turned off',
  'user.joined': 'User joined',
  'user.role_changed': 'Role changed',
  'user.removed': 'User removed',
  'api_key.created': 'API key created',
  'api_key.revoked': 'API key revoked',
}

export const typeText = words('eventTypes', types)

/** An event type as text. A type newer than this page is shown by its own name. */
export function eventTypeText(type: string): string {
  return (typeText as Readonly<Record<string, string>>)[type] ?? type
}

export const text = words('events', {
  title: 'Events',
  lead: 'Everything that happened in this environment, newest first. Webhooks deliver the same events.',
  groups: {
    replies: 'Replies',
    sending: 'Sending',
    leads: 'Leads',
    meetings: 'Meetings',
    campaigns: 'Campaigns',
    account: 'Team and account',
  },
  type: 'Type',
  anyType: 'Any type',
  at: 'Time',
  lead_: 'Lead',
  body: 'Body',
  none: 'No events yet',
  noneText: 'Everything that happens in this environment appears here.',
  list: 'Events',
  filters: 'Filters',
  show: 'Show',
})
