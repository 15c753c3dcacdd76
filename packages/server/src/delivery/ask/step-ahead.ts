import { nextPosition } from '@overture/ground/paths/path.ts'

interface LeadAhead {
  campaignId: string
  currentStep: number
  nextStep: number | null
  dueAt: Date | null
  returned?: boolean
}

/** The step that is next for a lead. A lead whose last step was returned and that has no step after it waits at that step. */
export function stepAhead<Step extends { campaignId: string; position: number }>(
  steps: readonly Step[],
  lead: LeadAhead,
): Step | undefined {
  const isLast = lead.returned === true && lead.dueAt === null
  const position = isLast ? lead.currentStep : nextPosition(lead)
  return steps.find((step) => step.campaignId === lead.campaignId && step.position === position)
}
