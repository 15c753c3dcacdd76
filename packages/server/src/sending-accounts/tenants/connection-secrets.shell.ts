import type { Tenant } from '../../platform/tenant.ts'
import type { ConnectionLogin } from './connection-login.ts'

interface Cipher {
  encrypt(plaintext: string, context: string): Buffer
  decrypt(sealed: Uint8Array, context: string): string
}

/** Seals a login for one row, so that its bytes can't be opened in another row. */
export function sealLogin(cipher: Cipher, tenant: Tenant, id: string, login: ConnectionLogin): Buffer {
  return cipher.encrypt(JSON.stringify(login), connectionSecretContext(tenant, id))
}

export function unsealLogin(cipher: Cipher, tenant: Tenant, id: string, sealed: Uint8Array): ConnectionLogin {
  return JSON.parse(cipher.decrypt(sealed, connectionSecretContext(tenant, id))) as ConnectionLogin
}

/** The context that the login of a connection is sealed with. */
export function connectionSecretContext(tenant: Tenant, id: string): string {
  return `tenant_connections/${tenant.accountId}/${tenant.environment}/${id}`
}
