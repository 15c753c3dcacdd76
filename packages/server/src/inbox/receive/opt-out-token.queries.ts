import { readAddressToken, readOptOut } from '../../delivery/index.ts'
import type { Secrets } from '../../platform/crypto/secrets.shell.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { ReadMessage } from '@overture/mail-reading/reading/read-message.ts'
import { findLeadAddress } from './matching.sql.ts'

/** The lead that a token of our `List-Unsubscribe` mailto names, and the address that got the message. */
export interface TokenOptOut {
  /** Null if the message went to someone who is no lead. */
  leadId: string | null
  email: string
}

/**
 * The opt-out that a mail's token proves, whatever its From and its text. A token that is forged, or of another account or
 * environment, counts as no token. A report quotes subjects of other mail, so it never opts out this way.
 */
export async function findTokenOptOut(
  db: Executor,
  tenant: Tenant,
  { mail, secrets }: { mail: ReadMessage; secrets: Pick<Secrets, 'verifyToken' | 'openToken'> },
): Promise<TokenOptOut | null> {
  if (mail.verdict.kind === 'bounce' || mail.verdict.kind === 'complaint') return null
  const verify = (purpose: string, text: string) => secrets.verifyToken(purpose, text)
  for (const text of mail.optOutTokens) {
    const token = readOptOut(secrets, text)
    const isOurs = token?.accountId === tenant.accountId && token.environment === tenant.environment
    if (isOurs) return { leadId: token.leadId, email: token.email }
    const leadId = readAddressToken(verify, text)
    const email = leadId === null ? null : await findLeadAddress(db, tenant, leadId)
    if (email !== null) return { leadId, email }
  }
  return null
}

/** Returns the mail with the verdict `unsubscribe`, which its token proves. */
export function asOptOut(mail: ReadMessage): ReadMessage {
  const { verdict } = mail
  if (verdict.kind === 'unsubscribe') return mail
  return { ...mail, verdict: { ...verdict, kind: 'unsubscribe', rule: 'opt_out_token', awayUntil: null } }
}
