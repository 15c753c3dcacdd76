import type { Tenant } from '../platform/tenant.ts'

/** The context with which the password of a seed mailbox is sealed. The bytes can't be opened in another row. */
export function seedSecretContext(tenant: Tenant, id: string): string {
  return `seed_mailboxes/${tenant.accountId}/${tenant.environment}/${id}`
}
