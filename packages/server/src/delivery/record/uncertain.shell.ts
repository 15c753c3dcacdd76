import { minuteMs } from '@overture/ground/time/spans.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import { enqueueJob } from '../../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { blockLead } from '../../campaigns/index.ts'
import { updateMessageUncertain } from './release.sql.ts'

export const settleDelayMs = 10 * minuteMs
export const settleJobKind = 'delivery.settle'

interface UncertainMessage {
  id: string
  token: string
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  stepId: string | null
  sendingAccountId: string
  answer: string
  now: Date
}

/** Blocks the lead until the message is settled by the Sent folder, a delivery report, a reply or a person. */
export async function recordUncertain(tx: Transaction, tenant: Tenant, message: UncertainMessage): Promise<void> {
  const { now, campaignId, leadId } = message
  const settleAt = new Date(now.getTime() + settleDelayMs)
  if (!(await updateMessageUncertain(tx, tenant, { id: message.id, token: message.token, answer: message.answer })))
    return
  if (campaignId !== null && leadId !== null && message.stepId !== null) {
    await blockLead(tx, tenant, { campaignId, leadId, reason: 'delivery_uncertain' })
  }
  await appendEvents(tx, tenant, [
    {
      type: 'message.uncertain',
      occurredAt: now,
      campaignId,
      leadId,
      leadEmail: message.leadEmail,
      messageId: message.id,
      stepId: message.stepId,
      sendingAccountId: message.sendingAccountId,
      data: { reason: message.answer },
    },
  ])
  await enqueueJob(tx, {
    kind: settleJobKind,
    tenant,
    payload: { messageId: message.id },
    runAt: settleAt,
    key: message.id,
  })
}
