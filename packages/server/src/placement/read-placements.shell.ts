import type { ReceivedAt, ReceivedTest } from '@overture/mail-reading/placement/received-test.ts'
import { forEachConcurrently } from '@overture/ground/for-each-concurrently.ts'
import { groupBy } from '@overture/ground/group-by.ts'
import { secondMs } from '@overture/ground/time/spans.ts'
import type { JobContext } from '../platform/jobs/job.ts'
import { isOverdue, missing, simulatedResult } from './decisions.ts'
import type { PlacementTestRow } from './placement-tests.sql.ts'
import type { DecidedResult, PendingResult } from './decisions.ts'
import { listSeedsById, updateSeedChecked } from './seed-mailboxes.sql.ts'
import { readSeed, type FoundCopy, type TimeLimit } from './seed-login.client.ts'

const seedsAtOnce = 5

type TestReading = { outcome: 'read'; test: ReceivedTest } | { outcome: 'set_aside'; reason: string }

/** Reads the headers of a test message away from the event loop, because servers of strangers wrote them. */
export interface TestReader {
  readReceivedTest(raw: Uint8Array, at: ReceivedAt): Promise<TestReading>
}

type SeedWithLogin = Awaited<ReturnType<typeof listSeedsById>>[number]

interface SeedToRead {
  seed: SeedWithLogin | undefined
  pending: readonly PendingResult[]
  test: PlacementTestRow
  tools: ReadingTools
}

export interface ReadingTools {
  reader: TestReader
  /** Ends the reading of a mailbox. The default is a timer. */
  limit?: TimeLimit
}

/** Looks for sent messages in their mailboxes, a few at once. Returns the results that are known now. */
export async function readPlacements(
  context: JobContext,
  { test, pending, tools }: { test: PlacementTestRow; pending: readonly PendingResult[]; tools: ReadingTools },
): Promise<DecidedResult[]> {
  const bySeed = groupBy(pending, ({ seedMailboxId }) => seedMailboxId)
  const seeds = new Map(
    (await listSeedsById(context.app.db, context.tenant, [...bySeed.keys()])).map((seed) => [seed.id, seed]),
  )
  const decided: DecidedResult[] = []
  await forEachConcurrently([...bySeed], seedsAtOnce, async ([id, own]) => {
    if (context.signal.aborted) return
    decided.push(...(await readOne(context, { seed: seeds.get(id), pending: own, test, tools })))
  })
  return decided
}

async function readOne(context: JobContext, of: SeedToRead): Promise<DecidedResult[]> {
  const { seed, pending, test, tools } = of
  const { app, tenant, now } = context
  if (seed === undefined) return pending.map((one) => missing(one, 'seed_deleted'))
  // The test environment opens no connection.
  if (tenant.environment === 'test') return pending.flatMap((one) => simulatedResult(one, now) ?? [])
  const refs = pending.map(({ ref }) => ref)
  const reading = await readSeed(app, tenant, seed, { refs, since: test.createdAt, limit: tools.limit })
  const isRead = reading.kind === 'read'
  const lastError = isRead ? null : reading.message
  await updateSeedChecked(app.db, tenant, { id: seed.id, status: isRead ? 'working' : 'failing', lastError, now })
  const overdue = (one: PendingResult) => isOverdue(one, now, test.createdAt)
  if (!isRead) return pending.filter(overdue).map((one) => missing(one, 'seed_unreadable'))
  const results: DecidedResult[] = []
  for (const result of pending) {
    const copy = reading.found.get(result.ref)
    if (copy !== undefined) results.push(await readResult(result, { copy, seed, reader: tools.reader }))
    else if (overdue(result)) results.push(missing(result, result.status === 'uncertain' ? 'not_sent' : null))
  }
  return results
}

async function readResult(
  pending: PendingResult,
  { copy, seed, reader }: { copy: FoundCopy; seed: SeedWithLogin; reader: TestReader },
): Promise<DecidedResult> {
  const reading = await reader.readReceivedTest(copy.headers, { email: seed.email, imapHost: seed.imap?.host ?? '' })
  const test = reading.outcome === 'read' ? reading.test : null
  const { receivedAt, placement, folder } = copy
  const tookMs = receivedAt === null || pending.sentAt === null ? null : receivedAt.getTime() - pending.sentAt.getTime()
  return {
    ...missing(pending),
    placement,
    folder,
    spf: test?.results?.spf ?? null,
    dkim: test?.results?.dkim ?? null,
    dmarc: test?.results?.dmarc ?? null,
    optOutSigned: test?.optOutSigned ?? null,
    receivedMessageId: test?.messageId ?? null,
    seconds: tookMs === null ? null : Math.max(0, Math.round(tookMs / secondMs)),
  }
}
