import type { VerificationReason, VerificationResult } from '@overture/contract/verification/verification.ts'

/** The settings of a campaign for the addresses that it writes to. Source: docs/contract.md, "Verification". */
export interface AddressRules {
  mode: 'off' | 'block_undeliverable' | 'block_risky' | 'require'
  roleAddresses: 'allow' | 'block'
}

/** The last result of an address. */
export interface AddressCheck {
  result: VerificationResult
  reasons: readonly VerificationReason[]
  checkedAt: Date
}

/** Whether a campaign may write to an address. */
export interface AddressVerdict {
  passed: boolean
  /** One sentence with the result and its date. */
  detail: string
}

/** The results that each mode blocks. `require` also blocks addresses without a result. */
const blocked: Readonly<Record<AddressRules['mode'], readonly VerificationResult[]>> = {
  off: [],
  block_undeliverable: ['undeliverable'],
  block_risky: ['undeliverable', 'risky'],
  require: ['undeliverable', 'risky', 'unknown'],
}

/** Judges an address by the rules of its campaign. `isRole` is true for a mailbox of a function, also if it was never verified. */
export function judgeAddress(
  { mode, roleAddresses }: AddressRules,
  check: AddressCheck | null,
  isRole: boolean,
): AddressVerdict {
  if (roleAddresses === 'block' && isRole)
    return { passed: false, detail: 'The address belongs to a function and not to a person.' }
  if (mode === 'off') return { passed: true, detail: 'The campaign requires no verified addresses.' }
  if (check === null) return { passed: mode !== 'require', detail: 'The address was not verified in the last 90 days.' }
  const why = check.reasons.length === 0 ? '' : ` (${check.reasons.join(', ')})`
  const detail = `The address is ${check.result}${why} by the verification of ${check.checkedAt.toISOString().slice(0, 10)}.`
  return { passed: !blocked[mode].includes(check.result), detail }
}
