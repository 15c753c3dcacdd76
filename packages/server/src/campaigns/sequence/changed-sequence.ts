import type { Step } from '@overture/contract/campaigns/campaigns.ts'
import { defaultWait } from './sequence.ts'

/**
 * Where a lead stands after the sequence changed: the new position of the last step it got. A step that was taken
 * out counts for the steps before it that stayed, so nobody gets a step twice and nobody skips one.
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
 * How long a lead that was written to waits for its next step. One that has become the first has no wait of its own
 * any more: it keeps the one it had, or that of the step which the lead waited for, and never follows at once.
 */
export function waitAfterChange(
  next: Step,
  { before, waitedFor }: { before: readonly Step[]; waitedFor: Step | undefined },
): Step['waitBefore'] {
  if (next.position > 1) return next.waitBefore
  const own = before.find((step) => step.id === next.id && step.position > 1)
  return (own ?? waitedFor)?.waitBefore ?? defaultWait
}

/** Whether a lead that waits for a step waits as long as it did. */
export function sameWait(left: Step | undefined, right: Step): boolean {
  return (
    left !== undefined &&
    left.id === right.id &&
    left.waitBefore.value === right.waitBefore.value &&
    left.waitBefore.unit === right.waitBefore.unit
  )
}
