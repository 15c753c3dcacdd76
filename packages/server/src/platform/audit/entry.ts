import type { Environment } from '@overture/contract/endpoint.ts'
import type { AuditActor, AuditChange, AuditOutcome } from '@overture/contract/team/audit.ts'

/** What is written of one thing that somebody did. */
export interface AuditFacts {
  /** Empty: of no account, such as a sign-in with an address that nobody has. */
  accountId: string
  environment: Environment | null
  actor: AuditActor
  /** The operation, or what an operator's command is called. */
  action: string
  target: { type: string | null; id: string | null }
  outcome: AuditOutcome
  ip: string | null
  userAgent: string | null
  requestId: string | null
  changes: readonly AuditChange[]
}

/** The operator works beside the server, and says no name. */
export const operator: AuditActor = { type: 'operator', id: null, name: null }
