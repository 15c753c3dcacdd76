import { AppError, notFound } from '@overture/contract/errors.ts'
import { sandboxEndpoints } from '@overture/contract/sandbox/sandbox.ts'
import { phased, query, type Route } from '../platform/http/route.ts'
import { newId } from '../platform/ids.ts'
import { beginAdvance, finishAdvance, runOrLeave } from './advance.commands.ts'
import { answer } from './answer.commands.ts'
import { readClock, setFrozen } from './clock.commands.ts'
import { getMessage, listMessages } from './mailbox.queries.ts'
import { findClock } from './clock.sql.ts'
import { findLastAnswerable, hasLead } from './mailbox.sql.ts'
import type { SandboxTools } from './virtual-world.ts'

export function sandboxRoutes(tools: SandboxTools): Route[] {
  return [
    query(sandboxEndpoints.getSandboxClock, async (context) => {
      const { app, tenant } = context
      return readClock(app, app.db, tenant, await findClock(app.db, tenant))
    }),
    // Not a command: those hold the clock as it is.
    phased(sandboxEndpoints.setSandboxClock, ({ app, tenant }, { body }, respond) =>
      respond((tx) => setFrozen(app, tx, tenant, body.frozen)),
    ),
    phased(sandboxEndpoints.advanceSandboxClock, async (context, { body }, respond) => {
      const { app, tenant } = context
      const run = await beginAdvance(app, tenant, body)
      await runOrLeave(tools, { tenant, run })
      return respond((tx) => finishAdvance(app, tx, { tenant, run }))
    }),
    phased(sandboxEndpoints.createSandboxInbound, async ({ app, tenant, now }, { body }, respond) => {
      const mail = await findLastAnswerable(app.db, tenant, body.leadId)
      if (!mail) throw (await hasLead(app.db, tenant, body.leadId)) ? nothingToAnswer() : notFound()
      const answerId = newId('msg')
      await answer(app, tools.receive, tenant, { mail, kind: body.kind, answerId, text: body.text ?? null, now })
      return respond(async () => ({
        id: answerId,
        leadId: body.leadId,
        kind: body.kind,
        receivedAt: now.toISOString(),
      }))
    }),
    query(sandboxEndpoints.listSandboxMessages, ({ app, tenant }, { query: asked }) =>
      listMessages(app.db, tenant, asked),
    ),
    query(sandboxEndpoints.getSandboxMessage, ({ app, tenant }, { params }) =>
      getMessage(app.db, tenant, params.id as string),
    ),
  ]
}

function nothingToAnswer(): AppError {
  return new AppError('CONFLICT', 'No message has reached this lead yet: there is nothing to answer.', {
    currentStatus: 'not_contacted',
    allowedActions: [],
  })
}
