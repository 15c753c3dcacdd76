import { pathEnd } from '@overture/contract/vocabularies.ts'
import { judge, type Condition, type LeadFacts, type Verdict } from './condition.ts'
import { isCampaign, findTarget, type PathStep } from './path.ts'

interface DecidingBranch {
  id: string
  label: string
  when: Condition
  goTo: string | null
  immediately: boolean
}

export interface DecidingStep extends PathStep {
  branches: readonly DecidingBranch[]
}

/** The result of a branch step: the first branch that held, or none. */
export interface Decision {
  branchId: string | null
  label: string | null
  /** The id of the lead's next step, `end`, or the campaign that takes the lead over. Null if no step follows. */
  goesTo: string | null
  evidence: string
  immediate: boolean
}

/** Decides for a lead. If `early`, only branches that decide immediately are evaluated, and the result is null if none of them holds. */
export function decide<Step extends DecidingStep>(
  { steps, step, facts }: { steps: readonly PathStep[]; step: Step; facts: LeadFacts },
  { now, early }: { now: Date; early: boolean },
): Decision | null {
  const branches = early ? step.branches.filter((branch) => branch.immediately) : step.branches
  for (const branch of branches) {
    const finding = judge(branch.when, facts, { stepId: step.id, now })
    if (finding.holds) {
      const goesTo = resolveTarget(steps, step, branch.goTo)
      return { branchId: branch.id, label: branch.label, goesTo, evidence: finding.detail, immediate: early }
    }
  }
  if (early) return null
  const goesTo = resolveTarget(steps, step, step.then)
  return { branchId: null, label: null, goesTo, evidence: 'No branch matched.', immediate: false }
}

function resolveTarget(steps: readonly PathStep[], step: PathStep, target: string | null): string | null {
  return target === pathEnd || isCampaign(target) ? target : (findTarget(steps, step, target)?.id ?? null)
}

/** Evaluates each branch for the present facts. */
export function judgeBranches(
  step: DecidingStep,
  facts: LeadFacts,
  now: Date,
): (Verdict & { branchId: string; label: string })[] {
  return step.branches.map(({ id, label, when }) => ({
    branchId: id,
    label,
    ...judge(when, facts, { stepId: step.id, now }),
  }))
}
