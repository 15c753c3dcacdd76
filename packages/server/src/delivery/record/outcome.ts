import { isRecipientRate, senderFaultIn, type SenderFault } from '@overture/ground/refusals/sender-fault.ts'
import { minuteMs } from '@overture/ground/time/spans.ts'
import {
  blockText,
  fullText,
  greylistText,
  hardText,
  laterText,
  loginText,
  recipientLimitText,
  sendingLimitText,
} from './outcome-words.ts'
import type { RefusedRecipient, SmtpDropped, SmtpRefused, SmtpResult } from '../../platform/mail/smtp-result.ts'

const firstRetryWaitsMinutes = [5, 15, 30, 60, 120] as const
const laterRetryWaitMinutes = 240
const retryWindowMs = 48 * 60 * minuteMs

export type BounceType = 'hard' | 'soft' | 'block'

/**
 * The meaning of an SMTP conversation for the message, its lead and its sender. Sources: docs/delivery.md, and docs/contract.md,
 * "Never twice" and "Campaigns".
 */
export type Outcome =
  /** Accepted for all recipients except `refused`. */
  | { kind: 'sent'; answer: string; refused: readonly RefusedRecipient[] }
  /** `byPolicy`: the server refused the sender or the content for now, so it counts for the sender's deliverability. */
  | { kind: 'retry'; at: Date; answer: string; byPolicy: boolean }
  /** `refused` has the reply for each recipient if the server refused every one, else it is empty. */
  | {
      kind: 'bounced'
      type: BounceType
      answer: string
      status: string | null
      refused: readonly RefusedRecipient[]
    }
  /** The sender can't be used. The lead keeps its step. */
  | {
      kind: 'sender_failed'
      status: 'connection_error' | 'auth_required' | 'blocked'
      answer: string
      fault: SenderFault | null
    }
  /** The provider's sending limit was reached, so the mailbox is held. */
  | { kind: 'sender_held'; answer: string; fault: SenderFault | null }
  /** Certainly not sent, without a fault of sender or recipient (the gate is closed, or the worker stops). */
  | { kind: 'not_sent'; reason: string }
  /** The server may have received the end of the message, so it is never sent again automatically. */
  | { kind: 'uncertain'; answer: string }

interface AttemptHistory {
  /** The number of earlier failed attempts. */
  attempts: number
  firstAttemptAt: Date | null
  now: Date
}

export function decideOutcome(result: SmtpResult, history: AttemptHistory): Outcome {
  switch (result.kind) {
    case 'accepted':
      return { kind: 'sent', answer: result.answer, refused: result.refusedRecipients }
    case 'withheld':
      return { kind: 'not_sent', reason: result.reason }
    case 'dropped':
      return outcomeOfDrop(result, history)
    case 'refused':
      return outcomeOfRefusal(result, history)
  }
}

/** When to retry after a temporary refusal. Null after 48 hours. */
export function nextRetryAt(history: AttemptHistory): Date | null {
  const waitMinutes = firstRetryWaitsMinutes[history.attempts] ?? laterRetryWaitMinutes
  const at = new Date(history.now.getTime() + waitMinutes * minuteMs)
  const first = history.firstAttemptAt ?? history.now
  return at.getTime() - first.getTime() > retryWindowMs ? null : at
}

function outcomeOfDrop({ stage, message, terminatorSent }: SmtpDropped, history: AttemptHistory): Outcome {
  if (terminatorSent) return { kind: 'uncertain', answer: message }
  // A drop before the reply to MAIL is a failure of the connection, not of the message (docs/contract.md, "Campaigns").
  return stage === 'connect' || stage === 'auth' || stage === 'mail'
    ? { kind: 'sender_failed', status: 'connection_error', answer: message, fault: null }
    : retryOrGiveUp({ answer: message, status: null, refused: [] }, history)
}

function outcomeOfRefusal(refusal: SmtpRefused, history: AttemptHistory): Outcome {
  const { answer, refusedRecipients: refused = [] } = refusal
  const fault = senderFaultIn({ ...refusal, text: answer })
  if (fault !== null) return outcomeOfFault(fault, answer)
  if (refusal.stage !== 'connect' && namesSendingLimit(refusal)) return { kind: 'sender_held', answer, fault }
  if (refusal.stage === 'connect') return { kind: 'sender_failed', status: 'connection_error', answer, fault }
  if (refusal.stage === 'auth') {
    const status = refusal.code >= 500 ? 'auth_required' : 'connection_error'
    return { kind: 'sender_failed', status, answer, fault }
  }
  if (wantsLogin(refusal)) return { kind: 'sender_failed', status: 'auth_required', answer, fault }
  if (refusal.code < 500) return retryOrGiveUp({ answer, status: refusal.status, refused }, history)
  // A sender that may not use its own address fails for every lead.
  if (refusal.stage === 'mail') return { kind: 'sender_failed', status: 'connection_error', answer, fault }
  return { kind: 'bounced', type: classifyRefusal(refusal), answer, status: refusal.status, refused }
}

function outcomeOfFault(fault: SenderFault, answer: string): Outcome {
  switch (fault.action) {
    case 'hold':
    case 'retry':
      return { kind: 'sender_held', answer, fault }
    case 'sign_in':
      return { kind: 'sender_failed', status: 'auth_required', answer, fault }
    case 'block':
      return { kind: 'sender_failed', status: 'blocked', answer, fault }
  }
}

function retryOrGiveUp(
  refusal: Pick<Extract<Outcome, { kind: 'bounced' }>, 'answer' | 'status' | 'refused'>,
  history: AttemptHistory,
): Outcome {
  const at = nextRetryAt(history)
  if (at === null) return { kind: 'bounced', type: 'soft', ...refusal }
  return { kind: 'retry', at, answer: refusal.answer, byPolicy: isByPolicy(refusal) }
}

/** RFC 3463, section 3.8. Greylisting uses the same codes, but it treats every unknown sender alike. */
function isByPolicy({ status, answer }: { status: string | null; answer: string }): boolean {
  if (status === null || !status.startsWith('4.7.') || greylistText.test(answer)) return false
  return status !== '4.7.1' || !laterText.test(answer)
}

// Greylisting answers 451 4.7.1, sometimes with words about rates. It requires a retry, not a hold of the mailbox.
function namesSendingLimit({ code, status, answer, stage }: SmtpRefused): boolean {
  if (greylistText.test(answer)) return false
  if (status === '5.4.5' || status === '4.7.28' || status === '5.7.28') return true
  if ((code === 421 || code === 452) && status === '4.5.3') return true
  if (stage === 'rcpt' && recipientLimitText.test(answer)) return false
  return sendingLimitText.test(answer)
}

function wantsLogin({ code, answer, status }: SmtpRefused): boolean {
  return code === 530 || code === 535 || status === '5.7.8' || status === '5.7.9' || loginText.test(answer)
}

/**
 * Classifies a permanent refusal as hard, soft or block. The text counts more than the code, since "5.x means hard" is right only
 * half of the time.
 */
export function classifyRefusal(refusal: Pick<SmtpRefused, 'code' | 'status' | 'answer' | 'stage'>): BounceType {
  const { answer, status, code, stage } = refusal
  if (isRecipientRate(answer)) return 'soft'
  if (blockText.test(answer)) return 'block'
  if (fullText.test(answer)) return 'soft'
  if (hardText.test(answer)) return 'hard'
  const byStatus = status === null ? null : typeOfStatus(status)
  if (byStatus !== null) return byStatus
  if (code === 552 || code === 452) return 'soft'
  if (code === 551 || code === 556 || code === 521) return 'hard'
  if (code === 571 || code === 541 || code === 554) return 'block'
  // A refusal without details after the content was sent is about the content.
  return stage === 'end' ? 'block' : 'hard'
}

function typeOfStatus(status: string): BounceType | null {
  if (!status.startsWith('5.')) return null
  if (/^5\.1\.[012346]$|^5\.1\.10$|^5\.2\.1$|^5\.4\.310$|^5\.4\.4$/.test(status)) return 'hard'
  if (status.startsWith('5.7.') || status === '5.1.8' || status === '5.1.7' || status === '5.6.0') return 'block'
  if (/^5\.[2346]\./.test(status)) return 'soft'
  return null
}
