import { normalizeEmail } from '@overture/contract/addresses.ts'
import { findComplainants, listOwnAddresses } from '../../delivery/index.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { ReadMessage } from '@overture/mail-reading/reading/read-message.ts'
import type { Bounce } from '@overture/mail-reading/reports/report.ts'
import { nearest, referredIds } from './match.ts'
import { findLastMessageTo, listMessagesByRfcIds, type KnownMessage } from './matching.sql.ts'
import { isVouchedFor, type Proof, type ReportedTo } from './proof.ts'

/** One statement of a report: which of our messages it is about, and the proof. */
export interface ReportedMessage {
  /** Null in a complaint. */
  bounce: Bounce | null
  message: KnownMessage | null
  proof: Proof
  /** The recipients of the message that complained. Empty for a bounce. */
  complainants: readonly string[]
}

interface ArrivedReport {
  mail: ReadMessage
  match: KnownMessage
  sendingAccountId: string
  to: ReportedTo
}

/** The messages that a bounce or complaint is about. Empty for any other mail. */
export async function findReported(db: Executor, tenant: Tenant, report: ArrivedReport): Promise<ReportedMessage[]> {
  const { kind, bounces } = report.mail.verdict
  if (kind !== 'bounce' && kind !== 'complaint') return []
  const ids = referredIds(report.mail)
  const named = (await listMessagesByRfcIds(db, tenant, ids)).filter((one) => one.direction === 'outbound')
  if (kind === 'complaint') return [await complained(db, tenant, report, named)]
  const reported: ReportedMessage[] = []
  for (const bounce of bounces) reported.push(await bounced(db, tenant, { report, named, bounce }))
  return reported
}

// The match is the message that the report names, or the last one to an address that it names.
async function complained(
  db: Executor,
  tenant: Tenant,
  { mail, match, to }: ArrivedReport,
  known: readonly KnownMessage[],
): Promise<ReportedMessage> {
  const about = { bounce: null, message: match }
  if (known.some(({ id }) => id === match.id)) {
    const own = await listOwnAddresses(db, tenant, allRecipients(match))
    const named = mail.verdict.complaint?.named ?? []
    const envelope = { to: match.toAddresses, cc: match.ccAddresses, bcc: match.bccAddresses }
    const complainants = findComplainants({ ...envelope, leadEmail: match.leadEmail }, { named, own })
    return { ...about, proof: 'message_id', complainants }
  }
  const { leadEmail } = match
  if (leadEmail === null || !isVouchedFor(mail, to, leadEmail)) return { ...about, proof: 'none', complainants: [] }
  return { ...about, proof: 'authentication', complainants: [leadEmail] }
}

// A report about one recipient is about the message that it names, which may have been forwarded to another address. In a
// report about several recipients, each bounce is about the message to that recipient, who may have got a copy.
async function bounced(
  db: Executor,
  tenant: Tenant,
  { report, named, bounce }: { report: ArrivedReport; named: readonly KnownMessage[]; bounce: Bounce },
): Promise<ReportedMessage> {
  const { mail, sendingAccountId } = report
  const recipient = bounce.recipient === null ? null : normalizeEmail(bounce.recipient).email
  const only = mail.verdict.bounces.length === 1
  const own =
    named.find((one) => one.leadEmail !== null && one.leadEmail === recipient) ??
    named.find((one) => recipient !== null && allRecipients(one).includes(recipient)) ??
    (only ? nearest(referredIds(mail), named) : null)
  if (own !== null) return { bounce, message: own, proof: 'message_id', complainants: [] }
  const message =
    recipient === null ? null : await findLastMessageTo(db, tenant, { email: recipient, sendingAccountId })
  const vouchedFor = message !== null && isVouchedFor(mail, report.to, recipient!)
  return { bounce, message, proof: vouchedFor ? 'authentication' : 'none', complainants: [] }
}

/** The normalised addresses of all recipients of a message. */
export function allRecipients({ toAddresses, ccAddresses, bccAddresses }: KnownMessage): string[] {
  return [...toAddresses, ...ccAddresses, ...bccAddresses].map(({ email }) => normalizeEmail(email).email)
}

/** The proof that is stored with the report: the one about the lead that the report is stored with, else the strongest. */
export function proofFor(leadId: string | null, reported: readonly ReportedMessage[]): Proof | null {
  const own = reported.filter(({ message }) => message !== null && message.leadId === leadId)
  const proofs = (own.length > 0 ? own : reported).map(({ proof }) => proof)
  if (proofs.length === 0) return null
  return (['message_id', 'authentication'] as const).find((one) => proofs.includes(one)) ?? 'none'
}
