import type { SandboxMessage } from '@overture/contract/sandbox/sandbox.ts'
import type { ArrivedMessage } from '../delivery/memory/simulated.ts'
import { listedRows, rowLists, type Executor, type ListColumn } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'

interface DeliveredRow {
  id: string
  campaignId: string | null
  leadId: string | null
  kind: string
}

/** Puts our message into the recipient's simulated mailbox. Returns null if the message does not exist. */
export async function insertDelivered(
  db: Executor,
  tenant: Tenant,
  row: {
    id: string
    messageId: string
    sendingAccountId: string
    from: string
    to: readonly string[]
    raw: Buffer
    at: Date
  },
): Promise<DeliveredRow | null> {
  const [delivered] = await db.query<DeliveredRow>(
    `with message as (
       select id, campaign_id, lead_id, step_id, subject, rfc_message_id, kind from message_heads
       where account_id = $1 and environment = $2 and id = $4
     ), mailbox as (
       insert into sandbox_messages (account_id, environment, id, direction, message_id, campaign_id, lead_id, step_id,
         sending_account_id, from_email, to_emails, subject, rfc_message_id, raw, at)
       select $1, $2, $3, 'to_prospect', id, campaign_id, lead_id, step_id, $5, $6, $7, subject, rfc_message_id, $8, $9
       from message returning id
     )
     select mailbox.id, message.campaign_id, message.lead_id, message.kind from message, mailbox`,
    [
      tenant.accountId,
      tenant.environment,
      row.id,
      row.messageId,
      row.sendingAccountId,
      row.from,
      row.to,
      row.raw,
      row.at,
    ],
    'insert_sandbox_delivered',
  )
  return delivered ?? null
}

/** How many other campaign messages reached a lead. */
export async function countDeliveredBeside(
  db: Executor,
  tenant: Tenant,
  { id, leadId }: Pick<DeliveredRow, 'id' | 'leadId'>,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) from sandbox_messages
     where account_id = $1 and environment = $2 and lead_id = $3 and direction = 'to_prospect' and step_id is not null and id <> $4`,
    [tenant.accountId, tenant.environment, leadId, id],
    'count_sandbox_delivered_beside',
  )
  return row?.count ?? 0
}

const arrivedColumns: readonly ListColumn<ArrivedMessage>[] = [
  ['id', 'text', (message) => message.mailboxId],
  ['message_id', 'text', (message) => message.messageId],
  ['campaign_id', 'text', (message) => message.campaignId],
  ['lead_id', 'text', (message) => message.leadId],
  ['step_id', 'text', (message) => message.stepId],
  ['sender_id', 'text', (message) => message.sendingAccountId],
  ['from_email', 'text', (message) => message.from],
  ['to_email', 'text', (message) => message.to],
  ['subject', 'text', (message) => message.subject],
  ['rfc', 'text', (message) => message.rfcMessageId],
  ['raw', 'bytea', (message) => message.raw],
  ['at', 'timestamptz', (message) => message.at],
]

/** Puts messages that were planned in memory into their recipients' mailboxes, in order. */
export async function insertArrived(db: Executor, tenant: Tenant, messages: readonly ArrivedMessage[]): Promise<void> {
  await db.execute(
    `insert into sandbox_messages (account_id, environment, id, direction, message_id, campaign_id, lead_id, step_id,
       sending_account_id, from_email, to_emails, subject, rfc_message_id, raw, at)
     select a.account_id, $2, t.id, 'to_prospect', t.message_id, t.campaign_id, t.lead_id, t.step_id, t.sender_id, t.from_email,
       array[t.to_email], t.subject, t.rfc, t.raw, t.at
     from accounts a, ${listedRows(arrivedColumns, 3, { ordinal: true })}
     where a.account_id = $1 order by t.ordinal returning 1`,
    [tenant.accountId, tenant.environment, ...rowLists(arrivedColumns, messages)],
    'insert_sandbox_arrived',
  )
}

/** How many campaign messages reached each of these leads. Leads with none are missing. */
export async function countDelivered(
  db: Executor,
  tenant: Tenant,
  leadIds: readonly string[],
): Promise<{ leadId: string; count: number }[]> {
  return db.query(
    `select lead_id, count(*) from sandbox_messages
     where account_id = $1 and environment = $2 and lead_id = any($3) and direction = 'to_prospect' and step_id is not null
     group by lead_id`,
    [tenant.accountId, tenant.environment, leadIds],
    'count_sandbox_delivered',
  )
}

/** Our message with the fields that a recipient's answer needs. */
export interface AnswerableRow {
  messageId: string
  campaignId: string | null
  leadId: string | null
  sendingAccountId: string
  senderEmail: string
  senderName: string | null
  address: string
  subject: string
  rfcMessageId: string
  refs: string[]
  raw: Buffer
  sentAt: Date
}

const answerable = `select m.id as message_id, m.campaign_id, m.lead_id, m.sending_account_id, s.email as sender_email,
    s.from_name as sender_name, b.to_emails[1] as address, m.subject, m.rfc_message_id, coalesce(m.refs, '{}') as refs,
    b.raw, b.at as sent_at
  from sandbox_messages b
  join message_heads m on m.account_id = $1 and m.environment = $2 and m.id = b.message_id
  join sending_accounts s on s.account_id = $1 and s.environment = $2 and s.id = m.sending_account_id`

export async function findAnswerable(db: Executor, tenant: Tenant, id: string): Promise<AnswerableRow | null> {
  const [row] = await db.query<AnswerableRow>(
    `${answerable} where b.account_id = $1 and b.environment = $2 and b.id = $3 and b.direction = 'to_prospect'`,
    [tenant.accountId, tenant.environment, id],
    'find_answerable',
  )
  return row ?? null
}

/** Reads delivered messages that recipients open or click. */
export async function listHitMails(
  db: Executor,
  tenant: Tenant,
  ids: readonly string[],
): Promise<{ id: string; address: string; raw: Buffer }[]> {
  return db.query(
    `select b.id, b.to_emails[1] as address, b.raw from sandbox_messages b
     where b.account_id = $1 and b.environment = $2 and b.id = any($3) and b.direction = 'to_prospect'`,
    [tenant.accountId, tenant.environment, ids],
    'list_hit_mails',
  )
}

/** The last message that reached a lead. */
export async function findLastAnswerable(db: Executor, tenant: Tenant, leadId: string): Promise<AnswerableRow | null> {
  const [row] = await db.query<AnswerableRow>(
    `${answerable} where b.account_id = $1 and b.environment = $2 and b.lead_id = $3 and b.direction = 'to_prospect'
     order by b.position desc limit 1`,
    [tenant.accountId, tenant.environment, leadId],
  )
  return row ?? null
}

interface Correspondents {
  lead: string
  /** Null: the mailbox is gone. */
  sender: string | null
  sendingAccountId: string | null
}

/** The addresses of a lead and of the mailbox that writes to it, or will. */
export async function findCorrespondents(db: Executor, tenant: Tenant, leadId: string): Promise<Correspondents | null> {
  const rows = await db.query<Correspondents>(
    `select l.email as lead, s.email as sender, s.id as sending_account_id from leads l
     join campaigns c on c.account_id = $1 and c.environment = $2 and c.id = l.campaign_id
     left join sending_accounts s on s.account_id = $1 and s.environment = $2
       and s.id = coalesce(l.sending_account_id, c.sending_account_ids[1])
     where l.account_id = $1 and l.environment = $2 and l.id = $3`,
    [tenant.accountId, tenant.environment, leadId],
    'find_correspondents',
  )
  return rows[0] ?? null
}

/** Stores a prospect's mail. Returns its position in the order of arrival. */
export async function insertAnswer(
  db: Executor,
  tenant: Tenant,
  row: { id: string; answered: AnswerableRow; raw: Buffer; subject: string; at: Date },
): Promise<number> {
  const [inserted] = await db.query<{ position: number }>(
    `insert into sandbox_messages (account_id, environment, id, direction, campaign_id, lead_id, sending_account_id,
       from_email, to_emails, subject, raw, at)
     values ($1, $2, $3, 'from_prospect', $4, $5, $6, $7, array[$8], $9, $10, $11)
     on conflict (account_id, environment, id) do update set id = excluded.id
     returning position`,
    [
      tenant.accountId,
      tenant.environment,
      row.id,
      row.answered.campaignId,
      row.answered.leadId,
      row.answered.sendingAccountId,
      row.answered.address,
      row.answered.senderEmail,
      row.subject,
      row.raw,
      row.at,
    ],
    'insert_sandbox_answer',
  )
  return inserted?.position ?? 0
}

/** Whether a message reached its simulated mailbox. It replaces the check of the Sent folder of a real mailbox. */
export async function hasDelivered(db: Executor, tenant: Tenant, rfcMessageId: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 from sandbox_messages where account_id = $1 and environment = $2 and rfc_message_id = $3 limit 1`,
    [tenant.accountId, tenant.environment, rfcMessageId],
  )
  return rows.length > 0
}

interface MailboxFilter {
  campaignId: string | null
  leadId: string | null
  sendingAccountId: string | null
  direction: string | null
}

export interface MailboxRow extends Omit<SandboxMessage, 'at'> {
  position: number
  at: Date
}

const mailboxColumns = `id, position, direction, message_id, campaign_id, lead_id, step_id, sending_account_id,
  from_email as "from", to_emails as "to", subject, octet_length(raw) as size_bytes, at`
const filtered = `account_id = $1 and environment = $2 and ($3::text is null or campaign_id = $3)
  and ($4::text is null or lead_id = $4) and ($5::text is null or sending_account_id = $5)
  and ($6::text is null or direction = $6)`

/** Lists messages newest first. */
export async function listMailbox(
  db: Executor,
  tenant: Tenant,
  filter: MailboxFilter,
  range: RowRange<number>,
): Promise<MailboxRow[]> {
  return db.query<MailboxRow>(
    `select ${mailboxColumns} from sandbox_messages where ${filtered} and ($7::bigint is null or position < $7)
     order by position desc limit $8 offset $9`,
    [...filterValues(tenant, filter), range.after, range.limit, range.offset],
  )
}

export async function countMailbox(db: Executor, tenant: Tenant, filter: MailboxFilter): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from sandbox_messages where ${filtered}`,
    filterValues(tenant, filter),
  )
  return row?.count ?? 0
}

export async function findMailboxMessage(
  db: Executor,
  tenant: Tenant,
  id: string,
): Promise<(MailboxRow & { raw: Buffer }) | null> {
  const [row] = await db.query<MailboxRow & { raw: Buffer }>(
    `select ${mailboxColumns}, raw from sandbox_messages where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id],
  )
  return row ?? null
}

function filterValues(tenant: Tenant, filter: MailboxFilter): unknown[] {
  return [
    tenant.accountId,
    tenant.environment,
    filter.campaignId,
    filter.leadId,
    filter.sendingAccountId,
    filter.direction,
  ]
}
