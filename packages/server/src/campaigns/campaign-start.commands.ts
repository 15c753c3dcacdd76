import type { Step } from '@overture/contract/campaigns/campaigns.ts'
import type { Blocker } from '@overture/contract/errors.ts'
import { findAccount } from '../accounts/index.ts'
import { withHolidays } from '../holidays/index.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { listSenders } from '../sending-accounts/index.ts'
import type { TemplateRenderer } from '../templates/index.ts'
import { refuseBlocked, startBlockers, statusAtStart } from './campaign.ts'
import { type CampaignRow, lockCampaignRow, updateCampaignStatus } from './campaigns.sql.ts'
import { findUnreachableEntry, findUnreadyTargets } from './hand-over-targets.queries.ts'
import { lookAheadForDrafts } from './drafts-ahead.commands.ts'
import { enterJobKind } from './steering/ask-branches.commands.ts'
import { wakePlanner } from './leads/lead-moves.commands.ts'
import { resolveLocalDays, nextOpening } from '@overture/ground/time/sending-window.ts'
import { parseDayNumber, startOfDayMs } from '@overture/ground/time/time-zone.ts'

/** Functions of features that depend on campaigns, passed in by the composition. */
export interface StartTools extends ContentTools {
  checkAi: AiStartCheck
}

export interface ContentTools {
  renderer: TemplateRenderer
  /** Whether a model with this id exists, also if it is unavailable. If absent, no model exists. */
  isModel?(modelId: string): boolean
}

/** Returns the ids of missing presets of AI steps, and whether credits are missing. */
export type AiStartCheck = (
  db: Executor,
  tenant: Tenant,
  ai: readonly { presetId: string; modelId: string }[],
) => Promise<{ missingPresetIds: readonly string[]; creditsMissing: boolean }>

interface CampaignToStart extends StartTools {
  linksReach: boolean
  row: CampaignRow
  steps: readonly Step[]
  now: Date
}

/** Starts, launches or resumes a campaign: it becomes active or scheduled. Throws one error with every blocker. */
export async function beginSending(tx: Transaction, tenant: Tenant, beginning: CampaignToStart): Promise<void> {
  const { row, now } = beginning
  refuseBlocked(row.status, await findStartBlockers(tx, tenant, beginning))
  const beginsAt =
    row.schedule.startDate === null
      ? null
      : new Date(startOfDayMs(row.schedule.timezone, parseDayNumber(row.schedule.startDate)))
  const status = statusAtStart(row.schedule, beginsAt, now)
  const resumed = row.status === 'paused'
  await updateCampaignStatus(tx, tenant, { id: row.id, status, reason: null, now })
  if (resumed) await appendEvents(tx, tenant, [{ type: 'campaign.resumed', occurredAt: now, campaignId: row.id }])
  // Leads that were to enter the campaign while it was paused enter now.
  if (resumed && row.entry !== null)
    await enqueueJob(tx, { kind: enterJobKind, tenant, payload: { campaignId: row.id }, runAt: now })
  await lookAheadForDrafts(tx, tenant, { campaignId: row.id, at: now })
  if (status === 'scheduled' && beginsAt !== null) {
    await enqueueJob(tx, {
      kind: 'campaigns.begin',
      tenant,
      payload: { campaignId: row.id },
      runAt: beginsAt,
      key: `${row.id} ${row.schedule.startDate}`,
    })
    return
  }
  if (!resumed) await appendEvents(tx, tenant, [{ type: 'campaign.started', occurredAt: now, campaignId: row.id }])
  wakePlanner(tx, tenant, now)
}

/** The blockers for which a start would be refused, whatever the campaign's status. */
export async function findStartBlockers(
  db: Executor,
  tenant: Tenant,
  input: Omit<CampaignToStart, keyof ContentTools>,
): Promise<Blocker[]> {
  const { row, steps, checkAi, linksReach, now } = input
  const account = await findAccount(db, tenant.accountId)
  const senders = await listSenders(db, tenant, row.sendingAccountIds)
  const schedule = await withHolidays(row.schedule)
  const ai = await checkAi(db, tenant, aiUses(steps))
  return startBlockers({
    steps,
    settings: row.settings,
    sendingAccountIds: row.sendingAccountIds,
    unavailableSenders: row.sendingAccountIds.flatMap((id) => {
      const status = senders.find((sender) => sender.id === id)?.status ?? 'deleted'
      return status === 'active' ? [] : [{ id, status }]
    }),
    postalAddressMissing: tenant.environment === 'live' && !account?.postalAddress,
    publicUrlUnreachable: tenant.environment === 'live' && !linksReach,
    neverOpens: nextOpening(schedule, resolveLocalDays(schedule, null), now) === null,
    ...ai,
    handOverBlockers: [
      ...(await findUnreadyTargets(db, tenant, steps)),
      ...(await findUnreachableEntry(db, tenant, row.entry)),
    ],
  })
}

function aiUses(steps: readonly Step[]) {
  return steps.flatMap((step) =>
    step.variants.flatMap((variant) => (variant.enabled && variant.ai ? [variant.ai] : [])),
  )
}

/** The job at the start date of a scheduled campaign. Activates the campaign unless it was paused or deleted meanwhile. */
export async function beginScheduledCampaign(
  tx: Transaction,
  tenant: Tenant,
  { campaignId, now }: { campaignId: string; now: Date },
): Promise<void> {
  const row = await lockCampaignRow(tx, tenant, campaignId)
  if (row?.status !== 'scheduled') return
  await updateCampaignStatus(tx, tenant, { id: row.id, status: 'active', reason: null, now })
  await appendEvents(tx, tenant, [{ type: 'campaign.started', occurredAt: now, campaignId: row.id }])
  await lookAheadForDrafts(tx, tenant, { campaignId: row.id, at: now })
  wakePlanner(tx, tenant, now)
}
