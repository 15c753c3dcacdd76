import type { MetricDefinition } from './analytics.ts'

const byLastMessage = 'in groups by step, variant and sender they count for the last message that the lead got'

/** The definition of every number as data. The API, the console and the documentation print this text. */
export const metricDefinitions: readonly MetricDefinition[] = [
  count('leads', 'Leads of the campaign now. In a series: leads added in the period.', 'leads', []),
  count('contacted', 'Leads that were sent at least one campaign message.', 'first campaign message to a lead', [
    'manual replies',
  ]),
  count('sent', 'Sent campaign messages, including bounced and returned messages.', 'message.sent of a campaign step', [
    'manual replies',
    'notifications',
    'uncertain messages',
  ]),
  count(
    'delivered',
    'Sent campaign messages that did not bounce and were not returned.',
    'sent − bounced − returned',
    [],
  ),
  count('opened', 'Opens by people.', 'message.opened', ['machine opens']),
  count(
    'uniqueOpened',
    'Leads with at least one open by a person, counted where the first one happened.',
    'first human open of a lead',
    ['machine opens'],
  ),
  count('machineOpened', 'Opens by mail proxies, gateways and scanners.', 'message.opened by a machine', [
    'opens by people',
  ]),
  count('clicked', 'Clicks by people.', 'message.clicked', ['machine clicks']),
  count(
    'uniqueClicked',
    'Leads with at least one click by a person, counted where the first one happened.',
    'first human click of a lead',
    ['machine clicks'],
  ),
  count('machineClicked', 'Clicks by gateways and scanners.', 'message.clicked by a machine', ['clicks by people']),
  count('replied', 'Replies written by people.', 'reply.received', ['automatic replies', 'bounces', 'worded opt-outs']),
  count('uniqueReplied', 'Leads that replied, counted where the first reply happened.', 'first reply of a lead', [
    'automatic replies',
    'bounces',
    'worded opt-outs',
  ]),
  count('autoReplied', 'Automatic replies, such as vacation notes.', 'reply.auto_received', ['replies by people']),
  count('bounced', 'Campaign messages that bounced: hard, soft or blocked.', 'message.bounced', [
    'delay notices',
    'returned messages',
    'bounces that a repair reverted',
  ]),
  count(
    'verifiedBounced',
    'Hard bounces of campaign messages to addresses whose last verification said deliverable.',
    'message.bounced with verified',
    ['soft bounces', 'blocks'],
  ),
  count(
    'unsubscribed',
    `Leads that opted out by link, by one click or in words; ${byLastMessage}.`,
    'lead.unsubscribed',
    [],
  ),
  count(
    'interested',
    `Leads labeled as interested whose label was not removed, each counted once; ${byLastMessage}.`,
    'lead.interest_changed to interested',
    [],
  ),
  count('meetingsBooked', `Meetings booked, from any source; ${byLastMessage}.`, 'meeting.booked', []),
  count('handedOver', 'Leads whose person another campaign took over.', 'lead.handed_over', []),
  count(
    'returned',
    'Campaign messages that were returned because of their sender: a limit, a block, failed authentication or a full mailbox.',
    'message.returned of a campaign step',
    ['bounces', 'rejections while the message is sent'],
  ),
  count('failed', 'Messages that failed before they were sent.', 'message.failed', ['bounces']),
  count(
    'uncertain',
    'Messages for which it is unknown whether they were sent. In a series: messages that became uncertain in the period.',
    'uncertain messages',
    [],
  ),
  count('notSent', 'Leads without a message yet, by reason.', 'leads never contacted', []),
  rate('open', 'uniqueOpened', 'delivered', ['machine opens']),
  rate('click', 'uniqueClicked', 'delivered', ['machine clicks']),
  rate('reply', 'uniqueReplied', 'delivered', ['automatic replies', 'worded opt-outs']),
  rate('bounce', 'bounced', 'sent', ['delay notices']),
  rate('unsubscribe', 'unsubscribed', 'delivered', []),
  rate('positiveReply', 'interested', 'delivered', ['automatic replies']),
]

function count(name: string, definition: string, numerator: string, excludes: string[]): MetricDefinition {
  return { name, kind: 'count', definition, numerator, denominator: null, excludes }
}

function rate(name: string, numerator: string, denominator: string, excludes: string[]): MetricDefinition {
  const definition = `${numerator} ÷ ${denominator}, 0 if the denominator is 0.`
  return { name: `rates.${name}`, kind: 'rate', definition, numerator, denominator, excludes }
}
