/** Defines which column of the rollups counts which events. This is the only place. Source: docs/contract.md, "Statistics". */
export const counterColumns = [
  'leads',
  'contacted',
  'sent',
  'opened',
  'unique_opened',
  'machine_opened',
  'clicked',
  'unique_clicked',
  'machine_clicked',
  'replied',
  'unique_replied',
  'auto_replied',
  'bounced',
  'verified_bounced',
  'unsubscribed',
  'interested',
  'meetings_booked',
  'handed_over',
  'failed',
  'uncertain',
  'returned',
] as const
type CounterColumn = (typeof counterColumns)[number]

// If an event doesn't contain the kind of its message, the message is a campaign message if the event has a step.
const campaignMessage = `coalesce(e.data->>'kind', case when e.step_id is null then 'manual' else 'campaign' end) = 'campaign'`
const machine = `coalesce((e.data->>'machine')::boolean, false)`
const unique = `coalesce((e.data->>'unique')::boolean, false)`
// A lead that goes beyond interested still counts as interested.
const further = `coalesce(e.data->>'to', '') in ('interested', 'meeting_booked', 'meeting_completed', 'won')`

const definitions: Record<CounterColumn, string> = {
  leads: where(`e.type = 'lead.added'`),
  contacted: where(`e.type = 'message.sent' and ${campaignMessage} and coalesce((e.data->>'first')::boolean, false)`),
  sent: where(`e.type = 'message.sent' and ${campaignMessage}`),
  opened: where(`e.type = 'message.opened' and not ${machine}`),
  unique_opened: where(`e.type = 'message.opened' and not ${machine} and ${unique}`),
  machine_opened: where(`e.type = 'message.opened' and ${machine}`),
  clicked: where(`e.type = 'message.clicked' and not ${machine}`),
  unique_clicked: where(`e.type = 'message.clicked' and not ${machine} and ${unique}`),
  machine_clicked: where(`e.type = 'message.clicked' and ${machine}`),
  replied: where(`e.type = 'reply.received'`),
  unique_replied: where(`e.type = 'reply.received' and ${unique}`),
  auto_replied: where(`e.type = 'reply.auto_received'`),
  // The repair of an earlier release's bounces subtracts them at the time at which they were counted.
  bounced:
    where(`e.type = 'message.bounced' and ${campaignMessage}`) +
    ' - ' +
    where(`e.type = 'message.returned' and ${campaignMessage} and e.data->>'bouncedBefore' = 'true'`),
  verified_bounced: where(
    `e.type = 'message.bounced' and ${campaignMessage} and e.data->>'type' = 'hard' and e.data->>'verified' = 'true'`,
  ),
  unsubscribed: where(`e.type = 'lead.unsubscribed'`),
  interested:
    where(
      `e.type = 'lead.interest_changed' and e.data->>'to' = 'interested' and coalesce(e.data->>'from', '') <> 'interested'
        and coalesce((e.data->>'unique')::boolean, true)`,
    ) +
    ' - ' +
    where(`e.type = 'lead.interest_changed' and e.data->>'from' = 'interested' and not ${further}`),
  meetings_booked: where(`e.type = 'meeting.booked'`),
  handed_over: where(`e.type = 'lead.handed_over'`),
  failed: where(`e.type = 'message.failed' and ${campaignMessage}`),
  uncertain: where(`e.type = 'message.uncertain' and ${campaignMessage}`),
  returned: where(`e.type = 'message.returned' and ${campaignMessage}`),
}

/** A select list that counts rows of `events e`, with one aggregate per column. */
export const countOfEvents = counterColumns.map((column) => `${countSql(column)} as ${column}`).join(',\n  ')

/** The expression that counts one column over `events e`. */
export function countSql(column: CounterColumn): string {
  return `(${definitions[column]})::bigint`
}

/** A select list that sums counted rows. */
export const sumOfCounts = counterColumns
  .map((column) => `coalesce(sum(f.${column}), 0)::bigint as ${column}`)
  .join(', ')

/** The event types that are counted. Others don't affect the rollups. */
export const countedTypes = [
  'lead.added',
  'message.sent',
  'message.opened',
  'message.clicked',
  'reply.received',
  'reply.auto_received',
  'message.bounced',
  'lead.unsubscribed',
  'lead.interest_changed',
  'meeting.booked',
  'lead.handed_over',
  'message.failed',
  'message.uncertain',
  'message.returned',
]

function where(condition: string): string {
  return `count(*) filter (where ${condition})`
}
