import type { Environment, Scope } from '@overture/contract/endpoint.ts'
import type { Role } from '@overture/contract/team/roles.ts'
import type { Tenant } from '../tenant.ts'

/** Who asks, as the key or the session says. */
export interface Caller {
  tenant: Tenant
  /** Of the key or of the session. */
  id: string
  kind: 'key' | 'session'
  /** Of the key or of the person. */
  name: string
  /** The person who is signed in, or whom the key belongs to; null: a key of the operator. */
  userId: string | null
  scopes: readonly Scope[]
  role: Role
}

/**
 * What stands in a request's way before its route does: key, API access, rolling windows, monthly quota, in that
 * order. `limit` and `remaining` are those of the minute. Source: docs/contract.md, "Conventions".
 */
export type Verdict =
  | { outcome: 'unknown_key' }
  | { outcome: 'unknown_session' }
  | { outcome: 'admitted'; caller: Caller; limit: number; remaining: number }
  | { outcome: 'access_disabled'; caller: Caller; limit: number; remaining: number }
  | { outcome: 'limited'; caller: Caller; limit: number; remaining: 0; retryAfterSeconds: number }
  | { outcome: 'over_quota'; caller: Caller; limit: number; remaining: number }

/**
 * Counts a request and says whether it may go on. When its store can't be reached it throws, and the request is
 * answered 500: it never fails open. Answers at once, without a promise, where nothing had to be read.
 */
export interface Admission {
  /** `authorization`: the header as it came. */
  admit(authorization: string | undefined): Verdict | Promise<Verdict>
  /** Requests that count for this month, the one that asks included. */
  usage(accountId: string): Promise<number>
  /** Forgets what is known about an account, so that a change acts at once on this node (on others within a second). */
  forget(accountId: string): void
  /** Writes when keys were last used. */
  flush(): Promise<void>
  /** Gives back what was reserved and writes what is left to write. */
  stop(): Promise<void>
}

/** The same for people who are signed in: windows of their own, no quota, and nothing that shuts an account's API. */
export interface SessionAdmission {
  /** `token`: of the cookie. */
  admit(token: string, environment: Environment): Promise<Verdict>
}
