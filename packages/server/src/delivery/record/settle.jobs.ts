import { dayMs, hourMs } from '@overture/ground/time/spans.ts'
import type { JobHandler } from '../../platform/jobs/job.ts'
import { enqueueJob } from '../../platform/jobs/jobs.shell.ts'
import type { DeliveryTools } from '../delivery.shell.ts'
import { messageRef } from '../write/compose.ts'
import { findReplacingId } from './delivered-id.ts'
import { settleMessage } from './settle.commands.ts'
import { lockUncertain } from './settle.sql.ts'
import { settleDelayMs, settleJobKind } from './uncertain.shell.ts'

const settleWindowMs = dayMs
const settleEveryMs = hourMs

/** Searches for uncertain messages in their sender's Sent folder, for one day. */
export function settleJob(tools: DeliveryTools): JobHandler {
  return {
    kind: settleJobKind,
    maxAttempts: 20,
    lane: 'mail',
    async run({ app, tenant, now }, payload) {
      const messageId = String(payload['messageId'])
      const row = await app.db.transaction((tx) => lockUncertain(tx, tenant, messageId))
      if (row === undefined) return
      const { rfcMessageId, sendingAccountId } = row
      const copy =
        tools.sentFolder === null || rfcMessageId === null
          ? null
          : await tools.sentFolder.find(tenant, sendingAccountId, {
              rfcMessageId,
              ref: messageRef((purpose, fields) => app.secrets.signToken(purpose, fields), messageId),
            })
      await app.db.transaction(async (tx) => {
        if (copy !== null) {
          const deliveredMessageId = rfcMessageId === null ? null : findReplacingId(copy.messageId, rfcMessageId)
          await settleMessage(tx, tenant, { messageId, outcome: 'sent', by: 'sent_folder', deliveredMessageId, now })
        } else if (now.getTime() - row.gatedAt.getTime() < settleWindowMs) {
          const runAt = new Date(
            now.getTime() + (now.getTime() - row.gatedAt.getTime() < settleEveryMs ? settleDelayMs : settleEveryMs),
          )
          await enqueueJob(tx, { kind: settleJobKind, tenant, payload: { messageId }, runAt, key: messageId })
        }
      })
    },
  }
}
