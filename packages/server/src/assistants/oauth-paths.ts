import type { App } from '../platform/app.ts'

export const authorizePath = '/oauth/authorize'
export const tokenPath = '/oauth/token'
export const registrationPath = '/oauth/register'
export const revocationPath = '/oauth/revoke'
export const keysPath = '/oauth/jwks'
export const consentPage = '/app/connect'

/** The resource for which tokens are issued (RFC 8707). */
export function resourceUrl({ config }: Pick<App, 'config'>): string {
  return `${config.publicUrl}/mcp`
}

/** The cookie that ties a request for access to the browser that began it. `__Host-` keeps other hosts of the domain from setting it. */
export function requestCookie({ config }: Pick<App, 'config'>): string {
  return `${config.publicUrl.startsWith('https:') ? '__Host-' : ''}overture_grant_request`
}
