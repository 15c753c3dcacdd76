import { readReply } from '../inbox/triage.ts'
import type { EventDetails } from './event-payloads.ts'
import type { EventType } from './events.ts'

const meeting = {
  meetingId: 'mtg_1m3q8z0c0n7t5w2k9x',
  source: 'booking_page',
  status: 'booked',
  startAt: '2026-11-05T09:00:00.000Z',
  endAt: '2026-11-05T09:30:00.000Z',
} as const
const hit = { machine: false, reason: 'person', unique: true, userAgent: 'Mozilla/5.0' }

/** A sample event of each type, used in test deliveries and in the document. */
export const eventSamples: { readonly [Type in EventType]: EventDetails<Type> } = {
  'campaign.created': { name: 'Spring outreach' },
  'campaign.started': {},
  'campaign.paused': { reason: 'user' },
  'campaign.resumed': {},
  'campaign.completed': {},
  'campaign.deleted': { name: 'Spring outreach' },
  'lead.added': {},
  'lead.status_changed': { from: 'pending', to: 'active', reason: 'sent' },
  'lead.interest_changed': { from: null, to: 'interested', source: 'person', unique: true },
  'lead.unsubscribed': { source: 'one_click' },
  'lead.handed_over': {
    toCampaignId: 'cmp_1m3q8z0c0n7t5w2k9x',
    toLeadId: 'led_1m3q8z0c0n7t5w2k9x',
    by: 'entry',
    evidence: 'Label: interested.',
  },
  'branch.decided': {
    branchId: 'brn_1m3q8z0c0n7t5w2k9x',
    label: 'Opened',
    goesTo: 'stp_1m3q8z0c0n7t5w2k9x',
    evidence: 'Opened 2 times, first at 2026-11-03T09:12:00.000Z.',
    immediate: false,
    reason: 'decided',
  },
  'message.sent': {
    kind: 'campaign',
    first: true,
    rfcMessageId: '<msg_1m3q8z0c0n7t5w2k9x@example.com>',
    deliveredMessageId: '<AM0PR01MB1@AM0PR01MB1.eurprd01.prod.exchangelabs.com>',
  },
  'message.opened': hit,
  'message.clicked': { ...hit, url: 'https://example.com/' },
  'message.deferred': {
    kind: 'campaign',
    reason: '451 4.7.1 Please try again later',
    attempts: 1,
    retryAt: '2026-11-03T09:45:00.000Z',
  },
  'message.bounced': { type: 'hard', code: '5.1.1', reason: '550 5.1.1 No such user', unique: true },
  'message.returned': {
    because: 'sender_limit',
    code: '5.4.5',
    reason: '550 5.4.5 Daily user sending limit exceeded.',
    kind: 'campaign',
  },
  'message.failed': { reason: "The template can't be rendered." },
  'message.uncertain': { reason: 'The connection was lost.' },
  'message.manual_sent': { rfcMessageId: '<hello@example.com>', sentAt: '2026-11-03T09:41:00.000Z' },
  'message.set_aside': { reason: 'too_many_parts', folder: 'INBOX', uid: 4711, sizeBytes: 81_920 },
  'reply.received': { unique: true, kind: 'reply', rule: 'in_reply_to' },
  'reply.auto_received': {
    rule: 'auto_submitted',
    awayUntil: '2026-11-09',
    deferredUntil: '2026-11-10T08:00:00.000Z',
  },
  'reply.classified': readReply,
  'meeting.booked': meeting,
  'meeting.rescheduled': { ...meeting, status: 'rescheduled' },
  'meeting.canceled': { ...meeting, status: 'canceled' },
  'meeting.completed': { ...meeting, status: 'completed' },
  'sending_account.error': { status: 'auth_required', error: '535 5.7.8 Login refused' },
  'sending_account.recovered': { from: 'connection_error' },
  'credits.low': { balance: 90, threshold: 100 },
  'credits.exhausted': { balance: 0, threshold: 100 },
  'import.completed': { importId: 'imp_1m3q8z0c0n7t5w2k9x', added: 990, failed: 10 },
  'signal.received': {
    signalId: 'sig_1m3q8z0c0n7t5w2k9x',
    signal: 'crm.deal_won',
    domain: 'acme.example.com',
    value: 12_000,
    signaledAt: '2026-11-03T09:14:58.000Z',
    matchedLeads: 3,
  },
  'webhook.disabled': {
    webhookId: 'whk_1m3q8z0c0n7t5w2k9x',
    url: 'https://hooks.example.com/overture',
    reason: 'failing_for_five_days',
  },
  'user.joined': { userId: 'usr_1m3q8z0c0n7t5w2k9x', role: 'member' },
  'user.role_changed': { userId: 'usr_1m3q8z0c0n7t5w2k9x', role: 'admin', previousRole: 'member' },
  'user.removed': { userId: 'usr_1m3q8z0c0n7t5w2k9x', reason: 'disabled' },
  'api_key.created': { apiKeyId: 'key_1m3q8z0c0n7t5w2k9x', userId: 'usr_1m3q8z0c0n7t5w2k9x' },
  'api_key.revoked': { apiKeyId: 'key_1m3q8z0c0n7t5w2k9x', userId: 'usr_1m3q8z0c0n7t5w2k9x' },
}
