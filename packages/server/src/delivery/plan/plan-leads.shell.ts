import type { LeadFacts } from '@overture/ground/paths/condition.ts'
import type { AddressVerdict } from '@overture/planner/address-check.ts'
import type { HandText } from '../../ai/index.ts'
import { contactKeys } from '../../contact-policy/index.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { TemplateRenderer } from '../../templates/index.ts'
import { leadScope } from '../../templates/render.ts'
import type { CandidateRow } from './leads.sql.ts'
import type { StepMessageRow } from './claims.sql.ts'
import type { PlanLead } from '@overture/planner/plan.types.ts'
import type { PlanStepRow } from './campaigns.sql.ts'
import type { SelectableRow } from './texts.sql.ts'

export interface LeadToPlan {
  row: CandidateRow
  step: PlanStepRow
  variant: SelectableRow | undefined
  /** The text of a step by hand is not approved. `variant` then has its template. */
  waitsForHand?: boolean
  existing: StepMessageRow | undefined
  suppressed: boolean
  address?: AddressVerdict | undefined
  /** Absent if the campaign matches no providers. */
  recipientProvider?: PlanLead['recipientProvider']
  meetingUrl: string | null
  /** Present for a lead that a branch moved here. */
  known?: LeadFacts | undefined
  decided?: PlanLead['decided']
  tasks?: PlanLead['tasks']
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
  const textsToCheck = facts.flatMap((one) => {
    const { row, step, variant } = one
    if (variant === undefined) return []
    const answers = step.sameThread && (row.bound || (row.currentStep > 0 && !row.untouched))
    // Leads of a variant share the list object, so it is passed to a rendering thread only once.
    const key = `${variant.id} ${answers} ${variant.ai === null ? '' : row.id}`
    const texts = lists.get(key) ?? (answers ? [variant.body] : [variant.subject, variant.body])
    lists.set(key, texts)
    return [{ one, texts, scope: sampleScope(one) }]
  })
  const missing = await renderer.missing(tenant, textsToCheck)
  const namesOf = new Map(textsToCheck.map(({ one }, at) => [one, missing[at] ?? []]))
  return facts.map((one) => buildPlanLead(one, namesOf.get(one) ?? []))
}

export async function toPlanLead(renderer: TemplateRenderer, tenant: Tenant, facts: LeadToPlan): Promise<PlanLead> {
  const [lead] = await toPlanLeads(renderer, tenant, [facts])
  return lead as PlanLead
}

function buildPlanLead(
  { row, step, variant, existing, suppressed, address, recipientProvider, known, waitsForHand, ...more }: LeadToPlan,
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
    recipientProvider,
    // If all variants of a step are switched off, it has no released text.
    awaitingApproval: waitsForHand === true || (variant === undefined && step.type === 'email'),
    uncertain: existing?.status === 'uncertain' || existing?.status === 'sending',
    returned: row.returned === true,
    untouched: row.untouched,
    bound: row.bound,
    facts: known,
    sentBefore: more.sentBefore,
    notTakenBy: more.notTakenBy,
    decided: more.decided,
    tasks: more.tasks,
  }
}

// The sender is not chosen yet, so these are samples. Missing fields of the sender show when the message is written.
export function sampleScope({ row, meetingUrl }: LeadToPlan) {
  return {
    ...leadScope(row),
    meetingUrl,
    unsubscribeUrl: 'url',
    sender: { email: 'email', fromName: 'name', signature: 'signature' },
  }
}

/** The texts of a task, as its person reads them. */
export interface TaskText {
  title: string
  instructions: string
}

type LeadAtTask = Pick<LeadToPlan, 'row' | 'step' | 'meetingUrl'>

/**
 * Renders the texts of tasks that may open now, by the key `lead step`. A variable without a value shows its name, because a
 * person reads the text. A text that can't be rendered stays as it was written.
 */
export async function renderTaskTexts(
  renderer: TemplateRenderer,
  tenant: Tenant,
  leads: readonly LeadAtTask[],
): Promise<Map<string, TaskText>> {
  const texts = await Promise.all(leads.map((lead) => renderOne(renderer, tenant, lead)))
  return new Map(
    leads.map(({ row, step }, at) => [`${row.id} ${step.id}`, texts[at] ?? { title: '', instructions: '' }]),
  )
}

async function renderOne(
  renderer: TemplateRenderer,
  tenant: Tenant,
  { row, step, meetingUrl }: LeadAtTask,
): Promise<TaskText> {
  const written = { title: step.task?.title ?? '', instructions: step.task?.instructions ?? '' }
  const template = { subject: written.title, body: written.instructions }
  const scope = { ...leadScope(row), meetingUrl }
  const seed = `${row.id} ${step.id}`
  const first = await renderer.parts(tenant, { template, scope, seed })
  const named = first.kind === 'missing_variable' ? withNames(scope, first.names) : null
  const result = named === null ? first : await renderer.parts(tenant, { template, scope: named, seed })
  return result.kind === 'rendered' ? { title: result.subject, instructions: result.text } : written
}

const customPrefix = 'customVariables.'

function withNames(scope: ReturnType<typeof leadScope>, names: readonly string[]): ReturnType<typeof leadScope> {
  const shown = names.map((name) => [name, `[${name}]`] as const)
  const custom = shown.flatMap(([name, text]) =>
    name.startsWith(customPrefix) ? [[name.slice(customPrefix.length), text] as const] : [],
  )
  const customVariables = { ...(scope['customVariables'] as Record<string, unknown>), ...Object.fromEntries(custom) }
  return { ...scope, ...Object.fromEntries(shown), customVariables }
}

/** The values of the sender and of links are known only when the message is sent. */
const laterScope = {
  meetingUrl: '{{ meetingUrl }}',
  unsubscribeUrl: '{{ unsubscribeUrl }}',
  sender: {
    email: '{{ sender.email }}',
    fromName: '{{ sender.fromName }}',
    signature: '{{ sender.signature }}',
  },
}

/**
 * Renders texts of steps by hand for their leads, as far as the values are known. A value of a lead can't contain a tag, because the
 * text is rendered again when it is sent. A text that can't be rendered is left out, and its lead waits.
 */
export async function renderHandTexts(
  renderer: TemplateRenderer,
  tenant: Tenant,
  leads: readonly LeadToPlan[],
): Promise<HandText[]> {
  const texts = await Promise.all(
    leads.map(async ({ row, step, variant }): Promise<HandText[]> => {
      if (variant === undefined) return []
      const scope = { ...(withoutTags(leadScope(row)) as ReturnType<typeof leadScope>), ...laterScope }
      const template = { subject: variant.subject, body: variant.body }
      const rendered = await renderer.parts(tenant, { template, scope, seed: `${row.id} ${step.id}` })
      if (rendered.kind !== 'rendered') return []
      const key = { campaignId: row.campaignId, leadId: row.id, stepId: step.id, variantId: variant.id }
      return [{ ...key, subject: rendered.subject, body: rendered.text }]
    }),
  )
  return texts.flat()
}

function withoutTags(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(/\{(?=[{%])/g, '{ ')
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutTags(inner)]))
}
