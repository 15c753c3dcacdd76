import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

export interface FolderPosition {
  uidValidity: string | null
  lastUid: number
}

export async function findFolderPosition(
  db: Executor,
  tenant: Tenant,
  key: { sendingAccountId: string; folder: string },
): Promise<FolderPosition> {
  const rows = await db.query<FolderPosition>(
    `select uid_validity, last_uid from mailbox_folders
     where account_id = $1 and environment = $2 and sending_account_id = $3 and folder = $4`,
    [tenant.accountId, tenant.environment, key.sendingAccountId, key.folder],
    'find_folder_position',
  )
  return rows[0] ?? { uidValidity: null, lastUid: 0 }
}

/** Stores that everything up to this UID was read or passed over. */
export async function upsertFolderPosition(
  db: Executor,
  tenant: Tenant,
  at: { sendingAccountId: string; folder: string; uidValidity: string; lastUid: number },
): Promise<void> {
  await db.execute(
    `insert into mailbox_folders (account_id, environment, sending_account_id, folder, uid_validity, last_uid)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (account_id, environment, sending_account_id, folder)
     do update set uid_validity = excluded.uid_validity, last_uid = excluded.last_uid, trying_uid = null, tries = 0, breaks = 0`,
    [tenant.accountId, tenant.environment, at.sendingAccountId, at.folder, at.uidValidity, at.lastUid],
    'upsert_folder_position',
  )
}

/** How often the read of a message was started but neither completed nor passed over. */
interface Trials {
  /** Including this try. The earlier tries crashed the process. */
  tries: number
  /** Tries during which the connection or the database failed. */
  breaks: number
}

/** Records that a message is about to be read. */
export async function upsertTrial(
  db: Executor,
  tenant: Tenant,
  at: { sendingAccountId: string; folder: string; uidValidity: string; uid: number },
): Promise<Trials> {
  const rows = await db.query<Trials>(
    `insert into mailbox_folders as f (account_id, environment, sending_account_id, folder, uid_validity, trying_uid, tries)
     values ($1, $2, $3, $4, $5, $6, 1)
     on conflict (account_id, environment, sending_account_id, folder) do update set trying_uid = excluded.trying_uid,
       tries = case when f.trying_uid = excluded.trying_uid then f.tries + 1 else 1 end,
       breaks = case when f.trying_uid = excluded.trying_uid then f.breaks else 0 end
     returning tries, breaks`,
    [tenant.accountId, tenant.environment, at.sendingAccountId, at.folder, at.uidValidity, at.uid],
    'upsert_trial',
  )
  return rows[0]!
}

/** Counts a try as a failed connection: the process is still running, so the message did not crash it. */
export async function updateBrokenTrial(
  db: Executor,
  tenant: Tenant,
  at: { sendingAccountId: string; folder: string; uid: number },
): Promise<void> {
  await db.execute(
    `update mailbox_folders set tries = greatest(0, tries - 1), breaks = breaks + 1
     where account_id = $1 and environment = $2 and sending_account_id = $3 and folder = $4 and trying_uid = $5`,
    [tenant.accountId, tenant.environment, at.sendingAccountId, at.folder, at.uid],
    'update_broken_trial',
  )
}
