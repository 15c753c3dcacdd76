import { firstWords } from '../../editor/index.ts'
import { numberText } from '../../platform/time/format.ts'
import { text as branchText } from '../branches/branches.messages.ts'
import type { StepDraft, VariantDraft } from '../draft.ts'
import { text } from '../sequence.messages.ts'

const gistLength = 80

/** When a step follows the one before it. */
export function timingText({ type, wait: { value, unit } }: StepDraft, index: number, takesOver: boolean): string {
  const isAtOnce = value === 0 || (index === 0 && !takesOver)
  const unitText = value === 1 ? text.oneUnit[unit] : text.units[unit]
  if (type === 'branch')
    return isAtOnce ? branchText.decidesAtOnce : branchText.decidesAfter(numberText(value), unitText)
  return isAtOnce ? text.now : text.waitText(numberText(value), unitText)
}

/** The subject of a variant, else its first words. */
export function variantGist({ subject, body }: VariantDraft): string {
  return subject || firstWords(body, gistLength)
}
