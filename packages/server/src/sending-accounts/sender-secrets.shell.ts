import type { Tenant } from '../platform/tenant.ts'
import type { SenderSecrets } from './sending-account.ts'

interface Cipher {
  encrypt(plaintext: string, context: string): Buffer
  decrypt(sealed: Uint8Array, context: string): string
}

/** Null when there is nothing to keep. The row's own name is bound in, so that bytes moved to another row don't open. */
export function sealSecrets(cipher: Cipher, tenant: Tenant, id: string, secrets: SenderSecrets): Buffer | null {
  const kept = Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== undefined))
  return Object.keys(kept).length === 0 ? null : cipher.encrypt(JSON.stringify(kept), contextOf(tenant, id))
}

export function unsealSecrets(cipher: Cipher, tenant: Tenant, id: string, sealed: Uint8Array | null): SenderSecrets {
  return sealed === null ? {} : (JSON.parse(cipher.decrypt(sealed, contextOf(tenant, id))) as SenderSecrets)
}

/** What a sender's secrets are sealed with. */
export function contextOf(tenant: Tenant, id: string): string {
  return `sending_accounts/${tenant.accountId}/${tenant.environment}/${id}`
}
