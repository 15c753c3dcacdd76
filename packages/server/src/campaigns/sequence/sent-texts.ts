import { stepsMax, variantsMax } from '@overture/contract/campaigns/campaigns.ts'
import type { ValidationIssue } from '@overture/contract/errors.ts'
import { templateParts, type TemplateProblemOf, type TemplateText } from '../../templates/template-text.ts'
import { taskTemplateIssues, taskTexts } from './task-step.ts'

/** The parts of a request body for a campaign that contain texts, not validated yet. */
export interface SentSequence {
  steps?: unknown
  entry?: unknown
}

/** The texts in unvalidated steps. */
export function sentTexts(sent: unknown): TemplateText[] {
  return readList(sent, stepsMax).flatMap((step) => [
    ...taskTexts(readFields(step)),
    ...readList(readFields(step)['variants'], variantsMax).flatMap((variant) =>
      templateParts.flatMap((part) => {
        const text = readFields(variant)[part]
        return typeof text === 'string' ? [{ part, text }] : []
      }),
    ),
  ])
}

/** Reports the invalid templates in unvalidated steps. */
export function templateIssues({ steps: sent }: SentSequence, templateProblem: TemplateProblemOf): ValidationIssue[] {
  return readList(sent, stepsMax).flatMap((one, index) => stepTemplateIssues(one, `steps[${index}]`, templateProblem))
}

/** The invalid templates of one unvalidated step. */
export function stepTemplateIssues(step: unknown, path: string, templateProblem: TemplateProblemOf): ValidationIssue[] {
  const ofVariants = readList(readFields(step)['variants'], variantsMax).flatMap((variant, index) =>
    templateParts.flatMap((field) => {
      const text = readFields(variant)[field]
      const problem = typeof text === 'string' ? templateProblem(field, text) : null
      return problem === null
        ? []
        : [{ path: `${path}.variants[${index}].${field}`, rule: 'template', message: problem }]
    }),
  )
  return [...taskTemplateIssues(readFields(step), path, templateProblem), ...ofVariants]
}

/** The beginning of an unvalidated list. */
export function readList(value: unknown, max: number): unknown[] {
  return Array.isArray(value) ? value.slice(0, max) : []
}

function readFields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
