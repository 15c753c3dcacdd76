import type { AuditActor } from '@overture/contract/team/audit.ts'
import { noteLimits } from '@overture/contract/inbox/notes.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

export interface NoteRow {
  id: string
  authorType: AuditActor['type']
  authorId: string | null
  authorName: string | null
  text: string
  mentions: string[]
  createdAt: Date
}

interface NewNote {
  id: string
  threadId: string
  author: AuditActor
  text: string
  mentions: readonly string[]
  now: Date
}

const columns = 'id, author_type, author_id, author_name, text, mentions, created_at'

/** The notes of a conversation, oldest first. */
export async function listNotes(db: Executor, tenant: Tenant, threadId: string): Promise<NoteRow[]> {
  return db.query<NoteRow>(
    `select ${columns} from conversation_notes where account_id = $1 and environment = $2 and thread_id = $3
     order by created_at, id limit ${noteLimits.perConversation}`,
    [tenant.accountId, tenant.environment, threadId],
    'list_notes',
  )
}

export async function insertNote(tx: Executor, tenant: Tenant, note: NewNote): Promise<NoteRow> {
  const rows = await tx.query<NoteRow>(
    `insert into conversation_notes (account_id, environment, id, thread_id, author_type, author_id, author_name, text, mentions,
       created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${columns}`,
    [
      tenant.accountId,
      tenant.environment,
      note.id,
      note.threadId,
      note.author.type,
      note.author.id,
      note.author.name,
      note.text,
      note.mentions,
      note.now,
    ],
    'insert_note',
  )
  return rows[0]!
}

export async function lockNote(
  tx: Executor,
  tenant: Tenant,
  key: { threadId: string; noteId: string },
): Promise<NoteRow | null> {
  const rows = await tx.query<NoteRow>(
    `select ${columns} from conversation_notes
     where account_id = $1 and environment = $2 and thread_id = $3 and id = $4 for update`,
    [tenant.accountId, tenant.environment, key.threadId, key.noteId],
  )
  return rows[0] ?? null
}

export async function deleteNote(tx: Executor, tenant: Tenant, id: string): Promise<void> {
  await tx.execute(`delete from conversation_notes where account_id = $1 and environment = $2 and id = $3`, [
    tenant.accountId,
    tenant.environment,
    id,
  ])
}

/** The ids that belong to active users of the account. */
export async function listActiveUsers(tx: Executor, tenant: Tenant, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tx.query<{ id: string }>(
    `select id from users where account_id = $1 and id = any($2) and status = 'active'`,
    [tenant.accountId, ids],
  )
  return rows.map(({ id }) => id)
}
