import { oauthProvider, type OAuthProvider } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { Tenant } from '../../platform/tenant.ts'

const statePurpose = 'sender_oauth_state'

export interface Signer {
  signToken(purpose: string, fields: readonly string[]): string
  verifyToken(purpose: string, token: string): string[] | null
}

/** The request to connect a mailbox. It is part of the link and signed by us. */
export interface State {
  tenant: Tenant
  provider: OAuthProvider
  sendingAccountId: string
  email: string
  fromName: string
  nonce: string
  expiresAtMs: number
  /**
   * The session of the person who started it, which the browser must still have at the callback. Empty: a key started it, for
   * the person who gets the link.
   */
  sessionId: string
  /** The key that started it, which must still be allowed to connect mailboxes at the end. Empty: a person started it. */
  keyId: string
  /** The page of the console to open afterwards. Empty: none. */
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
