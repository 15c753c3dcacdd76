import { notFound } from '@overture/contract/errors.ts'
import type { CheckTextsInput, CheckTextsOutput, TextHint } from '@overture/contract/templates/check.ts'
import {
  countLeadsWithout,
  findCampaign,
  findLeadById,
  listCustomNames,
  type CampaignRow,
} from '../../campaigns/index.ts'
import type { App } from '../../platform/app.ts'
import { isStorable } from '@overture/ground/text/storable-text.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findHints, unknownHints } from '../../templates/hints.ts'
import { plainProblem } from '../../templates/language/plain-problem.ts'
import { unknownNames } from '../../templates/language/unknown-names.ts'
import { isStandard } from '@overture/ground/text/variable-names.ts'
import { postponedMessage } from '../../templates/index.ts'
import { templateParts } from '../../templates/template-text.ts'
import { loadSenders } from '../plan/senders.sql.ts'
import { composeCampaignMessage, toRenderInput, type ComposeInput } from '../write/compose.ts'
import { findAccountFooter } from '../write/compose.sql.ts'
import type { ExplainTools } from '../delivery.shell.ts'
import { listPlanSteps, type PlanStepRow } from '../plan/campaigns.sql.ts'
import { possibleSenderIds, findThread } from './explain.queries.ts'
import { isFirstMessage } from './preview.queries.ts'
import { findPlanLead, type PlanLeadRow } from './explain.sql.ts'

const hintsMax = 50

type TextPreview = CheckTextsOutput['previews'][number]
type TextsToCheck = CheckTextsInput & ExplainTools & { now: Date }

/** Checks a text that is being written: its errors, hints, leads that lack a value, and the message that would be sent. */
export async function checkTexts(app: App, tenant: Tenant, input: TextsToCheck): Promise<CheckTextsOutput> {
  const { subject, body, campaignId, stepId } = input
  const campaign = campaignId === undefined ? null : await findCampaign(app.db, tenant, campaignId)
  if (campaign === undefined) throw notFound()
  const step = stepId === undefined ? null : await findStep(app, tenant, { campaign, stepId })
  const issues = await findIssues(tenant, input)
  const customNames = campaignId === undefined ? [] : await listCustomNames(app.db, tenant, campaignId)
  const hints = findHints({ subject, body }, customNames)
  if (issues.length > 0) return { issues, hints, variables: [], previews: [] }
  const previews: TextPreview[] = []
  for (const leadId of input.leadIds ?? []) previews.push(await previewText(app, tenant, { input, leadId, step }))
  const { variables, unknown } = await findVariables(app, tenant, input, customNames)
  return { issues, hints: [...unknown, ...hints].slice(0, hintsMax), variables, previews }
}

async function findStep(
  { db }: App,
  tenant: Tenant,
  { campaign, stepId }: { campaign: CampaignRow | null; stepId: string },
): Promise<PlanStepRow> {
  const steps = campaign === null ? [] : await listPlanSteps(db, tenant, [campaign.id])
  const step = steps.find((row) => row.id === stepId)
  if (step === undefined) throw notFound()
  return step
}

async function findIssues(
  tenant: Tenant,
  { subject, body, renderer }: TextsToCheck,
): Promise<CheckTextsOutput['issues']> {
  const texts = { subject, body }
  const findProblem = await renderer.check(
    tenant,
    templateParts.map((part) => ({ part, text: texts[part] })),
  )
  return templateParts.flatMap((field) => {
    const problem = findProblem(field, texts[field])
    if (problem === null) return []
    const [words, line = '1', column = '1'] = /^(.*?)(?:, line:(\d+), col:(\d+))?$/s.exec(problem)?.slice(1) ?? [
      problem,
    ]
    return { field, line: Number(line), column: Number(column), message: plainProblem(words ?? problem) }
  })
}

interface VariablesFound {
  variables: CheckTextsOutput['variables']
  unknown: TextHint[]
}

// Names are checked for a lead without any data, so variables with a `default` or inside a condition are never reported as
// missing. They can be unknown, though.
async function findVariables(
  app: App,
  tenant: Tenant,
  input: TextsToCheck,
  customNames: readonly string[],
): Promise<VariablesFound> {
  const { campaignId, renderer, subject, body } = input
  const texts = [subject, body]
  const names = await renderer.names(tenant, texts)
  const theirs = names.filter((name) => !/^(?:sender\.|unsubscribeUrl$|meetingUrl$|email$)/.test(name))
  const own = theirs.filter((name) => !isStandard(name))
  const hintsFor = (known: readonly string[], haveLeads: boolean) =>
    unknownHints({ subject, body }, unknownNames(own, known), haveLeads)
  if (campaignId === undefined)
    return {
      variables: theirs.map((name) => ({ name, missing: 0, of: 0 })),
      // A template is written for campaigns whose leads are not known here, so only a likely slip is worth a hint.
      unknown: hintsFor([], false).filter(({ replacement }) => replacement !== null),
    }
  const given = { email: '?', unsubscribeUrl: '?', meetingUrl: '?' }
  const sender = { email: '?', fromName: '?', signature: '?' }
  const [needed = []] = await renderer.missing(tenant, [{ texts, scope: { ...given, sender, customVariables: {} } }])
  const variableNames = [...new Set([...needed, ...own])]
  const { of, without } = await countLeadsWithout(app.db, tenant, { campaignId, names: variableNames })
  const lacking = new Map(variableNames.map((name, at) => [name, without[at] ?? 0]))
  const had = own.filter((name) => (lacking.get(name) ?? 0) < of)
  return {
    variables: theirs.map((name) => ({ name, missing: needed.includes(name) ? (lacking.get(name) ?? 0) : 0, of })),
    unknown: hintsFor([...customNames, ...had], of > 0),
  }
}

interface TextToPreview {
  input: TextsToCheck
  leadId: string
  step: PlanStepRow | null
}

async function previewText(app: App, tenant: Tenant, { input, leadId, step }: TextToPreview): Promise<TextPreview> {
  const none = { leadId, subject: null, text: null, html: null, missing: [], problem: null }
  const found = isStorable(leadId) ? await findLeadById(app.db, tenant, leadId) : undefined
  const isTheirs = found !== undefined && (input.campaignId ?? found.campaignId) === found.campaignId
  const campaign = isTheirs ? await findCampaign(app.db, tenant, found.campaignId) : undefined
  const lead = isTheirs ? await findPlanLead(app.db, tenant, found) : undefined
  if (campaign === undefined || lead === undefined) return { ...none, problem: 'Not found.' }
  const compose = await buildComposeInput(app, tenant, { input, campaign, lead, step })
  const content = toRenderInput(compose)
  const [rendered = { kind: 'postponed' as const }] = await input.renderer.messages(tenant, [content])
  switch (rendered.kind) {
    case 'missing_variable':
      return {
        ...none,
        missing: rendered.names,
        problem: `The lead has no value for ${rendered.names.join(', ')}, and there is no default.`,
      }
    case 'template_error':
      return { ...none, problem: rendered.message }
    case 'postponed':
      return { ...none, problem: postponedMessage }
    case 'rendered': {
      const { subject, text, html } = composeCampaignMessage(compose, content.unsubscribeUrl, rendered)
      return { ...none, subject, text, html }
    }
  }
}

// A sample for a campaign that has no sender yet.
const sampleSender = {
  email: 'sender@example.com',
  fromName: 'Your name',
  signature: null,
  replyTo: null,
  trackingDomain: null,
}

async function buildComposeInput(
  app: App,
  tenant: Tenant,
  { input, campaign, lead, step }: Omit<TextToPreview, 'leadId'> & { campaign: CampaignRow; lead: PlanLeadRow },
): Promise<ComposeInput> {
  const key = { campaignId: campaign.id, leadId: lead.id }
  const senders = await loadSenders(app.db, tenant, possibleSenderIds(campaign, lead), input.now)
  const steps = await listPlanSteps(app.db, tenant, [campaign.id])
  return {
    messageId: 'preview',
    now: input.now,
    tenant,
    campaignId: campaign.id,
    stepId: step?.id ?? '',
    lead,
    sender: senders.find(({ id }) => id === lead.sendingAccountId) ?? senders[0] ?? sampleSender,
    template: { subject: input.subject, body: input.body },
    settings: campaign.settings,
    thread: step === null ? null : await findThread(app, tenant, key, step),
    footer: await findAccountFooter(app.db, tenant),
    isFirst: step === null || isFirstMessage({ steps, lead, step }),
    publicUrl: app.config.publicUrl,
    meetingUrl: input.meetingUrl(tenant, key),
    sign: (purpose, fields) => app.secrets.signToken(purpose, fields),
    sealToken: (purpose, parts) => app.secrets.sealToken(purpose, parts),
  }
}
