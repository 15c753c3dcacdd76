import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { ReadyMessage } from '../write/compose.shell.ts'
import { judgeRefusal } from './bounce.commands.ts'
import type { Outcome } from './outcome.ts'

/**
 * Records that the recipient's server deferred a message, so that users can see why it waits for a retry. The sending account is
 * judged again if the server refused by policy.
 */
export async function recordDeferral(
  tx: Transaction,
  tenant: Tenant,
  { message, outcome, at }: { message: ReadyMessage; outcome: Extract<Outcome, { kind: 'retry' }>; at: Date },
): Promise<void> {
  const { row } = message
  if (row.kind === 'notification' || row.kind === 'test') return
  await appendEvents(tx, tenant, [
    {
      type: 'message.deferred',
      occurredAt: at,
      campaignId: row.campaignId,
      leadId: row.leadId,
      leadEmail: row.lead?.email ?? null,
      messageId: row.id,
      stepId: row.stepId,
      variantId: message.variantId,
      sendingAccountId: message.sender.id,
      data: {
        kind: row.kind,
        reason: outcome.answer,
        attempts: row.attempts + 1,
        retryAt: outcome.at.toISOString(),
      },
    },
  ])
  if (!outcome.byPolicy || row.kind !== 'campaign') return
  await judgeRefusal(tx, tenant, { sendingAccountId: message.sender.id, campaignId: row.campaignId, now: at })
}
