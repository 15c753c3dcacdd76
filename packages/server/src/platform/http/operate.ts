import { Readable } from 'node:stream'
import type { App } from '../app.ts'
import type { Transaction } from '../db/database.ts'
import type { Caller } from './admission.ts'
import { operateOnce } from './idempotency.commands.ts'
import type { Answer, RequestContext, Route } from './route.ts'
import type { ValidInput } from './validate.ts'

export interface Operation {
  app: App
  route: Route
  caller: Caller
  requestId: string
  path: string
  input: ValidInput
  stream: Readable | null
  idempotencyKey: string | undefined
  checkAnswers: boolean
}

export interface Result {
  status: number
  headers: Record<string, string>
  /** JSON, or a stream whose content-type the handler set. */
  body: string | Readable
}

/** What the platform keeps while a handler runs: the context that it was given, and what it set there. */
export interface Running {
  context: RequestContext
  status: number
  headers: Record<string, string>
}

type Run = (context: RequestContext, input: unknown, extra?: unknown) => Promise<unknown>

/** Runs an admitted, valid request. With an idempotency key its effect happens once, and its answer is kept. */
export async function operate(operation: Operation): Promise<Result> {
  const running = await prepare(operation)
  if (operation.idempotencyKey !== undefined) return operateOnce(operation, running, operation.idempotencyKey)
  const output = await runDirectly(operation, running)
  return toResult(operation, running, output)
}

/** Calls the handler in the way of its kind; `wrap` opens the transaction that the answer is stored in. */
export async function runHandler(
  operation: Operation,
  running: Running,
  extra: Transaction | Answer<unknown> | undefined,
): Promise<unknown> {
  const { route, input, stream } = operation
  const run = route.run as Run
  return run(running.context, { ...input, stream: stream ?? emptyStream() }, extra)
}

export function toResult(operation: Operation, running: Running, output: unknown): Result {
  if (output instanceof Readable) return { status: running.status, headers: running.headers, body: output }
  const body = JSON.stringify(output)
  if (operation.checkAnswers) checkAnswer(operation.route, running.status, body)
  return { status: running.status, headers: running.headers, body }
}

async function runDirectly(operation: Operation, running: Running): Promise<unknown> {
  const { db } = operation.app
  switch (operation.route.kind) {
    case 'query':
      return runHandler(operation, running, undefined)
    case 'command':
      return db.transaction((tx) => runHandler(operation, running, tx))
    case 'phased': {
      const answer: Answer<unknown> = (run) => db.transaction(async (tx) => ({ answered: await run(tx) }))
      return answeredOf(await runHandler(operation, running, answer))
    }
  }
}

export function answeredOf(value: unknown): unknown {
  return (value as { answered: unknown }).answered
}

async function prepare(operation: Operation): Promise<Running> {
  const { app, caller, route, requestId } = operation
  const running: Running = {
    status: route.endpoint.success[0],
    headers: {},
    context: {
      app,
      tenant: caller.tenant,
      keyId: caller.keyId,
      scopes: caller.scopes,
      requestId,
      now: await app.clocks.now(app.db, caller.tenant),
      setStatus(status) {
        running.status = status
      },
      setHeader(name, value) {
        running.headers[name.toLowerCase()] = value
      },
    },
  }
  return running
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

function emptyStream(): Readable {
  return Readable.from([])
}
