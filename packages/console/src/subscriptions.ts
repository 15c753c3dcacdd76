import type { EventType } from '@overture/sdk'

/** What can be out of date: the first word of every reading's name. */
export type Area =
  | 'account'
  | 'campaigns'
  | 'leads'
  | 'people'
  | 'conversations'
  | 'senders'
  | 'meetings'
  | 'events'
  | 'imports'
  | 'suppressions'
  | 'webhooks'
  | 'billing'
  | 'clock'
  | 'mail'
  | 'texts'
  | 'analytics'

const sent: readonly Area[] = [
  'campaigns',
  'leads',
  'conversations',
  'senders',
  'events',
  'mail',
  'people',
  'analytics',
]
const lead: readonly Area[] = ['campaigns', 'leads', 'people', 'conversations', 'events', 'analytics']
const campaign: readonly Area[] = ['campaigns', 'leads', 'events']
const meeting: readonly Area[] = ['meetings', 'campaigns', 'leads', 'events', 'analytics']

/** Event → what it makes stale. A new type does not compile before it stands here. */
export const staleBy: Readonly<Record<EventType, readonly Area[]>> = {
  'campaign.created': campaign,
  'campaign.started': campaign,
  'campaign.paused': campaign,
  'campaign.resumed': campaign,
  'campaign.completed': campaign,
  'campaign.deleted': campaign,
  'lead.added': lead,
  'lead.status_changed': lead,
  'lead.interest_changed': lead,
  'lead.unsubscribed': [...lead, 'suppressions'],
  'lead.handed_over': lead,
  'branch.decided': lead,
  'message.sent': sent,
  'message.opened': lead,
  'message.clicked': lead,
  'message.deferred': lead,
  'message.bounced': [...sent, 'suppressions'],
  'message.failed': sent,
  'message.uncertain': sent,
  'message.set_aside': ['senders', 'events'],
  'reply.received': [...lead, 'mail'],
  'reply.auto_received': [...lead, 'mail'],
  'reply.classified': lead,
  'meeting.booked': [...meeting, 'conversations', 'people'],
  'meeting.rescheduled': meeting,
  'meeting.canceled': meeting,
  'meeting.completed': meeting,
  'sending_account.error': ['senders', 'campaigns', 'events'],
  'sending_account.recovered': ['senders', 'campaigns', 'events'],
  'credits.low': ['billing', 'account', 'events'],
  'credits.exhausted': ['billing', 'account', 'events'],
  'import.completed': ['imports', 'leads', 'campaigns', 'people', 'events'],
  'signal.received': ['events', 'leads'],
  'webhook.disabled': ['webhooks', 'events'],
  'user.joined': ['events'],
  'user.role_changed': ['events'],
  'user.removed': ['events'],
  'api_key.created': ['account', 'events'],
  'api_key.revoked': ['account', 'events'],
}
