import { isPlain, leadsTo } from '@overture/ground/paths/path.ts'
import type { Step } from '@overture/contract/campaigns/campaigns.ts'
import type { PreflightWarning } from '@overture/contract/delivery/preflight.ts'
import type { SendingAccount } from '@overture/contract/sending-accounts/sending-accounts.ts'
import { judgeInOrder, type ContactBook, type ContactGate } from './contact-policy.ts'
import type { PlanLead } from './plan.types.ts'

/** The part of a sending account that warnings depend on. */
interface JudgedSender extends Pick<SendingAccount, 'id' | 'email' | 'provider' | 'statusReason' | 'health'> {
  /** Whether there is a mailbox to read replies from. */
  readsReplies: boolean
}

interface JudgedProvider extends Pick<SendingAccount, 'id' | 'email'> {
  mailProvider: 'google' | 'microsoft' | null
}

const authenticationChecks = ['spf', 'dkim', 'dmarc'] as const

/** Counts, per variable, the leads that lack a value for the next message or a later one. Suppressed leads get nothing anyway. */
export function countLeadsLacking(leads: readonly PlanLead[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { suppressed, missingVariables, missingLater } of leads) {
    if (suppressed) continue
    const names = new Set([...missingVariables, ...[...(missingLater?.values() ?? [])].flat()])
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

export function leadWarnings(lacking: ReadonlyMap<string, number>): PreflightWarning[] {
  return [...lacking].map(([name, count]) => {
    const who = count === 1 ? '1 lead has' : `${count} leads have`
    const message = `${who} no value for ${name}. Messages that contain it are not sent to ${count === 1 ? 'this lead' : 'them'}.`
    return { code: 'missing_variable', message, ref: name, count }
  })
}

/** How many leads the campaign does not write to because of their addresses. */
export function addressWarnings(leads: readonly PlanLead[]): PreflightWarning[] {
  const count = leads.filter(({ suppressed, address }) => !suppressed && address?.passed === false).length
  if (count === 0) return []
  const message = `${count} ${count === 1 ? 'lead has an address' : 'leads have addresses'} that the campaign does not write to.`
  return [{ code: 'address_check', message, ref: null, count }]
}

const contactWords: Record<ContactGate, string> = {
  in_conversation: 'because the person replied or exchanged mail with you lately',
  other_campaign: 'because another campaign writes to the person',
  person_limit: 'by the limit of messages per person',
  company_limit: 'by the limit of new people per company',
}

/** The number of leads that each gate of the contact policy would hold now. */
export function contactWarnings(
  leads: readonly PlanLead[],
  contacts: ContactBook | null | undefined,
  now: Date,
): PreflightWarning[] {
  const counts = new Map<ContactGate, number>()
  const written = leads.filter(({ suppressed }) => !suppressed)
  for (const gate of judgeInOrder(contacts ?? null, written, now.getTime()))
    if (gate !== null) counts.set(gate, (counts.get(gate) ?? 0) + 1)
  return [...counts].map(([gate, count]) => {
    const message = `${count} ${count === 1 ? 'lead is' : 'leads are'} held back ${contactWords[gate]}.`
    return { code: 'contact_policy', message, ref: gate, count }
  })
}

export function senderWarnings(senders: readonly JudgedSender[]): PreflightWarning[] {
  return senders.flatMap((sender) => {
    const warnings: PreflightWarning[] = []
    const add = (code: PreflightWarning['code'], message: string) =>
      warnings.push({ code, message, ref: sender.id, count: null })
    if (sender.statusReason === 'bounce_rate_warning')
      add('sender_not_healthy', `Many messages from ${sender.email} bounce.`)
    const wrong = authenticationChecks.filter((name) => isWrong(sender.health?.[name]))
    if (wrong.length > 0) {
      const names = wrong.map((name) => name.toUpperCase()).join(', ')
      add(
        'authentication',
        `The domain of ${sender.email} fails or lacks ${names}, so its mail may be treated as spam.`,
      )
    }
    if (!sender.readsReplies)
      add('replies_not_read', `Replies to ${sender.email} are not read, because it has no mailbox to read.`)
    return warnings
  })
}

/** Warns about senders whose provider may not sign the opt-out header, as RFC 8058 requires, while the text has no link. */
export function optOutWarnings(unsubscribe: string, senders: readonly JudgedProvider[]): PreflightWarning[] {
  if (unsubscribe !== 'header_only') return []
  return senders.flatMap(({ id, email, mailProvider }) => {
    if (mailProvider === null) return []
    const name = mailProvider === 'google' ? 'Google' : 'Microsoft'
    const message =
      `The header alone may not work for ${email}: ${name} signs the message and may leave the header out, so that ` +
      "recipients can't unsubscribe. Also show the link in the text."
    return [{ code: 'opt_out_header_only', message, ref: id, count: null }]
  })
}

function isWrong(status: string | undefined): boolean {
  return status === 'missing' || status === 'invalid'
}

/** The steps that no lead reaches in the forecast, although there are leads before them. */
export function stepWarnings(
  steps: readonly Step[],
  { reached, leads }: { reached: ReadonlySet<string>; leads: readonly PlanLead[] },
): PreflightWarning[] {
  if (!isPlain(steps)) return pathWarnings(steps, leads)
  return steps.flatMap((step) => {
    const before = leads.filter((lead) => lead.nextStepPosition <= step.position).length
    if (before === 0 || reached.has(step.id)) return []
    const message = `None of the ${before} leads before step ${step.position} reaches it within a year.`
    return [{ code: 'step_never_reached', message, ref: step.id, count: before }]
  })
}

// The path of a lead depends on its future behavior. A step that no path reaches is known now.
function pathWarnings(steps: readonly Step[], leads: readonly PlanLead[]): PreflightWarning[] {
  if (leads.length === 0) return []
  const onPaths = new Set(steps.slice(0, 1))
  for (const step of onPaths) for (const next of leadsTo(steps, step)) onPaths.add(next)
  return steps.flatMap((step) => {
    if (onPaths.has(step)) return []
    const message = `No path leads to step ${step.position}.`
    return [{ code: 'step_never_reached', message, ref: step.id, count: leads.length }]
  })
}

interface TaskFacts {
  /** The users that can do tasks. */
  activeUserIds: ReadonlySet<string>
  /** Per step, the leads before it that have no telephone number. */
  withoutPhone: ReadonlyMap<string, number>
}

/** Task steps with which leads may wait longer than their user expects. */
export function taskWarnings(steps: readonly Step[], { activeUserIds, withoutPhone }: TaskFacts): PreflightWarning[] {
  return steps.flatMap(({ id, position, type, channel, assigneeId, blocks, expiresIn }) => {
    if (type !== 'task') return []
    const warnings: PreflightWarning[] = []
    const add = (code: PreflightWarning['code'], message: string, count: number | null = null) =>
      warnings.push({ code, message, ref: id, count })
    if (assigneeId !== null && !activeUserIds.has(assigneeId))
      add(
        'task_without_assignee',
        `The user of the task in step ${position} is no active user. Assign it to another user.`,
      )
    const lacking = withoutPhone.get(id) ?? 0
    if (channel === 'call' && blocks === true && lacking > 0) {
      const who = lacking === 1 ? '1 lead has' : `${lacking} leads have`
      const wait = lacking === 1 ? 'It waits' : 'They wait'
      add(
        'task_without_phone',
        `${who} no telephone number for step ${position}. ${wait} until the call is closed.`,
        lacking,
      )
    }
    if (blocks === true && expiresIn === null)
      add(
        'task_never_expires',
        `Leads wait at step ${position} until its task is closed, because the task never expires.`,
      )
    return warnings
  })
}
