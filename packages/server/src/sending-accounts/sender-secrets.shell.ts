import type { Tenant } from '../platform/tenant.ts'
import type { SenderSecrets } from './sending-account.ts'

interface Cipher {
  encrypt(plaintext: string, context: string): Buffer
  decrypt(sealed: Uint8Array, context: string): string
}

/** Seals secrets; null if there are none. The row's id is part of the seal, so that the bytes can't be opened in another row. */
export function sealSecrets(cipher: Cipher, tenant: Tenant, id: string, secrets: SenderSecrets): Buffer | null {
  const kept = Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== undefined))
  return Object.keys(kept).length === 0 ? null : cipher.encrypt(JSON.stringify(kept), sealingContext(tenant, id))
}

export function unsealSecrets(cipher: Cipher, tenant: Tenant, id: string, sealed: Uint8Array | null): SenderSecrets {
  return sealed === null ? {} : (JSON.parse(cipher.decrypt(sealed, sealingContext(tenant, id))) as SenderSecrets)
}

/** The context with which a sender's secrets are sealed. */
export function sealingContext(tenant: Tenant, id: string): string {
  return `sending_accounts/${tenant.accountId}/${tenant.environment}/${id}`
}
