import { ownDailyLimit } from '@overture/planner/pacing.ts'
import { nextPosition } from '@overture/ground/paths/path.ts'
import { hourMs } from '@overture/ground/time/spans.ts'
import { type DraftRequest, requestDrafts, markTextsSpent } from '../../ai/index.ts'
import { type CampaignRow, draftsAheadJob, findCampaign } from '../../campaigns/index.ts'
import type { JobContext, JobHandler } from '../../platform/jobs/job.ts'
import { enqueueJob } from '../../platform/jobs/jobs.shell.ts'
import { findSuppressed } from '../../suppressions/index.ts'
import { aheadMs, nextLookMs } from './drafts-ahead.ts'
import { type AheadRow, listLeadsAhead, listUnsentTexts } from './leads.sql.ts'
import { listPlanSteps, type PlanStepRow } from './campaigns.sql.ts'
import { listSenderRows } from './senders.sql.ts'
import { openSlots, unsentTextsMax } from './text-slots.ts'
import { listVariants, type SelectableRow } from './texts.sql.ts'
import { listWrittenTexts, missingText } from './written-texts.shell.ts'

const followUpsMax = 1000
/** The largest number of first steps that are read at once. The planner requests the texts of others when they are due. */
const firstMaxEver = 1000
/** The pause before a failed text is requested from the model again. */
const failedPauseMs = 6 * hourMs

/** Requests the texts of AI steps up to a day before they are due. Repeats while the campaign runs. */
export function draftsAheadJobs(): JobHandler[] {
  return [
    {
      kind: draftsAheadJob,
      maxAttempts: 20,
      run: (context, payload) => lookAhead(context, String(payload['campaignId'])),
    },
  ]
}

async function lookAhead(context: JobContext, campaignId: string): Promise<void> {
  const { app, tenant, now } = context
  const campaign = await findCampaign(app.db, tenant, campaignId)
  if (campaign?.status !== 'active' && campaign?.status !== 'scheduled') return
  const steps = await listPlanSteps(app.db, tenant, [campaignId])
  const stepIds = steps.map((step) => step.id)
  const variants = await listVariants(app.db, tenant, { campaignIds: [campaignId], stepIds })
  const written = new Set(variants.filter((variant) => variant.ai !== null).map((variant) => variant.stepId))
  if (written.size === 0) return
  const senders = await listSenderRows(app.db, tenant, campaign.sendingAccountIds)
  const limits = senders.map(ownDailyLimit)
  const textsMax = unsentTextsMax(limits, campaign.settings)
  const requests = await findMissing(context, { campaign, steps, variants, textsMax })
  await app.db.transaction(async (tx) => {
    await requestDrafts(tx, tenant, requests, now)
    const waits = steps.filter((step) => written.has(step.id) && step.position > 1)
    const runAt = new Date(now.getTime() + nextLookMs(waits))
    await enqueueJob(tx, { kind: draftsAheadJob, tenant, payload: { campaignId }, runAt, key: campaignId })
  })
}

interface DraftSearch {
  campaign: CampaignRow
  steps: readonly PlanStepRow[]
  variants: readonly SelectableRow[]
  /** The number of texts of the first step that may be written and not yet sent. */
  textsMax: number
}

async function findMissing(context: JobContext, looking: DraftSearch) {
  const { app, tenant, now } = context
  const { campaign, steps, variants, textsMax } = looking
  const campaignId = campaign.id
  const firstMax = Math.min(textsMax, firstMaxEver)
  const until = new Date(now.getTime() + aheadMs)
  const rows = await listLeadsAhead(app.db, tenant, { campaignId, until, firstMax, followUpsMax })
  const emails = rows.map((row) => row.email)
  const suppressed = await findSuppressed(app.db, tenant, { secrets: app.secrets, emails })
  const texts = await listWrittenTexts(app.db, tenant, { variants, leadIds: rows.map((row) => row.id) })
  const failedBefore = new Date(now.getTime() - failedPauseMs)
  const missing = rows.flatMap((row) => {
    const step = steps.find((other) => other.position === nextPosition(row))
    if (step === undefined || suppressed.has(row.email)) return []
    const request = missingText(variants, texts, { campaignId, leadId: row.id, stepId: step.id, failedBefore })
    return request === null ? [] : [{ row, request }]
  })
  return withinBound(context, looking, missing)
}

/** Applies the same limit as the planner. It is counted after the leads were read, so that texts requested in between count too. */
async function withinBound(
  { app, tenant }: JobContext,
  { campaign, steps, textsMax }: DraftSearch,
  missing: readonly { row: AheadRow; request: DraftRequest }[],
): Promise<DraftRequest[]> {
  const first = steps.find((step) => step.position === 1)
  if (first === undefined || !missing.some(({ row }) => row.currentStep === 0)) return missing.map((one) => one.request)
  const key = { campaignId: campaign.id, stepId: first.id }
  await markTextsSpent(app.db, tenant, key)
  const unsent = await listUnsentTexts(app.db, tenant, { campaignIds: [key.campaignId], stepIds: [key.stepId] })
  const { maxPerRecipientDomainPerDay } = campaign.settings
  const slots = openSlots({ max: textsMax, maxPerRecipientDomainPerDay }, unsent)
  return missing
    .filter(({ row }) => row.currentStep > 0 || slots.take({ leadId: row.id, emailDomain: row.emailDomain }))
    .map((one) => one.request)
}
