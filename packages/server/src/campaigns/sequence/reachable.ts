import type { Settings, Step } from '@overture/contract/campaigns/campaigns.ts'
import type { Blocker } from '@overture/contract/errors.ts'
import type { Condition } from '../../ground/paths/condition.ts'

/** Branches of which no lead can ever hold, by what the campaign watches and what ends its leads. */
export function unreachableBranches(steps: readonly Step[], settings: Settings): Blocker[] {
  return steps.flatMap((step) =>
    step.branches.flatMap((branch) => {
      const why = neverBecause(branch.when, settings)
      if (why === null) return []
      const message = `Branch ${JSON.stringify(branch.label)} of step ${step.position} can never hold: ${why}`
      return [{ code: 'condition_unreachable', message, ref: step.id }]
    }),
  )
}

/** Why a condition can never hold; null: it can. What is only denied, as in "not answered", can. */
function neverBecause(when: Condition, settings: Settings): string | null {
  if (when.all) return when.all.map((one) => neverBecause(one, settings)).find((why) => why !== null) ?? null
  if (when.any) {
    const reasons = when.any.map((one) => neverBecause(one, settings))
    return reasons.every((why) => why !== null) ? (reasons[0] ?? null) : null
  }
  if (when.intent !== undefined && settings.aiTriage === null) return 'no model reads replies (aiTriage).'
  return when.did === undefined ? null : neverDone(when.did, settings)
}

function neverDone(did: NonNullable<Condition['did']>, settings: Settings): string | null {
  switch (did) {
    case 'opened':
      return settings.openTracking ? null : 'opens are not tracked (openTracking).'
    case 'clicked':
      return settings.linkTracking ? null : 'links are not tracked (linkTracking).'
    case 'replied':
      return settings.stopOnReply ? 'a reply ends the lead (stopOnReply).' : null
    case 'auto_replied':
      return settings.stopOnAutoReply ? 'an automatic reply ends the lead (stopOnAutoReply).' : null
    case 'meeting_booked':
      return settings.stopOnMeetingBooked ? 'a meeting ends the lead (stopOnMeetingBooked).' : null
    case 'soft_bounced':
      return null
  }
}
