import { normalizeEmail } from '@overture/contract/addresses.ts'
import { email as emailAddress } from '@overture/contract/common.ts'
import { findCredit, listLeadsByAddress, stopLead } from '../campaigns/index.ts'
import type { OptOutToken, TrackingToken } from '../delivery/index.ts'
import type { App } from '../platform/app.ts'
import type { Transaction } from '../platform/db/database.ts'
import { recordRecipient } from '../platform/audit/acts.commands.ts'
import { recipient } from '../platform/events/actors.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import type { Tenant } from '../platform/tenant.ts'
import { suppress, suppressUnproven, type AddressHashes } from '../suppressions/index.ts'

interface OptOut {
  email: string
  /** The lead that opted out. Null: the person is no lead any more. */
  leadId: string | null
  via: 'link' | 'one_click' | 'reply' | 'complaint'
  source: 'recipient' | 'complaint'
  secrets: AddressHashes
  now: Date
}

/** Applies an opt-out: suppresses the address and ends every lead with it in all campaigns. A repeated opt-out changes nothing. */
export async function optOutAddress(
  tx: Transaction,
  tenant: Tenant,
  { email, leadId, via, source, secrets, now }: OptOut,
): Promise<void> {
  let changed = await suppress(tx, tenant, { email, source, reason: via, secrets, now })
  for (const lead of await listLeadsByAddress(tx, tenant, email)) {
    const key = { campaignId: lead.campaignId, leadId: lead.id }
    const stopped = await stopLead(tx, tenant, {
      ...key,
      status: 'unsubscribed',
      stoppedBy: { rule: source === 'complaint' ? 'complaint' : 'unsubscribe' },
      now,
    })
    if (!stopped) continue
    changed = true
    await appendEvents(tx, tenant, [
      {
        type: 'lead.unsubscribed',
        actor: recipient(lead.id),
        occurredAt: now,
        ...key,
        leadEmail: lead.email,
        sendingAccountId: lead.sendingAccountId,
        ...(await findCredit(tx, tenant, key)),
        data: { source: via },
      },
    ])
  }
  if (changed) await recordOptOut(tx, tenant, { leadId, via })
}

/** Records an opt-out in the audit log once. A link that is opened again writes nothing. */
export async function recordOptOut(
  tx: Transaction,
  tenant: Tenant,
  { leadId, via }: Pick<OptOut, 'leadId' | 'via'>,
): Promise<void> {
  await recordRecipient(tx, tenant, {
    action: via === 'complaint' ? 'recipient.complain' : 'recipient.unsubscribe',
    leadId,
    target: { type: 'leads', id: leadId },
    changes: [{ path: 'via', before: null, after: via }],
  })
}

/** Handles the page of the link or the POST of RFC 8058. */
export async function recordUnsubscribe(
  app: App,
  token: OptOutToken,
  { via, now }: { via: 'link' | 'one_click'; now?: Date },
): Promise<void> {
  const tenant = tokenTenant(token)
  const { email, leadId } = token
  const at = now ?? (await app.clocks.now(app.db, tenant))
  await app.db.transaction((tx) =>
    optOutAddress(tx, tenant, { email, leadId, via, source: 'recipient', secrets: app.secrets, now: at }),
  )
}

/** How many hexadecimal digits of the address's hash the reason of a suppression contains. */
const hashLength = 16

/** Handles another address that was typed on the page of a link, which proves nothing about its owner. */
export async function recordOtherAddress(
  app: App,
  token: OptOutToken,
  typed: string,
): Promise<'done' | 'other' | 'invalid' | 'too_many'> {
  const parsed = emailAddress.safeParse(typed)
  if (!parsed.success) return 'invalid'
  const { email } = normalizeEmail(parsed.data)
  const own = normalizeEmail(token.email).email
  if (email === own) {
    await recordUnsubscribe(app, token, { via: 'link' })
    return 'done'
  }
  const tenant = tokenTenant(token)
  const now = await app.clocks.now(app.db, tenant)
  const { secrets } = app
  const hash = secrets.addressHash(own).toString('hex').slice(0, hashLength)
  const about = `a link sent to ${hash}`
  const isSuppressed = await app.db.transaction((tx) =>
    suppressUnproven(tx, tenant, { email, via: 'page', about, secrets, now }),
  )
  return isSuppressed ? 'other' : 'too_many'
}

export function tokenTenant(token: Pick<TrackingToken, 'accountId' | 'environment'>): Tenant {
  return { accountId: token.accountId, environment: token.environment }
}
