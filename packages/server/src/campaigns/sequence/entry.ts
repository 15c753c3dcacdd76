import type { Step } from '@overture/contract/campaigns/campaigns.ts'
import type { Entry, EntryInput } from '@overture/contract/campaigns/conditions.ts'
import type { ValidationIssue } from '@overture/contract/errors.ts'
import type { Condition } from '@overture/ground/paths/condition.ts'
import { firstMessages, isCampaign } from '@overture/ground/paths/path.ts'
import { conditionIssues } from './branches.ts'

/** Returns the entry as sent, or the current one if none was sent. */
export function readEntry(sent: EntryInput | null | undefined, current: Entry | null): Entry | null {
  if (sent === undefined || sent === null) return sent === null ? null : current
  return { from: sent.from === 'any' ? 'any' : [...new Set(sent.from)], when: sent.when ?? null }
}

/** Lists the problems of an entry. `steps` are the steps of its source campaigns. */
export function entryIssues(
  { from, when }: Entry,
  { campaignId, steps }: { campaignId: string | null; steps: readonly Step[] },
): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  const own = from === 'any' ? -1 : from.findIndex((id) => id === campaignId)
  if (own !== -1)
    issues.push({
      path: `entry.from[${own}]`,
      rule: 'self',
      message: 'A lead cannot come from this same campaign: name another campaign.',
    })
  const path = 'entry.when'
  if (when === null) {
    if (from === 'any' || from.length > 0)
      issues.push({ path, rule: 'required', message: 'Say what has to happen, or leave `from` empty.' })
    return issues
  }
  if (from !== 'any' && from.length === 0)
    issues.push({
      path,
      rule: 'without_sources',
      message: 'A lead that a branch hands over can enter only if `from` names its campaign.',
    })
  issues.push(...conditionIssues(when, path, steps))
  if (!asksForEvent(when))
    issues.push({
      path,
      rule: 'event',
      message: 'Use at least one of did, interest, intent or signal outside of `not`.',
    })
  return issues
}

function asksForEvent(when: Condition): boolean {
  const inGroup = when.all ?? when.any
  if (inGroup) return inGroup.some(asksForEvent)
  return [when.did, when.interest, when.intent, when.signal].some((part) => part !== undefined)
}

/** Whether the steps need an entry: their first message waits, or replies in an existing thread. */
export function needsEntry(steps: readonly Step[]): boolean {
  return (steps[0]?.waitBefore.value ?? 0) !== 0 || answersOrigin(steps)
}

/** Whether some path begins with a reply in the lead's existing thread. */
export function answersOrigin(steps: readonly Step[]): boolean {
  return firstMessages(steps).some((step) => step.sameThread)
}

/** The campaigns that branches hand over to, each with its path in the request. */
export function listHandOvers(
  steps: readonly Step[],
): { campaignId: string; path: string; step: Step; label: string }[] {
  return steps.flatMap((step, at) =>
    step.branches.flatMap(({ goTo, label }, branch) =>
      isCampaign(goTo) ? [{ campaignId: goTo, path: `steps[${at}].branches[${branch}].goTo`, step, label }] : [],
    ),
  )
}
