import { openStatuses } from '@overture/ground/lead-statuses.ts'
import type { Step } from '@overture/contract/campaigns/campaigns.ts'
import type { LeadStatus } from '@overture/contract/campaigns/leads.ts'
import { type ChangeEffects, dryRunSampleMax, type LeadPlace } from '@overture/contract/delivery/dry-run.ts'
import { nextPosition } from '@overture/ground/paths/path.ts'

/** The place of a lead in a sequence. */
interface StandingLead {
  id: string
  status: LeadStatus
  currentStep: number
  nextStep?: number | null
  dueAt: Date | null
}

/** Counts the effects of a changed sequence on leads, which are added one by one. */
export class EffectsCount {
  readonly #moves = new Map<string, ChangeEffects['moved'][number]>()
  readonly #sample: ChangeEffects['sample'] = []
  #reopened = 0
  #completed = 0
  #rescheduled = 0
  #voided = 0
  #before: readonly Step[] = []
  #after: readonly Step[] = []

  setSteps(before: readonly Step[], after: readonly Step[]): void {
    this.#before = before
    this.#after = after
  }

  /** Whether leads that got no message yet begin with another step. */
  get beginsElsewhere(): boolean {
    return this.#before[0]?.id !== this.#after[0]?.id
  }

  /** `count` is the number of leads with the same places before and after; `was` and `is` describe one of them. */
  add(was: StandingLead, is: StandingLead, count = 1): void {
    const [before, after] = [leadPlace(was, this.#before), leadPlace(is, this.#after)]
    const [fromStepId, toStepId] = [before.nextStepId, after.nextStepId]
    if (fromStepId === toStepId && before.dueAt === after.dueAt && before.status === after.status) return
    if (fromStepId === toStepId) this.#rescheduled += count
    else {
      const key = JSON.stringify([fromStepId, toStepId])
      const known = this.#moves.get(key) ?? { fromStepId, toStepId, count: 0 }
      this.#moves.set(key, { ...known, count: known.count + count })
      if (was.status === 'completed') this.#reopened += count
      if (toStepId === null) this.#completed += count
    }
    this.#show({ leadId: was.id, before, after })
  }

  addVoided(count: number): void {
    this.#voided += count
  }

  effects(): ChangeEffects {
    return {
      moved: [...this.#moves.values()].sort((a, b) => b.count - a.count),
      reopened: this.#reopened,
      completed: this.#completed,
      rescheduled: this.#rescheduled,
      decisionsVoided: this.#voided,
      tasksCanceled: 0,
      sample: this.#sample,
    }
  }

  #show(lead: ChangeEffects['sample'][number]): void {
    if (this.#sample.length < dryRunSampleMax) this.#sample.push(lead)
  }
}

function leadPlace(lead: StandingLead, steps: readonly Step[]): LeadPlace {
  const { status, dueAt } = lead
  const next = openStatuses.includes(status) ? (steps[nextPosition(lead) - 1] ?? null) : null
  return { status, nextStepId: next?.id ?? null, dueAt: next === null ? null : (dueAt?.toISOString() ?? null) }
}
