import { requestDrafts } from '../ai/index.ts'
import { draftsAheadJob, findCampaign } from '../campaigns/index.ts'
import { enqueueJob, type JobContext, type JobHandler } from '../platform/jobs/jobs.ts'
import { findSuppressed } from '../suppressions/index.ts'
import { aheadMs, firstStepsMax, nextLookMs } from './drafts-ahead.ts'
import { listLeadsAhead } from './drafts-ahead.sql.ts'
import { listPlanSteps, listSenderRows, type PlanStepRow } from './planning.sql.ts'
import { listVariants, type SelectableRow } from './variants.queries.ts'
import { listWrittenTexts, missingText } from './written-texts.jobs.ts'

const followUpsMax = 1000
/** What a model could not write is asked for again after this long. */
const failedPauseMs = 6 * 3_600_000

/** Has AI steps written before they are due, as far as the next day goes. Looks again while the campaign runs. */
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
  const firstMax = firstStepsMax(
    senders.map((sender) => sender.dailyLimit),
    campaign.settings,
  )
  const requests = await findMissing(context, { campaignId, steps, variants, firstMax })
  await app.db.transaction(async (tx) => {
    await requestDrafts(tx, tenant, requests, now)
    const waits = steps.filter((step) => written.has(step.id) && step.position > 1)
    const runAt = new Date(now.getTime() + nextLookMs(waits))
    await enqueueJob(tx, { kind: draftsAheadJob, tenant, payload: { campaignId }, runAt, key: campaignId })
  })
}

interface Looking {
  campaignId: string
  steps: readonly PlanStepRow[]
  variants: readonly SelectableRow[]
  firstMax: number
}

async function findMissing({ app, tenant, now }: JobContext, looking: Looking) {
  const { campaignId, steps, variants, firstMax } = looking
  const until = new Date(now.getTime() + aheadMs)
  const rows = await listLeadsAhead(app.db, tenant, { campaignId, until, firstMax, followUpsMax })
  const suppressed = await findSuppressed(
    app.db,
    tenant,
    rows.map((row) => row.email),
  )
  const texts = await listWrittenTexts(app.db, tenant, { variants, leadIds: rows.map((row) => row.id) })
  const failedBefore = new Date(now.getTime() - failedPauseMs)
  return rows.flatMap((row) => {
    const step = steps.find((other) => other.position === row.currentStep + 1)
    if (step === undefined || suppressed.has(row.email)) return []
    return missingText(variants, texts, { campaignId, leadId: row.id, stepId: step.id, failedBefore }) ?? []
  })
}
