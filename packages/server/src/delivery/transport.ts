import type { Environment } from '@overture/contract/endpoint.ts'
import { foreignText } from '@overture/ground/text/foreign-text.ts'
import type { SmtpPoint } from '../platform/mail/smtp-result.ts'
import type { FaultName } from './faults.ts'

/** The stage that the conversation had reached. `connect` includes greeting, EHLO and TLS; `message` is everything after 354. */
export type SmtpStage = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data' | 'message'

interface SmtpAnswer {
  code: number
  /** The enhanced status code (RFC 3463), if the server sent one. */
  status: string | null
  answer: string
}

export interface SmtpRefusal extends SmtpAnswer {
  stage: SmtpStage
}

/** A recipient that the server refused while it accepted the message for others. */
export interface RefusedRecipient extends SmtpAnswer {
  recipient: string
}

/**
 * The result of one attempt. Only `in_doubt` may have been delivered: the gate was passed and no reply came. The gate decides
 * this, never an error code (docs/delivery.md).
 */
export type SendResult =
  | { kind: 'accepted'; answer: string; refusedRecipients: readonly RefusedRecipient[] }
  | ({ kind: 'refused' } & SmtpRefusal)
  | { kind: 'failed'; stage: SmtpStage; reason: string }
  | { kind: 'gate_closed'; reason: string }
  | { kind: 'in_doubt'; reason: string }

/** The fault points inside the conversation with a mail server. */
type ConversationPoint = Extract<FaultName, SmtpPoint>

export interface SendRequest {
  tenant: { accountId: string; environment: Environment }
  sendingAccountId: string
  /** The version of the sender's connection when the message was written. Connections of an older version are not used. */
  connectionVersion: number
  /** For logs and for the simulated mailboxes. */
  messageId: string
  envelope: { from: string; to: readonly string[] }
  /** The stored bytes, CRLF line ends, without the terminator. */
  bytes: Buffer
  /** Called when the message has a connection, which means that its gate will be asked soon. */
  begun?: () => void
  /**
   * Called once, after 354 and the body and before `CRLF.CRLF`. True means committed, so the message is completed. False means
   * that the connection must be closed and nothing was sent. A throw counts as false.
   */
  gate(): Promise<boolean>
  /** Fault points of the test build; a no-op in production. */
  hit(point: ConversationPoint): Promise<void>
  signal: AbortSignal
}

/** Gives one message to a mail server or to the simulated mailboxes. Never throws because of a server's behaviour. */
export interface Transport {
  send(request: SendRequest): Promise<SendResult>
}

/** Parses `550 5.1.1 text` (or the last line of a reply) into its parts. */
export function parseAnswer(answer: string): SmtpAnswer {
  const match = /^(\d{3})(?:[ -](?:(\d\.\d{1,3}\.\d{1,3})\b)?)?/.exec(answer.trim())
  return { code: Number(match?.[1] ?? 0), status: match?.[2] ?? null, answer: foreignText(answer.trim()) }
}
