import { senderFaultIn } from '@overture/ground/refusals/sender-fault.ts'
import { codeInText, isVague, phaseInText, statusInText } from './bounce-codes.ts'
import { findBounceReason, statusFor, bounceType } from './bounce-reason.ts'
import type { BounceReason } from './bounce-reason.ts'
import type { Notice } from './dsn-notice.ts'
import type { Parties } from './refusal-side.ts'
import type { Bounce, ReportedFault } from './report.ts'
import type { Mail } from '../mime/mail.ts'

interface Evidence {
  /** The refusing server's own words. */
  own: string
  /** The report's text about this recipient. */
  recipientText: string
  statusField: string | null
  comment: string
  delayed: boolean
  local: boolean
  parties: Parties
}

/** Decides what a report's evidence about one recipient means. */
export function judge({
  own,
  recipientText,
  statusField,
  comment,
  delayed,
  local,
  parties,
}: Evidence): Omit<Bounce, 'recipient'> {
  const ownStatus = statusInText(own)
  const given = ownStatus === null ? besideText(statusField, own, recipientText) : prefer(statusField, ownStatus)
  const smtpCode = local
    ? null
    : (codeInText(own) ??
      (own.trim() === '' || statusField === null || (given !== null && isVague(given))
        ? codeInText(recipientText)
        : null))
  const phase = phaseInText(recipientText) ?? phaseInText(own)
  const input = { status: given, smtpCode, phase, parties }
  const inOwn = own.trim() === '' ? null : findBounceReason({ ...input, text: `${own} ${comment.slice(0, 200)}` })
  const inAll =
    inOwn !== null && !vague.has(inOwn) ? inOwn : findBounceReason({ ...input, text: `${own}\n${recipientText}` })
  const reason = vague.has(inAll) ? findBounceReason({ ...input, text: comment }) : inAll
  const permanent =
    given === null
      ? smtpCode === null
        ? !delayed && reason !== 'networkerror'
        : smtpCode >= 500
      : given.startsWith('5')
  const status = given ?? statusFor(reason, permanent)
  const type = delayed ? 'delayed' : bounceType(reason, status, `${own} ${recipientText}`)
  return { status, smtpCode, type, reason, fault: faultIn({ own, recipientText, status: given, smtpCode }) }
}

const faultWordsMax = 500

// The refusing server's own words count. The rest of the report counts only if the report doesn't quote them. A message that
// our server accepted was not refused for our login, so a report that asks for a login is about a server behind it.
export function faultIn(report: {
  own: string
  recipientText: string
  status: string | null
  smtpCode: number | null
}): ReportedFault | null {
  const text = (report.own.trim() === '' ? report.recipientText : report.own).trim()
  const fault = senderFaultIn({ code: report.smtpCode, status: report.status, text })
  return fault === null || fault.action === 'sign_in'
    ? null
    : { ...fault, words: text.replace(/\s+/g, ' ').slice(0, faultWordsMax) }
}

/**
 * The report was sent back to the sender, so its recipients are our names. A name that is also the failed recipient's proves
 * nothing and is left out.
 */
export function findParties(mail: Mail, notice: Notice, failed: readonly (string | null)[]): Parties {
  const theirs = localNames(failed)
  const senders = [...mail.to.map((one) => one.address), notice.originalFrom]
  return { ours: localNames(senders).filter((name) => !theirs.includes(name)), theirs }
}

function localNames(addresses: readonly (string | null)[]): string[] {
  return addresses.slice(0, 10).flatMap((address) => {
    const lower = address?.toLowerCase() ?? ''
    const domain = lower.slice(lower.lastIndexOf('@') + 1)
    return domain.includes('.') ? [lower, domain] : []
  })
}

const vague: ReadonlySet<BounceReason> = new Set(['undefined', 'onhold'])

// A transcript contains statuses that the reporting server made up. Beside the server's own words they add nothing.
function besideText(field: string | null, own: string, recipientText: string): string | null {
  if (own.trim() !== '' && field !== null && !isVague(field)) return field
  return prefer(field, statusInText(recipientText))
}

// The status field is the opinion of the reporting server. The text is from the refusing server, and often says more.
function prefer(field: string | null, text: string | null): string | null {
  if (field === null || text === null) return field ?? text
  if (isVague(field)) return text
  if (isVague(text) || text === field) return field
  return field.startsWith('4.4') || text[0] !== field[0] ? field : text
}
