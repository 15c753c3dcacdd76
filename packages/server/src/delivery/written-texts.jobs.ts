import { type DraftRequest, type DraftRow, listDraftsOfLeads } from '../ai/index.ts'
import { selectByReplies } from '../analytics/index.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { chooseByWeight } from '../templates/index.ts'
import type { SelectableRow } from './variants.queries.ts'

/** The texts of AI steps of some leads; empty, without a look, where no variant is written by a model. */
export async function listWrittenTexts(
  db: Executor,
  tenant: Tenant,
  of: { variants: readonly SelectableRow[]; leadIds: readonly string[] },
): Promise<readonly DraftRow[]> {
  return of.variants.some((variant) => variant.ai !== null) ? listDraftsOfLeads(db, tenant, of.leadIds) : []
}

export interface LeadStep {
  leadId: string
  stepId: string
}

/** The variant that this lead gets at this step: by weight, or by replies where the step says so; the same for the same counts. */
export function chosenVariant(
  variants: readonly SelectableRow[],
  { leadId, stepId }: LeadStep,
): SelectableRow | undefined {
  const ofStep = variants.filter((variant) => variant.stepId === stepId)
  const seed = `${leadId} ${stepId}`
  return selectByReplies(ofStep, seed) ?? chooseByWeight(ofStep, seed)
}

// Replies that came in since a model wrote for the lead do not have it write again.
function chosenOrWritten(
  variants: readonly SelectableRow[],
  texts: readonly DraftRow[],
  key: LeadStep,
): SelectableRow | undefined {
  const isWritten = (variant: SelectableRow): boolean =>
    variant.stepId === key.stepId && variant.evidence !== null && textOf(texts, key, variant) !== undefined
  return (texts.length > 0 ? variants.find(isWritten) : undefined) ?? chosenVariant(variants, key)
}

/** That variant with the text that will be sent; undefined while a model or a person has not given it. */
export function variantFor(
  variants: readonly SelectableRow[],
  texts: readonly DraftRow[],
  key: LeadStep,
): SelectableRow | undefined {
  const variant = chosenOrWritten(variants, texts, key)
  if (variant === undefined || variant.ai === null) return variant
  const text = textOf(texts, key, variant)
  return text?.status === 'approved' ? { ...variant, subject: text.subject ?? '', body: text.body ?? '' } : undefined
}

/** What a model still has to be asked for, for a lead whose step is due; null where nothing is missing. */
export function missingText(
  variants: readonly SelectableRow[],
  texts: readonly DraftRow[],
  key: LeadStep & { campaignId: string },
): DraftRequest | null {
  const variant = chosenOrWritten(variants, texts, key)
  if (variant === undefined || variant.ai === null) return null
  const text = textOf(texts, key, variant)
  const askAgain = text?.status === 'failed' && text.error === 'insufficient_credits'
  return text === undefined || askAgain ? { ...key, variantId: variant.id, ...variant.ai } : null
}

function textOf(
  texts: readonly DraftRow[],
  { leadId, stepId }: LeadStep,
  variant: SelectableRow,
): DraftRow | undefined {
  return texts.find((text) => text.leadId === leadId && text.stepId === stepId && text.variantId === variant.id)
}
