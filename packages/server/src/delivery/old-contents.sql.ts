import type { Executor } from '../platform/db/database.ts'

/** A dictionary is used for one month, so its youngest message may be this much younger than the dictionary. */
export const dictionaryDays = 32

const over = `'sent', 'bounced', 'failed', 'received'`

interface OldContent {
  accountId: string
  environment: string
  messageId: string
}

/** Bytes and texts of messages whose delivery has ended. Recipient, time and outcome are kept, so all limits still work. */
export async function listOldContentsAcrossAccounts(db: Executor, before: Date, limit: number): Promise<OldContent[]> {
  return db.query<OldContent>(
    `select k.account_id, k.environment, k.message_id from message_contents k
     where k.recorded_at < $1 and exists (select from message_heads m
       where m.account_id = k.account_id and m.environment = k.environment and m.id = k.message_id
         and m.status in (${over})) limit $2`,
    [before, limit],
    'list_old_contents',
  )
}

export async function deleteOldContents(
  db: Executor,
  accountId: string,
  rows: readonly OldContent[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from message_contents where account_id = $1 and (environment, message_id) in (
       select k.environment, k.message_id from message_contents k
       where k.account_id = $1 and k.recorded_at < $2
         and (k.environment, k.message_id) in (select * from unnest($3::text[], $4::text[]))
         and exists (select from message_heads m
           where m.account_id = $1 and m.environment = k.environment and m.id = k.message_id and m.status in (${over}))
       for update of k skip locked)`,
    [accountId, before, rows.map((row) => row.environment), rows.map((row) => row.messageId)],
    'delete_old_contents',
  )
}

interface OldDictionary {
  accountId: string
  environment: string
  id: Buffer
}

/** Dictionaries that no message uses or will use, since the messages of their month were deleted. */
export async function listOldDictionariesAcrossAccounts(
  db: Executor,
  before: Date,
  limit: number,
): Promise<OldDictionary[]> {
  return db.query<OldDictionary>(
    `select d.account_id, d.environment, d.id from content_dictionaries d
     where d.created_at < $1::timestamptz and ${unused('d.account_id', '$1')} limit $2`,
    [before, limit],
    'list_old_dictionaries',
  )
}

export async function deleteOldDictionaries(
  db: Executor,
  accountId: string,
  rows: readonly OldDictionary[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from content_dictionaries d using unnest($3::text[], $4::bytea[]) t (environment, id)
     where d.account_id = $1 and d.environment = t.environment and d.id = t.id
       and d.created_at < $2::timestamptz and ${unused('$1', '$2')}`,
    [accountId, before, rows.map((row) => row.environment), rows.map((row) => row.id)],
    'delete_old_dictionaries',
  )
}

/** Messages of that time were deleted unless their delivery has not ended, so few rows are searched. */
function unused(account: string, before: string): string {
  return `not exists (select from message_contents k where k.account_id = ${account} and k.environment = d.environment
    and k.recorded_at < ${before}::timestamptz + interval '${dictionaryDays} days' and k.dictionary = d.id)`
}
