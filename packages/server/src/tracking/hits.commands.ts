import { defaultPrivacySettings, mayTrack } from '@overture/contract/campaigns/privacy-settings.ts'
import { askBranches, countOnLeads } from '../campaigns/index.ts'
import { updateMessagesOpened, type TrackingToken } from '../delivery/index.ts'
import type { App } from '../platform/app.ts'
import type { Transaction } from '../platform/db/database.ts'
import { recipient, system } from '../platform/events/actors.ts'
import { appendEvents, type NewEvent } from '../platform/events/events.sql.ts'
import type { Tenant } from '../platform/tenant.ts'
import { listOptedOut, type AddressHashes } from '../suppressions/index.ts'
import { judgeHits, lookBackMs, type Hit, type JudgedHit } from './machine.ts'
import { tokenTenant } from './tracking.commands.ts'
import { listHitsSince, lockTrackedMessages } from './tracking.sql.ts'

export type RequestFacts = Pick<Hit, 'method' | 'userAgent' | 'purpose'>

/** A fetched pixel or a followed link. */
export interface TrackedHit {
  what: 'open' | 'click'
  token: TrackingToken
  request: RequestFacts
  /** Null: the tenant's time when it is recorded. */
  at: Date | null
}

/** Records one hit, for the tenant in its token. */
export async function recordHit(app: App, hit: TrackedHit): Promise<void> {
  const tenant = tokenTenant(hit.token)
  const at = hit.at ?? (await app.clocks.now(app.db, tenant))
  await app.db.transaction(async (tx) => {
    await appendHits(tx, tenant, await countHits(tx, tenant, { hits: [{ ...hit, at }], secrets: app.secrets }))
  })
}

/** Appends the events of hits to the log. An open or click of a person may decide a branch, so the branches of its lead are checked. */
export async function appendHits(tx: Transaction, tenant: Tenant, events: readonly NewEvent[]): Promise<void> {
  await appendEvents(tx, tenant, events)
  const byPeople = events.filter(
    (event) => (event.type === 'message.opened' || event.type === 'message.clicked') && !event.data.machine,
  )
  const leads = new Map(
    byPeople.flatMap(({ campaignId, leadId }) =>
      campaignId && leadId ? [[leadId, { campaignId, leadId }] as const] : [],
    ),
  )
  const now = new Date(Math.max(0, ...byPeople.map(({ occurredAt }) => occurredAt.getTime())))
  await askBranches(tx, tenant, { leads: [...leads.values()], now })
}

/**
 * Counts hits of a tenant's messages, in order. Returns the events to store in the log. Hits are stored unchanged, but only
 * those of people are counted. One machine hit per minute and link is stored: otherwise anyone with a link could write a row
 * with each request. Hits of recipients who have opted out, or did not agree although the campaign asks for consent, are dropped,
 * even if they waited in memory since before the change.
 */
export async function countHits(
  tx: Transaction,
  tenant: Tenant,
  { hits, secrets }: { hits: readonly (TrackedHit & { at: Date })[]; secrets: AddressHashes },
): Promise<NewEvent[]> {
  const keys = new Map(hits.map(({ token }) => [hitKey(token), token]))
  const locked = await lockTrackedMessages(tx, tenant, [...keys.values()])
  const optedOut = await listOptedOut(tx, tenant, { secrets, emails: locked.map(({ leadEmail }) => leadEmail) })
  const trackable = locked.filter((row) => isTracked(row) && !optedOut.has(row.leadEmail))
  const messages = new Map(trackable.map((row) => [hitKey(row), row]))
  const found = hits.flatMap((hit) => {
    const message = messages.get(hitKey(hit.token))
    const url = hit.what === 'click' ? (hit.token.target ?? '') : null
    return message === undefined ? [] : [{ ...hit, url, message }]
  })
  if (found.length === 0) return []
  const past = await listHitsSince(
    tx,
    tenant,
    [...messages.values()].map(({ id, leadId }) => ({
      messageId: id,
      leadId,
      since: new Date(
        Math.min(...found.map((hit) => (hit.message.id === id ? hit.at.getTime() : Infinity))) - lookBackMs,
      ),
    })),
  )
  const kept = judgeHits(found, past)
  const byPeople = kept.filter(({ verdict }) => !verdict.machine)
  const opens = byPeople.filter(({ hit }) => hit.what === 'open')
  await updateMessagesOpened(tx, tenant, firstOpens(opens.map(({ hit }) => ({ id: hit.message.id, at: hit.at }))))
  const countHits = await countPeople(tx, tenant, byPeople)
  return kept.map((one) => toEvent(one, countHits(one) === 1))
}

type FoundHit = TrackedHit & {
  at: Date
  url: string | null
  message: Awaited<ReturnType<typeof lockTrackedMessages>>[number]
}

function isTracked({ tracking, trackingConsent }: FoundHit['message']): boolean {
  return mayTrack(tracking ?? defaultPrivacySettings.tracking, trackingConsent)
}

function hitKey({ campaignId, leadId, stepId }: { campaignId: string; leadId: string; stepId: string }): string {
  return `${campaignId} ${leadId} ${stepId}`
}

function firstOpens(opened: readonly { id: string; at: Date }[]): { id: string; at: Date }[] {
  const first = new Map<string, Date>()
  for (const { id, at } of opened) if (!first.has(id)) first.set(id, at)
  return [...first].map(([id, at]) => ({ id, at }))
}

/** Returns the number of each person's hit among the hits of its kind of its lead. It is 0 for machine hits and deleted leads. */
async function countPeople(
  tx: Transaction,
  tenant: Tenant,
  byPeople: readonly JudgedHit<FoundHit>[],
): Promise<(judged: JudgedHit<FoundHit>) => number> {
  const leads = new Map<string, { campaignId: string; leadId: string; opens: number; clicks: number }>()
  const ordinals = new Map<JudgedHit<FoundHit>, number>()
  for (const judged of byPeople) {
    const { campaignId, leadId } = judged.hit.message
    const lead = leads.get(leadId) ?? { campaignId, leadId, opens: 0, clicks: 0 }
    leads.set(leadId, lead)
    ordinals.set(judged, judged.hit.what === 'open' ? ++lead.opens : ++lead.clicks)
  }
  const after = new Map((await countOnLeads(tx, tenant, [...leads.values()])).map((row) => [row.leadId, row]))
  return (judged) => {
    const [ordinal, { leadId }] = [ordinals.get(judged), judged.hit.message]
    const [counted, now] = [leads.get(leadId), after.get(leadId)]
    if (ordinal === undefined || counted === undefined || now === undefined) return 0
    return judged.hit.what === 'open' ? now.opens - counted.opens + ordinal : now.clicks - counted.clicks + ordinal
  }
}

function toEvent({ hit, verdict }: JudgedHit<FoundHit>, unique: boolean): NewEvent {
  const { message, url, token, at } = hit
  const facts = {
    machine: verdict.machine,
    reason: verdict.reason,
    unique,
    userAgent: hit.request.userAgent.slice(0, 300),
  }
  return {
    ...(url === null ? { type: 'message.opened', data: facts } : { type: 'message.clicked', data: { ...facts, url } }),
    occurredAt: at,
    actor: verdict.machine ? system : recipient(token.leadId),
    campaignId: token.campaignId,
    leadId: token.leadId,
    leadEmail: message.leadEmail,
    messageId: message.id,
    stepId: token.stepId,
    variantId: message.variantId,
    sendingAccountId: message.sendingAccountId,
  }
}
