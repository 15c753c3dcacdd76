import { minuteMs } from '@overture/ground/time/spans.ts'
import { stopLead, blockLead } from '../../campaigns/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { UnwrittenMessage } from '../write/compose.shell.ts'
import { giveBack } from './give-back.commands.ts'
import { releaseMessages, upsertFailedMessage } from './release.sql.ts'

/** The pause after postponed renders. It is longer than the pause of an account whose template ended a thread. */
const postponeMs = 15 * minuteMs

/**
 * A claim that could not be written. Either a value is missing and the lead waits for it, or the text can't be rendered, or
 * rendering was postponed because the account's templates take too long. A postponed message is claimed again later.
 */
export async function recordUnwritten(
  tx: Transaction,
  tenant: Tenant,
  unwritten: UnwrittenMessage,
  now: Date,
): Promise<void> {
  const { row, token, problem } = unwritten
  const { campaignId, leadId } = row
  if (problem.kind !== 'template_error') {
    const retryAt = problem.kind === 'postponed' ? new Date(now.getTime() + postponeMs) : now
    const released = await releaseMessages(tx, tenant, {
      ids: [row.id],
      token,
      attempted: false,
      answer: null,
      now,
      retryAt,
      discard: true,
    })
    await giveBack(tx, tenant, released, { at: retryAt, forgetSender: problem.kind === 'missing_variable' })
    if (problem.kind === 'missing_variable' && campaignId !== null && leadId !== null)
      await blockLead(tx, tenant, { campaignId, leadId, reason: 'missing_variable' })
    return
  }
  const failure = { type: 'template', reason: problem.message }
  if (!(await upsertFailedMessage(tx, tenant, { id: row.id, token, failure }))) return
  await appendEvents(tx, tenant, [
    {
      type: 'message.failed',
      occurredAt: now,
      campaignId,
      leadId,
      leadEmail: row.lead?.email ?? null,
      messageId: row.id,
      stepId: row.stepId,
      sendingAccountId: row.sendingAccountId,
      data: { reason: problem.message },
    },
  ])
  if (campaignId === null || leadId === null) return
  await stopLead(tx, tenant, { campaignId, leadId, status: 'failed', stoppedBy: { rule: 'template_error' }, now })
}
