import { recordRecipient } from '../../platform/audit/acts.commands.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { actAs, recipient } from '../../platform/events/actors.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { MeetingTools } from '../notices/notices.commands.ts'

interface RecipientAct {
  action: 'recipient.book' | 'recipient.reschedule' | 'recipient.cancel'
  leadId: string | null
}

/** One transaction on behalf of a recipient. The event log and the audit log record the recipient by its lead. */
export function actOfRecipient<Result>(
  { app }: MeetingTools,
  tenant: Tenant,
  { action, leadId }: RecipientAct,
  /** Also returns the id of the meeting that was changed, or null if there was none. */
  run: (tx: Transaction) => Promise<{ result: Result; meetingId: string | null }>,
): Promise<Result> {
  return app.db.transaction(async (tx) => {
    actAs(tx, recipient(leadId))
    const { result, meetingId } = await run(tx)
    const target = { type: 'meetings', id: meetingId }
    if (meetingId !== null) await recordRecipient(tx, tenant, { action, leadId, target })
    return result
  })
}
