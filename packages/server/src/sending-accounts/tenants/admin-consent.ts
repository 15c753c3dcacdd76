import type { Tenant } from '../../platform/tenant.ts'
import type { Signer } from '../oauth/oauth-state.ts'
import { mailScopes } from '../oauth/oauth.ts'

const statePurpose = 'sender_admin_consent'

/** The signed request for an administrator's consent, which is a part of the link. */
export interface ConsentRequest {
  tenant: Tenant
  domain: string
  nonce: string
  expiresAtMs: number
}

export function signConsentRequest(secrets: Signer, request: ConsentRequest): string {
  const { tenant, domain, nonce, expiresAtMs } = request
  return secrets.signToken(statePurpose, [tenant.accountId, tenant.environment, domain, nonce, String(expiresAtMs)])
}

/** Returns null if the text is not a request that we signed. */
export function readConsentRequest(secrets: Signer, text: string): ConsentRequest | null {
  const fields = secrets.verifyToken(statePurpose, text)
  if (fields === null) return null
  const [accountId = '', environment = '', domain = '', nonce = '', expiresAt = ''] = fields
  if (environment !== 'live' && environment !== 'test') return null
  return { tenant: { accountId, environment }, domain, nonce, expiresAtMs: Number(expiresAt) }
}

/** The page of Microsoft at which an administrator consents for the organization of a domain. */
export function adminConsentUrl(input: {
  authorityUrl: string
  clientId: string
  domain: string
  redirectUri: string
  state: string
}): string {
  const url = new URL(`${input.authorityUrl}/${encodeURIComponent(input.domain)}/v2.0/adminconsent`)
  url.searchParams.set('client_id', input.clientId)
  url.searchParams.set('scope', mailScopes.microsoft)
  url.searchParams.set('redirect_uri', input.redirectUri)
  url.searchParams.set('state', input.state)
  return url.toString()
}

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns a Microsoft tenant id in lower case, or null if the text is not a tenant id. */
export function tenantIdIn(text: string | null): string | null {
  const id = (text ?? '').toLowerCase()
  return guid.test(id) ? id : null
}

/** Returns the tenant that the issuer of an OpenID configuration names, or null if it names none. */
export function tenantIdOfConfiguration(body: unknown): string | null {
  const issuer = typeof body === 'object' && body !== null && 'issuer' in body ? body.issuer : null
  if (typeof issuer !== 'string' || !URL.canParse(issuer)) return null
  return tenantIdIn(new URL(issuer).pathname.split('/')[1] ?? null)
}
