import { dayMs } from '@overture/ground/time/spans.ts'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { AppError, errorStatus, type ErrorCode } from '@overture/contract/errors.ts'
import type { Transaction } from '../db/database.ts'
import type { Tenant } from '../tenant.ts'
import { canonicalJson } from './json.ts'
import { runAudited } from './audited.shell.ts'
import { errorBody, StillRunningError, toErrorAnswer } from './error-body.ts'
import {
  deleteRunningAnswer,
  findStoredAnswer,
  insertRunningAnswer,
  tryLockIdempotencyKey,
  upsertStoredAnswer,
  updateRunningAnswer,
  type AnswerSlot,
  type StoredAnswer,
} from './idempotency.sql.ts'
import { answeredValue, toResult, type Operation, type Result, type RunningHandler } from './operation.ts'
import type { Answer } from './route.ts'
import { hashedUpload } from './upload.ts'

const keptMs = dayMs
// A phased command talks to a provider for a minute at most. After this time its process is considered dead.
const runningMs = 150_000
const storedErrors: ReadonlySet<ErrorCode> = new Set(['NOT_FOUND', 'CONFLICT'])

/**
 * Runs an operation once per idempotency key. The answer is stored in the transaction of the effect, so that a
 * process killed between effect and answer gives the same answer on retry. Source: docs/contract.md, "Conventions".
 */
export async function operateOnce(operation: Operation, running: RunningHandler, key: string): Promise<Result> {
  const call: Call = {
    operation,
    running,
    slot: { route: slotRoute(operation), key },
    digest: startDigest(operation),
  }
  if (operation.upload !== null) return runUpload(call)
  return operation.route.kind === 'command' ? runCommand(call) : runInPhases(call)
}

/** A person's keys have their own slots, so that one person's answer is never replayed to another. */
function slotRoute({ route, path, caller: { userId } }: Operation): string {
  const scope = `${route.endpoint.method} ${path}`
  return userId === null ? scope : `${scope} ${userId}`
}

interface Call {
  operation: Operation
  running: RunningHandler
  slot: AnswerSlot
  digest: Digest
}

// One transaction contains the key's lock, the effect and the answer.
async function runCommand(call: Call): Promise<Result> {
  const { operation, running, slot } = call
  const { tenant } = operation.caller
  const { before } = operation.route
  if (
    before !== undefined &&
    (await findStoredAnswer(operation.app.db, tenant, slot, operation.app.clock.now())) === null
  )
    await before(running.context, operation.input as never)
  return operation.app.db.transaction(async (tx) => {
    const now = operation.app.clock.now()
    if (!(await tryLockIdempotencyKey(tx, tenant, slot))) throw new StillRunningError()
    const stored = await findStoredAnswer(tx, tenant, slot, now)
    if (stored !== null) return replay(call, stored)
    await tx.execute('savepoint operation')
    const outcome = await settled(() => runAudited(operation, running, tx), operation)
    if (outcome.refused) await tx.execute('rollback to savepoint operation')
    const result = outcome.refused ? outcome.result : toResult(operation, running, outcome.output)
    await upsertStoredAnswer(tx, tenant, slot, await toStored(call, result, outcome, now))
    return result
  })
}

// Two uploads can only be compared after both were read. If two have the same key, the first to finish stores the answer and the
// other replays it. A refusal before the end is not stored, so the key is free for a retry.
async function runUpload(call: Call): Promise<Result> {
  const { operation, running, slot } = call
  const { db, clock } = operation.app
  const { tenant } = operation.caller
  const known = await findStoredAnswer(db, tenant, slot, clock.now())
  if (known !== null) return replay(call, known)
  const answer: Answer<unknown> = async (run) => {
    await call.digest()
    return db.transaction(async (tx) => {
      const now = clock.now()
      if (!(await tryLockIdempotencyKey(tx, tenant, slot))) throw new StillRunningError()
      const stored = await findStoredAnswer(tx, tenant, slot, now)
      if (stored !== null) throw new AnsweredMeanwhile(stored)
      const output = await run(tx)
      const result = toResult(operation, running, output)
      await upsertStoredAnswer(tx, tenant, slot, await toStored(call, result, { refused: false, output }, now))
      return { answered: output }
    })
  }
  try {
    return toResult(operation, running, answeredValue(await runAudited(operation, running, answer)))
  } catch (error) {
    if (error instanceof AnsweredMeanwhile) return replay(call, error.stored)
    throw error
  }
}

/** Makes an upload discard its content, because another upload with the same key finished first. */
class AnsweredMeanwhile extends Error {
  constructor(readonly stored: StoredAnswer) {
    super('Another request with this idempotency key was completed first.')
  }
}

// The network call is between two transactions. A row marked as running blocks other requests, and the last transaction fills it.
async function runInPhases(call: Call): Promise<Result> {
  const { operation, running, slot } = call
  const { db, clock } = operation.app
  const { tenant } = operation.caller
  const startedAt = clock.now()
  const lockedUntil = new Date(startedAt.getTime() + runningMs)
  const stored = await db.transaction(async (tx) => {
    if (!(await tryLockIdempotencyKey(tx, tenant, slot))) throw new StillRunningError()
    const found = await findStoredAnswer(tx, tenant, slot, startedAt)
    if (found !== null) return found
    const expiresAt = new Date(startedAt.getTime() + keptMs)
    await insertRunningAnswer(tx, tenant, slot, { digest: await call.digest(), lockedUntil, expiresAt })
    return null
  })
  if (stored !== null) return replay(call, stored)
  const finish = async (tx: Transaction, result: Result, outcome: Outcome) => {
    const answer = await toStored(call, result, outcome, startedAt)
    const rows = await updateRunningAnswer(tx, tenant, slot, { ...answer, lockedUntil })
    if (rows === 0) throw new StillRunningError()
  }
  try {
    const output = await runPhases(call, finish)
    if (output instanceof Readable) freeWhenClosed(call, output, lockedUntil)
    return toResult(operation, running, output)
  } catch (error) {
    const result = storedRefusal(error, operation)
    if (result === null) {
      await deleteRunningAnswer(db, tenant, slot, lockedUntil)
      throw error
    }
    await db.transaction((tx) => finish(tx, result, { refused: true, result, error: error as AppError }))
    return result
  }
}

// Frees the key if a stream ended without an answer. The row of a finished answer is not changed.
function freeWhenClosed({ operation, slot }: Call, stream: Readable, lockedUntil: Date): void {
  const { db, log } = operation.app
  stream.once('close', () => {
    deleteRunningAnswer(db, operation.caller.tenant, slot, lockedUntil).catch((error: Error) =>
      log.warn({ event: 'idempotency.not_freed', reason: error.name }),
    )
  })
}

async function runPhases(
  call: Call,
  finish: (tx: Transaction, result: Result, outcome: Outcome) => Promise<void>,
): Promise<unknown> {
  const { operation, running } = call
  const { db } = operation.app
  const store = (tx: Transaction, output: unknown) =>
    finish(tx, toResult(operation, running, output), { refused: false, output })
  if (operation.route.kind === 'query') {
    const output = await runAudited(operation, running, undefined)
    await db.transaction((tx) => store(tx, output))
    return output
  }
  const answer: Answer<unknown> = (run) =>
    db.transaction(async (tx) => {
      const answered = await run(tx)
      await store(tx, answered)
      return { answered }
    })
  return answeredValue(await runAudited(operation, running, answer))
}

type Outcome = { refused: false; output: unknown } | { refused: true; result: Result; error: AppError }

async function settled(run: () => Promise<unknown>, operation: Operation): Promise<Outcome> {
  try {
    return { refused: false, output: await run() }
  } catch (error) {
    const result = storedRefusal(error, operation)
    if (result === null) throw error
    return { refused: true, result, error: error as AppError }
  }
}

/** A refusal that belongs to the operation is stored as its answer. Any other refusal leaves the key free. */
function storedRefusal(error: unknown, operation: Operation): Result | null {
  if (!(error instanceof AppError) || !storedErrors.has(error.code)) return null
  return { status: errorStatus[error.code], headers: {}, body: errorBody(toErrorAnswer(error), operation.requestId) }
}

async function toStored(call: Call, result: Result, outcome: Outcome, now: Date) {
  const body = outcome.refused ? JSON.stringify(toErrorAnswer(outcome.error)) : withoutSecrets(call, outcome.output)
  const { app, caller } = call.operation
  return {
    digest: await call.digest(),
    status: result.status,
    headers: result.headers,
    sealedBody: app.secrets.encrypt(body, answerContext(caller.tenant, call.slot)),
    expiresAt: new Date(now.getTime() + keptMs),
  }
}

/** The context for sealing a stored answer, so that it can be opened only for the same request. */
export function answerContext({ accountId, environment }: Tenant, { route, key }: AnswerSlot): string {
  return `idempotency_keys ${JSON.stringify([accountId, environment, route, key])}`
}

// Secrets are shown once, so the stored answer never contains them.
function withoutSecrets(call: Call, output: unknown): string {
  const { secretFields } = call.operation.route.endpoint
  if (secretFields === undefined) return JSON.stringify(output)
  return JSON.stringify({ ...(output as object), ...Object.fromEntries(secretFields.map((name) => [name, undefined])) })
}

async function replay(call: Call, stored: StoredAnswer): Promise<Result> {
  if (!stored.digest.equals(await call.digest())) {
    throw new AppError(
      'IDEMPOTENCY_KEY_REUSED',
      'This idempotency key was already used with another request. Use a new key.',
    )
  }
  const body = openBody(call, stored)
  if (stored.status === null || body === null) throw new StillRunningError()
  const headers = { ...stored.headers, 'idempotent-replayed': 'true' }
  if (stored.status < 400) return { status: stored.status, headers, body }
  const refusal = JSON.parse(body) as Parameters<typeof errorBody>[0]
  return { status: stored.status, headers, body: errorBody(refusal, call.operation.requestId) }
}

function openBody({ operation, slot }: Call, { sealedBody }: StoredAnswer): string | null {
  if (sealedBody === null) return null
  return operation.app.secrets.decrypt(sealedBody, answerContext(operation.caller.tenant, slot))
}

/** The digest that two requests with the same key must share. For an upload it is known after the whole body was read. */
type Digest = () => Promise<Buffer>

function startDigest(operation: Operation): Digest {
  const { query, body } = operation.input
  const hash = createHash('sha256').update(canonicalJson({ query, body }))
  let digest: Promise<Buffer> | undefined
  if (operation.upload === null) return () => (digest ??= Promise.resolve(hash.digest()))
  const hashed = hashedUpload(operation.upload, hash)
  operation.upload = hashed.upload
  return () => (digest ??= hashed.finish())
}
