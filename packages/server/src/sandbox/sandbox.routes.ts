import { AppError, notFound } from '@overture/contract/errors.ts'
import { sandboxEndpoints } from '@overture/contract/sandbox.ts'
import { command, phased, query, type RequestContext, type Route } from '../platform/http/route.ts'
import { newId } from '../platform/ids.ts'
import type { Tenant } from '../platform/tenant.ts'
import { beginAdvance, finishAdvance, runOrLeave } from './advance.commands.ts'
import { answer } from './answer.commands.ts'
import { readClock, setFrozen } from './clock.commands.ts'
import { getMessage, listMessages } from './mailbox.queries.ts'
import { findClock } from './clock.sql.ts'
import { findLastAnswerable, hasLead } from './mailbox.sql.ts'
import type { SandboxDeps } from './virtual-world.ts'

export function sandboxRoutes(deps: SandboxDeps): Route[] {
  return [
    query(sandboxEndpoints.getSandboxClock, async (context) => {
      const tenant = testOnly(context)
      const { app } = context
      return readClock(app, app.db, tenant, await findClock(app.db, tenant))
    }),
    command(sandboxEndpoints.setSandboxClock, (context, { body }, tx) =>
      setFrozen(context.app, tx, testOnly(context), body.frozen),
    ),
    phased(sandboxEndpoints.advanceSandboxClock, async (context, { body }, respond) => {
      const { app } = context
      const tenant = testOnly(context)
      const run = await beginAdvance(app, tenant, body)
      await runOrLeave(deps, { tenant, run })
      return respond((tx) => finishAdvance(app, tx, { tenant, run }))
    }),
    phased(sandboxEndpoints.createSandboxInbound, async ({ app, now, ...context }, { body }, respond) => {
      const tenant = testOnly(context)
      const mail = await findLastAnswerable(app.db, tenant, body.leadId)
      if (!mail) throw (await hasLead(app.db, tenant, body.leadId)) ? nothingToAnswer() : notFound()
      const answerId = newId('msg')
      await answer(app, deps.receive, tenant, { mail, kind: body.kind, answerId, text: body.text ?? null, now })
      return respond(async () => ({
        id: answerId,
        leadId: body.leadId,
        kind: body.kind,
        receivedAt: now.toISOString(),
      }))
    }),
    query(sandboxEndpoints.listSandboxMessages, (context, { query: asked }) =>
      listMessages(context.app.db, testOnly(context), asked),
    ),
    query(sandboxEndpoints.getSandboxMessage, (context, { params }) =>
      getMessage(context.app.db, testOnly(context), params.id as string),
    ),
  ]
}

/** Live keys get 404 here (contract 11). */
function testOnly({ tenant }: Pick<RequestContext, 'tenant'>): Tenant {
  if (tenant.environment !== 'test') throw notFound()
  return tenant
}

function nothingToAnswer(): AppError {
  return new AppError('CONFLICT', 'No message has reached this lead yet: there is nothing to answer.', {
    currentStatus: 'not_contacted',
    allowedActions: [],
  })
}
