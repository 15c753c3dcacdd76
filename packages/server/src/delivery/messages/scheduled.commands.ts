import type { Message } from '@overture/contract/delivery/delivery.ts'
import type { UpdateReplyInput } from '@overture/contract/delivery/reply.ts'
import { conflict, notFound } from '@overture/contract/errors.ts'
import { textToHtml } from '@overture/ground/text/text-html.ts'
import { wakePlanner } from '../../campaigns/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { TemplateRenderer } from '../../templates/index.ts'
import { updateAwaiting } from './awaiting.sql.ts'
import { presentMessage } from './messages.commands.ts'
import { findMessage } from './messages.sql.ts'
import { deleteUngatedClaims, lockScheduled, updateHeld, updateReplyTexts, updateScheduled } from './scheduled.sql.ts'
import { readSendAt } from './reply.ts'
import { textOfHtml } from './reply.commands.ts'
import { lockThreadMessage } from './withdraw.sql.ts'

/** Holds the scheduled replies of a thread, because the lead wrote before they were sent. A reply past its gate is not held. */
export async function holdScheduled(
  tx: Transaction,
  tenant: Tenant,
  { threadId, now }: { threadId: string; now: Date },
): Promise<void> {
  const ids = await lockScheduled(tx, tenant, threadId)
  if (ids.length === 0) return
  await deleteUngatedClaims(tx, tenant, ids)
  await updateHeld(tx, tenant, { ids, now })
}

interface ReplyChange extends UpdateReplyInput {
  threadId: string
  messageId: string
  renderer: TemplateRenderer
  now: Date
}

/** Changes a scheduled reply, or lets a held one be sent. Throws 409 if the reply is past its gate. */
export async function updateReply(tx: Transaction, tenant: Tenant, change: ReplyChange): Promise<Message> {
  const { threadId, messageId, now } = change
  const locked = await lockThreadMessage(tx, tenant, change)
  const reply = locked === undefined ? undefined : await findMessage(tx, tenant, messageId)
  if (reply === undefined) throw notFound()
  if (reply.kind !== 'manual' || reply.status !== 'queued' || reply.sendAt === null)
    throw conflict('Only a scheduled reply can be changed.', reply.status)
  const sendAt = change.sendAt === undefined ? reply.sendAt : readSendAt(change.sendAt, now)
  await deleteUngatedClaims(tx, tenant, [messageId])
  const isReleased = change.held === false && reply.heldAt !== null
  const heldAt = isReleased ? null : reply.heldAt
  const changed = { id: messageId, sendAt, heldAt, queuedAt: isReleased ? now : null }
  if (!(await updateScheduled(tx, tenant, changed))) throw conflict('The reply is being sent.', 'sending')
  await changeTexts(tx, tenant, { ...change, subject: reply.subject })
  if (heldAt === null) wakePlanner(tx, tenant, sendAt > now ? sendAt : now)
  await updateAwaiting(tx, tenant, threadId)
  const stored = await findMessage(tx, tenant, messageId)
  if (stored === undefined) throw notFound()
  return presentMessage(stored)
}

async function changeTexts(
  tx: Transaction,
  tenant: Tenant,
  { messageId: id, text: plain, html: formatted, renderer, subject }: ReplyChange & { subject: string },
): Promise<void> {
  if (plain === undefined && formatted === undefined) return
  const text = plain ?? (await textOfHtml(renderer, tenant, formatted ?? ''))
  const html = formatted ?? textToHtml(text)
  // The bytes of a message are written once and never changed (docs/delivery.md).
  if (!(await updateReplyTexts(tx, tenant, { id, subject, text, html })))
    throw conflict('The mail of this reply is written already. Withdraw it and write a new one.', 'written')
}
