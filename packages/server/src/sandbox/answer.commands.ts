import { notFound } from '@overture/contract/errors.ts'
import type { App } from '../platform/app.ts'
import type { Executor } from '../platform/db/database.ts'
import { readMessageTexts } from '@overture/ground/text/message-texts.ts'
import type { Tenant } from '../platform/tenant.ts'
import { composeAnswer, composeManualMail, type AnswerKind } from './prospect-mail.ts'
import { findCorrespondents, insertAnswer, type AnswerableRow } from './mailbox.sql.ts'
import { openMail } from './mailbox.queries.ts'
import type { ReceiveMail } from './virtual-world.ts'

interface ProspectAnswer {
  mail: AnswerableRow
  kind: AnswerKind
  answerId: string
  /** Null: the text is drawn from the seed. */
  text: string | null
  now: Date
}

/** Writes a prospect's mail and passes it to the inbox. A repeated call with the same id changes nothing. */
export async function answer(app: App, receive: ReceiveMail, tenant: Tenant, answering: ProspectAnswer): Promise<void> {
  const { mail, kind, answerId, text, now } = answering
  const original = readMessageTexts(mail.raw).text ?? openMail(mail.raw).text
  const received = { ...mail, references: mail.refs, text: original }
  const raw = composeAnswer(received, { kind, text, at: now, uniqueText: answerId.replaceAll(/[^a-z0-9]/gi, '') })
  const { subject } = openMail(raw)
  const uid = await insertAnswer(app.db, tenant, { id: answerId, answered: mail, raw, subject, at: now })
  await receive(tenant, { sendingAccountId: mail.sendingAccountId, raw, uid, receivedAt: now })
}

interface ManualMail {
  leadId: string
  direction: 'inbound' | 'outbound'
  /** Unique among mails. */
  id: string
  /** Null: an ordinary sentence. */
  text: string | null
  now: Date
}

/** Writes mail outside of campaigns between a lead and a mailbox, and passes it to the inbox. */
export async function writeManualMail(
  db: Executor,
  receive: ReceiveMail,
  tenant: Tenant,
  { leadId, direction, id, text, now }: ManualMail,
): Promise<void> {
  const found = await findCorrespondents(db, tenant, leadId)
  if (found === null) throw notFound()
  const { sendingAccountId, lead, sender } = found
  if (sendingAccountId === null || sender === null) throw notFound()
  const sent = direction === 'outbound'
  const [from, to] = sent ? [sender, lead] : [lead, sender]
  const raw = composeManualMail({ from, to, text, at: now, uniqueText: id.replaceAll(/[^a-z0-9]/gi, '') })
  await receive(tenant, { sendingAccountId, raw, uid: 0, receivedAt: now, sent })
}
