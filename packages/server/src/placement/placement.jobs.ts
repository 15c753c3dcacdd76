import { AppError } from '@overture/contract/errors.ts'
import type { CreatePlacementTestInput, RepeatEnd } from '@overture/contract/placement/placement-tests.ts'
import type { ExplainTools } from '../delivery/index.ts'
import type { JobContext, JobHandler } from '../platform/jobs/job.ts'
import { endOfRepeat, writeTest, type WrittenTest } from './create-test.shell.ts'
import { missing, sentWithinMs, splitPending } from './decisions.ts'
import { readKind, repeatKind, startTest, storeResults } from './placement.commands.ts'
import { findPlacementTest, updateRepeatEnded, type PlacementTestRow } from './placement-tests.sql.ts'
import { readPlacements, type ReadingTools } from './read-placements.shell.ts'
import { listPending } from './results.sql.ts'

type PlacementTools = ExplainTools & ReadingTools

export function placementJobs(tools: PlacementTools): JobHandler[] {
  return [
    {
      kind: readKind,
      maxAttempts: 20,
      lane: 'mail',
      run: (context, payload) => lookForMessages(context, tools, String(payload['id'])),
    },
    {
      kind: repeatKind,
      maxAttempts: 20,
      lane: 'mail',
      run: (context, payload) => repeatTest(context, tools, String(payload['id'])),
    },
  ]
}

async function lookForMessages(context: JobContext, tools: ReadingTools, id: string): Promise<void> {
  const { app, tenant, now, signal } = context
  const test = await findPlacementTest(app.db, tenant, id)
  if (test?.status !== 'running') return
  const pending = await listPending(app.db, tenant, id)
  const isLate = now.getTime() - test.createdAt.getTime() >= sentWithinMs
  const { unsent, toFind } = splitPending(pending, { isLate })
  const found = await readPlacements(context, { test, pending: toFind, tools })
  signal.throwIfAborted()
  const results = [...unsent.map((one) => missing(one, 'not_sent')), ...found]
  const sentTimes = toFind.flatMap(({ sentAt }) => sentAt ?? [])
  await app.db.transaction((tx) => storeResults(tx, tenant, { test, results, sentTimes, now }))
}

/** Starts the next test of a series, or ends the series with the reason. */
async function repeatTest(context: JobContext, tools: PlacementTools, id: string): Promise<void> {
  const { app, tenant, now } = context
  const test = await findPlacementTest(app.db, tenant, id)
  if (test === null || test.nextRunAt === null) return
  const input = toInput(test)
  const next = await nextTest(context, tools, input)
  await app.db.transaction(async (tx) => {
    const because = typeof next === 'string' ? next : null
    if (!(await updateRepeatEnded(tx, tenant, { id, because }))) return
    if (typeof next !== 'string') await startTest(tx, tenant, { written: next, now })
  })
}

async function nextTest(
  { app, tenant, now }: JobContext,
  { renderer, meetingUrl }: PlacementTools,
  input: CreatePlacementTestInput,
): Promise<WrittenTest | RepeatEnd> {
  const end = await endOfRepeat(app, tenant, input)
  if (end !== null) return end
  try {
    return await writeTest(app, tenant, { renderer, meetingUrl, input, now })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.code === 'CONFLICT' ? 'text_not_written' : 'text_deleted'
  }
}

function toInput(test: PlacementTestRow): CreatePlacementTestInput {
  return {
    sendingAccountIds: test.sendingAccountIds,
    campaignId: test.campaignId ?? undefined,
    stepId: test.stepId ?? undefined,
    variantId: test.variantId ?? undefined,
    templateId: test.templateId ?? undefined,
    leadId: test.leadId ?? undefined,
    seedMailboxIds: test.seedMailboxIds,
    repeat: test.repeat,
  }
}
