import type { Settings, Step } from '@overture/contract/campaigns/campaigns.ts'
import type { Entry } from '@overture/contract/campaigns/conditions.ts'
import type { Blocker } from '@overture/contract/errors.ts'
import type { Condition } from '@overture/ground/paths/condition.ts'

/** Branches that can't be true for any lead, given what the campaign tracks and what ends its leads. */
export function unreachableBranches(steps: readonly Step[], settings: Settings): Blocker[] {
  return steps.flatMap((step) =>
    step.branches.flatMap((branch) => {
      const why = neverBecause(branch.when, { settings, leaves: whyTooLate(steps, step) })
      if (why === null) return []
      const message = `Branch ${JSON.stringify(branch.label)} of step ${step.position} can never match: ${why}`
      return [{ code: 'condition_unreachable', message, ref: step.id }]
    }),
  )
}

/** Explains why no lead can ever meet an entry, whatever leads do in any of the source campaigns. */
export function unreachableEntry({ when }: Entry, sources: readonly Settings[]): Blocker[] {
  if (when === null || sources.length === 0) return []
  const reasons = sources.map((settings) => neverBecause(when, { settings: { ...settings, ...endsNobody } }))
  if (reasons.some((why) => why === null)) return []
  return [{ code: 'condition_unreachable', message: `No lead can ever match: ${reasons[0]}`, ref: null }]
}

// A lead that a reply or a meeting ended in the source campaign can still enter this one.
const endsNobody = { stopOnReply: false, stopOnAutoReply: false, stopOnMeetingBooked: false }

interface Circumstances {
  settings: Settings
  /** Returns another reason why a leaf of the condition can't be true, or null. */
  leaves?: (leaf: Condition) => string | null
}

/** A condition about a message that is sent only after the branch can't be true at the branch. */
function whyTooLate(steps: readonly Step[], branch: Step): (leaf: Condition) => string | null {
  return ({ stepId }) => {
    const step = steps.find((step) => step.id === stepId)
    return step !== undefined && step.position > branch.position ? `step ${step.position} comes later.` : null
  }
}

/** Returns why a condition can never be true, or null if it can. Negations, such as "not replied", can always be true. */
function neverBecause(when: Condition, circumstances: Circumstances): string | null {
  if (when.all) return when.all.map((one) => neverBecause(one, circumstances)).find((why) => why !== null) ?? null
  if (when.any) {
    const reasons = when.any.map((one) => neverBecause(one, circumstances))
    return reasons.every((why) => why !== null) ? (reasons[0] ?? null) : null
  }
  const { settings, leaves } = circumstances
  if (when.intent !== undefined && settings.aiTriage === null) return 'AI reading of replies is off (aiTriage).'
  return when.did === undefined ? null : (neverDone(when.did, settings) ?? leaves?.(when) ?? null)
}

function neverDone(did: NonNullable<Condition['did']>, settings: Settings): string | null {
  switch (did) {
    case 'opened':
      if (settings.tracking === 'off') return 'nothing is tracked (tracking).'
      return settings.openTracking ? null : 'opens are not tracked (openTracking).'
    case 'clicked':
      if (settings.tracking === 'off') return 'nothing is tracked (tracking).'
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
