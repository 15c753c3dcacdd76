import {
  type Campaign,
  type CreateCampaignInput,
  type LaunchInput,
  type Step,
  type StepInput,
  type UpdateCampaignInput,
  defaultSchedule,
  defaultSettings,
} from '@overture/contract/campaigns/campaigns.ts'
import { AppError, invalid, notFound, type ValidationIssue } from '@overture/contract/errors.ts'
import { changedReadOnly } from '@overture/contract/read-only.ts'
import { findAccount } from '../accounts/index.ts'
import { recordSystem } from '../platform/audit/acts.commands.ts'
import type { Transaction } from '../platform/db/database.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import { isStorable } from '../platform/http/json.ts'
import { newId } from '../platform/ids.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { listSenders } from '../sending-accounts/index.ts'
import type { AddressHashes } from '../suppressions/index.ts'
import { listTemplateTexts } from '../templates/index.ts'
import { textsIn } from '../templates/template-issues.ts'
import {
  assertAllowed,
  assertStaysReachable,
  assertStructureUnchanged,
  type CampaignContent,
  mergeContent,
} from './campaign.ts'
import { getCampaign, presentCampaign } from './campaigns.queries.ts'
import {
  type CampaignRow,
  insertCampaign,
  lockCampaignRow,
  markCampaignDeleted,
  updateCampaignContent,
  updateCampaignStatus,
} from './campaigns.sql.ts'
import { beginSending, type ContentTools, type StartTools } from './campaign-start.commands.ts'
import { assertOwnerExists } from './owners.commands.ts'
import { lookAheadForDrafts } from './drafts-ahead.commands.ts'
import { addLeads } from './leads/leads.commands.ts'
import type { ReflowedLead, ReflowRow } from './paths/reflowed-lead.ts'
import { reflowLeads } from './leads/reflow.commands.ts'
import { readSequence } from './sequence/sequence.ts'
import { listSteps, replaceSteps } from './sequence/sequence.sql.ts'
import { wakePlanner } from './leads/lead-moves.commands.ts'

interface CampaignToCreate extends ContentTools {
  input: CreateCampaignInput
  now: Date
}

export async function createCampaign(tx: Transaction, tenant: Tenant, creating: CampaignToCreate): Promise<Campaign> {
  const { input, now } = creating
  const account = await findAccount(tx, tenant.accountId)
  if (!account) throw notFound()
  const empty: CampaignContent = {
    name: input.name,
    schedule: defaultSchedule(account.defaultTimezone),
    settings: defaultSettings,
    sendingAccountIds: [],
    ownerId: null,
  }
  const content = mergeContent(empty, input)
  const steps = await sequenceOf(tx, tenant, { ...creating, sent: input.steps ?? [], current: [], found: [] })
  assertModelExists(creating, content, empty)
  await assertSendersExist(tx, tenant, content.sendingAccountIds)
  await assertOwnerExists(tx, tenant, content, empty)
  const id = newId('cmp')
  await insertCampaign(tx, tenant, { id, ...content, now })
  await replaceSteps(tx, tenant, id, steps)
  await appendEvents(tx, tenant, [
    { type: 'campaign.created', occurredAt: now, campaignId: id, data: { name: content.name } },
  ])
  return getCampaign(tx, tenant, id)
}

const readOnly = ['id', 'status', 'statusReason', 'leadCount', 'createdAt', 'updatedAt', 'launchedAt', 'completedAt']

export interface CampaignChange extends ContentTools {
  id: string
  input: UpdateCampaignInput
  now: Date
  /** Of a dry run, which tells of any status what a change would do. */
  watch?: {
    onSteps: (before: readonly Step[], after: readonly Step[]) => void
    onMoved: (before: ReflowRow, after: ReflowedLead) => void
    onVoided: (count: number) => void
  }
}

/** Changes what is sent. Text, name and settings at any time; steps, schedule and senders only at rest (docs/contract.md, "Campaigns"). */
export async function updateCampaign(tx: Transaction, tenant: Tenant, change: CampaignChange): Promise<Campaign> {
  const { row, steps: before } = await lockCampaign(tx, tenant, change.id)
  const { watch } = change
  const found = changedReadOnly(presentCampaign(row, before), change.input, readOnly)
  const steps = change.input.steps
    ? await sequenceOf(tx, tenant, { ...change, sent: change.input.steps, current: before, found })
    : before
  if (found.length > 0) throw invalid(...found)
  const content = mergeContent(row, change.input)
  assertModelExists(change, content, row)
  await assertSendersExist(tx, tenant, content.sendingAccountIds)
  await assertOwnerExists(tx, tenant, content, row)
  if (watch === undefined) assertStructureUnchanged(row.status, { content: row, steps: before }, { content, steps })
  assertStaysReachable(row.status, { settings: row.settings, steps: before }, { settings: content.settings, steps })
  await updateCampaignContent(tx, tenant, { id: row.id, ...content, now: laterThan(row.updatedAt, change.now) })
  if (change.input.steps) {
    await replaceSteps(tx, tenant, row.id, steps)
    watch?.onSteps(before, steps)
    const campaign = { ...row, ...content }
    await reflowLeads(tx, tenant, { campaign, before, after: steps, now: change.now, ...watch })
  }
  await lookAheadForDrafts(tx, tenant, { campaignId: row.id, at: change.now })
  await wakePlanner(tx, tenant, change.now)
  return getCampaign(tx, tenant, row.id)
}

// Who sends back an older `updatedAt` is refused: also where the clock stands, each change has a time of its own.
function laterThan(before: Date, now: Date): Date {
  return new Date(Math.max(now.getTime(), before.getTime() + 1))
}

interface SequenceChange extends Pick<ContentTools, 'renderer'> {
  sent: readonly StepInput[]
  current: readonly Step[]
  found: ValidationIssue[]
}

async function sequenceOf(
  tx: Transaction,
  tenant: Tenant,
  { sent, current, found, renderer }: SequenceChange,
): Promise<Step[]> {
  const ids = sent.flatMap((step) => (step.variants ?? []).flatMap(({ templateId }) => templateId ?? []))
  const templates = await listTemplateTexts(tx, tenant, ids)
  const tools = {
    template: (id: string) => templates.get(id),
    newStepId: () => newId('stp'),
    newVariantId: () => newId('var'),
    newBranchId: () => newId('brn'),
    // Texts as sent were checked before; a stored template may be older than what it is checked for.
    templateProblem: await renderer.check(tenant, [...templates.values()].flatMap(textsIn)),
  }
  return readSequence(sent, current, tools, found)
}

// One that the operator took away since may be sent back unchanged.
function assertModelExists(tools: ContentTools, after: CampaignContent, before: CampaignContent): void {
  const modelId = after.settings.aiTriage?.modelId
  if (modelId === undefined || modelId === before.settings.aiTriage?.modelId) return
  if (tools.isModel?.(modelId) !== true) throw notFound()
}

async function assertSendersExist(tx: Transaction, tenant: Tenant, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const found = await listSenders(tx, tenant, [...ids])
  if (found.length < new Set(ids).size) throw notFound()
}

async function lockCampaign(tx: Transaction, tenant: Tenant, id: string): Promise<{ row: CampaignRow; steps: Step[] }> {
  const row = await lockCampaignRow(tx, tenant, id)
  if (!row) throw notFound()
  const steps = await listSteps(tx, tenant, [id])
  return { row, steps: steps.get(id) ?? [] }
}

interface ActionOn {
  id: string
  now: Date
}

/** Start and resume alike: what fell due while a campaign was paused is spread by the planner's gaps. */
export async function startCampaign(
  tx: Transaction,
  tenant: Tenant,
  { action, ...start }: ActionOn & StartTools & { action: 'start' | 'resume'; linksReach: boolean },
): Promise<Campaign> {
  const { row, steps } = await lockCampaign(tx, tenant, start.id)
  assertAllowed(row.status, action)
  await beginSending(tx, tenant, { row, steps, ...start })
  return getCampaign(tx, tenant, row.id)
}

/** All or nothing: a campaign (new, or a draft), its leads, and the start, in one transaction. Source: docs/contract.md, "Campaigns". */
export async function launchCampaign(
  tx: Transaction,
  tenant: Tenant,
  { input, ...action }: { input: LaunchInput; secrets: AddressHashes; linksReach: boolean; now: Date } & StartTools,
) {
  const { campaignId, leads = [], name, ...content } = input
  const id = campaignId ?? (await createCampaign(tx, tenant, { ...action, input: { ...content, name: name ?? '' } })).id
  const { row, steps } = await lockCampaign(tx, tenant, id)
  assertAllowed(row.status, 'launch')
  const leadResults =
    leads.length === 0
      ? { added: 0, updated: 0, skipped: 0, invalid: 0, results: [] }
      : await addLeads(tx, tenant, {
          campaignId: id,
          input: { leads, onDuplicate: 'skip', skipIfInOtherCampaign: false },
          secrets: action.secrets,
          now: action.now,
        })
  await beginSending(tx, tenant, { row, steps, ...action })
  return { ...(await getCampaign(tx, tenant, id)), leadResults }
}

/** Stops sending at once: a claimed message that has not passed its gate is withheld. */
export async function pauseCampaignByUser(tx: Transaction, tenant: Tenant, action: ActionOn): Promise<Campaign> {
  const { row } = await lockCampaign(tx, tenant, action.id)
  assertAllowed(row.status, 'pause')
  await updateCampaignStatus(tx, tenant, { id: row.id, status: 'paused', reason: 'user', now: action.now })
  await appendPaused(tx, tenant, { campaignId: row.id, reason: 'user', now: action.now })
  return getCampaign(tx, tenant, row.id)
}

interface PauseCampaign {
  campaignId: string
  reason: 'bounce_protection' | 'sending_accounts_unavailable' | 'credits_exhausted' | 'restored'
  now: Date
}

/**
 * The product's own brake; a campaign that is not active is left alone (false). Only after a restore one that would
 * begin by itself is no different.
 */
export async function pauseCampaign(tx: Transaction, tenant: Tenant, pause: PauseCampaign): Promise<boolean> {
  const row = await lockCampaignRow(tx, tenant, pause.campaignId)
  const runs = row?.status === 'active' || (row?.status === 'scheduled' && pause.reason === 'restored')
  if (row === undefined || !runs) return false
  await updateCampaignStatus(tx, tenant, { id: row.id, status: 'paused', reason: pause.reason, now: pause.now })
  await appendPaused(tx, tenant, { campaignId: row.id, reason: pause.reason, now: pause.now })
  await recordSystem(tx, { ...tenant, action: 'system.campaigns.pause', targetId: row.id })
  return true
}

async function appendPaused(
  tx: Transaction,
  tenant: Tenant,
  { campaignId, reason, now }: { campaignId: string; reason: string; now: Date },
): Promise<void> {
  await appendEvents(tx, tenant, [{ type: 'campaign.paused', occurredAt: now, campaignId, data: { reason } }])
}

/** Gone at once for every reader; its rows follow in batches. Suppressions and the ledger stay. */
export async function deleteCampaign(tx: Transaction, tenant: Tenant, action: ActionOn) {
  const { row } = await lockCampaign(tx, tenant, action.id)
  assertAllowed(row.status, 'delete')
  await markCampaignDeleted(tx, tenant, row.id, action.now)
  await appendEvents(tx, tenant, [
    { type: 'campaign.deleted', occurredAt: action.now, campaignId: row.id, data: { name: row.name } },
  ])
  await enqueueJob(tx, {
    kind: 'campaigns.purge',
    tenant,
    payload: { campaignId: row.id },
    runAt: action.now,
    key: row.id,
  })
  return { id: row.id, deleted: true as const }
}

/** Deletes each that can be deleted and tells of every one. Source: docs/contract.md, "Campaigns". */
export async function bulkDeleteCampaigns(
  tx: Transaction,
  tenant: Tenant,
  action: { ids: readonly string[]; now: Date },
) {
  const results: { id: string; outcome: 'deleted' | 'not_found' | 'conflict'; message: string | null }[] = []
  for (const id of action.ids) {
    try {
      if (!isStorable(id)) throw notFound()
      await deleteCampaign(tx, tenant, { id, now: action.now })
      results.push({ id, outcome: 'deleted', message: null })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'NOT_FOUND') results.push({ id, outcome: 'not_found', message: error.message })
      else if (error.code === 'CONFLICT') results.push({ id, outcome: 'conflict', message: error.message })
      else throw error
    }
  }
  return { results }
}
