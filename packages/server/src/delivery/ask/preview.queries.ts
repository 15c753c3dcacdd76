import { firstMessages, nextPosition, sendsNothing, stepAfter } from '@overture/ground/paths/path.ts'
import { AppError, conflict, notFound } from '@overture/contract/errors.ts'
import type { Preview } from '@overture/contract/delivery/delivery.ts'
import type { CampaignRow } from '../../campaigns/index.ts'
import type { App } from '../../platform/app.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { postponedMessage, type RenderOutcome } from '../../templates/index.ts'
import type { CandidateRow } from '../plan/leads.sql.ts'
import type { PlanLeadRow } from './explain.sql.ts'
import { loadSenders } from '../plan/senders.sql.ts'
import { readPlanCampaign } from '../plan/campaigns.sql.ts'
import { toPlanLead } from '../plan/plan-leads.shell.ts'
import { findAccountFooter } from '../write/compose.sql.ts'
import {
  composeCampaignMessage,
  previewHeaders,
  toRenderInput,
  type ComposeInput,
  type RenderedContent,
} from '../write/compose.ts'
import type { ExplainTools } from '../delivery.shell.ts'
import { explainGates } from '@overture/planner/gates.ts'
import type { PlanStepRow } from '../plan/campaigns.sql.ts'
import type { SenderRow } from '../plan/senders.sql.ts'
import { listVariants } from '../plan/texts.sql.ts'
import { listWrittenTexts, shownVariant } from '../plan/written-texts.shell.ts'
import { loadLead, possibleSenderIds, findThread, type LeadKey } from './explain.queries.ts'

export type PreviewInput = ExplainTools &
  LeadKey & { stepId?: string | undefined; variantId?: string | undefined; now: Date }

/** Returns exactly the message that will be sent, made by the code of delivery (docs/contract.md, "Campaigns"). */
export async function previewMessage(app: App, tenant: Tenant, input: PreviewInput): Promise<Preview> {
  const found = await findText(app, tenant, input)
  const compose = await buildComposeInput(app, tenant, input, found)
  const content = toRenderInput(compose)
  const rendered = await renderOrRefuse(tenant, input, { content, found })
  const composed = composeCampaignMessage(compose, content.unsubscribeUrl, rendered)
  return {
    stepId: found.step.id,
    variantId: found.variant.id,
    sendingAccountId: found.sender.id,
    subject: composed.subject,
    text: composed.text,
    html: composed.html,
    headers: previewHeaders(composed.mime),
  }
}

/** The text that a lead would be sent, and its sender. */
export interface FoundText {
  campaign: CampaignRow
  lead: PlanLeadRow
  steps: readonly PlanStepRow[]
  step: PlanStepRow
  variant: { id: string; subject: string; body: string }
  sender: SenderRow
}

export async function findText(app: App, tenant: Tenant, input: PreviewInput): Promise<FoundText> {
  const { campaign, lead, steps } = await loadLead(app, tenant, input)
  const step = input.stepId === undefined ? messageAhead(steps, lead) : steps.find((row) => row.id === input.stepId)
  if (step?.type !== 'email') throw notFound()
  const variant = await findVariant(app, tenant, { lead, step, variantId: input.variantId })
  if (variant === 'no_variant') throw notFound()
  if (variant === 'no_text') throw conflict('The text of this step is not written yet.', campaign.status)
  const senders = await loadSenders(app.db, tenant, possibleSenderIds(campaign, lead), input.now)
  const facts = { row: lead, step, variant, existing: undefined, suppressed: false, meetingUrl: null }
  const planned = await toPlanLead(input.renderer, tenant, facts)
  const plan = await readPlanCampaign(campaign, steps)
  const choice = explainGates({ now: input.now, lead: planned, campaign: plan, senders })
  const sender = senders.find((row) => row.id === choice.next?.sendingAccountId) ?? senders[0]
  if (sender === undefined) throw conflict('The campaign has no sending account.', campaign.status)
  return { campaign, lead, steps, step, variant, sender }
}

// After the last step the last message is shown. Before a branch it is the message of leads for which no branch is true.
function messageAhead(steps: readonly PlanStepRow[], lead: CandidateRow): PlanStepRow | undefined {
  const emails = steps.filter((step) => step.type === 'email')
  let step = steps.find(({ position }) => position === nextPosition(lead)) ?? null
  while (step !== null && sendsNothing(step)) step = stepAfter(steps, step)
  return step ?? emails.at(-1)
}

/** Whether a lead gets no message of the campaign before the one of this step. */
export function isFirstMessage(of: { steps: readonly PlanStepRow[]; lead: CandidateRow; step: PlanStepRow }): boolean {
  const next = of.lead.untouched ? messageAhead([...of.steps], of.lead) : undefined
  return of.step.id === next?.id || firstMessages(of.steps).some(({ id }) => id === of.step.id)
}

export async function buildComposeInput(
  app: App,
  tenant: Tenant,
  input: PreviewInput,
  { campaign, lead, steps, step, variant, sender }: FoundText,
): Promise<ComposeInput> {
  return {
    messageId: 'preview',
    now: input.now,
    tenant,
    campaignId: campaign.id,
    stepId: step.id,
    lead,
    sender,
    template: variant,
    settings: campaign.settings,
    thread: await findThread(app, tenant, input, step),
    footer: await findAccountFooter(app.db, tenant),
    isFirst: isFirstMessage({ steps, lead, step }),
    publicUrl: app.config.publicUrl,
    meetingUrl: input.meetingUrl(tenant, input),
    sign: (purpose, fields) => app.secrets.signToken(purpose, fields),
    sealToken: (purpose, parts) => app.secrets.sealToken(purpose, parts),
  }
}

/** Returns the rendered message, or throws the error that says why it could not be rendered. */
export async function renderOrRefuse(
  tenant: Tenant,
  { renderer }: ExplainTools,
  { content, found }: { content: ReturnType<typeof toRenderInput>; found: FoundText },
): Promise<RenderedContent> {
  const [outcome = { kind: 'postponed' }]: RenderOutcome[] = await renderer.messages(tenant, [content])
  if (outcome.kind === 'missing_variable') throw refuseWithout(outcome.names, found.lead)
  if (outcome.kind === 'template_error') throw conflict(outcome.message, found.campaign.status)
  if (outcome.kind === 'postponed') throw conflict(postponedMessage, found.campaign.status)
  return outcome
}

async function findVariant(
  { db }: App,
  tenant: Tenant,
  of: { lead: CandidateRow; step: PlanStepRow; variantId: string | undefined },
) {
  const leadId = of.lead.id
  const stepId = of.step.id
  const variants = await listVariants(db, tenant, { campaignIds: [of.lead.campaignId], stepIds: [stepId] })
  const texts = await listWrittenTexts(db, tenant, { variants, leadIds: [leadId] })
  return shownVariant(variants, texts, { leadId, stepId, variantId: of.variantId })
}

function refuseWithout(names: readonly string[], lead: CandidateRow): AppError {
  return new AppError('CONFLICT', `The lead has no value for ${names.join(', ')}, and there is no default.`, {
    currentStatus: lead.status,
    allowedActions: [],
    blockers: names.map((name) => ({ code: 'missing_variable', message: `${name} has no value.`, ref: lead.id })),
  })
}
