import { foreignText } from '@overture/ground/text/foreign-text.ts'

/**
 * The stage of the conversation in which a refusal or a break happened: connection up to the greeting and TLS, login, MAIL, RCPT,
 * DATA with the body, or the end of the message.
 */
export type SmtpStage = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data' | 'end'

export type SmtpDropReason =
  | 'timeout'
  | 'closed'
  | 'unresolved'
  | 'forbidden_target'
  | 'tls'
  | 'protocol'
  | 'unavailable'

interface SmtpAccepted {
  kind: 'accepted'
  /** The server's reply to the end of the message. */
  answer: string
  /** Recipients that were refused while at least one other was accepted. */
  refusedRecipients: readonly RefusedRecipient[]
}

export interface RefusedRecipient {
  recipient: string
  code: number
  /** The enhanced status code (RFC 3463), if the server sent one. */
  status: string | null
  answer: string
}

/** A definite reply of the server: the message was not accepted. */
export interface SmtpRefused {
  kind: 'refused'
  stage: SmtpStage
  /** 400 to 599. */
  code: number
  /** The enhanced status code (RFC 3463) such as `5.1.1`, if the server sent one. */
  status: string | null
  answer: string
  /** The reply for each recipient, if the server refused every recipient. */
  refusedRecipients?: readonly RefusedRecipient[]
}

/** The gate returned false or threw: the connection was closed and the end of the message never sent. */
interface SmtpWithheld {
  kind: 'withheld'
  reason: string
}

export interface SmtpDropped {
  kind: 'dropped'
  stage: SmtpStage
  reason: SmtpDropReason
  message: string
  /** The gate returned true: the stored state is `sending`. */
  gatePassed: boolean
  /** Whether any byte of the end of the message may have been sent. If false, the server certainly has not accepted the message. */
  terminatorSent: boolean
}

/**
 * The result of one message. Only `dropped` with `terminatorSent` may have been delivered. The gate decides this, never an error
 * code. Source: docs/delivery.md.
 */
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

/** Reads `550 5.1.1 text` (the first line of several) as code and enhanced status code; null for missing parts. */
export function readAnswer(answer: string): { code: number | null; status: string | null } {
  const match = /^(\d{3})(?:[ -]+(\d\.\d{1,3}\.\d{1,3})\b)?/.exec(answer.trim())
  return { code: match?.[1] === undefined ? null : Number(match[1]), status: match?.[2] ?? null }
}

/** Makes a refusal from a reply; null if the reply is not one (no code, or not in 400 to 599). */
export function refusedBy(stage: SmtpStage, answer: string): SmtpRefused | null {
  const { code, status } = readAnswer(answer)
  if (code === null || code < 400 || code > 599) return null
  return { kind: 'refused', stage, code, status, answer: foreignText(answer.trim()) }
}

/** Cleans the message, because errors of connections repeat texts of the other side, such as the names in its certificate. */
export function droppedBefore(stage: SmtpStage, reason: SmtpDropReason, message: string): SmtpDropped {
  return { kind: 'dropped', stage, reason, message: foreignText(message), gatePassed: false, terminatorSent: false }
}
