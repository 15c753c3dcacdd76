import type { LeadFacts } from '@overture/ground/paths/condition.ts'
import type { AddressVerdict } from '@overture/planner/address-check.ts'
import { contactKeys } from '../../contact-policy/index.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { TemplateRenderer } from '../../templates/index.ts'
import { leadScope } from '../../templates/render.ts'
import type { CandidateRow } from './leads.sql.ts'
import type { StepMessageRow } from './claims.sql.ts'
import type { PlanLead } from '@overture/planner/plan.types.ts'
import type { PlanStepRow } from './campaigns.sql.ts'
import type { SelectableRow } from './variants.sql.ts'

export interface LeadToPlan {
  row: CandidateRow
  step: PlanStepRow
  variant: SelectableRow | undefined
  existing: StepMessageRow | undefined
  suppressed: boolean
  address?: AddressVerdict | undefined
  meetingUrl: string | null
  /** Present for a lead that a branch moved here. */
  known?: LeadFacts | undefined
  decided?: PlanLead['decided']
  /** Present in a forecast. */
  sentBefore?: PlanLead['sentBefore']
  notTakenBy?: PlanLead['notTakenBy']
}

/** Converts leads for the planner. The missing variables of all their templates are determined in one call. */
export async function toPlanLeads(
  renderer: TemplateRenderer,
  tenant: Tenant,
  facts: readonly LeadToPlan[],
): Promise<PlanLead[]> {
  const lists = new Map<string, readonly string[]>()
  const asked = facts.flatMap((one) => {
    const { row, step, variant } = one
    if (variant === undefined) return []
    const answers = step.sameThread && (row.bound || (row.currentStep > 0 && !row.untouched))
    // Leads of a variant share the list object, so it is passed to a rendering thread only once.
    const key = `${variant.id} ${answers} ${variant.ai === null ? '' : row.id}`
    const texts = lists.get(key) ?? (answers ? [variant.body] : [variant.subject, variant.body])
    lists.set(key, texts)
    return [{ one, texts, scope: scopeOf(one) }]
  })
  const missing = await renderer.missing(tenant, asked)
  const namesOf = new Map(asked.map(({ one }, at) => [one, missing[at] ?? []]))
  return facts.map((one) => planLeadOf(one, namesOf.get(one) ?? []))
}

export async function toPlanLead(renderer: TemplateRenderer, tenant: Tenant, facts: LeadToPlan): Promise<PlanLead> {
  const [lead] = await toPlanLeads(renderer, tenant, [facts])
  return lead as PlanLead
}

function planLeadOf(
  { row, step, variant, existing, suppressed, address, known, decided, sentBefore, notTakenBy }: LeadToPlan,
  missingVariables: string[],
): PlanLead {
  const retry = existing?.status === 'queued' && existing.attempts > 0
  return {
    id: row.id,
    campaignId: row.campaignId,
    sendingAccountId: row.sendingAccountId,
    timezone: row.timezone,
    country: row.country,
    emailDomain: row.emailDomain,
    ...contactKeys(row),
    nextStepPosition: step.position,
    dueAt: row.dueAt ?? row.createdAt,
    retry,
    attemptAt: row.attemptAt,
    suppressed,
    missingVariables,
    address,
    // If all variants of a step are switched off, it has no released text.
    awaitingApproval: variant === undefined && step.type === 'email',
    uncertain: existing?.status === 'uncertain' || existing?.status === 'sending',
    returned: row.returned === true,
    untouched: row.untouched,
    bound: row.bound,
    facts: known,
    sentBefore,
    notTakenBy,
    decided,
  }
}

// The sender is not chosen yet, so these are samples. Missing fields of the sender show when the message is written.
export function scopeOf({ row, meetingUrl }: LeadToPlan) {
  return {
    ...leadScope(row),
    meetingUrl,
    unsubscribeUrl: 'url',
    sender: { email: 'email', fromName: 'name', signature: 'signature' },
  }
}
