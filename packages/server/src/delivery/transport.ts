import type { Environment } from '@overture/contract/endpoint.ts'
import type { SmtpPoint, SmtpResult } from '../platform/mail/smtp-result.ts'
import type { FaultName } from './faults.ts'

/** The fault points inside the conversation with a mail server. */
type ConversationPoint = Extract<FaultName, SmtpPoint>

export interface SendRequest {
  tenant: { accountId: string; environment: Environment }
  sendingAccountId: string
  /** The version of the sender's connection when the message was written. Connections of an older version are not used. */
  connectionVersion: number
  /** Only used in logs and by the simulated mailboxes. */
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
  send(request: SendRequest): Promise<SmtpResult>
}
