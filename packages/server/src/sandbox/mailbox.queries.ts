import type { z } from 'zod'
import { notFound } from '@overture/contract/errors.ts'
import type { sandboxEndpoints, SandboxMessage, sandboxMessageDetail } from '@overture/contract/sandbox/sandbox.ts'
import { readMail } from '@overture/mail-reading/mime/mail.ts'
import { decodeWords } from '@overture/mail-reading/mime/mime-decode.ts'
import type { Executor } from '../platform/db/database.ts'
import { answerList, byPosition, type PageQuery } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'
import { countMailbox, findMailboxMessage, listMailbox, type MailboxRow } from './mailbox.sql.ts'

type ListQuery = z.output<NonNullable<typeof sandboxEndpoints.listSandboxMessages.query>> & PageQuery

/** Lists messages of the simulated mailboxes, newest first. */
export async function listMessages(db: Executor, tenant: Tenant, listQuery: ListQuery) {
  const filter = {
    campaignId: listQuery.campaignId ?? null,
    leadId: listQuery.leadId ?? null,
    sendingAccountId: listQuery.sendingAccountId ?? null,
    direction: listQuery.direction ?? null,
  }
  return answerList(listQuery, {
    key: byPosition,
    list: (range) => listMailbox(db, tenant, filter, range),
    count: () => countMailbox(db, tenant, filter),
    present: (rows) => rows.map(present),
  })
}

export async function getMessage(
  db: Executor,
  tenant: Tenant,
  id: string,
): Promise<z.output<typeof sandboxMessageDetail>> {
  const row = await findMailboxMessage(db, tenant, id)
  if (!row) throw notFound()
  const { headers, text, html } = openMail(row.raw)
  return { ...present(row), headers, text, html, raw: row.raw.toString('utf8') }
}

interface OpenedMail {
  subject: string
  headers: { name: string; value: string }[]
  text: string
  html: string | null
}

/** Reads a message as a mail program shows it. If the inbox would set it aside, only its raw bytes are shown. */
export function openMail(raw: Buffer): OpenedMail {
  const result = readMail(raw)
  if (result.outcome === 'set_aside') return { subject: '', headers: [], text: '', html: null }
  const { root, subject, text, html } = result.mail
  const headers = root.headers.map(({ writtenName, value }) => ({ name: writtenName, value: decodeWords(value) }))
  return { subject, headers, text, html }
}

function present(row: MailboxRow): SandboxMessage {
  return {
    id: row.id,
    direction: row.direction,
    messageId: row.messageId,
    campaignId: row.campaignId,
    leadId: row.leadId,
    stepId: row.stepId,
    sendingAccountId: row.sendingAccountId,
    from: row.from,
    to: row.to,
    subject: row.subject,
    sizeBytes: row.sizeBytes,
    at: row.at.toISOString(),
  }
}
