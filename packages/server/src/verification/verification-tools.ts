import type { MailRoute } from './address-rules.ts'
import type { Verdict } from './verdict.ts'

/** The facts about an address that the test environment simulates in place of name servers and a provider. */
interface SimulatedAddress {
  route: MailRoute
  isDisposable: boolean
  mailbox: Verdict
}

export interface VerificationTools {
  /** Called in the test environment, which opens no connection. */
  simulate: (email: string) => SimulatedAddress
}
