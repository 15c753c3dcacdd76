import { groupBy } from '@overture/ground/group-by.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { Scope } from '../../templates/dialect.ts'
import type { TemplateRenderer } from '../../templates/index.ts'
import { sampleScope, type LeadToPlan } from '../plan/plan-leads.shell.ts'
import type { PlanStepRow } from '../plan/campaigns.sql.ts'
import type { SelectableRow } from '../plan/texts.sql.ts'
import { chosenVariant } from '../plan/written-texts.shell.ts'

/** The steps of some campaigns, and the enabled variants of these steps. */
export interface TextsAhead {
  steps: readonly PlanStepRow[]
  variants: readonly SelectableRow[]
}

interface AskedLater {
  leadId: string
  stepId: string
  texts: readonly string[]
  scope: Scope
}

/** The variables without a value that each lead needs after its next step, by lead and step. A model's texts are assumed to be complete. */
export async function knowMissingLater(
  renderer: TemplateRenderer,
  tenant: Tenant,
  { facts, steps, variants }: TextsAhead & { facts: readonly LeadToPlan[] },
): Promise<Map<string, Map<string, readonly string[]>>> {
  const knownNames = await namesByVariant(renderer, tenant, variants)
  const emails = steps.filter(({ type }) => type === 'email')
  const stepsByCampaign = groupBy(emails, ({ campaignId }) => campaignId)
  const variantsByStep = groupBy(variants, ({ stepId }) => stepId)
  const laterTexts = facts.flatMap((one) => textsToCheck(one, { stepsByCampaign, variantsByStep, knownNames }))
  const missing = await renderer.missing(tenant, laterTexts)
  const byLead = new Map<string, Map<string, readonly string[]>>()
  for (const [at, { leadId, stepId }] of laterTexts.entries()) {
    const names = missing[at] ?? []
    if (names.length === 0) continue
    const known = byLead.get(leadId) ?? new Map<string, readonly string[]>()
    byLead.set(leadId, known.set(stepId, names))
  }
  return byLead
}

async function namesByVariant(
  renderer: TemplateRenderer,
  tenant: Tenant,
  variants: readonly SelectableRow[],
): Promise<Map<string, readonly string[]>> {
  const written = variants.filter(({ ai }) => ai === null)
  const names = await Promise.all(written.map(({ subject, body }) => renderer.names(tenant, [subject, body])))
  return new Map(written.map(({ id }, at) => [id, names[at] ?? []]))
}

interface KnownTexts {
  /** The email steps of each campaign. */
  stepsByCampaign: ReadonlyMap<string, readonly PlanStepRow[]>
  variantsByStep: ReadonlyMap<string, readonly SelectableRow[]>
  /** The names in the texts of each variant. */
  knownNames: ReadonlyMap<string, readonly string[]>
}

// Most leads have a value for each name, and then the texts are not rendered.
function textsToCheck(lead: LeadToPlan, { stepsByCampaign, variantsByStep, knownNames }: KnownTexts): AskedLater[] {
  const { row, step: next } = lead
  const later = (stepsByCampaign.get(row.campaignId) ?? []).filter(({ position }) => position > next.position)
  if (later.length === 0) return []
  const scope = sampleScope(lead)
  return later.flatMap(({ id, sameThread }) => {
    const variant = chosenVariant(variantsByStep.get(id) ?? [], { leadId: row.id, stepId: id })
    const names = variant === undefined ? [] : (knownNames.get(variant.id) ?? [])
    if (variant === undefined || names.every((name) => isPresent(scope, name))) return []
    const texts = sameThread ? [variant.body] : [variant.subject, variant.body]
    return [{ leadId: row.id, stepId: id, texts, scope }]
  })
}

/** Whether the scope has a value under exactly this name. Other spellings are left to the renderer. */
function isPresent(scope: Scope, name: string): boolean {
  let value: unknown = scope
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return false
    value = (value as Scope)[part]
  }
  return typeof value === 'string' && value.trim() !== ''
}
