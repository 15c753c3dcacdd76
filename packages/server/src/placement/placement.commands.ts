import { AppError } from '@overture/contract/errors.ts'
import { placementTestsPerDayMax } from '@overture/contract/placement/placement-tests.ts'
import { dayMs, secondMs } from '@overture/ground/time/spans.ts'
import { lockAccount } from '../accounts/index.ts'
import { judgeSender, queuePlacementMessages, updateWaitingTestsFailed } from '../delivery/index.ts'
import type { Transaction } from '../platform/db/database.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { WrittenTest } from './create-test.shell.ts'
import { nextLookAt, type DecidedResult } from './decisions.ts'
import {
  countNewPlacementTests,
  findPlacementTest,
  insertPlacementTest,
  updatePlacementCompleted,
  type PlacementTestRow,
} from './placement-tests.sql.ts'
import { insertResults, updateDecided } from './results.sql.ts'

export const readKind = 'placement.read'
export const repeatKind = 'placement.repeat'
const weekMs = 7 * dayMs
const daySeconds = dayMs / secondMs

/** Stores a test with its messages, and plans when they are looked for and when the test is repeated. */
export async function startTest(
  tx: Transaction,
  tenant: Tenant,
  { written, now }: { written: WrittenTest; now: Date },
): Promise<void> {
  const { id, input, text, messages } = written
  await lockAccount(tx, tenant.accountId)
  const since = new Date(now.getTime() - dayMs)
  if (
    (await countNewPlacementTests(tx, tenant, { since, limit: placementTestsPerDayMax })) >= placementTestsPerDayMax
  ) {
    const message = `The limit is ${placementTestsPerDayMax} placement tests per day. Try again later.`
    throw new AppError('RATE_LIMIT_EXCEEDED', message, { retryAfterSeconds: daySeconds })
  }
  const step = text.kind === 'step' ? text : null
  const nextRunAt = input.repeat === 'weekly' ? new Date(now.getTime() + weekMs) : null
  await insertPlacementTest(tx, tenant, {
    id,
    campaignId: step?.campaignId ?? null,
    stepId: step?.stepId ?? null,
    variantId: step?.variantId ?? null,
    templateId: input.templateId ?? null,
    leadId: step?.leadId ?? null,
    sendingAccountIds: [...new Set(input.sendingAccountIds)],
    seedMailboxIds: written.seedMailboxIds,
    repeat: input.repeat,
    nextRunAt,
    now,
  })
  await insertResults(tx, tenant, messages)
  await queuePlacementMessages(tx, tenant, { messages, of: text, now })
  const lookAt = nextLookAt({ createdAt: now, now, sentTimes: [] })
  await enqueueJob(tx, { kind: readKind, tenant, payload: { id }, runAt: lookAt, key: id })
  if (nextRunAt !== null) await enqueueJob(tx, { kind: repeatKind, tenant, payload: { id }, runAt: nextRunAt, key: id })
}

interface ReadResults {
  test: PlacementTestRow
  results: readonly DecidedResult[]
  sentTimes: readonly Date[]
  now: Date
}

/** Stores what was found. Completes the test, or plans when to look again. */
export async function storeResults(
  tx: Transaction,
  tenant: Tenant,
  { test, results, sentTimes, now }: ReadResults,
): Promise<void> {
  const unsent = results.filter(({ problem }) => problem === 'not_sent').map(({ id }) => id)
  if (unsent.length > 0) await updateWaitingTestsFailed(tx, tenant, unsent)
  await updateDecided(tx, tenant, { results, now })
  const row = await findPlacementTest(tx, tenant, test.id)
  if (row === null) return
  if (row.pending > 0) {
    const runAt = nextLookAt({ createdAt: test.createdAt, now, sentTimes })
    await enqueueJob(tx, { kind: readKind, tenant, payload: { id: test.id }, runAt, key: test.id })
    return
  }
  if (!(await updatePlacementCompleted(tx, tenant, test.id, now))) return
  const { inbox, tab, spam, missing, unknown } = row
  const data = { placementTestId: test.id, inbox, tab, spam, missing, unknown }
  await appendEvents(tx, tenant, [
    { type: 'placement_test.completed', occurredAt: now, campaignId: row.campaignId, data },
  ])
  // Spam is a signal about each sender. The order is that of all transactions that lock several senders.
  for (const sendingAccountId of row.sendingAccountIds.toSorted())
    await judgeSender(tx, tenant, { sendingAccountId, holds: true, now })
}
