import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { SuppressionSource } from '@overture/contract/suppressions/suppressions.ts'
import { recordSystem } from '../platform/audit/acts.commands.ts'
import type { Secrets } from '../platform/crypto/secrets.shell.ts'
import type { Executor } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import type { Tenant } from '../platform/tenant.ts'
import { insertFormerMessages, listFormerMessages, type FormerMessage } from './former-messages.sql.ts'
import {
  countUnproven,
  deleteBounceSuppression,
  listSuppressed,
  touchSuppression,
  upsertSuppression,
  type NewSuppression,
} from './suppressions.sql.ts'

export { upsertErasedSuppression } from './suppressions.sql.ts'
export { suppressionsRoutes } from './suppressions.routes.ts'

/** What hashes addresses: the platform's secrets, handed in since the key is nowhere in the database. */
export type AddressHashes = Pick<Secrets, 'addressHash'>

interface SuppressionMatch {
  id: string
  source: SuppressionSource
  reason: string | null
  /** When it was last asked for. */
  askedAt: Date
}

/**
 * Which of these addresses may not be written to, by themselves or by their domain; keyed by the address as given.
 * A suppression that has run out in the tenant's time does not count.
 */
export async function findSuppressed(
  db: Executor,
  tenant: Tenant,
  { secrets, emails }: { secrets: AddressHashes; emails: readonly string[] },
): Promise<Map<string, SuppressionMatch>> {
  const found = new Map<string, SuppressionMatch>()
  if (emails.length === 0) return found
  const normalized = emails.map((given) => ({ given, ...normalizeEmail(given) }))
  const rows = await listSuppressed(db, tenant, {
    emails: normalized.map((address) => address.email),
    hashes: normalized.map((address) => secrets.addressHash(address.email)),
    domains: normalized.map((address) => address.domain),
  })
  const byEmail = new Map(
    rows.map((row) => [row.email, { id: row.id, source: row.source, reason: row.reason, askedAt: row.askedAt }]),
  )
  for (const { given, email } of normalized) {
    const suppressed = byEmail.get(email)
    if (suppressed !== undefined) found.set(given, suppressed)
  }
  return found
}

interface SuppressInput {
  /** Exactly one of the two. */
  email?: string
  domain?: string
  secrets: AddressHashes
  source: SuppressionSource
  reason: string | null
  /** Absent: for good. */
  expiresAt?: Date | null
  now: Date
}

/** Before messages that left are deleted: remembers to whom they went, so that what still comes of them counts. */
export async function rememberRecipients(
  tx: Executor,
  tenant: Tenant,
  { secrets, messages }: { secrets: AddressHashes; messages: readonly { rfcMessageId: string; email: string }[] },
): Promise<void> {
  if (messages.length === 0) return
  const former = messages.map(({ rfcMessageId, email }) => ({
    rfcMessageId,
    addressHash: secrets.addressHash(normalizeEmail(email).email),
  }))
  await insertFormerMessages(tx, tenant, former)
}

/** The hash of whom a message went to that is no longer there; the nearest of the ids decides, then an address itself. */
export async function findFormerRecipient(
  db: Executor,
  tenant: Tenant,
  asked: { rfcMessageIds: readonly string[]; hashes: readonly Buffer[] },
): Promise<Buffer | null> {
  if (asked.rfcMessageIds.length + asked.hashes.length === 0) return null
  const found: FormerMessage[] = await listFormerMessages(db, tenant, asked)
  const byId = new Map(found.map((message) => [message.rfcMessageId, message.addressHash]))
  const nearest = asked.rfcMessageIds.find((id) => byId.has(id))
  return (nearest === undefined ? found[0]?.addressHash : byId.get(nearest)) ?? null
}

/**
 * Suppresses an address or a domain; one that is suppressed already keeps the graver source and the later end. False:
 * nothing changed by it.
 */
export async function suppress(tx: Executor, tenant: Tenant, input: SuppressInput): Promise<boolean> {
  const email = input.email === undefined ? null : normalizeEmail(input.email).email
  return store(tx, tenant, {
    email,
    hash: email === null ? null : input.secrets.addressHash(email),
    domain: input.domain === undefined ? null : normalizeEmail(`postmaster@${input.domain}`).domain,
    source: input.source,
    reason: input.reason,
    expiresAt: input.expiresAt ?? null,
    now: input.now,
  })
}

/** Addresses other than the lead's that mail about one thread can suppress without proof. */
const unprovenPerThreadMax = 3

/**
 * Suppresses an address in whose name a mail opted out without proof. An admin can lift it; its leads keep their places.
 * `about` is the thread or message that the mail refers to: beyond three addresses for each, nothing is suppressed.
 */
export async function suppressUnproven(
  tx: Executor,
  tenant: Tenant,
  input: { email: string; about: string; secrets: AddressHashes; now: Date },
): Promise<void> {
  const { email, about, secrets, now } = input
  const reason = `opted out by an unproven reply about ${about.slice(0, 200)}`
  if ((await countUnproven(tx, tenant, { reason, limit: unprovenPerThreadMax })) >= unprovenPerThreadMax) return
  await suppress(tx, tenant, { email, source: 'unproven', reason, secrets, now })
}

/** The same for an address of which only the hash is known. */
export async function suppressHash(
  tx: Executor,
  tenant: Tenant,
  input: { hash: Buffer; source: SuppressionSource; reason: string | null; now: Date },
): Promise<boolean> {
  return store(tx, tenant, { email: null, domain: null, expiresAt: null, ...input })
}

/** Lifts the suppression that a bounce with one of these reasons caused. Returns whether there was one. */
export async function liftBounce(
  tx: Executor,
  tenant: Tenant,
  { email, reasons, secrets }: { email: string; reasons: readonly string[]; secrets: AddressHashes },
): Promise<boolean> {
  return deleteBounceSuppression(tx, tenant, { hash: secrets.addressHash(normalizeEmail(email).email), reasons })
}

/** What a recipient does, and can do again. */
const asksAgain = new Set<SuppressionSource>(['recipient', 'complaint', 'unproven'])

/** What nobody asked for, as after a bounce, is the system's; a recipient's wish is recorded where it is known whose. */
async function store(tx: Executor, tenant: Tenant, suppression: Omit<NewSuppression, 'id'>): Promise<boolean> {
  const row = await upsertSuppression(tx, tenant, { id: newId('sup'), ...suppression })
  const { hash, source, now } = suppression
  if (row === null && hash !== null && asksAgain.has(source)) await touchSuppression(tx, tenant, { hash, now })
  if (row !== null && suppression.source === 'bounce')
    await recordSystem(tx, { ...tenant, action: 'system.suppressions.create', targetId: row.id })
  return row !== null
}
