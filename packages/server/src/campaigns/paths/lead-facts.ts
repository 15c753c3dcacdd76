import type { FieldValue } from '@overture/contract/campaigns/conditions.ts'
import { profileFields, type CustomVariables, type LeadProfile } from '@overture/contract/campaigns/lead-fields.ts'
import type { Interest } from '@overture/contract/campaigns/leads.ts'
import type { EventType } from '@overture/contract/events/events.ts'
import type { Act, LeadFacts } from '@overture/ground/paths/condition.ts'

export interface AskedLeadRow extends LeadProfile {
  id: string
  email: string
  interest: Interest | null
  customVariables: CustomVariables
}

export interface DeedRow {
  leadId: string
  type: EventType
  at: Date
  stepId: string | null
  url: string | null
  intent: string | null
}

const deedByEvent: Partial<Record<EventType, Act['did']>> = {
  'message.opened': 'opened',
  'message.clicked': 'clicked',
  'message.bounced': 'soft_bounced',
  'reply.received': 'replied',
  'reply.auto_received': 'auto_replied',
  'meeting.booked': 'meeting_booked',
}

/** The facts about a lead, in the form that conditions use. `deeds` are the lead's own, in order. */
export function toLeadFacts(
  lead: AskedLeadRow,
  { deeds, signals }: { deeds: readonly DeedRow[]; signals: LeadFacts['signals'] },
): LeadFacts {
  return {
    leadId: lead.id,
    fields: leadFields(lead),
    interest: lead.interest,
    intent: deeds.findLast((deed) => deed.type === 'reply.classified' && deed.intent !== null)?.intent ?? null,
    acts: deeds.flatMap(({ type, at, stepId, url }) => {
      const did = deedByEvent[type]
      return did === undefined ? [] : [{ did, at, stepId, url }]
    }),
    sends: deeds.flatMap(({ type, at, stepId }) => (type === 'message.sent' ? [{ stepId, at }] : [])),
    signals,
  }
}

function leadFields(lead: AskedLeadRow): Record<string, FieldValue | null> {
  const custom = Object.entries(lead.customVariables).map(
    ([name, value]) => [`customVariables.${name}`, value] as const,
  )
  const own = profileFields.map((name) => [name, lead[name]] as const)
  return Object.fromEntries([['email', lead.email], ...own, ...custom])
}
