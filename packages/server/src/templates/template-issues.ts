import type { ValidationIssue } from '@overture/contract/errors.ts'
import { templateParts, type TemplateProblemOf, type TemplateText } from './template-text.ts'

/** The texts of a template in a request body of any shape. */
export function textsIn(sent: unknown): TemplateText[] {
  return templateParts.flatMap((part) => {
    const text = (sent as Record<string, unknown> | null | undefined)?.[part]
    return typeof text === 'string' ? [{ part, text }] : []
  })
}

export function issuesIn(sent: unknown, findProblem: TemplateProblemOf): ValidationIssue[] {
  return textsIn(sent).flatMap(({ part, text }) => {
    const message = findProblem(part, text)
    return message === null ? [] : [{ path: part, rule: 'template', message }]
  })
}
