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
import { invalid, notFound, type ValidationIssue } from '@overture/contract/errors.ts'
import { changedReadOnly } from '@overture/contract/read-only.ts'
import { findAccount } from '../accounts/index.ts'
import { assertCalendarExists, withHolidays } from '../holidays/index.ts'
import type { Transaction } from '../platform/db/database.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import { idFrom, newId } from '../platform/ids.ts'
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
  refuseBlocked,
  sameAddressRules,
  sameProviderRules,
} from './campaign.ts'
import { getCampaign, presentCampaign } from './campaigns.queries.ts'
import {
  type CampaignRow,
  insertCampaign,
  lockCampaignRow,
  updateCampaignContent,
  updateCampaignStatus,
} from './campaigns.sql.ts'
import { beginSending, type ContentTools, type StartTools } from './campaign-start.commands.ts'
import { assertHandOvers, findCutOffEntries, findUnreadyTargets } from './hand-over-targets.queries.ts'
import { assertAssigneesExist, assertOwnerExists } from './owners.commands.ts'
import { assertListExists, beginFollowing } from './followed-list.commands.ts'
import { lookAheadForDrafts } from './drafts-ahead.commands.ts'
import { addLeads } from './leads/leads.commands.ts'
import type { ReflowedLead, ReflowRow } from './paths/reflowed-lead.ts'
import { reflowLeads } from './leads/reflow.commands.ts'
import { readSequence } from './sequence/sequence.ts'
import { listSteps, replaceSteps } from './sequence/sequence.sql.ts'
import { appendPaused } from './pause-campaign.commands.ts'
import { wakePlanner } from './leads/lead-moves.commands.ts'
import { releaseAddressHolds, releaseProviderHolds } from './leads/suppressed-leads.commands.ts'

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
    entry: null,
    ownerId: null,
  }
  const content = mergeContent(empty, input)
  const sent = input.steps ?? []
  const { entry } = content
  const steps = await buildSequence(tx, tenant, { ...creating, sent, current: [], found: [], entry, nextId: newId })
  assertModelExists(creating, content, empty)
  assertDraftsHaveModel(content)
  await assertHolidaysExist(content, empty)
  await assertSendersExist(tx, tenant, content.sendingAccountIds)
  await assertOwnerExists(tx, tenant, content, empty)
  await assertListExists(tx, tenant, content, empty)
  await assertAssigneesExist(tx, tenant, steps, [])
  await assertHandOvers(tx, tenant, {
    campaignId: null,
    before: { entry: null, steps: [] },
    after: { entry, steps },
  })
  const id = newId('cmp')
  await insertCampaign(tx, tenant, { id, ...content, now })
  await replaceSteps(tx, tenant, id, steps)
  await beginFollowing(tx, tenant, { id, after: content, before: empty, now })
  await appendEvents(tx, tenant, [
    { type: 'campaign.created', occurredAt: now, campaignId: id, data: { name: content.name } },
  ])
  return getCampaign(tx, tenant, id)
}

const readOnly = [
  'id',
  'status',
  'statusReason',
  'tagIds',
  'leadCount',
  'createdAt',
  'updatedAt',
  'launchedAt',
  'completedAt',
]

export interface CampaignChange extends ContentTools {
  id: string
  input: UpdateCampaignInput
  now: Date
  /** Only set by a dry run, which reports the effects of a change whatever the campaign's status. */
  watch?: {
    onSteps: (before: readonly Step[], after: readonly Step[]) => void
    onMoved: (before: ReflowRow, after: ReflowedLead) => void
    onVoided: (count: number) => void
  }
}

/**
 * Changes a campaign. Text, name and settings can change at any time; steps, schedule and senders only while it does not run
 * (docs/contract.md, "Campaigns").
 */
export async function updateCampaign(tx: Transaction, tenant: Tenant, change: CampaignChange): Promise<Campaign> {
  const { row, steps: before } = await lockCampaign(tx, tenant, change.id)
  const { watch } = change
  const found = changedReadOnly(presentCampaign(row, before), change.input, readOnly)
  const content = mergeContent(row, change.input)
  const { entry } = content
  const sequenceVersion = row.sequenceVersion + (change.input.steps === undefined ? 0 : 1)
  const nextId = idsOfVersion(`${row.id} ${sequenceVersion}`)
  const steps = change.input.steps
    ? await buildSequence(tx, tenant, { ...change, sent: change.input.steps, current: before, found, entry, nextId })
    : before
  if (found.length > 0) throw invalid(...found)
  assertModelExists(change, content, row)
  assertDraftsHaveModel(content)
  await assertHolidaysExist(content, row)
  await assertSendersExist(tx, tenant, content.sendingAccountIds)
  await assertOwnerExists(tx, tenant, content, row)
  await assertListExists(tx, tenant, content, row)
  await assertAssigneesExist(tx, tenant, steps, before)
  await assertHandOvers(tx, tenant, {
    campaignId: row.id,
    before: { entry: row.entry, steps: before },
    after: { entry, steps },
  })
  // A completed campaign becomes active again if it gets more steps, without the checks of a start. So its target campaigns are
  // checked here.
  if (row.status === 'completed') refuseBlocked(row.status, await findUnreadyTargets(tx, tenant, steps))
  if (watch === undefined) assertStructureUnchanged(row.status, { content: row, steps: before }, { content, steps })
  assertStaysReachable(row.status, { settings: row.settings, steps: before }, { settings: content.settings, steps })
  const cutOff = await findCutOffEntries(tx, tenant, row, content.settings)
  refuseBlocked(row.status, cutOff, 'Another campaign takes over leads of this one. With this change it would get none')
  const updatedAt = laterThan(row.updatedAt, change.now)
  await updateCampaignContent(tx, tenant, { id: row.id, ...content, sequenceVersion, now: updatedAt })
  await beginFollowing(tx, tenant, { id: row.id, after: content, before: row, now: change.now })
  if (!sameAddressRules(content.settings, row.settings))
    await releaseAddressHolds(tx, tenant, { campaignId: row.id, now: change.now })
  if (!sameProviderRules(content, row)) await releaseProviderHolds(tx, tenant, change.now)
  if (change.input.steps) {
    await replaceSteps(tx, tenant, row.id, steps)
    watch?.onSteps(before, steps)
    const schedule = await withHolidays(content.schedule)
    const campaign = { ...row, ...content }
    await reflowLeads(tx, tenant, { campaign, schedule, before, after: steps, now: change.now, ...watch })
  }
  await lookAheadForDrafts(tx, tenant, { campaignId: row.id, at: change.now })
  wakePlanner(tx, tenant, change.now)
  return getCampaign(tx, tenant, row.id)
}

type NextId = (prefix: 'stp' | 'var' | 'brn') => string

/**
 * Creates the ids of new parts of a sequence. A dry run and the update after it create the same ids; every other change creates
 * different ones.
 */
function idsOfVersion(version: string): NextId {
  let made = 0
  return (prefix) => idFrom(prefix, `${version} ${made++}`)
}

// Requests that send back an older `updatedAt` are refused. So each change needs its own time, even if the clock has not moved.
function laterThan(before: Date, now: Date): Date {
  return new Date(Math.max(now.getTime(), before.getTime() + 1))
}

interface SequenceChange extends Pick<ContentTools, 'renderer'> {
  sent: readonly StepInput[]
  current: readonly Step[]
  found: ValidationIssue[]
  entry: CampaignContent['entry']
  nextId: NextId
}

async function buildSequence(
  tx: Transaction,
  tenant: Tenant,
  { sent, current, found, renderer, entry, nextId }: SequenceChange,
): Promise<Step[]> {
  const ids = sent.flatMap((step) => (step.variants ?? []).flatMap(({ templateId }) => templateId ?? []))
  const templates = await listTemplateTexts(tx, tenant, ids)
  const tools = {
    takesOver: entry !== null,
    template: (id: string) => templates.get(id),
    newStepId: () => nextId('stp'),
    newVariantId: () => nextId('var'),
    newBranchId: () => nextId('brn'),
    // Texts in the request were checked before. A stored template may be older than the checks, so it is checked here.
    templateProblem: await renderer.check(tenant, [...templates.values()].flatMap(textsIn)),
  }
  return readSequence(sent, current, tools, found)
}

// A campaign that was stored without a model keeps its settings until one of the two changes.
function assertDraftsHaveModel(after: CampaignContent): void {
  if (after.settings.replyDrafts === 'off' || after.settings.aiTriage !== null) return
  const message = 'Drafted replies need a model that reads replies. Set aiTriage, or turn replyDrafts off.'
  throw invalid({ path: 'settings.replyDrafts', rule: 'needs_triage', message })
}

// A model that the operator removed meanwhile may be sent back unchanged.
function assertModelExists(tools: ContentTools, after: CampaignContent, before: CampaignContent): void {
  const modelId = after.settings.aiTriage?.modelId
  if (modelId === undefined || modelId === before.settings.aiTriage?.modelId) return
  if (tools.isModel?.(modelId) !== true) throw notFound()
}

async function assertHolidaysExist(after: CampaignContent, before: CampaignContent): Promise<void> {
  const calendar = after.schedule.holidays?.calendar
  if (calendar === undefined || calendar === before.schedule.holidays?.calendar) return
  await assertCalendarExists(calendar, 'schedule.holidays.calendar')
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

/** Starts or resumes a campaign. The planner's gaps spread the messages that became due during a pause. */
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

/** Creates a campaign (or uses a draft), adds its leads and starts it, all in one transaction. Source: docs/contract.md, "Campaigns". */
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
