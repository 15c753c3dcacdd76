import type { ValidationIssue } from '@overture/contract/errors.ts'
import { isHtml } from '@overture/ground/text/is-html.ts'
import { htmlToText, NestingError } from '@overture/ground/text/text-html.ts'

/** A signature is in every message of its sender, so one that can't be converted to text would make all of them fail. */
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
