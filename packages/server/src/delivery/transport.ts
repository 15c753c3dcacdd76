import type { Environment } from '@overture/contract/endpoint.ts'
import { foreignText } from '../ground/text/foreign-text.ts'
import type { SmtpPoint } from '../platform/mail/smtp-result.ts'
import type { FaultName } from './faults.ts'

/** How far the conversation had come: `connect` includes greeting, EHLO and TLS; `message` is all after 354. */
export type SmtpStage = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data' | 'message'

interface SmtpAnswer {
  code: number
  /** Enhanced status code (RFC 3463) where the server gave one. */
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
 * The end of one attempt. `in_doubt` alone may have delivered: the gate was passed and no answer came. Decided by
 * the gate, never by an error's code (docs/delivery.md).
 */
export type SendResult =
  | { kind: 'accepted'; answer: string; refusedRecipients: readonly RefusedRecipient[] }
  | ({ kind: 'refused' } & SmtpRefusal)
  | { kind: 'failed'; stage: SmtpStage; reason: string }
  | { kind: 'gate_closed'; reason: string }
  | { kind: 'in_doubt'; reason: string }

/** The fault points that lie inside the conversation with a mail server. */
type ConversationPoint = Extract<FaultName, SmtpPoint>

export interface SendRequest {
  tenant: { accountId: string; environment: Environment }
  sendingAccountId: string
  /** The version of the sender's connection when the message was written. Connections of an older version are not used. */
  connectionVersion: number
  /** Ids for logs and for the simulated mailboxes. */
  messageId: string
  envelope: { from: string; to: readonly string[] }
  /** The stored bytes, CRLF line ends, without the terminator. */
  bytes: Buffer
  /** Told when a connection is there for it: its gate is asked soon. */
  begun?: () => void
  /**
   * Asked once, after 354 and the body and before `CRLF.CRLF`. True: committed, go on. False: close the connection,
   * nothing was sent. A throw counts as false.
   */
  gate(): Promise<boolean>
  /** Fault points of the test build; a no-op in production. */
  hit(point: ConversationPoint): Promise<void>
  signal: AbortSignal
}

/** Hands one message to a mail server, or to the simulated mailboxes. Never throws for what a server does. */
export interface Transport {
  send(request: SendRequest): Promise<SendResult>
}

/** Reads `550 5.1.1 text` (or its last line) into its parts. */
export function parseAnswer(answer: string): SmtpAnswer {
  const match = /^(\d{3})(?:[ -](?:(\d\.\d{1,3}\.\d{1,3})\b)?)?/.exec(answer.trim())
  return { code: Number(match?.[1] ?? 0), status: match?.[2] ?? null, answer: foreignText(answer.trim()) }
}
