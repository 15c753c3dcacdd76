import { foreignText } from '../../ground/text/foreign-text.ts'

/**
 * Where in the conversation something was refused or broke off: up to the greeting and TLS, login, MAIL, RCPT, DATA and
 * the body, the end of the message.
 */
export type SmtpStage = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data' | 'end'

export type SmtpDropReason = 'timeout' | 'closed' | 'unresolved' | 'forbidden_target' | 'tls' | 'protocol'

interface SmtpAccepted {
  kind: 'accepted'
  /** The server's answer to the end of the message. */
  answer: string
  /** Recipients refused while at least one other was accepted. */
  rejected: RejectedRecipient[]
}

export interface RejectedRecipient {
  recipient: string
  code: number
  enhanced: string | null
  answer: string
}

/** A definite answer of the server: the message was not accepted. */
export interface SmtpRefused {
  kind: 'refused'
  stage: SmtpStage
  /** 400 to 599. */
  code: number
  /** Enhanced status such as `5.1.1`. */
  enhanced: string | null
  answer: string
}

/** The gate said no, or threw (`error`): the connection was closed and the end of the message never sent. */
interface SmtpWithheld {
  kind: 'withheld'
  error: unknown
}

export interface SmtpDropped {
  kind: 'dropped'
  stage: SmtpStage
  reason: SmtpDropReason
  message: string
  /** The gate answered true: its row says `sending`. */
  gatePassed: boolean
  /** Any byte of the end of the message may have left. False: the server surely has not accepted the message. */
  terminatorSent: boolean
}

/** What became of one message. Source: docs/delivery.md. */
export type SmtpResult = SmtpAccepted | SmtpRefused | SmtpWithheld | SmtpDropped

/** Points between two steps of the conversation, for fault injection (docs/delivery.md). */
export type SmtpPoint =
  | 'connect'
  | 'auth'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'mid_body'
  | 'body_done'
  | 'gated'
  | 'half_terminator'
  | 'terminated'
  | 'answered'

/** Reads `550 5.1.1 text` (of several lines the first) as code and enhanced status; null where they are missing. */
export function readAnswer(answer: string): { code: number | null; enhanced: string | null } {
  const match = /^(\d{3})(?:[ -]+(\d\.\d{1,3}\.\d{1,3})\b)?/.exec(answer.trim())
  return { code: match?.[1] === undefined ? null : Number(match[1]), enhanced: match?.[2] ?? null }
}

/** A refusal from an answer; null when the answer is not one (no code, or none of 400 to 599). */
export function refusedBy(stage: SmtpStage, answer: string): SmtpRefused | null {
  const { code, enhanced } = readAnswer(answer)
  if (code === null || code < 400 || code > 599) return null
  return { kind: 'refused', stage, code, enhanced, answer: foreignText(answer.trim()) }
}

/** Errors of connections repeat what the other side showed, such as the names in its certificate. */
export function droppedBefore(stage: SmtpStage, reason: SmtpDropReason, message: string): SmtpDropped {
  return { kind: 'dropped', stage, reason, message: foreignText(message), gatePassed: false, terminatorSent: false }
}
