import type { ReturnedBecause } from '@overture/contract/delivery/returned.ts'
import { anyOf } from '../text/patterns.ts'
import { providerAnswers, type FaultAction, type FaultReason, type ProviderAnswer } from './provider-answers.ts'

/** A refusal that is the sender's fault, and what to do about it. */
export interface SenderFault {
  reason: FaultReason
  action: FaultAction
  scope: 'account' | 'tenant'
  advice: string
}

interface RefusalText {
  code: number | null
  /** The enhanced status code (RFC 3463). */
  status: string | null
  /** The provider's text. */
  text: string
}

const textCharsMax = 2_000

/**
 * Returns the sender's fault that a refusal names, or null if the refusal is about the recipient or the content, or
 * if its words are unknown. SMTP replies, bounce messages and notices all use this function.
 */
export function senderFaultIn({ code, status, text }: RefusalText): SenderFault | null {
  const words = joined(text.slice(0, textCharsMax))
  if (delivering.test(words)) return null
  const aboutRecipient = recipientText.test(words)
  const row = providerAnswers.find(
    (answer) => !(answer.ambiguous === true && aboutRecipient) && matches(answer, { code, status, text: words }),
  )
  if (row === undefined) return null
  const { reason, action, scope, advice } = row
  return { reason, action, scope, advice }
}

/** Returns what to do about a refusal, or null if its words name no known fault of the sender. */
export function adviceOn(text: string): string | null {
  const found = /(?<!\d)([45]\d\d)[ -](?:([245]\.\d{1,3}\.\d{1,3})\b)?/.exec(text.slice(0, textCharsMax))
  const code = found === null ? null : Number(found[1])
  return senderFaultIn({ code, status: found?.[2] ?? null, text })?.advice ?? null
}

/** Why a message came back, in the contract's words. A refused login and too many connections return no message. */
export function toReturnedBecause(reason: FaultReason): ReturnedBecause {
  switch (reason) {
    case 'quota':
    case 'tenant-limit':
    case 'connections':
      return 'sender_limit'
    case 'blocked':
      return 'sender_blocked'
    case 'authentication':
    case 'login':
      return 'sender_authentication'
    case 'mailbox':
      return 'sender_mailbox'
  }
}

/** A limit on mail to the recipient: Gmail's 4.2.1 and 5.2.1. It passes, so the refusal is soft. */
export function isRecipientRate(text: string): boolean {
  return receivingRate.test(joined(text.slice(0, textCharsMax)))
}

const receivingRate = /\breceiving mail (?:at a rate|too quickly)\b/i

function matches(answer: ProviderAnswer, { code, status, text }: RefusalText): boolean {
  if (answer.codes !== undefined && (code === null || !answer.codes.includes(code))) return false
  if (answer.statuses !== undefined && (status === null || !answer.statuses.includes(status))) return false
  return answer.words === undefined || answer.words.test(text)
}

// Lines of one reply repeat code and status: `550-5.4.5 Daily user sending\n550 5.4.5 limit exceeded`.
function joined(text: string): string {
  return text.replace(/\r?\n[245]\d\d[- ](?:[245]\.\d{1,3}\.\d{1,3} )?/g, ' ').replace(/\s+/g, ' ')
}

/** Exchange names its delivery agent if the recipient's mailbox refused, and its submission agent if ours refused. */
const delivering = /\bSTOREDRV\.Deliver/i

const recipientText = anyOf(
  [
    receivingRate,
    /\brecipient(?:'s|s)? (?:e-?mail )?(?:mailbox|inbox|account|server|quota|storage|policy|domain|address|has|is|exceeded)\b/,
    /\bthe (?:e-?mail account|user|mailbox|person) (?:that |who )?you (?:tried|are trying) to (?:reach|contact)\b/,
    /\b(?:mailbox|user|account) (?:is |has )?(?:full|over ?quota)\b/,
    /\b(?:receiving|incoming|inbound) (?:rate |message |mail |e-?mail )?(?:limit|quota)\b/,
  ],
  'i',
)
