import { AppError, notFound } from '@overture/contract/errors.ts'
import type { z } from 'zod'
import { sandboxEndpoints, type inboundInput } from '@overture/contract/sandbox/sandbox.ts'
import { phased, query, type RequestContext, type Route } from '../platform/http/route.ts'
import { newId } from '../platform/ids.ts'
import { appendHits } from '../tracking/index.ts'
import { beginAdvance, finishAdvance, runOrLeave } from './advance.shell.ts'
import { answer, writeManualMail } from './answer.commands.ts'
import { readClock, setFrozen } from './clock.commands.ts'
import { getMessage, listMessages } from './mailbox.queries.ts'
import { findClock } from './clock.sql.ts'
import { applyMailHit } from './mail-hits.shell.ts'
import { findCorrespondents, findLastAnswerable, type AnswerableRow } from './mailbox.sql.ts'
import type { SandboxTools } from './virtual-world.ts'

export function sandboxRoutes(tools: SandboxTools): Route[] {
  return [
    query(sandboxEndpoints.getSandboxClock, async (context) => {
      const { app, tenant } = context
      return readClock(app, app.db, tenant, await findClock(app.db, tenant))
    }),
    // Not a command, because commands lock the clock at its current time.
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
      const answerId = newId('msg')
      const { leadId, kind } = body
      if (kind === 'manual_mail') {
        const { direction = 'outbound', text = null } = body
        await writeManualMail(app.db, tools.receive, tenant, { leadId, direction, id: answerId, text, now })
      } else {
        const mail = await findLastAnswerable(app.db, tenant, leadId)
        if (!mail) throw (await findCorrespondents(app.db, tenant, leadId)) ? nothingToAnswer() : notFound()
        await act(tools, { app, tenant, now }, { mail, body: { ...body, kind }, answerId })
      }
      return respond(async () => ({
        id: answerId,
        leadId: body.leadId,
        kind: body.kind,
        receivedAt: now.toISOString(),
      }))
    }),
    query(sandboxEndpoints.listSandboxMessages, ({ app, tenant }, { query: listQuery }) =>
      listMessages(app.db, tenant, listQuery),
    ),
    query(sandboxEndpoints.getSandboxMessage, ({ app, tenant }, { params }) =>
      getMessage(app.db, tenant, params.id as string),
    ),
  ]
}

type Inbound = z.infer<typeof inboundInput>

interface InboundAct {
  mail: AnswerableRow
  body: Omit<Inbound, 'kind'> & { kind: Exclude<Inbound['kind'], 'manual_mail'> }
  answerId: string
}

/** Performs an act of a prospect on the last message that the prospect received. */
async function act(
  { pages, receive }: SandboxTools,
  { app, tenant, now }: Pick<RequestContext, 'app' | 'tenant' | 'now'>,
  { mail, body, answerId }: InboundAct,
): Promise<void> {
  const { kind, url, text = null } = body
  if (kind === 'open' || kind === 'click')
    return app.db.transaction(async (tx) => {
      const events = await applyMailHit(pages, tx, tenant, { mail, act: kind, url, now })
      if (events === null) throw notTracked(kind)
      await appendHits(tx, tenant, events)
    })
  if (kind !== 'meeting') return answer(app, receive, tenant, { mail, kind, answerId, text, now })
  const { campaignId, leadId, address } = mail
  if (campaignId !== null && leadId !== null) await pages.book(tenant, { campaignId, leadId, address, now })
}

function notTracked(kind: 'open' | 'click'): AppError {
  const what = kind === 'open' ? 'it does not track opens' : 'it has no such tracked link'
  return new AppError('CONFLICT', `This act can't be recorded for the last message: ${what}.`, {
    currentStatus: 'not_tracked',
    allowedActions: [],
  })
}

function nothingToAnswer(): AppError {
  return new AppError('CONFLICT', 'No message has reached this lead yet, so there is nothing to reply to.', {
    currentStatus: 'not_contacted',
    allowedActions: [],
  })
}
