import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { AddressHashes } from '../../suppressions/index.ts'
import type { ReadyMessage } from '../compose/compose.shell.ts'
import { classifyRefusal, type Outcome } from '../outcome.ts'
import type { RefusedRecipient } from '../transport.ts'
import { recordBounce } from './bounce.commands.ts'

type LeftOutcome = Extract<Outcome, { kind: 'sent' | 'bounced' }>

/** Why a message did not come to everybody whom it was for; null where it did. */
export function failureOf(outcome: LeftOutcome): object | null {
  if (outcome.kind === 'bounced') return { type: outcome.type, code: outcome.status, reason: outcome.answer }
  const refusedRecipients = refusedOf(outcome)
  return refusedRecipients.length === 0 ? null : { refusedRecipients }
}

/** As it is told in the thread and in the event. */
export function refusedOf(outcome: LeftOutcome) {
  const refused = outcome.kind === 'sent' ? outcome.refused : []
  return refused.map(({ recipient, status, answer }) => ({ email: recipient, code: status, reason: answer }))
}

/** The server took the message for others, but not for the lead: for the lead it came back at the door. */
export async function bounceForLead(
  tx: Transaction,
  tenant: Tenant,
  about: {
    message: ReadyMessage
    refused: readonly RefusedRecipient[]
    secrets: AddressHashes
    at: Date
  },
): Promise<void> {
  const { message, refused, secrets, at } = about
  const email = message.row.lead?.email
  const own = refused.find(({ recipient }) => email !== undefined && normalizeEmail(recipient).email === email)
  if (own === undefined || own.code < 500) return
  const type = classifyRefusal({ ...own, stage: 'rcpt' })
  await recordBounce(tx, tenant, {
    messageId: message.row.id,
    type,
    code: own.status,
    reason: own.answer,
    secrets,
    now: at,
  })
}
