import type { Executor } from '../platform/db/database.ts'

interface OldContact {
  accountId: string
  environment: string
  addressHash: Buffer
  messageId: string
}

/** Contacts that no limit counts any more. */
export async function listOldContactsAcrossAccounts(db: Executor, before: Date, limit: number): Promise<OldContact[]> {
  return db.query<OldContact>(
    `select account_id, environment, address_hash, message_id from contacts where at < $1 limit $2`,
    [before, limit],
    'list_old_contacts',
  )
}

export async function deleteOldContacts(
  db: Executor,
  accountId: string,
  rows: readonly OldContact[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from contacts where account_id = $1 and (environment, address_hash, message_id) in (
       select environment, address_hash, message_id from contacts where account_id = $1 and at < $2
         and (environment, address_hash, message_id) in (select * from unnest($3::text[], $4::bytea[], $5::text[]))
       for update skip locked)`,
    [
      accountId,
      before,
      rows.map((row) => row.environment),
      rows.map((row) => row.addressHash),
      rows.map((row) => row.messageId),
    ],
    'delete_old_contacts',
  )
}

interface OldExchange {
  accountId: string
  environment: string
  addressHash: Buffer
}

export async function listOldExchangesAcrossAccounts(
  db: Executor,
  before: Date,
  limit: number,
): Promise<OldExchange[]> {
  return db.query<OldExchange>(
    `select account_id, environment, address_hash from exchanges where at < $1 limit $2`,
    [before, limit],
    'list_old_exchanges',
  )
}

export async function deleteOldExchanges(
  db: Executor,
  accountId: string,
  rows: readonly OldExchange[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from exchanges where account_id = $1 and at < $2 and (environment, address_hash) in (
       select environment, address_hash from exchanges where account_id = $1 and at < $2
         and (environment, address_hash) in (select * from unnest($3::text[], $4::bytea[])) for update skip locked)`,
    [accountId, before, rows.map((row) => row.environment), rows.map((row) => row.addressHash)],
    'delete_old_exchanges',
  )
}
