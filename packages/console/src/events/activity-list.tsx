import type { Activity } from '@overture/sdk'
import { usePaths } from '../paths.ts'
import { Time } from '../platform/time/now.tsx'
import { Badge, Grow, Lines, Link, type Tone } from '../platform/ui/index.ts'
import { eventTypeText } from './events.messages.ts'

const tones: Readonly<Record<string, Tone>> = {
  'reply.received': 'good',
  'meeting.booked': 'good',
  'message.bounced': 'bad',
  'message.returned': 'warn',
  'message.failed': 'bad',
  'message.uncertain': 'warn',
  'lead.unsubscribed': 'warn',
  'sending_account.error': 'bad',
  'message.sent': 'accent',
}

/** A list of activities, newest first. */
export function ActivityLines({
  activities,
  label,
  zone,
}: {
  activities: readonly Activity[]
  label: string
  /** The zone of the times. The default is the account's. */
  zone?: string
}) {
  const paths = usePaths()
  return (
    <Lines label={label}>
      {activities.map(({ id, type, occurredAt, campaignId, leadId, leadEmail }) => (
        <li key={id}>
          <Grow>
            <div>
              {leadEmail !== null && campaignId !== null && leadId !== null ? (
                <Link to={paths.lead(campaignId, leadId)}>{leadEmail}</Link>
              ) : (
                leadEmail
              )}
            </div>
            <Badge tone={tones[type] ?? 'soft'}>{eventTypeText(type)}</Badge>
          </Grow>
          <Time at={occurredAt} {...(zone !== undefined && { zone })} />
        </li>
      ))}
    </Lines>
  )
}
