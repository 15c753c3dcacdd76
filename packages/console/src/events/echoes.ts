import type { Activity } from '@overture/sdk'

/**
 * Leaves out a changed status when the same moment has its cause for the same lead: a mail that was sent makes a lead active, a
 * reply or an opt-out ends it.
 */
export function withoutEchoes(activities: readonly Activity[]): Activity[] {
  const moment = ({ leadId, occurredAt }: Activity) => `${leadId} ${occurredAt}`
  const causes = new Set(activities.filter((one) => !isStatus(one)).map(moment))
  return activities.filter((one) => !isStatus(one) || !causes.has(moment(one)))
}

function isStatus({ type }: Activity): boolean {
  return type === 'lead.status_changed'
}
