import type { Step } from '@overture/contract/campaigns/campaigns.ts'
import { sameValue } from '@overture/contract/read-only.ts'
import { defaultWait } from './sequence.ts'

/**
 * The position of a lead after the sequence changed: the new position of the last step it got. If that step was removed, the
 * position is the number of remaining steps before it, so no step is sent twice or skipped.
 */
export function positionAfterChange(current: number, before: readonly Step[], after: readonly Step[]): number {
  const lastStep = before[current - 1]
  if (!lastStep) return Math.min(current, after.length)
  const moved = after.findIndex((step) => step.id === lastStep.id)
  if (moved >= 0) return moved + 1
  const surviving = new Set(after.map((step) => step.id))
  return before.slice(0, current).filter((step) => surviving.has(step.id)).length
}

/**
 * How long a contacted lead waits for its next step. A first step has no wait. If a later step became the first, its old wait
 * applies, else the wait of the step that the lead waited for, else the default.
 */
export function waitAfterChange(
  next: Step,
  { before, waitedFor }: { before: readonly Step[]; waitedFor: Step | undefined },
): Step['waitBefore'] {
  if (next.position > 1) return next.waitBefore
  const own = before.find((step) => step.id === next.id && step.position > 1)
  return (own ?? waitedFor)?.waitBefore ?? defaultWait
}

/** Whether a lead waits for the same step with the same wait as before. */
export function sameWait(left: Step | undefined, right: Step): boolean {
  return (
    left !== undefined &&
    left.id === right.id &&
    left.waitBefore.value === right.waitBefore.value &&
    left.waitBefore.unit === right.waitBefore.unit
  )
}

/** Whether both sequences send the same texts. */
export function sameTexts(before: readonly Step[], after: readonly Step[]): boolean {
  const enabledTexts = (steps: readonly Step[]) =>
    steps.flatMap(({ id, variants }) =>
      variants.flatMap(({ subject, body, enabled }) => (enabled ? [[id, subject, body]] : [])),
    )
  return sameValue(enabledTexts(before), enabledTexts(after))
}
