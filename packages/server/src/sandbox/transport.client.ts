import type { SendRequest, Transport } from '../delivery/index.ts'
import type { SmtpResult } from '../platform/mail/smtp-result.ts'
import type { App } from '../platform/app.ts'
import { newId } from '../platform/ids.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'
import { acceptedAnswer, reactionKind, chooseReactions, parseTags } from './prospect.ts'
import { countDeliveredBeside, insertDelivered } from './mailbox.sql.ts'

/**
 * The test environment's mail server. It accepts every message, puts it into the recipient's simulated mailbox and schedules
 * the recipient's reactions in virtual time. It opens no connection; gate and fault points are those of the real transport.
 */
export function createSandboxTransport(app: App): Transport {
  return {
    async send(request) {
      for (const point of ['connect', 'auth', 'mail', 'rcpt', 'data', 'mid_body', 'body_done'] as const)
        await request.hit(point)
      if (!(await passesGate(request))) return { kind: 'withheld', reason: 'The message was called back.' }
      await request.hit('gated')
      await request.hit('half_terminator')
      const result = await accept(app, request)
      await request.hit('terminated')
      return result
    },
  }
}

async function passesGate(request: SendRequest): Promise<boolean> {
  try {
    return await request.gate()
  } catch {
    return false
  }
}

async function accept(app: App, request: SendRequest): Promise<SmtpResult> {
  const { tenant, envelope } = request
  const [address = ''] = envelope.to
  const at = await app.clocks.now(app.db, tenant)
  const id = newId('msg')
  const mail = {
    id,
    messageId: request.messageId,
    sendingAccountId: request.sendingAccountId,
    from: envelope.from,
    to: envelope.to,
    raw: request.bytes,
    at,
  }
  // Most addresses don't react, and a single statement needs no transaction.
  if (parseTags(address).length === 0) await insertDelivered(app.db, tenant, mail)
  else {
    await app.db.transaction(async (tx) => {
      const delivered = await insertDelivered(tx, tenant, mail)
      if (delivered?.kind !== 'campaign') return
      const ordinal = 1 + (await countDeliveredBeside(tx, tenant, delivered))
      for (const { act, delayMs } of chooseReactions(address, ordinal)) {
        await enqueueJob(tx, {
          kind: reactionKind,
          tenant,
          payload: { mailboxId: id, act, answerId: newId('msg') },
          runAt: new Date(at.getTime() + delayMs),
          key: `${id}:${act}`,
        })
      }
    })
  }
  return { kind: 'accepted', answer: acceptedAnswer(id), refusedRecipients: [] }
}
