import type { Environment, Scope } from '@overture/contract/endpoint.ts'
import type { Role } from '@overture/contract/team/roles.ts'
import type { Tenant } from '../tenant.ts'

/** The caller of a request, according to the key or the session. */
export interface Caller {
  tenant: Tenant
  /** The id of the key or of the session. */
  id: string
  kind: 'key' | 'session'
  /** The name of the key or of the person. */
  name: string
  /** The signed-in person, or the owner of the key; null for an operator's key. */
  userId: string | null
  scopes: readonly Scope[]
  role: Role
}

/**
 * The result of the checks before the route runs: key, API access, rolling windows and monthly quota, in that order. `limit` and
 * `remaining` refer to the window of one minute. Source: docs/contract.md, "Conventions".
 */
export type Verdict =
  | { outcome: 'unknown_key' }
  | { outcome: 'unknown_session' }
  | { outcome: 'admitted'; caller: Caller; limit: number; remaining: number }
  | { outcome: 'access_disabled'; caller: Caller; limit: number; remaining: number }
  | { outcome: 'limited'; caller: Caller; limit: number; remaining: 0; retryAfterSeconds: number }
  | { outcome: 'over_quota'; caller: Caller; limit: number; remaining: number }

/**
 * Counts a request and decides whether it is admitted. It throws if its store is not reachable, and the response is a 500: it
 * never fails open. Returns a value instead of a promise if nothing had to be read.
 */
export interface Admission {
  /** `authorization` is the unchanged header. */
  admit(authorization: string | undefined): Verdict | Promise<Verdict>
  /** The requests counted for this month, including the current one. */
  usage(accountId: string): Promise<number>
  /** Forgets the cached facts of an account, so that a change is effective immediately on this node (on others within a second). */
  forget(accountId: string): void
  /** Stores when keys were last used. */
  flush(): Promise<void>
  /** Returns reserved requests and writes the pending data. */
  stop(): Promise<void>
}

/** Admission of signed-in people: they have their own windows, no quota, and no switch that disables an account's API. */
export interface SessionAdmission {
  /** `token` is the value of the cookie. */
  admit(token: string, environment: Environment): Promise<Verdict>
}
