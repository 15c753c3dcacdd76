import { waitingList } from '@overture/ground/lead-statuses.ts'
import { columnList, listedRows, rowLists, type Executor, type ListColumn } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

export interface GateRecipient {
  addressHash: Buffer
  domain: string
  /** When this person wrote, if the message is a reply to them: then only a later suppression closes the gate. Null for everyone else. */
  wroteAt: Date | null
}

export interface GateRequest {
  id: string
  token: string
  /** All recipients of the envelope. */
  recipients: readonly GateRecipient[]
}

/** A recipient of a message. A message without recipients is listed by its id alone. */
type ListedRecipient = Pick<GateRequest, 'id'> & Partial<GateRecipient>

const copyColumns: readonly ListColumn<ListedRecipient>[] = [
  ['id', 'text', (recipient) => recipient.id],
  ['address_hash', 'bytea', (recipient) => recipient.addressHash],
  ['domain', 'text', (recipient) => recipient.domain],
  ['wrote_at', 'timestamptz', (recipient) => recipient.wroteAt],
]
const columns: readonly ListColumn<ListedRecipient & Pick<GateRequest, 'token'>>[] = [
  ...copyColumns,
  ['token', 'uuid', ({ token }) => token],
]

/** The condition that the recipient `t` is suppressed by this column. */
function isSuppressed(column: 'address_hash' | 'domain'): string {
  return `exists (select 1 from suppressions x where x.account_id = $1 and x.environment = $2 and x.${column} = t.${column}
         and (x.expires_at is null or x.expires_at > $3) and (t.wrote_at is null or x.asked_at >= t.wrote_at))`
}

/**
 * The gate: after it the end of the message may be sent. It is one statement and one commit for the messages that are ready
 * together. The commit is synchronous regardless of the server's default, except if the mailboxes are in the same database (the
 * test environment), where a lost commit also loses the sent messages. Messages that are missing from the result must not be
 * sent: their lease expired, sending is held, a recipient is suppressed, the lead replied or was stopped, or the campaign no
 * longer runs.
 */
export async function passGate(
  db: Executor,
  tenant: Tenant,
  gate: { requests: readonly GateRequest[]; now: Date },
): Promise<Set<string>> {
  const firsts = gate.requests.map(({ id, token, recipients: [first] }) => ({ ...first, id, token }))
  const copies = gate.requests.flatMap(({ id, recipients }) => recipients.slice(1).map((one) => ({ ...one, id })))
  const rows = await db.query<{ id: string }>(
    `update claims c set gated_at = $3
     from ${listedRows(columns, 4)},
       (select case when current_setting('overture.simulated', true) = 'on' then 'on'
         else set_config('synchronous_commit', 'on', true) end as setting) s
     -- By the list as well: by the join alone all claims of the account are read for each gate while they look like one.
     where s.setting = 'on' and c.account_id = $1 and c.environment = $2 and c.message_id = any(${columnList(columns, 4, 'id')})
       and c.message_id = t.id and c.lease_token = t.token and c.gated_at is null and c.lease_until > now()
       and ($2 = 'test' or not exists (select 1 from settings h where h.name = 'sending_held'))
       and (select true from message_contents k where k.account_id = $1 and k.environment = $2 and k.message_id = c.message_id
         and k.raw is not null limit 1)
       -- With 'or', each suppression is found by an index. With a join, the whole list of the account may be read.
       and (t.address_hash is null or not ${isSuppressed('address_hash')})
       and (t.domain is null or not ${isSuppressed('domain')})
       -- The copies are compared once for all messages, since no column of a claim is named here.
       and c.message_id <> all(array(select t.id from ${listedRows(copyColumns, 4 + columns.length)}
         where ${isSuppressed('address_hash')} or ${isSuppressed('domain')}))
       and (c.kind <> 'campaign' or exists (
         select 1 from lead_progress p join campaigns b on b.account_id = $1 and b.environment = $2 and b.id = c.campaign_id
         where p.account_id = $1 and p.environment = $2 and p.campaign_id = c.campaign_id and p.lead_id = c.lead_id
           and p.status in ${waitingList} and b.status = 'active' and b.deleted_at is null))
     returning c.message_id as id`,
    [tenant.accountId, tenant.environment, gate.now, ...rowLists(columns, firsts), ...rowLists(copyColumns, copies)],
    'pass_gate',
  )
  return new Set(rows.map((row) => row.id))
}

/** Renews the leases of a token's messages while its worker lives. */
export async function renewMessageLeases(
  db: Executor,
  tenant: Tenant,
  lease: { token: string; leaseMs: number },
): Promise<void> {
  await db.execute(
    `update claims set lease_until = now() + $4::int * interval '1 millisecond'
     where account_id = $1 and environment = $2 and lease_token = $3 and lease_until > now()`,
    [tenant.accountId, tenant.environment, lease.token, lease.leaseMs],
    'extend_leases',
  )
}
