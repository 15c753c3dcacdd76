import type { Environment } from '@overture/contract/endpoint.ts'
import type { AuditActor, AuditChange, AuditOutcome } from '@overture/contract/team/audit.ts'

/** The facts about one action in the audit log. */
export interface AuditFacts {
  /** Empty for an action outside of any account, such as a sign-in with an unknown address. */
  accountId: string
  environment: Environment | null
  actor: AuditActor
  /** The operation, or the name of an operator's command. */
  action: string
  target: { type: string | null; id: string | null }
  outcome: AuditOutcome
  ip: string | null
  userAgent: string | null
  requestId: string | null
  changes: readonly AuditChange[]
}

/** The operator works on the server's machine and is not identified. */
export const operator: AuditActor = { type: 'operator', id: null, name: null }
