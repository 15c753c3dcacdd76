import { AppError, errorStatus } from '@overture/contract/errors.ts'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import type { App } from '../app.ts'
import { monotonicMs } from '../clock.ts'
import { insertAuditEntry } from '../audit/audit.sql.ts'
import type { Transaction } from '../db/database.ts'
import { errorFacts } from '../log.shell.ts'
import { buildAuditFacts, type RequestFacts } from './audit-facts.ts'
import { refusedBefore, type DenialCounts } from '../audit/denial-counts.ts'
import { runHandler, type Operation, type RunningHandler } from './operation.ts'
import type { Answer } from './route.ts'

/**
 * Runs the handler and writes the audit entry in the transaction of its write. Handlers run only through this function, so every
 * write has an entry. An export writes nothing, so its entry has its own transaction.
 */
export async function runAudited(
  operation: Operation,
  running: RunningHandler,
  extra: Transaction | Answer<unknown> | undefined,
): Promise<unknown> {
  const { route, app } = operation
  const recorded = async (tx: Transaction, answer: unknown) => {
    await record(tx, operation, running, answer)
    return answer
  }
  if (route.kind === 'command') return recorded(extra as Transaction, await runHandler(operation, running, extra))
  if (route.kind === 'phased') {
    const answer = extra as Answer<unknown>
    const audited: Answer<unknown> = (run) => answer(async (tx) => recorded(tx, await run(tx)))
    return runHandler(operation, running, audited)
  }
  const output = await runHandler(operation, running, extra)
  if (route.endpoint.exports) await app.db.transaction((tx) => record(tx, operation, running, output))
  return output
}

async function record(tx: Transaction, operation: Operation, running: RunningHandler, answer: unknown): Promise<void> {
  const facts = buildAuditFacts(toRequestFacts(operation), {
    outcome: 'success',
    answer,
    known: running.changes,
    was: running.was,
  })
  await insertAuditEntry(tx, facts, operation.app.clock.now())
}

function toRequestFacts({ route: { endpoint }, caller, client, requestId, path, input }: Operation): RequestFacts {
  return { endpoint, caller, client, requestId, path, body: input.body }
}

/**
 * Stores a refusal for missing rights in the audit log, once a minute per caller and action. The next entry contains the number
 * of skipped ones. The request stays refused if the entry can't be written.
 */
export async function recordDenial(
  app: App,
  denials: DenialCounts,
  request: Omit<RequestFacts, 'body'> & { endpoint: Endpoint },
  error: unknown,
): Promise<void> {
  if (!(error instanceof AppError) || errorStatus[error.code] !== 403) return
  const { caller, endpoint } = request
  const key = JSON.stringify([caller.tenant, caller.kind, caller.userId ?? caller.id, endpoint.operationId])
  const leftOut = denials.count(key, monotonicMs())
  if (leftOut === null) return
  const facts = buildAuditFacts({ ...request, body: undefined }, { outcome: 'denied', known: refusedBefore(leftOut) })
  try {
    await insertAuditEntry(app.db.within(facts.accountId), facts, app.clock.now())
  } catch (failure) {
    app.log.error({ event: 'audit.not_written', requestId: request.requestId, ...errorFacts(failure as Error) })
  }
}
