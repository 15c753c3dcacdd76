import type { Database } from '../db/database.ts'
import { actingAs } from '../events/actors.ts'
import { callerActor } from './audit-facts.ts'
import { runAudited } from './audited.shell.ts'
import { operateOnce } from './idempotency.shell.ts'
import { answeredValue, toResult, type Operation, type Result, type RunningHandler } from './operation.ts'
import type { Answer, OpenContext } from './route.ts'

/**
 * Runs an admitted, valid request behind the wall of its account. With an idempotency key its effect happens once, and its answer
 * is stored.
 */
export async function operate(admitted: Operation): Promise<Result> {
  const { app, caller } = admitted
  const operation = { ...admitted, app: { ...app, db: actingAs(await chooseDatabase(admitted), callerActor(caller)) } }
  const running = prepare(operation)
  if (operation.idempotencyKey !== undefined) return operateOnce(operation, running, operation.idempotencyKey)
  await operation.route.before?.(running.context, operation.input as never)
  const output = await runDirectly(operation, running)
  return toResult(operation, running, output)
}

// Reads in the test environment never use the replica: simulated mail is written without waiting, so a replica may lack it.
async function chooseDatabase({ app, route, caller: { tenant } }: Operation): Promise<Database> {
  const db = app.db.within(tenant.accountId)
  if (route.beyondWall === true) return db.beyondWall()
  const mayReadElsewhere = route.readsElsewhere === true && tenant.environment === 'live'
  return mayReadElsewhere && app.replica !== undefined ? app.replica.reader(db, tenant.accountId) : db
}

async function runDirectly(operation: Operation, running: RunningHandler): Promise<unknown> {
  const { db } = operation.app
  switch (operation.route.kind) {
    case 'query':
      return runAudited(operation, running, undefined)
    case 'command':
      return db.transaction((tx) => runAudited(operation, running, tx))
    case 'open':
      throw new Error(`${operation.route.endpoint.operationId} is served without a caller.`)
    case 'phased': {
      const answer: Answer<unknown> = (run) => db.transaction(async (tx) => ({ answered: await run(tx) }))
      return answeredValue(await runAudited(operation, running, answer))
    }
  }
}

type OpenOperation = Pick<Operation, 'app' | 'route' | 'requestId' | 'client' | 'input' | 'checkAnswers'>

/** Runs an endpoint without key and session, outside of any account, in its own transactions. */
export async function operateOpenly(operation: OpenOperation): Promise<Result> {
  const { app, route, requestId, client, input } = operation
  const headers: Record<string, string> = {}
  const cookies: string[] = []
  const context: OpenContext = {
    app,
    requestId,
    client,
    setHeader(name, value) {
      headers[name.toLowerCase()] = value
    },
    addCookie(cookie) {
      cookies.push(cookie)
    },
  }
  const run = route.run as unknown as (context: OpenContext, input: unknown) => Promise<unknown>
  const output = await run(context, input)
  return { ...toResult(operation, { status: route.endpoint.success[0], headers }, output), cookies }
}

function prepare(operation: Operation): RunningHandler {
  const { app, caller, route, requestId } = operation
  const running: RunningHandler = {
    status: route.endpoint.success[0],
    headers: {},
    changes: [],
    was: null,
    context: {
      app,
      tenant: caller.tenant,
      caller,
      client: operation.client,
      requestId,
      wantsEvents: operation.wantsEvents,
      lastEventId: operation.lastEventId,
      disconnected: operation.disconnected,
      changed(change) {
        running.changes.push(change)
      },
      was(resource) {
        running.was = resource
      },
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
