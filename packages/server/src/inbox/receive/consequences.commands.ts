import { normalizeEmail } from '@overture/contract/addresses.ts'
import {
  askBranches,
  deferLead,
  findCampaign,
  findLead,
  listColleagueIds,
  pauseStrandedCampaigns,
  setInterest,
  stopLead,
  countReply,
} from '../../campaigns/index.ts'
import type { LeadRow } from '../../campaigns/index.ts'
import { recordExchange } from '../../contact-policy/index.ts'
import { recordBounce, recordComplaint, recordReturned } from '../../delivery/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { recipient } from '../../platform/events/actors.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { pauseSender } from '../../sending-accounts/index.ts'
import { suppressUnproven, type AddressHashes } from '../../suppressions/index.ts'
import { optOutAddress } from '../../tracking/index.ts'
import { companyDomain } from '@overture/ground/company-domain.ts'
import { isAbuse } from '@overture/mail-reading/reports/arf.ts'
import type { ReadMessage } from '@overture/mail-reading/reading/read-message.ts'
import { complaintsTrip, complaintWindow, deferredUntil } from './match.ts'
import { countComplaints } from './matching.sql.ts'
import type { KnownMessage } from './matching.sql.ts'
import type { Bounce, ReportedFault } from '@overture/mail-reading/reports/report.ts'
import { allows, type WriterProof } from './proof.ts'
import { allRecipients, type ReportedMessage } from './reported.queries.ts'

interface ArrivedMessage {
  /** The id of the inbound message. */
  messageId: string
  mail: ReadMessage
  match: KnownMessage
  /** The messages that a report is about. Empty for any other mail. */
  reported: readonly ReportedMessage[]
  /** The proof that the address in `From` wrote the mail. */
  proof: WriterProof
  /** Whether one of our tokens names the address that opts out. `From` then says nothing about another address. */
  byToken: boolean
  isSimulated: boolean
  /** The mailbox it came to. */
  sendingAccountId: string
  secrets: AddressHashes
  now: Date
}

/** Applies the consequences of a message to its lead, in the transaction that stores it. Source: docs/contract.md, "Inbox". */
export async function applyConsequences(tx: Transaction, tenant: Tenant, arrived: ArrivedMessage): Promise<void> {
  switch (arrived.mail.verdict.kind) {
    case 'bounce':
      return takeBounces(tx, tenant, arrived)
    case 'complaint':
      return takeComplaint(tx, tenant, arrived)
    case 'auto_reply':
      return takeAutoReply(tx, tenant, arrived)
    case 'unsubscribe':
      return takeOptOut(tx, tenant, arrived)
    case 'reply':
      return takeReply(tx, tenant, arrived)
    case 'other':
      return
    default:
      return arrived.mail.verdict.kind satisfies never
  }
}

async function takeReply(tx: Transaction, tenant: Tenant, arrived: ArrivedMessage): Promise<void> {
  const lead = await findMatchedLead(tx, tenant, arrived)
  if (lead === null) return
  const key = { campaignId: lead.campaignId, leadId: lead.id }
  const count = await countReply(tx, tenant, { ...key, now: arrived.now })
  await appendEvents(tx, tenant, [
    {
      type: 'reply.received',
      actor: recipient(lead.id),
      ...about(arrived, lead),
      data: { unique: count === 1, kind: 'reply', rule: arrived.mail.verdict.rule, ...provenField(arrived) },
    },
  ])
  const { sendingAccountId, secrets, now: at } = arrived
  const reply = { direction: 'inbound', ofCampaign: true, emails: [lead.email], sendingAccountId, secrets, at } as const
  await recordExchange(tx, tenant, reply)
  const campaign = await findCampaign(tx, tenant, lead.campaignId)
  if (campaign?.settings.stopOnReply === true) {
    await stopLead(tx, tenant, { ...key, status: 'replied', stoppedBy: { rule: 'reply' }, now: arrived.now })
  }
  if (allows(arrived.proof, 'branches')) await askBranches(tx, tenant, { leads: [key], now: arrived.now })
  if (allows(arrived.proof, 'colleagues') && campaign?.settings.stopForCompany === true)
    await stopColleagues(tx, tenant, lead, arrived.now)
}

// Each stopped lead stores which lead replied.
async function stopColleagues(tx: Transaction, tenant: Tenant, lead: LeadRow, now: Date): Promise<void> {
  const domain = companyDomain(lead)
  if (domain === null) return
  for (const leadId of await listColleagueIds(tx, tenant, { campaignId: lead.campaignId, leadId: lead.id, domain })) {
    const stoppedBy = { rule: 'company_reply', leadId: lead.id, email: lead.email }
    await stopLead(tx, tenant, { campaignId: lead.campaignId, leadId, status: 'stopped', stoppedBy, now })
  }
}

async function takeAutoReply(tx: Transaction, tenant: Tenant, arrived: ArrivedMessage): Promise<void> {
  const lead = await findMatchedLead(tx, tenant, arrived)
  if (lead === null) return
  const { now } = arrived
  const { verdict } = arrived.mail
  const key = { campaignId: lead.campaignId, leadId: lead.id }
  const until = deferredUntil(verdict.awayUntil, now)
  await appendEvents(tx, tenant, [
    {
      type: 'reply.auto_received',
      ...about(arrived, lead),
      data: {
        rule: verdict.rule,
        awayUntil: verdict.awayUntil,
        deferredUntil: until?.toISOString() ?? null,
        ...provenField(arrived),
      },
    },
  ])
  if (allows(arrived.proof, 'branches')) await askBranches(tx, tenant, { leads: [key], now })
  if (allows(arrived.proof, 'label'))
    await setInterest(tx, tenant, { ...key, interest: 'out_of_office', source: 'machine', unlessLabelled: true, now })
  const campaign = await findCampaign(tx, tenant, lead.campaignId)
  if (campaign?.settings.stopOnAutoReply === true) {
    await stopLead(tx, tenant, { ...key, status: 'stopped', stoppedBy: { rule: 'auto_reply' }, now })
  } else if (until !== null) await deferLead(tx, tenant, { ...key, until, now })
}

/**
 * The lead opts out whatever the address in `From` is, because that only stops mail to the lead. Another address in `From` opts
 * out permanently if its provider authenticated it. Otherwise it is suppressed as `unproven`, which an admin can lift, and its
 * leads keep their places.
 */
async function takeOptOut(tx: Transaction, tenant: Tenant, arrived: ArrivedMessage): Promise<void> {
  const { match, mail, proof, secrets, now } = arrived
  const { leadEmail, leadId } = match
  const optOut = { ...arrived, leadId, via: 'reply', source: 'recipient' } as const
  if (leadEmail !== null) await optOutAddress(tx, tenant, { ...optOut, email: leadEmail })
  const from = mail.from[0] === undefined ? null : normalizeEmail(mail.from[0].email).email
  if (from === null || from === leadEmail || arrived.byToken) return
  // Only its recipient knows the Message-ID of a message that was sent to no lead.
  const isRecipient =
    leadEmail === null &&
    match.direction === 'outbound' &&
    match.toAddresses.some(({ email }) => normalizeEmail(email).email === from)
  if (isRecipient || allows(proof, 'opt_out_of_another')) return optOutAddress(tx, tenant, { ...optOut, email: from })
  await suppressUnproven(tx, tenant, { email: from, via: 'reply', about: match.threadId ?? match.id, secrets, now })
}

async function takeComplaint(tx: Transaction, tenant: Tenant, arrived: ArrivedMessage): Promise<void> {
  const { complaint } = arrived.mail.verdict
  if (complaint === null || !isAbuse(complaint) || !isProven(arrived)) return
  for (const email of arrived.reported.flatMap(({ complainants }) => complainants))
    await optOutComplainant(tx, tenant, { ...arrived, email })
  const { sendingAccountId, campaignId } = arrived.match
  const { now } = arrived
  const paused = await recordComplaint(tx, tenant, { sendingAccountId, campaignId, now })
  if (paused) await pauseStrandedCampaigns(tx, tenant, { sendingAccountId, now })
  const counts = await countComplaints(tx, tenant, { sendingAccountId, window: complaintWindow })
  if (!complaintsTrip(counts)) return
  await pauseSender(tx, tenant, sendingAccountId, { reason: 'complaint_rate', now: arrived.now })
  await pauseStrandedCampaigns(tx, tenant, { sendingAccountId, now: arrived.now })
}

// Another recipient of the message also knows its Message-ID and could complain in the name of a copy.
async function optOutComplainant(
  tx: Transaction,
  tenant: Tenant,
  { email, ...arrived }: ArrivedMessage & { email: string },
): Promise<void> {
  const { match, secrets, now } = arrived
  const isLead = email === match.leadEmail
  const isOnly = new Set(allRecipients(match)).size === 1
  if (!isLead && !isOnly) {
    await suppressUnproven(tx, tenant, { email, via: 'complaint', about: match.id, secrets, now })
    return
  }
  const leadId = isLead ? match.leadId : null
  await optOutAddress(tx, tenant, { ...arrived, email, leadId, via: 'complaint', source: 'complaint' })
}

function isProven({ reported }: ArrivedMessage): boolean {
  return reported.some(({ proof }) => proof !== 'none')
}

async function takeBounces(tx: Transaction, tenant: Tenant, arrived: ArrivedMessage): Promise<void> {
  const taken = new Set<string>()
  for (const { bounce, message, proof } of arrived.reported) {
    if (bounce === null || message === null || proof === 'none') continue
    const key = `${message.id} ${bounce.recipient ?? ''}`
    if (bounce.type === 'delayed' || taken.has(key)) continue
    taken.add(key)
    if (bounce.fault !== null) {
      const isFromProvider = proof === 'authentication' || arrived.isSimulated
      await takeReturned(tx, tenant, {
        messageId: message.id,
        bounce,
        fault: bounce.fault,
        isFromProvider,
        secrets: arrived.secrets,
        now: arrived.now,
      })
      continue
    }
    await recordBounce(tx, tenant, {
      messageId: message.id,
      recipient: bounce.recipient,
      type: bounce.type,
      code: bounce.status,
      reason: bounce.reason,
      secrets: arrived.secrets,
      now: arrived.now,
    })
  }
}

// A recipient knows the Message-ID and can forge a report with it. So a report that the provider did not send can't affect the
// sending account on its own.
async function takeReturned(
  tx: Transaction,
  tenant: Tenant,
  returned: {
    messageId: string
    bounce: Bounce
    fault: ReportedFault
    isFromProvider: boolean
    secrets: AddressHashes
    now: Date
  },
): Promise<void> {
  const { messageId, bounce, fault, isFromProvider, secrets, now } = returned
  await recordReturned(tx, tenant, {
    messageId,
    recipient: bounce.recipient,
    fault: isFromProvider ? fault : { ...fault, scope: 'account' },
    code: bounce.status,
    words: fault.words,
    isFromProvider,
    secrets,
    now,
  })
}

/** Marks the event of an unproven mail, because branches ignore such events. */
function provenField({ proof }: ArrivedMessage): { proven?: false } {
  return allows(proof, 'branches') ? {} : { proven: false }
}

async function findMatchedLead(tx: Transaction, tenant: Tenant, { match }: ArrivedMessage): Promise<LeadRow | null> {
  if (match.campaignId === null || match.leadId === null) return null
  return (await findLead(tx, tenant, { campaignId: match.campaignId, leadId: match.leadId })) ?? null
}

function about(arrived: ArrivedMessage, lead: LeadRow) {
  const { match, now, messageId, sendingAccountId } = arrived
  return {
    occurredAt: now,
    campaignId: lead.campaignId,
    leadId: lead.id,
    leadEmail: lead.email,
    messageId,
    stepId: match.stepId,
    variantId: match.variantId,
    sendingAccountId,
  }
}
