import type { Transaction } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

/** Other features' reactions to suppressions. Each function is called in the transaction of the change. */
export interface SuppressionTools {
  /** An address or a domain was suppressed. */
  added?: (
    tx: Transaction,
    tenant: Tenant,
    what: { email: string | null; domain: string | null; now: Date },
  ) => Promise<void>
  /** The suppression of an address or a domain was removed. */
  lifted?: (
    tx: Transaction,
    tenant: Tenant,
    what: { email: string | null; domain: string | null; now: Date },
  ) => Promise<void>
  /** Suppressions ended whose addresses are many or not known. */
  freed?: (tx: Transaction, tenant: Tenant, now: Date) => Promise<void>
}
