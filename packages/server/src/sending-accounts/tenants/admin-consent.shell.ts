import { randomBytes } from 'node:crypto'
import { AppError } from '@overture/contract/errors.ts'
import { dayMs } from '@overture/ground/time/spans.ts'
import type { App } from '../../platform/app.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { declinedMessage, isFirstUse, buildRedirectUri, type CallbackWords } from '../oauth/oauth.shell.ts'
import { findAccountName } from '../oauth/oauth-states.sql.ts'
import {
  adminConsentUrl,
  readConsentRequest,
  signConsentRequest,
  tenantIdIn,
  type ConsentRequest,
} from './admin-consent.ts'
import { upsertConsent } from './tenant-connections.sql.ts'
import { findTenantOfDomain } from './tenant-lookup.client.ts'

/** The link is sent by email, and the administrator may open it days later. */
const requestLifeMs = 7 * dayMs
const simulatedTenantId = '00000000-0000-4000-8000-000000000000'

/** Returns a link for an administrator. In the test environment the link leads straight back to us. */
export function startAdminConsent(app: App, tenant: Tenant, domain: string) {
  const expiresAtMs = app.clock.now().getTime() + requestLifeMs
  const nonce = randomBytes(18).toString('base64url')
  const state = signConsentRequest(app.secrets, { tenant, domain: domain.toLowerCase(), nonce, expiresAtMs })
  return {
    url: urlFor(app, tenant, { domain: domain.toLowerCase(), state }),
    expiresAt: new Date(expiresAtMs).toISOString(),
  }
}

function urlFor(app: App, tenant: Tenant, { domain, state }: { domain: string; state: string }): string {
  const redirectUri = buildRedirectUri(app, 'microsoft')
  if (tenant.environment === 'test') {
    const query = new URLSearchParams({ admin_consent: 'True', tenant: simulatedTenantId, state })
    return `${redirectUri}?${query.toString()}`
  }
  const { clientId, authorityUrl } = app.config.oauth.microsoft
  if (clientId === null)
    throw new AppError('SERVICE_UNAVAILABLE', 'Connecting microsoft mailboxes is not configured on this server.')
  return adminConsentUrl({ authorityUrl, clientId, domain, redirectUri, state })
}

interface ConsentCallback extends CallbackWords {
  state: string
  adminConsent: string | null
  tenantId: string | null
}

type ConsentResult = { kind: 'agreed'; message: string } | { kind: 'failed'; message: string }

/** Handles the redirect of an administrator from Microsoft. Returns null if the state belongs to another kind of link. */
export async function finishAdminConsent(app: App, callback: ConsentCallback): Promise<ConsentResult | null> {
  const request = readConsentRequest(app.secrets, callback.state)
  if (request === null) return null
  if (request.expiresAtMs < app.clock.now().getTime())
    return { kind: 'failed', message: 'This link has expired. Ask for a new one.' }
  if (callback.error !== null) return { kind: 'failed', message: declinedMessage('microsoft', callback) }
  const tenantId = tenantIdIn(callback.tenantId)
  if (callback.adminConsent?.toLowerCase() !== 'true' || tenantId === null)
    return {
      kind: 'failed',
      message: 'Microsoft did not confirm the consent of an administrator. Open the link again.',
    }
  const problem = await findProblem(app, request, tenantId)
  if (problem !== null) return { kind: 'failed', message: problem }
  return storeConsent(app, request, tenantId)
}

/** The tenant is a part of an address that anyone can write, so it is compared with the tenant of the domain. */
async function findProblem(app: App, { tenant, domain }: ConsentRequest, tenantId: string): Promise<string | null> {
  if (tenant.environment === 'test') return null
  const found = await findTenantOfDomain(app.config.oauth.microsoft.authorityUrl, domain)
  switch (found.kind) {
    case 'none':
      return `Microsoft 365 has no organization for ${domain}. Ask for a new link with a domain of the organization.`
    case 'unavailable':
      return 'Microsoft did not return the organization. Open the link again in a few minutes.'
    case 'found':
      return found.tenantId === tenantId
        ? null
        : `An organization other than that of ${domain} agreed. Open the link again and sign in as an administrator of ${domain}.`
  }
}

async function storeConsent(app: App, request: ConsentRequest, organization: string): Promise<ConsentResult> {
  const { tenant, domain } = request
  const now = await app.clocks.now(app.db, tenant)
  return app.db.transaction(async (tx) => {
    const accountName = await findAccountName(tx, tenant)
    if (accountName === '') return { kind: 'failed', message: 'The account that created this link was deleted.' }
    if (!(await isFirstUse(app, tx, request)))
      return { kind: 'failed', message: 'This link was already used. You have nothing else to do.' }
    await upsertConsent(tx, tenant, { id: newId('tnc'), organization, domain, now })
    const message =
      `Thank you. People of ${domain} can now connect their mailboxes to the account “${accountName}”. Next, they open Sending ` +
      'accounts in Overture, choose “Connect a sending account”, enter their address and continue with Microsoft. You can close ' +
      'this window.'
    return { kind: 'agreed', message }
  })
}
