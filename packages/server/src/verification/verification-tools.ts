import type { Transaction } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { MailRoute } from './address-rules.ts'
import type { Verdict } from './verdict.ts'

/** The facts about an address that the test environment simulates in place of name servers and a provider. */
interface SimulatedAddress {
  route: MailRoute
  isDisposable: boolean
  mailbox: Verdict
}

export interface VerificationTools {
  /** Called in the transaction that stores new results. */
  checked: (tx: Transaction, tenant: Tenant, of: { emails: readonly string[]; now: Date }) => Promise<void>
  /** Called in the test environment, which opens no connection. */
  simulate: (email: string) => SimulatedAddress
}
