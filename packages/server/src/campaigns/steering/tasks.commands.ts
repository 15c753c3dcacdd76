import { durationMs } from '@overture/contract/sandbox/sandbox.ts'
import { nextPosition, sendsNothing, stepAfter } from '@overture/ground/paths/path.ts'
import { dayMs } from '@overture/ground/time/spans.ts'
import { earliest } from '@overture/ground/time/earliest.ts'
import { dueAfter } from '@overture/ground/time/sending-window.ts'
import type { PlannedTask } from '@overture/planner/plan.types.ts'
import { withHolidays } from '../../holidays/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents, type NewEvent } from '../../platform/events/events.sql.ts'
import { newId } from '../../platform/ids.ts'
import { enqueueJob } from '../../platform/jobs/jobs.shell.ts'
import { insertJobs } from '../../platform/jobs/jobs.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findCampaignWithSequence } from '../campaigns.sql.ts'
import { appendStatusChange, completeFinishedCampaigns, wakePlanner } from '../leads/lead-moves.commands.ts'
import { lockLeadRow, type LeadKey } from '../leads/leads.sql.ts'
import { ofTask, taskData } from '../paths/cancel-tasks.commands.ts'
import {
  insertHandTasks,
  insertPlannedTasks,
  lockLeadsAtTasks,
  updateLeadsAtTasks,
  updatePlannedTasksExpired,
} from '../paths/planned-tasks.sql.ts'
import { findTaskSimulation, updateLeadBeforeStep, updateLeadPastStep, type ToldTask } from '../paths/tasks.sql.ts'
import { toSequence } from '../sequence/sequence.sql.ts'

/** The job that logs overdue tasks and skips expired ones that hold no lead. */
export const dueTasksJobKind = 'tasks.due'
/** The job that completes a task of the test environment. */
export const simulatedTaskJobKind = 'tasks.simulated'

interface TasksToRecord {
  tasks: readonly PlannedTask[]
  /** The rendered texts by the key `lead step`. */
  texts: ReadonlyMap<string, { title: string; instructions: string }>
  now: Date
}

/** Stores what a plan did with tasks, and logs it. Returns the number of leads that moved and of tasks that opened. */
export async function recordTasks(
  tx: Transaction,
  tenant: Tenant,
  { tasks, texts, now }: TasksToRecord,
): Promise<number> {
  if (tasks.length === 0) return 0
  const waiting = await lockLeadsAtTasks(tx, tenant, tasks)
  const possible = tasks.filter(({ leadId }) => waiting.has(leadId))
  const toOpen = possible.flatMap(({ opens, ...task }) =>
    opens === null ? [] : [{ ...task, opens, id: newId('tsk'), ...(texts.get(taskKey(task)) ?? noText) }],
  )
  const opened = await insertPlannedTasks(tx, tenant, toOpen, now)
  const toExpire = possible.filter(({ expires }) => expires)
  const expired = await updatePlannedTasksExpired(tx, tenant, toExpire, now)
  // A task that another process opened or closed meanwhile leaves its lead to the next plan.
  const stored = new Set([...opened, ...expired].map((task) => task.leadId))
  const toMove = possible.filter(({ opens, expires, leadId }) => (opens === null && !expires) || stored.has(leadId))
  const moved = await updateLeadsAtTasks(tx, tenant, toMove, now)
  await appendEvents(tx, tenant, [
    ...opened.map((task): NewEvent => ({ ...aboutTask(task, now), type: 'task.created', data: taskData(task) })),
    ...expired.map((task): NewEvent => {
      return { ...aboutTask(task, now), type: 'task.skipped', data: { ...taskData(task), reason: 'expired' } }
    }),
    ...moved.flatMap((lead) => statusEvents(lead, now)),
  ])
  const expiresAt = earliest(toOpen.map(({ opens }) => opens.expiresAt))
  await watchOpened(tx, tenant, { opened, now, expiresAt })
  const ended = moved.flatMap(({ after, campaignId }) => (after === 'completed' ? [campaignId] : []))
  if (ended.length > 0) await completeFinishedCampaigns(tx, tenant, [...new Set(ended)], now)
  return moved.length
}

/** Opens the tasks of texts that wait for a person. They are due after a day. */
export async function recordHandTasks(
  tx: Transaction,
  tenant: Tenant,
  { texts, now }: { texts: readonly (LeadKey & { stepId: string; approvalId: string; title: string })[]; now: Date },
): Promise<void> {
  if (texts.length === 0) return
  const dueAt = new Date(now.getTime() + dayMs)
  const opened = await insertHandTasks(
    tx,
    tenant,
    texts.map((text) => ({ ...text, id: newId('tsk') })),
    { dueAt, now },
  )
  await appendEvents(
    tx,
    tenant,
    opened.map((task): NewEvent => ({ ...aboutTask(task, now), type: 'task.created', data: taskData(task) })),
  )
  await watchOpened(tx, tenant, { opened, now, expiresAt: null })
}

const noText = { title: '', instructions: '' }

function taskKey({ leadId, stepId }: Pick<PlannedTask, 'leadId' | 'stepId'>): string {
  return `${leadId} ${stepId}`
}

function aboutTask(task: ToldTask, now: Date) {
  return { ...ofTask(task), occurredAt: now }
}

function statusEvents(
  { campaignId, leadId, email, before, after }: Awaited<ReturnType<typeof updateLeadsAtTasks>>[number],
  now: Date,
): NewEvent[] {
  if (before === after) return []
  const data = { from: before, to: after, reason: 'task' }
  return [{ type: 'lead.status_changed', occurredAt: now, campaignId, leadId, leadEmail: email, data }]
}

/** Plans the events of opened tasks: when they are overdue, when they expire, and when the test clock completes them. */
export async function watchOpened(
  tx: Transaction,
  tenant: Tenant,
  { opened, expiresAt, now }: { opened: readonly Pick<ToldTask, 'id' | 'dueAt'>[]; expiresAt: Date | null; now: Date },
): Promise<void> {
  const runAt = earliest([...opened.map(({ dueAt }) => dueAt), expiresAt])
  if (opened.length === 0 || runAt === null) return
  await enqueueJob(tx, { kind: dueTasksJobKind, tenant, runAt, key: 'all' })
  const simulation = tenant.environment === 'test' ? await findTaskSimulation(tx, tenant) : undefined
  if (simulation === undefined) return
  const closesAt = new Date(now.getTime() + (durationMs(simulation.completeAfter) ?? 0))
  await insertJobs(
    tx,
    tenant,
    opened.map(({ id }) => ({
      kind: simulatedTaskJobKind,
      tenant,
      payload: { taskId: id, outcome: simulation.outcome },
      runAt: closesAt,
      key: id,
    })),
  )
}

/** Moves a lead past the step whose task a person closed. Its next wait counts from now. A lead that is elsewhere stays. */
export async function continueAfterTask(
  tx: Transaction,
  tenant: Tenant,
  { stepId, now, ...key }: LeadKey & { stepId: string; now: Date },
): Promise<void> {
  const lead = await lockLeadRow(tx, tenant, key)
  const campaign = await findCampaignWithSequence(tx, tenant, key.campaignId)
  if (lead === undefined || campaign === undefined) return
  const steps = toSequence(campaign.sequence)
  const step = steps.find(({ position }) => position === nextPosition(lead))
  if (step?.id !== stepId) return
  const next = stepAfter(steps, step)
  const schedule = await withHolidays(campaign.schedule)
  const dueAt = next === null ? null : dueAfter(now, next.waitBefore, schedule, lead)
  const moved = await updateLeadPastStep(tx, tenant, {
    ...key,
    stepId,
    position: step.position,
    next: next === null ? null : { position: next.position, deciding: sendsNothing(next) },
    dueAt,
    now,
  })
  if (moved === undefined) return
  if (moved.before !== moved.after)
    await appendStatusChange(tx, tenant, {
      ...key,
      email: lead.email,
      from: moved.before,
      to: moved.after,
      reason: 'task',
      now,
    })
  if (moved.after === 'completed') await completeFinishedCampaigns(tx, tenant, [key.campaignId], now)
  wakePlanner(tx, tenant, dueAt ?? now, now)
}

/** Moves a lead back before its task. Returns false if the lead has moved on since then. */
export async function returnBeforeTask(
  tx: Transaction,
  tenant: Tenant,
  { stepId, now, ...key }: LeadKey & { stepId: string; now: Date },
): Promise<boolean> {
  const campaign = await findCampaignWithSequence(tx, tenant, key.campaignId)
  const step = campaign && toSequence(campaign.sequence).find(({ id }) => id === stepId)
  if (step === undefined) return false
  return updateLeadBeforeStep(tx, tenant, { ...key, stepId, position: step.position, now })
}
