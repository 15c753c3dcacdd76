import type { ValidationIssue } from '@overture/contract/errors.ts'
import { htmlToText, isHtml, NestingError } from '../ground/text/text-html.ts'

/** A signature stands in every message of its sender: one that can't be turned into text would fail them all. */
export function signatureIssues(signature: string | null | undefined): ValidationIssue[] {
  if (typeof signature !== 'string' || !isHtml(signature)) return []
  try {
    htmlToText(signature)
    return []
  } catch (error) {
    if (!(error instanceof NestingError)) throw error
    return [{ path: 'signature', rule: 'nesting', message: error.message }]
  }
}
