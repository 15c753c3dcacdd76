import { type DraftNow, type DraftRequest, factsDigest, isStale, listDraftsOfLeads } from '../../ai/index.ts'
import { selectByReplies } from '../../analytics/index.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { chooseByWeight } from '@overture/ground/chance/seeded.ts'
import { listTextFacts, type SelectableRow } from './texts.sql.ts'

/** A text of an AI step with the digest of its lead's current facts. */
export type WrittenText = DraftNow & { factsNow: string | null }

/**
 * The texts of steps by AI or by hand of some leads. Empty, without a query, if there is no such step. `claimed` means that the
 * planner has chosen these texts, so later changes have no effect on them.
 */
export async function listWrittenTexts(
  db: Executor,
  tenant: Tenant,
  of: { variants: readonly SelectableRow[]; leadIds: readonly string[]; claimed?: boolean },
): Promise<readonly WrittenText[]> {
  if (!of.variants.some((variant) => variant.ai !== null || variant.byHand)) return []
  const texts = await listDraftsOfLeads(db, tenant, of.leadIds)
  if (texts.length === 0) return []
  if (of.claimed === true) return texts.map((text) => ({ ...text, status: statusWhenClaimed(text), factsNow: null }))
  const facts = await listTextFacts(db, tenant, [...new Set(texts.map((text) => text.leadId))])
  const digests = new Map(facts.map(({ id, ...lead }) => [id, factsDigest(lead)]))
  return texts.map((text) => ({ ...text, factsNow: digests.get(text.leadId) ?? null }))
}

// A text that is being written again still contains the chosen words.
function statusWhenClaimed({ status, body }: DraftNow): DraftNow['status'] {
  return status === 'requested' && body !== null ? 'approved' : status
}

interface LeadStep {
  leadId: string
  stepId: string
}

/** The variant of this step for this lead: by weight, or by replies if the step is configured so. Equal counts give the same variant. */
export function chosenVariant(
  variants: readonly SelectableRow[],
  { leadId, stepId }: LeadStep,
): SelectableRow | undefined {
  const ofStep = variants.filter((variant) => variant.stepId === stepId)
  const seed = `${leadId} ${stepId}`
  return selectByReplies(ofStep, seed) ?? chooseByWeight(ofStep, seed)
}

// New replies don't change the variant of a lead for which a model has already written a text.
function chosenOrWritten(
  variants: readonly SelectableRow[],
  texts: readonly WrittenText[],
  key: LeadStep,
): SelectableRow | undefined {
  const isWritten = (variant: SelectableRow): boolean =>
    variant.stepId === key.stepId && variant.evidence !== null && findText(texts, key, variant) !== undefined
  return (texts.length > 0 ? variants.find(isWritten) : undefined) ?? chosenVariant(variants, key)
}

/** That variant with the text that will be sent. Undefined if a model or a person has yet to provide the text. */
export function variantFor(
  variants: readonly SelectableRow[],
  texts: readonly WrittenText[],
  key: LeadStep,
): SelectableRow | undefined {
  const variant = chosenOrWritten(variants, texts, key)
  if (variant === undefined || (variant.ai === null && !variant.byHand)) return variant
  const text = findText(texts, key, variant)
  const good = text?.status === 'approved' && (variant.ai === null || !isOutdated(text, variant.ai))
  return good ? { ...variant, subject: text.subject ?? '', body: text.body ?? '' } : undefined
}

/** The variant for a preview: the named one, or else the lead's own. A model's text is shown even before a person approved it. */
export function shownVariant(
  variants: readonly SelectableRow[],
  texts: readonly WrittenText[],
  { variantId, ...key }: LeadStep & { variantId: string | undefined },
): SelectableRow | 'no_variant' | 'no_text' {
  const named = variantId === undefined ? undefined : variants.find((variant) => variant.id === variantId)
  const variant = variantId === undefined ? chosenOrWritten(variants, texts, key) : named
  if (variant === undefined) return 'no_variant'
  const text = findText(texts, key, variant)
  if (variant.ai === null)
    return variant.byHand && text !== undefined
      ? { ...variant, subject: text.subject ?? '', body: text.body ?? '' }
      : variant
  const isThere = (text?.status === 'approved' || text?.status === 'waiting') && !isOutdated(text, variant.ai)
  return isThere ? { ...variant, subject: text.subject ?? '', body: text.body ?? '' } : 'no_text'
}

/**
 * The request for a text that a lead's step lacks, or null. A text that a model failed to write, or whose job died, is requested
 * again if that was before `failedBefore`, or if the variant has another preset or model now.
 */
export function missingText(
  variants: readonly SelectableRow[],
  texts: readonly WrittenText[],
  key: LeadStep & { campaignId: string; failedBefore?: Date },
): DraftRequest | null {
  const variant = chosenOrWritten(variants, texts, key)
  if (variant === undefined || variant.ai === null) return null
  const { campaignId, leadId, stepId } = key
  const text = findText(texts, key, variant)
  const request = { campaignId, leadId, stepId, variantId: variant.id, ...variant.ai }
  if (text === undefined) return { ...request, replaces: null }
  const lateEnough = key.failedBefore !== undefined && text.updatedAt < key.failedBefore
  const isOpen = text.status === 'failed' || text.status === 'requested'
  const { presetId, modelId } = variant.ai
  // The preset or model that failed is no longer the variant's.
  const isOthers = text.status === 'failed' && (text.presetId !== presetId || text.modelId !== modelId)
  const askAgain = text.error === 'insufficient_credits' || isOthers || (isOpen && lateEnough)
  return askAgain || isOutdated(text, variant.ai) ? { ...request, replaces: text.revision } : null
}

/** The variant of a step by hand whose text a person has yet to approve. Its text is a template. `exists`: it was rendered. */
export function handVariant(
  variants: readonly SelectableRow[],
  texts: readonly WrittenText[],
  key: LeadStep,
): { variant: SelectableRow; exists: boolean } | undefined {
  const variant = chosenOrWritten(variants, texts, key)
  if (variant?.byHand !== true) return undefined
  const text = findText(texts, key, variant)
  return text?.status === 'approved' ? undefined : { variant, exists: text !== undefined }
}

function isOutdated(text: WrittenText, ai: { presetId: string; modelId: string }): boolean {
  return text.factsNow !== null && isStale(text, { facts: text.factsNow, ai })
}

function findText(
  texts: readonly WrittenText[],
  { leadId, stepId }: LeadStep,
  variant: SelectableRow,
): WrittenText | undefined {
  return texts.find((text) => text.leadId === leadId && text.stepId === stepId && text.variantId === variant.id)
}
