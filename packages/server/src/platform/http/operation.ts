import { Readable } from 'node:stream'
import type { AuditChange } from '@overture/contract/team/audit.ts'
import type { App } from '../app.ts'
import type { Transaction } from '../db/database.ts'
import type { Caller } from './admission.ts'
import type { ClientFacts } from './client-facts.ts'
import type { Answer, RequestContext, Route } from './route.ts'
import { emptyUpload, type Upload } from './upload.ts'
import type { ValidInput } from './validate.ts'

/** An admitted, valid request before its handler runs. */
export interface Operation {
  app: App
  route: Route
  caller: Caller
  requestId: string
  client: ClientFacts
  path: string
  input: ValidInput
  /** A body that is read as it arrives. */
  upload: Upload | null
  idempotencyKey: string | undefined
  checkAnswers: boolean
  wantsEvents: boolean
  lastEventId: string | null
  disconnected: AbortSignal | null
}

export interface Result {
  status: number
  headers: Record<string, string>
  /** Set in addition to a `set-cookie` header in `headers`. */
  cookies?: readonly string[]
  /** JSON, or a stream whose content-type the handler set. */
  body: string | Readable
}

/** The state of the platform while a handler runs: the context, and the values that the handler set on it. */
export interface RunningHandler {
  context: Omit<RequestContext, 'now'>
  status: number
  headers: Record<string, string>
  /** The changes that the handler reported. */
  changes: AuditChange[]
  /** The resource before the change; null if the handler did not report it. */
  was: object | null
}

type Run = (context: RequestContext, input: unknown, extra?: unknown) => Promise<unknown>

/** Calls the handler with the arguments of its kind. `extra` is the transaction of a command or the `answer` of a phased one. */
export async function runHandler(
  operation: Operation,
  running: RunningHandler,
  extra: Transaction | Answer<unknown> | undefined,
): Promise<unknown> {
  const { route, input, upload } = operation
  const run = route.run as Run
  const context = { ...running.context, now: await readTime(operation, extra) }
  return run(context, { ...input, upload: upload ?? emptyUpload }, extra)
}

// A command holds the virtual clock, so that its effects after a pause have a later virtual time, however fast the clock moves.
function readTime({ app, route, caller }: Operation, extra: unknown): Promise<Date> {
  if (route.kind === 'command') return app.clocks.hold(extra as Transaction, caller.tenant)
  return app.clocks.now(app.db, caller.tenant)
}

export function toResult(
  operation: Pick<Operation, 'checkAnswers' | 'route'>,
  running: Omit<RunningHandler, 'context' | 'changes' | 'was'>,
  output: unknown,
): Result {
  if (output instanceof Readable) return { status: running.status, headers: running.headers, body: output }
  const body = JSON.stringify(output)
  if (operation.checkAnswers) checkAnswer(operation.route, running.status, body)
  return { status: running.status, headers: running.headers, body }
}

export function answeredValue(value: unknown): unknown {
  return (value as { answered: unknown }).answered
}

// The document promises these answers to generated clients, so a mismatch is a bug and fails the tests.
function checkAnswer(route: Route, status: number, body: string): void {
  const { endpoint } = route
  if (!endpoint.success.includes(status))
    throw new Error(`${endpoint.operationId} answered ${status}, which it does not list`)
  const parsed = endpoint.output.safeParse(JSON.parse(body))
  if (parsed.success) return
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`${endpoint.operationId} answered outside its schema: ${issues.slice(0, 10).join('; ')}`)
}
