import { oauthProvider, type OAuthProvider } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { Tenant } from '../../platform/tenant.ts'

const statePurpose = 'sender_oauth_state'

export interface Signer {
  signToken(purpose: string, fields: readonly string[]): string
  verifyToken(purpose: string, token: string): string[] | null
}

/** What was asked for, in the hands of who is to agree, under our signature. */
export interface State {
  tenant: Tenant
  provider: OAuthProvider
  sendingAccountId: string
  email: string
  fromName: string
  nonce: string
  expiresAtMs: number
  /** Of the person who began it, whose browser has to come back; empty: begun by a key, for whoever is given the link. */
  sessionId: string
  /** The key that began it, which has to be able to connect mailboxes until the end; empty: begun by a person. */
  keyId: string
  /** A page of the console; empty: none. */
  returnPath: string
}

export function signState(secrets: Signer, state: State): string {
  const { tenant, provider, sendingAccountId, email, fromName, nonce, expiresAtMs, sessionId, keyId, returnPath } =
    state
  const { accountId, environment } = tenant
  const fields = [accountId, environment, provider, sendingAccountId, email, fromName, nonce, String(expiresAtMs)]
  return secrets.signToken(statePurpose, [...fields, sessionId, returnPath, keyId])
}

export function readState(secrets: Signer, text: string): State | null {
  const fields = secrets.verifyToken(statePurpose, text)
  if (fields === null) return null
  const [
    accountId = '',
    environment = '',
    provider = '',
    sendingAccountId = '',
    email = '',
    fromName = '',
    nonce = '',
    expiresAt = '',
    sessionId = '',
    returnPath = '',
    keyId = '',
  ] = fields
  const known = oauthProvider.safeParse(provider)
  if (!known.success || (environment !== 'live' && environment !== 'test')) return null
  return {
    tenant: { accountId, environment },
    provider: known.data,
    sendingAccountId,
    email,
    fromName,
    nonce,
    expiresAtMs: Number(expiresAt),
    sessionId,
    keyId,
    returnPath,
  }
}
