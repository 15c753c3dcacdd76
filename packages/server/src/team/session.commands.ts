import { dayMs } from '@overture/ground/time/spans.ts'
import { randomBytes } from 'node:crypto'
import type { Me } from '@overture/contract/team/me.ts'
import type { SignInMethod } from '@overture/contract/team/users.ts'
import { findAccount } from '../accounts/index.ts'
import type { Transaction } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import type { Secrets } from '../platform/crypto/secrets.shell.ts'
import { deviceCookie, sessionCookie, type ClientFacts } from '../platform/http/client-facts.ts'
import { deviceLifeMs, deviceToken } from './attempts.ts'
import { insertSession } from './sessions.sql.ts'
import { recordSignIn, type SignInRequest } from './sign-in-audit.commands.ts'
import { tokenDigest, tokenBytes, formatToken } from './tokens.ts'
import { toMe, type UserRow } from './user.ts'
import { updateUserSeen } from './users.sql.ts'

/** A session ends after this time at the latest, or after twelve hours without a request. */
const sessionLifeMs = 30 * dayMs

interface NewSession {
  user: UserRow
  method: SignInMethod
  request: SignInRequest
}

export interface SignedIn {
  me: Me
  /** The value for the cookie. Only its digest is stored. */
  token: string
}

/** Signs a user in, within the caller's transaction. All sign-ins use this function, so that each is recorded. */
export async function beginSession(tx: Transaction, { user, method, request }: NewSession): Promise<SignedIn> {
  const { accountId } = user
  const { client, now } = request
  const token = newToken()
  const session = {
    accountId,
    id: newId('ses'),
    userId: user.id,
    method,
    ip: client.ip,
    userAgent: client.userAgent,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + sessionLifeMs),
  }
  await insertSession(tx, session, token.digest)
  await recordSignIn(tx, user, request, 'success')
  await updateUserSeen(tx, accountId, { userId: user.id, now })
  const account = await findAccount(tx, accountId)
  return { me: toMe({ ...user, lastSeenAt: now }, { name: account?.name ?? '' }, session.id), token: token.text }
}

/** The values of `Set-Cookie` after a sign-in: the session, and the token by which this browser is known later. */
export function signedInCookies(
  secrets: Secrets,
  client: ClientFacts,
  { me, token, now }: SignedIn & { now: Date },
): { session: string; device: string } {
  const known = deviceToken(secrets, { id: me.sessionId ?? '', email: me.email, now })
  return {
    session: sessionCookie(client, { token, lifeSeconds: sessionLifeMs / 1000 }),
    device: deviceCookie(client, { token: known, lifeSeconds: deviceLifeMs / 1000 }),
  }
}

export function newToken(): { text: string; digest: Buffer } {
  const text = formatToken(randomBytes(tokenBytes))
  return { text, digest: tokenDigest(text)! }
}
