import { normalizeEmail } from '@overture/contract/addresses.ts'
import { isSharedDomain } from '@overture/ground/company-domain.ts'
import type { Secrets } from '../platform/crypto/secrets.shell.ts'
import type { Transaction } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { upsertExchanges } from './contacts.sql.ts'

/** The addresses of one mail that are recorded. More are seldom a conversation. */
const addressesMax = 20

/** Records that a mailbox exchanged mail with these addresses. Only the time is kept. */
export async function recordExchange(
  tx: Transaction,
  tenant: Tenant,
  mail: {
    emails: readonly string[]
    sendingAccountId: string
    direction: 'inbound' | 'outbound'
    /** Whether the mail is a reply to a campaign. */
    ofCampaign: boolean
    secrets: Pick<Secrets, 'addressHash'>
    at: Date
  },
): Promise<void> {
  const { sendingAccountId, direction, ofCampaign, at } = mail
  const addresses = [...new Set(mail.emails.slice(0, addressesMax).map((email) => normalizeEmail(email).email))]
  const rows = addresses.map((email) => {
    const { domain } = normalizeEmail(email)
    const company = isSharedDomain(domain) ? null : domain
    return { addressHash: mail.secrets.addressHash(email), company, sendingAccountId, direction, ofCampaign, at }
  })
  await upsertExchanges(tx, tenant, rows)
}
