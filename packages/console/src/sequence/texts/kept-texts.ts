import { ApiError, type StepInput } from '@overture/sdk'
import { forget, keep, kept } from '../../platform/session/preferences.ts'
import type { StepDraft } from '../draft.ts'

const parts = ['subject', 'body'] as const

/** Texts that the API refuses because they don't parse, by variant. They are stored in this browser until they parse. */
export type KeptTexts = Readonly<Record<string, { subject?: string; body?: string }>>

export function keptTexts(campaignId: string): KeptTexts {
  try {
    const found: unknown = JSON.parse(kept(storageName(campaignId)) ?? '{}')
    return typeof found === 'object' && found !== null ? (found as KeptTexts) : {}
  } catch {
    return {}
  }
}

export function keepTexts(campaignId: string, texts: KeptTexts): void {
  if (Object.keys(texts).length === 0) forget(storageName(campaignId))
  else keep(storageName(campaignId), JSON.stringify(texts))
}

function storageName(campaignId: string): string {
  return `texts.${campaignId}`
}

/** The draft with the kept texts. A variant that was only switched off because it has no saved text is switched on again. */
export function withKept(draft: readonly StepDraft[], texts: KeptTexts): StepDraft[] {
  return draft.map((step) => ({
    ...step,
    variants: step.variants.map((variant) => {
      const found = variant.id === null ? undefined : texts[variant.id]
      if (found === undefined) return variant
      return { ...variant, ...found, enabled: variant.enabled || variant.body.trim() === '' }
    }),
  }))
}

/** The texts of the draft that were refused, to be kept. A variant without an id can't be found again, so it is left out. */
export function refusedIn(draft: readonly StepDraft[], refused: ReadonlySet<string>): KeptTexts {
  const texts: Record<string, { subject?: string; body?: string }> = {}
  for (const variant of draft.flatMap(({ variants }) => variants)) {
    if (variant.id === null) continue
    for (const part of parts)
      if (refused.has(textKey(part, variant[part]))) texts[variant.id] = { ...texts[variant.id], [part]: variant[part] }
  }
  return texts
}

/**
 * The steps with the saved text in place of each refused one, so that everything else can be saved. A variant that would then have no
 * text is switched off.
 */
export function withoutRefused(
  steps: readonly StepInput[],
  refused: ReadonlySet<string>,
  saved: readonly StepInput[],
): { steps: StepInput[]; count: number } {
  const before = new Map(saved.flatMap(({ variants = [] }) => variants.map((one) => [one.id, one])))
  let count = 0
  const kept = steps.map((step) => ({
    ...step,
    ...(step.variants !== undefined && {
      variants: step.variants.map((variant) => {
        const changed = { ...variant }
        for (const part of parts) {
          if (!refused.has(textKey(part, variant[part] ?? ''))) continue
          count += 1
          changed[part] = (variant.id === undefined ? undefined : before.get(variant.id)?.[part]) ?? ''
        }
        const isEmpty = changed.body !== variant.body && changed.body?.trim() === ''
        return isEmpty ? { ...changed, enabled: false } : changed
      }),
    }),
  }))
  return { steps: kept, count }
}

/** The texts of these steps that an error of the API refuses. */
export function refusedBy(error: unknown, steps: readonly StepInput[]): string[] {
  if (!ApiError.is(error, 'VALIDATION_ERROR')) return []
  return error.details.issues.flatMap(({ path, rule }) => {
    const found = /^steps\[(\d+)\]\.variants\[(\d+)\]\.(subject|body)$/.exec(path)
    if (rule !== 'template' || found === null) return []
    const [, step, variant, part] = found
    const text = steps[Number(step)]?.variants?.[Number(variant)]?.[part as (typeof parts)[number]]
    return text === undefined ? [] : [textKey(part!, text)]
  })
}

/** Whether an error is only about texts that don't parse, which the text itself shows. */
export function isAboutTexts(error: unknown): boolean {
  if (!ApiError.is(error, 'VALIDATION_ERROR')) return false
  const { issues } = error.details
  return issues.length > 0 && issues.every(({ rule }) => rule === 'template')
}

function textKey(part: string, text: string): string {
  return `${part}\n${text}`
}
