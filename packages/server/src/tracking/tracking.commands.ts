import { findCredit, findLead, listLeadsByAddress, stopLead, countOnLead } from '../campaigns/index.ts'
import type { TrackingToken } from '../delivery/index.ts'
import type { App } from '../platform/app.ts'
import type { Transaction } from '../platform/db/database.ts'
import { recordRecipient } from '../platform/audit/recipient-acts.commands.ts'
import { recipient, system } from '../platform/events/actors.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import type { Tenant } from '../platform/tenant.ts'
import { findSuppressed, suppress, type AddressHashes } from '../suppressions/index.ts'
import { judgeHit, lookBackMs, repetitionOf, type Hit } from './machine.ts'
import { updateMessageOpened } from '../delivery/index.ts'
import { listHitsSince, lockTrackedMessage } from './tracking.sql.ts'

export type RequestFacts = Pick<Hit, 'method' | 'userAgent' | 'purpose'>

interface OptOut {
  email: string
  /** `link`, `one_click`, `reply`, `complaint`. */
  via: string
  source: 'recipient' | 'complaint'
  secrets: AddressHashes
  now: Date
}

/**
 * Someone asked not to be written to: the address is suppressed, and every lead with it, in any campaign, ends at
 * once. Asking twice changes nothing. Answers the ids of the leads that ended.
 */
export async function optOutAddress(
  tx: Transaction,
  tenant: Tenant,
  { email, via, source, secrets, now }: OptOut,
): Promise<string[]> {
  await suppress(tx, tenant, { email, source, reason: via, secrets, now })
  const ended: string[] = []
  for (const lead of await listLeadsByAddress(tx, tenant, email)) {
    const key = { campaignId: lead.campaignId, leadId: lead.id }
    const stopped = await stopLead(tx, tenant, {
      ...key,
      status: 'unsubscribed',
      stoppedBy: { rule: source === 'complaint' ? 'complaint' : 'unsubscribe' },
      now,
    })
    if (!stopped) continue
    ended.push(lead.id)
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
  return ended
}

/**
 * The link's page or RFC 8058's POST. Answers the address that is suppressed now; null where the link is of before
 * addresses stood in them, and its lead is gone.
 */
export async function recordUnsubscribe(
  app: App,
  token: TrackingToken,
  { via, now }: { via: 'link' | 'one_click'; now?: Date },
): Promise<string | null> {
  const tenant = tenantOf(token)
  const at = now ?? (await app.clocks.now(app.db, tenant))
  return app.db.transaction(async (tx) => {
    const sealed = token.target === null ? null : app.secrets.openAddress(token.target)
    const email = sealed ?? (await findLead(tx, tenant, token))?.email ?? null
    if (email === null) return null
    const wasSuppressed = (await findSuppressed(tx, tenant, { secrets: app.secrets, emails: [email] })).size > 0
    const ended = await optOutAddress(tx, tenant, { email, via, source: 'recipient', secrets: app.secrets, now: at })
    const { leadId } = token
    if (!wasSuppressed || ended.length > 0)
      await recordRecipient(tx, tenant, {
        action: 'recipient.unsubscribe',
        leadId,
        target: { type: 'leads', id: leadId },
        at: app.clock.now(),
      })
    return email
  })
}

/** A pixel that was fetched or a link that was followed. */
export interface TrackedHit {
  what: 'open' | 'click'
  token: TrackingToken
  request: RequestFacts
  /** Null: the tenant's time when it is recorded. */
  at: Date | null
}

/**
 * Kept in the log as it came, counted only when a person did it. Of machines one hit per minute and link is kept:
 * whoever has a link could otherwise write a row with each request.
 */
export async function recordHit(app: App, hit: TrackedHit): Promise<void> {
  const tenant = tenantOf(hit.token)
  const now = hit.at ?? (await app.clocks.now(app.db, tenant))
  await app.db.transaction((tx) => storeHit(tx, tenant, hit, now))
}

async function storeHit(tx: Transaction, tenant: Tenant, hit: TrackedHit, now: Date): Promise<void> {
  const { what, token, request } = hit
  const message = await lockTrackedMessage(tx, tenant, token)
  if (message === null) return
  const url = what === 'click' ? (token.target ?? '') : null
  const since = new Date(now.getTime() - lookBackMs)
  const past = await listHitsSince(tx, tenant, { leadId: token.leadId, messageId: message.id, since })
  const sinceSentMs = message.sentAt === null ? null : now.getTime() - message.sentAt.getTime()
  const verdict = judgeHit({ ...request, sinceSentMs, ...repetitionOf(past, { what, url, now }) })
  if (!verdict.kept) return
  let unique = false
  if (!verdict.machine) {
    if (what === 'open') await updateMessageOpened(tx, tenant, message.id, now)
    unique = (await countOnLead(tx, tenant, { campaignId: token.campaignId, leadId: token.leadId, what })) === 1
  }
  const facts = {
    machine: verdict.machine,
    reason: verdict.reason,
    unique,
    userAgent: request.userAgent.slice(0, 300),
  }
  await appendEvents(tx, tenant, [
    {
      ...(url === null
        ? { type: 'message.opened', data: facts }
        : { type: 'message.clicked', data: { ...facts, url } }),
      occurredAt: now,
      actor: verdict.machine ? system : recipient(token.leadId),
      campaignId: token.campaignId,
      leadId: token.leadId,
      leadEmail: message.leadEmail,
      messageId: message.id,
      stepId: token.stepId,
      variantId: message.variantId,
      sendingAccountId: message.sendingAccountId,
    },
  ])
}

function tenantOf(token: TrackingToken): Tenant {
  return { accountId: token.accountId, environment: token.environment }
}
