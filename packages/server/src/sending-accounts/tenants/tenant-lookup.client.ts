import { responseText } from '../../platform/response-text.client.ts'
import { tenantIdOfConfiguration } from './admin-consent.ts'

const lookupTimeoutMs = 10_000
const answerBytesMax = 256 * 1024

type FoundTenant = { kind: 'found'; tenantId: string } | { kind: 'none' } | { kind: 'unavailable' }

/** Returns the Microsoft tenant of a domain from its public OpenID configuration. Must not run inside a transaction. */
export async function findTenantOfDomain(authorityUrl: string, domain: string): Promise<FoundTenant> {
  const url = `${authorityUrl}/${encodeURIComponent(domain)}/v2.0/.well-known/openid-configuration`
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(lookupTimeoutMs) })
    const text = await responseText(response, answerBytesMax)
    // Microsoft responds 400 with `invalid_tenant` for a domain without a tenant.
    if (response.status === 400) return { kind: 'none' }
    if (!response.ok || text === null) return { kind: 'unavailable' }
    const tenantId = tenantIdOfConfiguration(JSON.parse(text))
    return tenantId === null ? { kind: 'none' } : { kind: 'found', tenantId }
  } catch {
    return { kind: 'unavailable' }
  }
}
