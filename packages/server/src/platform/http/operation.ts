import { Readable } from 'node:stream'
import type { AuditChange } from '@overture/contract/team/audit.ts'
import type { App } from '../app.ts'
import type { Transaction } from '../db/database.ts'
import type { Caller } from './admission.ts'
import type { ClientFacts } from './client-facts.ts'
import type { Answer, RequestContext, Route } from './route.ts'
import { emptyUpload, type Upload } from './upload.ts'
import type { ValidInput } from './validate.ts'

/** An admitted, valid request on its way to its handler. */
export interface Operation {
  app: App
  route: Route
  caller: Caller
  requestId: string
  client: ClientFacts
  path: string
  input: ValidInput
  /** A body that is read while it comes. */
  upload: Upload | null
  idempotencyKey: string | undefined
  checkAnswers: boolean
  wantsEvents: boolean
  lastEventId: string | null
  left: AbortSignal | null
}

export interface Result {
  status: number
  headers: Record<string, string>
  /** Set beside a `set-cookie` of the headers. */
  cookies?: readonly string[]
  /** JSON, or a stream whose content-type the handler set. */
  body: string | Readable
}

/** What the platform keeps while a handler runs: the context that it was given, and what it set there. */
export interface RunningHandler {
  context: Omit<RequestContext, 'now'>
  status: number
  headers: Record<string, string>
  /** What the handler said that it changed. */
  changes: AuditChange[]
  /** What it changes, as it was before; null: it did not say. */
  was: object | null
}

type Run = (context: RequestContext, input: unknown, extra?: unknown) => Promise<unknown>

/** Calls the handler in the way of its kind; `wrap` opens the transaction that the answer is stored in. */
export async function runHandler(
  operation: Operation,
  running: RunningHandler,
  extra: Transaction | Answer<unknown> | undefined,
): Promise<unknown> {
  const { route, input, upload } = operation
  const run = route.run as Run
  const context = { ...running.context, now: await timeOf(operation, extra) }
  return run(context, { ...input, upload: upload ?? emptyUpload }, extra)
}

// A virtual clock waits for commands: what follows a pause is later than it by that clock too, however fast it moves.
function timeOf({ app, route, caller }: Operation, extra: unknown): Promise<Date> {
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

export function answeredOf(value: unknown): unknown {
  return (value as { answered: unknown }).answered
}

// The document promises these answers to generated clients, so a drift is a bug and never passes a test.
function checkAnswer(route: Route, status: number, body: string): void {
  const { endpoint } = route
  if (!endpoint.success.includes(status))
    throw new Error(`${endpoint.operationId} answered ${status}, which it does not list`)
  const parsed = endpoint.output.safeParse(JSON.parse(body))
  if (parsed.success) return
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`${endpoint.operationId} answered outside its schema: ${issues.slice(0, 10).join('; ')}`)
}
