import { createHash } from 'node:crypto'
import { normalizeEmail } from '@overture/contract/addresses.ts'
import { conflict, invalid } from '@overture/contract/errors.ts'
import type { ForwardedMessage, ForwardInput } from '@overture/contract/inbox/forwards.ts'
import type { AuditActor } from '@overture/contract/team/audit.ts'
import { textToHtml } from '@overture/ground/text/text-html.ts'
import { wakePlanner } from '../../campaigns/index.ts'
import type { App } from '../../platform/app.ts'
import type { Executor, Transaction } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findSuppressed, type AddressHashes } from '../../suppressions/index.ts'
import { senderOfReply } from '../messages/reply.ts'
import type { MessageRow } from '../messages/messages.sql.ts'
import { listSenderRows } from '../plan/senders.sql.ts'
import { manualMime } from '../write/compose.ts'
import { forwardSubject, forwardText } from '../write/forwarded.ts'
import { composeMessage } from '../write/message-bytes.ts'
import { insertForward, listForwards, type ForwardRow, type NewForward } from './forwards.sql.ts'

interface ForwardFile {
  filename: string
  contentType: string
  content: Buffer
}

interface ForwardToWrite extends ForwardInput {
  threadId: string
  /** All messages of the thread, oldest first. */
  messages: readonly MessageRow[]
  original: MessageRow
  files: readonly ForwardFile[]
  /** The names of files that were too large to store. */
  leftOut: readonly string[]
  author: AuditActor
  now: Date
}

/** Writes the mail that forwards a message. It has no tracking and no opt-out link. */
export async function writeForward(app: App, tenant: Tenant, input: ForwardToWrite): Promise<NewForward> {
  const { original, messages, files, author, now, threadId } = input
  const [sender] = await listSenderRows(app.db, tenant, [senderOfReply(messages, original)])
  if (sender === undefined) throw conflict('The sending account of the conversation no longer exists.', 'no_sender')
  const id = newId('msg')
  const at = original.receivedAt ?? original.sentAt
  const shown = { ...original, from: original.fromAddress, to: original.toAddresses, at }
  const text = forwardText(shown, input.text ?? null, input.leftOut)
  const mime = manualMime({
    messageId: id,
    now,
    sender,
    to: toRecipients(input.to),
    cc: [],
    subject: forwardSubject(original.subject),
    text,
    html: textToHtml(text),
    inReplyTo: null,
    references: [],
    kind: 'manual',
    accountId: tenant.accountId,
    campaignId: null,
    sign: (purpose, fields) => app.secrets.signToken(purpose, fields),
    unsubscribeUrl: null,
  })
  const raw = composeMessage(files.length === 0 ? mime : { ...mime, attachments: files })
  return {
    id,
    threadId,
    messageId: original.id,
    author,
    text: input.text ?? null,
    sendingAccountId: sender.id,
    from: mime.from,
    to: mime.to,
    subject: mime.subject,
    rfcMessageId: mime.messageId,
    raw,
    sha256: createHash('sha256').update(raw).digest(),
    now,
  }
}

/** Each recipient once. */
function toRecipients(to: readonly string[]) {
  const normalised = to.map((email) => normalizeEmail(email).email)
  return to.filter((_, at) => normalised.indexOf(normalised[at]!) === at).map((email) => ({ email, name: null }))
}

/** Throws 400 with the field if a recipient is suppressed. */
export async function assertForwardable(
  db: Executor,
  tenant: Tenant,
  { to, secrets }: { to: readonly string[]; secrets: AddressHashes },
): Promise<void> {
  const suppressed = await findSuppressed(db, tenant, {
    secrets,
    emails: to.map((email) => normalizeEmail(email).email),
  })
  const refused = to.findIndex((email) => suppressed.has(normalizeEmail(email).email))
  if (refused >= 0) throw invalid({ path: `to[${refused}]`, rule: 'suppressed', message: 'The address is suppressed.' })
}

/** Queues a forward, so that it passes the claim, the gate and the record of every message. */
export async function queueForward(
  tx: Transaction,
  tenant: Tenant,
  { forward, secrets }: { forward: NewForward; secrets: AddressHashes },
): Promise<ForwardedMessage> {
  await assertForwardable(tx, tenant, { to: forward.to.map(({ email }) => email), secrets })
  await insertForward(tx, tenant, forward)
  wakePlanner(tx, tenant, forward.now)
  const { id: authorId, name: authorName, type: authorType } = forward.author
  const row = { ...forward, authorId, authorName, authorType, to: [...forward.to], createdAt: forward.now }
  return presentForward({ ...row, status: 'queued', refused: null, sentAt: null })
}

/** The forwards of a conversation, oldest first. */
export async function presentForwards(db: Executor, tenant: Tenant, threadId: string) {
  return (await listForwards(db, tenant, threadId)).map(presentForward)
}

function presentForward(row: ForwardRow): ForwardedMessage {
  return {
    id: row.id,
    messageId: row.messageId,
    author: { type: row.authorType, id: row.authorId, name: row.authorName },
    to: row.to.map(({ email }) => email),
    text: row.text,
    status: row.status,
    refusedRecipients: row.refused ?? [],
    sentAt: row.sentAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}
