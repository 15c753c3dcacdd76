import type {
  VerificationReason,
  VerificationResult,
  VerificationSource,
} from '@overture/contract/verification/verification.ts'

/** The result of an address with its reasons. */
export interface Verdict {
  result: VerificationResult
  reasons: VerificationReason[]
  /** The address that was probably meant. */
  suggestion: string | null
}

/** A verdict as it is stored. */
export interface CheckedAddress extends Verdict {
  email: string
  source: VerificationSource
  checkedAt: Date
  credits: number
}

/** Adds what better evidence says. Facts of the rules stay; the result is that of the evidence. */
export function withEvidence(rules: Verdict, evidence: Verdict): Verdict {
  const reasons = [...new Set([...evidence.reasons, ...rules.reasons])]
  return { result: evidence.result, reasons, suggestion: evidence.suggestion ?? rules.suggestion }
}

export function countByResult(checked: readonly Verdict[]): Record<VerificationResult, number> {
  const counts = { deliverable: 0, risky: 0, undeliverable: 0, unknown: 0 }
  for (const { result } of checked) counts[result]++
  return counts
}
