import type { Role } from '@overture/contract/team/roles.ts'
import type { AuditChange } from '@overture/contract/team/audit.ts'
import { lockAccount } from '../../accounts/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { OidcConfig } from '../../platform/oidc-config.ts'
import { newUser } from '../links.shell.ts'
import { findOpenInvitation, updateLinkUsed, type LinkRow } from '../links.sql.ts'
import { beginSession, type SignedIn } from '../session.commands.ts'
import { recordSignIn, type SignInRequest } from '../sign-in-audit.commands.ts'
import type { UserRow } from '../user.ts'
import { endAccess, followRole, recordJoined } from '../users.commands.ts'
import { findUserOfEmail, insertUser } from '../users.sql.ts'
import { lockUserOfSubject, updateUserSubject } from './identities.sql.ts'
import type { Identity } from './issuer.client.ts'
import { roleOfClaims } from './role-of-claims.ts'

type Refusal = 'email_unverified' | 'not_invited' | 'other_identity' | 'disabled' | 'no_role' | 'no_account'

type ArrivalResult = { kind: 'in'; signedIn: SignedIn } | { kind: 'refused'; reason: Refusal }

interface Arrival {
  accountId: string
  identity: Identity
  config: OidcConfig
  request: SignInRequest
}

/** Signs in a person that the issuer confirmed, as an existing or a new user. Grants and refusals are both recorded. */
export async function arrive(tx: Transaction, arrival: Arrival): Promise<ArrivalResult> {
  const { accountId, identity, request } = arrival
  // The account row is the lock: two first sign-ins of one person make one user.
  if ((await lockAccount(tx, accountId)) === null) return { kind: 'refused', reason: 'no_account' }
  const found = await findPerson(tx, arrival)
  const decided = decide(found, arrival)
  if (decided.kind === 'refused') {
    const { user } = found
    // A user who is no longer in any group loses all access at once, also that of their keys and links.
    if (decided.reason === 'no_role' && user !== null)
      await endAccess(tx, { accountId, userId: user.id, now: request.now })
    await recordSignIn(tx, user ?? { accountId, id: null, name: null }, request, 'denied')
    return decided
  }
  const changes: AuditChange[] = []
  const user = await settle(tx, arrival, { found, role: decided.role, changes })
  const { issuer: oidcIssuer, subject: oidcSubject } = identity
  const known = { ...user, oidcIssuer, oidcSubject }
  return {
    kind: 'in',
    signedIn: await beginSession(tx, { user: known, method: 'oidc', request: { ...request, changes } }),
  }
}

interface Person {
  user: UserRow | null
  /** True: found by the subject. False: found by the address only. */
  isLinked: boolean
  invitation: LinkRow | null
}

async function findPerson(tx: Transaction, { accountId, identity, request }: Arrival): Promise<Person> {
  const linked = await lockUserOfSubject(tx, accountId, identity)
  if (linked !== null) return { user: linked, isLinked: true, invitation: null }
  const { verifiedEmail } = identity
  if (verifiedEmail === null) return { user: null, isLinked: false, invitation: null }
  const user = await findUserOfEmail(tx, accountId, verifiedEmail)
  const invitation =
    user === null ? await findOpenInvitation(tx, accountId, { email: verifiedEmail, now: request.now }) : null
  return { user, isLinked: false, invitation }
}

type Decision = { kind: 'granted'; role: Role } | { kind: 'refused'; reason: Refusal }

function decide({ user, isLinked, invitation }: Person, { identity, config }: Arrival): Decision {
  const { verifiedEmail, issuer } = identity
  if (!isLinked && verifiedEmail === null) return { kind: 'refused', reason: 'email_unverified' }
  if (user === null && invitation === null && config.defaultRole === null)
    return { kind: 'refused', reason: 'not_invited' }
  // If an address now belongs to another person, that person does not get the old user.
  if (!isLinked && user !== null && user.oidcIssuer === issuer) return { kind: 'refused', reason: 'other_identity' }
  if (user !== null && user.status !== 'active') return { kind: 'refused', reason: 'disabled' }
  const role = config.roleClaim === null ? givenRole(user, invitation, config) : roleOfClaims(identity.claims, config)
  return role === null ? { kind: 'refused', reason: 'no_role' } : { kind: 'granted', role }
}

function givenRole(user: UserRow | null, invitation: LinkRow | null, { defaultRole }: OidcConfig): Role | null {
  return user?.role ?? invitation?.role ?? defaultRole
}

/** Makes the user or links them to the issuer, and sets the role. */
async function settle(
  tx: Transaction,
  { accountId, identity, request }: Arrival,
  { found, role, changes }: { found: Person; role: Role; changes: AuditChange[] },
): Promise<UserRow> {
  const { issuer, subject, verifiedEmail } = identity
  const { now } = request
  if (found.user !== null) {
    if (!found.isLinked) await updateUserSubject(tx, accountId, { userId: found.user.id, issuer, subject })
    if (!found.isLinked) changes.push({ path: 'methods', before: null, after: null })
    const user = await followRole(tx, found.user, { role, now })
    if (user.role !== found.user.role) changes.push({ path: 'role', before: found.user.role, after: user.role })
    return user
  }
  const email = verifiedEmail!
  const name = identity.name ?? email.slice(0, email.indexOf('@'))
  const made = newUser({ accountId, email, name, role, passwordHash: null, now })
  const user = { ...made, oidcIssuer: issuer, oidcSubject: subject }
  await insertUser(tx, user)
  if (found.invitation !== null) await updateLinkUsed(tx, accountId, { id: found.invitation.id, now })
  await recordJoined(tx, user)
  changes.push({ path: 'role', before: null, after: role })
  return user
}
