import type { EventType } from '@overture/sdk'

/** The areas of data that can be out of date: the first part of every query key. */
export type Area =
  | 'account'
  | 'campaigns'
  | 'leads'
  | 'people'
  | 'conversations'
  | 'senders'
  | 'meetings'
  | 'tasks'
  | 'events'
  | 'imports'
  | 'suppressions'
  | 'lists'
  | 'tags'
  | 'webhooks'
  | 'billing'
  | 'clock'
  | 'mail'
  | 'texts'
  | 'analytics'
  | 'diagnosis'
  | 'deliverability'
  | 'reports'

/** A diagnosis runs the forecast several times, and the account's forecast runs every campaign. */
export const apartMs: Readonly<Partial<Record<Area, number>>> = { diagnosis: 20_000 }

const sent: readonly Area[] = [
  'campaigns',
  'leads',
  'conversations',
  'senders',
  'events',
  'mail',
  'people',
  'analytics',
  'diagnosis',
]
const lead: readonly Area[] = ['campaigns', 'leads', 'people', 'conversations', 'events', 'analytics', 'diagnosis']
const campaign: readonly Area[] = ['campaigns', 'leads', 'events', 'diagnosis']
const meeting: readonly Area[] = ['meetings', 'campaigns', 'leads', 'events', 'analytics', 'diagnosis']

const task: readonly Area[] = ['tasks', ...lead]

/** The areas that each event makes stale. A new event type does not compile before it is listed here. */
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
  'message.returned': sent,
  'message.failed': sent,
  'message.uncertain': sent,
  'message.manual_sent': lead,
  'conversation.noted': ['conversations', 'events'],
  'message.set_aside': ['senders', 'events'],
  'reply.received': [...lead, 'mail'],
  'reply.auto_received': [...lead, 'mail'],
  'reply.classified': lead,
  'reply.drafted': ['conversations', 'events'],
  'meeting.booked': [...meeting, 'conversations', 'people'],
  'meeting.rescheduled': meeting,
  'meeting.canceled': meeting,
  'meeting.completed': meeting,
  'task.created': task,
  'task.completed': task,
  'task.skipped': task,
  'task.canceled': task,
  'task.overdue': task,
  'sending_account.error': ['senders', 'campaigns', 'events', 'diagnosis'],
  'sending_account.recovered': ['senders', 'campaigns', 'events', 'diagnosis'],
  'sending_account.deliverability_changed': ['senders', 'campaigns', 'events', 'diagnosis'],
  'credits.low': ['billing', 'account', 'events'],
  'credits.exhausted': ['billing', 'account', 'events'],
  'import.completed': ['imports', 'leads', 'campaigns', 'people', 'events', 'diagnosis'],
  'domain.report_received': ['deliverability', 'events'],
  'placement_test.completed': ['deliverability', 'senders', 'events'],
  'report.ready': ['reports', 'events'],
  'verification.completed': ['leads', 'campaigns', 'events', 'diagnosis'],
  'signal.received': ['events', 'leads'],
  'webhook.disabled': ['webhooks', 'events'],
  'user.joined': ['events'],
  'user.role_changed': ['events'],
  'user.removed': ['events'],
  'api_key.created': ['account', 'events'],
  'api_key.revoked': ['account', 'events'],
}
