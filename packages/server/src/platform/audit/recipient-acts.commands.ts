import { recipient } from '../events/actors.ts'
import type { Transaction } from '../db/database.ts'
import type { Tenant } from '../tenant.ts'
import { insertAuditEntry } from './audit.sql.ts'

interface RecipientAct {
  action: 'recipient.unsubscribe' | 'recipient.book' | 'recipient.reschedule' | 'recipient.cancel'
  leadId: string | null
  target: { type: string; id: string | null }
  /** Real time. */
  at: Date
}

/** What somebody who is written to did: known by their lead alone, for neither name nor address may outlast them. */
export async function recordRecipient(tx: Transaction, tenant: Tenant, act: RecipientAct): Promise<void> {
  const { accountId, environment } = tenant
  const { action, leadId, target, at } = act
  const nobody = { ip: null, userAgent: null, requestId: null, changes: [] }
  const facts = { ...nobody, accountId, environment, actor: recipient(leadId), action, target } as const
  await insertAuditEntry(tx, { ...facts, outcome: 'success' }, at)
}
