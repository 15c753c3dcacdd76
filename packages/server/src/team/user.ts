import { defaultPreferences, type Me, type Preferences, type Session } from '@overture/contract/team/me.ts'
import type { Role } from '@overture/contract/team/roles.ts'
import type { SignInMethod, User, UserStatus } from '@overture/contract/team/users.ts'

/** A user as it is stored. */
export interface UserRow {
  accountId: string
  id: string
  email: string
  name: string
  role: Role
  status: UserStatus
  passwordHash: string | null
  oidcIssuer: string | null
  oidcSubject: string | null
  totpConfirmedAt: Date | null
  preferences: Partial<Preferences>
  lastSeenAt: Date | null
  createdAt: Date
}

export interface SessionRow {
  accountId: string
  id: string
  userId: string
  method: SignInMethod
  ip: string | null
  userAgent: string | null
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
}

/** The stored form of an address: in lower case, so that two spellings are one user. */
export function normalEmail(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase()
}

/**
 * Whether NFKC does not change an address. An issuer that compares bytes may give `\uff41dmin@` to a different person than
 * `admin@`, so a normalised spelling does not prove ownership of the plain one.
 */
export function isPlainlySpelled(email: string): boolean {
  return email.normalize('NFKC') === email
}

export function toUser(row: UserRow): User {
  const methods: SignInMethod[] = []
  if (row.passwordHash !== null) methods.push('password')
  if (row.oidcSubject !== null) methods.push('oidc')
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    status: row.status,
    methods,
    totp: row.totpConfirmedAt !== null,
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}

export function toMe(row: UserRow, account: { name: string }, sessionId: string | null): Me {
  return {
    ...toUser(row),
    account: { id: row.accountId, name: account.name },
    preferences: { ...defaultPreferences, ...row.preferences },
    sessionId,
  }
}

export function toSession(row: SessionRow, currentId: string): Session {
  return {
    id: row.id,
    current: row.id === currentId,
    method: row.method,
    ip: row.ip,
    userAgent: row.userAgent,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }
}

/** How an admin can take a right from a user. */
export type TakenRight = 'removed' | 'disabled' | 'demoted'

/** How a user can lose a right. `no_role`: at a sign-in, the issuer named no group that has a role. */
export type LostRight = TakenRight | 'no_role'

/**
 * `ends`: stops working in the transaction that removes the right. `bounded`: keeps working, limited by the role at each
 * request. `stays`: belongs to the account. `listed`: stays, and the response of the removal lists it.
 */
type Fate = 'ends' | 'bounded' | 'stays' | 'listed'

/**
 * Everything that a user can make, and what happens to it when the user loses a right. A new feature that acts for its creator
 * must add a row. `test/made-by.test.ts` makes each row, removes the right and checks the result.
 */
export const madeBy = {
  sessions: { removed: 'ends', disabled: 'ends', demoted: 'ends', no_role: 'ends' },
  apiKeys: { removed: 'ends', disabled: 'ends', demoted: 'bounded', no_role: 'ends' },
  /** Keys that a key of the user made. */
  childKeys: { removed: 'ends', disabled: 'ends', demoted: 'bounded', no_role: 'ends' },
  /** An open stream ends with its session or key. */
  sessionStreams: { removed: 'ends', disabled: 'ends', demoted: 'ends', no_role: 'ends' },
  keyStreams: { removed: 'ends', disabled: 'ends', demoted: 'bounded', no_role: 'ends' },
  invitations: { removed: 'ends', disabled: 'ends', demoted: 'ends', no_role: 'ends' },
  /** OAuth links that a session began, in the browser of the user. */
  sessionOAuthLinks: { removed: 'ends', disabled: 'ends', demoted: 'ends', no_role: 'ends' },
  /** OAuth links that a key began, for the owner of a mailbox. */
  keyOAuthLinks: { removed: 'ends', disabled: 'ends', demoted: 'ends', no_role: 'ends' },
  /** Links to set a new password of the user. */
  passwordLinks: { removed: 'ends', disabled: 'ends', demoted: 'stays', no_role: 'ends' },
  webhooks: { removed: 'listed', disabled: 'listed', demoted: 'listed', no_role: 'stays' },
} as const satisfies Record<string, Record<LostRight, Fate>>
