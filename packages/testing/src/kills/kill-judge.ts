import type { AcceptedMail } from '../mail/smtp-double.server.ts'
import type { Acknowledged } from './kill-load.ts'

export interface FinalLead {
  email: string
  status: string
  blockedReason: string | null
}

export interface Findings {
  /** Message-IDs that the receiving server accepted more than once, and addresses with more messages than steps. */
  twice: string[]
  /** Acknowledged leads and suppressions that are missing, and messages that are neither sent nor `uncertain`. */
  lost: string[]
  /** Replies that did not stop their lead. */
  unheard: string[]
  sent: number
  uncertain: number
}

/** Compares the messages that the receiving server accepted with the acknowledged calls and with the product's own state. Pure. */
export function judgeRun(run: {
  accepted: readonly AcceptedMail[]
  acknowledged: Acknowledged
  leads: readonly FinalLead[]
  suppressions: ReadonlySet<string>
  steps: number
}): Findings {
  const byId = tally(run.accepted.map((mail) => mail.messageId ?? 'without Message-ID'))
  const byAddress = tally(run.accepted.flatMap((mail) => mail.to))
  const leads = new Map(run.leads.map((lead) => [lead.email, lead]))
  const uncertain = run.leads.filter((lead) => lead.blockedReason === 'delivery_uncertain')
  const twice = [
    ...[...byId].filter(([, count]) => count > 1).map(([id]) => id),
    ...[...byAddress].filter(([, count]) => count > run.steps).map(([email]) => email),
  ]
  const lost = [
    ...[...run.acknowledged.leads].filter(
      (email) => !isSettled(leads.get(email), byAddress.get(email) ?? 0, run.steps),
    ),
    ...[...run.acknowledged.suppressions].filter((email) => !run.suppressions.has(email)),
  ]
  const unheard = [...run.acknowledged.replies].filter((email) => {
    const lead = leads.get(email)
    return lead?.status !== 'replied' && lead?.blockedReason !== 'delivery_uncertain'
  })
  return { twice, lost, unheard, sent: run.accepted.length, uncertain: uncertain.length }
}

function isSettled(lead: FinalLead | undefined, messages: number, steps: number): boolean {
  if (lead === undefined) return false
  if (lead.blockedReason === 'delivery_uncertain') return true
  if (lead.status === 'replied') return messages > 0
  return lead.status === 'completed' && messages === steps
}

function tally(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
