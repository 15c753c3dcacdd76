import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { PastBounce, PastFault } from '../../delivery/index.ts'
import { senderFaultIn } from '@overture/ground/refusals/sender-fault.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { readMessage, type ReadMessage } from '@overture/mail-reading/reading/read-message.ts'
import type { Bounce } from '@overture/mail-reading/reports/report.ts'
import { referredIds } from './match.ts'
import { listReports } from './past-faults.sql.ts'

const reportsMax = 20

/**
 * Finds the sender's fault in the stored answer to a bounced message: the SMTP reply, else the delivery report, else its status
 * code. Returns null if the answer is about the recipient or the content, or if it is unknown.
 */
export async function findPastFault(db: Executor, tenant: Tenant, message: PastBounce): Promise<PastFault | null> {
  const { code, reason } = message
  if (reason === null) return null
  const reply = /^(\d{3})(?:[ -]|$)/.exec(reason)
  if (reply !== null) return toPastFault({ smtpCode: Number(reply[1]), code, words: reason })
  const reports = await listReports(db, tenant, { ...message, limit: reportsMax })
  for (const raw of reports) {
    const bounce = bounceIn(raw, message)
    if (bounce === undefined || bounce.type === 'delayed') continue
    return bounce.fault === null ? null : { fault: bounce.fault, code: bounce.status, words: bounce.fault.words }
  }
  // The report was deleted or is stored with another recipient. A reason that came from a report is a single word.
  if (!/^[a-z]+$/.test(reason)) return null
  const found = toPastFault({ smtpCode: null, code, words: '' })
  return found === null || found.fault.action === 'sign_in' ? null : found
}

function toPastFault(answer: { smtpCode: number | null; code: string | null; words: string }): PastFault | null {
  const { smtpCode, code, words } = answer
  const fault = senderFaultIn({ code: smtpCode, status: code, text: words })
  return fault === null ? null : { fault, code, words }
}

function bounceIn(raw: Buffer, message: PastBounce): Bounce | undefined {
  const reading = readMessage(raw)
  if (reading.outcome === 'set_aside') return undefined
  const { bounces } = reading.message.verdict
  const own = bounces.find(({ recipient }) => recipient !== null && isTo(recipient, message))
  if (!isAbout(reading.message, message)) return undefined
  return own ?? (bounces.length === 1 ? bounces[0] : undefined)
}

function isTo(recipient: string, { leadEmail }: PastBounce): boolean {
  return leadEmail !== null && normalizeEmail(recipient).email === leadEmail
}

// A report without ids is about the last message to its recipient, which is the one that ended the lead.
function isAbout(report: ReadMessage, { rfcMessageId, deliveredMessageId }: PastBounce): boolean {
  const ids = referredIds(report)
  return ids.length === 0 || ids.some((id) => id === rfcMessageId || id === deliveredMessageId)
}
