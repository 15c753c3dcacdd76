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
  upsertSuppression,
  type NewSuppression,
} from './suppressions.sql.ts'

export { toSuppression } from './suppression.ts'
export { listSuppressions, upsertErasedSuppression } from './suppressions.sql.ts'
export { suppressionJobs } from './imports.commands.ts'
export { suppressionsRoutes } from './suppressions.routes.ts'

/** Hashes addresses. Passed in with the platform's secrets, because the database does not contain the key. */
export type AddressHashes = Pick<Secrets, 'addressHash'>

interface SuppressionMatch {
  id: string
  source: SuppressionSource
  reason: string | null
  /** When the suppression was last requested. */
  askedAt: Date
}

/**
 * Finds the suppressed ones of these addresses, by address or by domain. The key is the address as given. A suppression that
 * has expired in the tenant's time does not count.
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

const optOutSources: ReadonlySet<SuppressionSource> = new Set(['recipient', 'complaint', 'unproven'])

/** Returns those of these addresses whose owners opted out or complained, with or without proof. */
export async function listOptedOut(
  db: Executor,
  tenant: Tenant,
  filter: { secrets: AddressHashes; emails: readonly string[] },
): Promise<Set<string>> {
  const found = await findSuppressed(db, tenant, { ...filter, emails: [...new Set(filter.emails)] })
  return new Set([...found].filter(([, { source }]) => optOutSources.has(source)).map(([email]) => email))
}

interface SuppressInput {
  /** Exactly one of `email` and `domain` is given. */
  email?: string
  domain?: string
  secrets: AddressHashes
  source: SuppressionSource
  reason: string | null
  /** Absent: the suppression never expires. */
  expiresAt?: Date | null
  now: Date
}

/** Called before sent messages are deleted. Stores their recipients, so that later bounces and opt-outs still apply. */
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

/** Finds the recipient's hash of a deleted message. The first matching Message-ID decides, then an address hash itself. */
export async function findFormerRecipient(
  db: Executor,
  tenant: Tenant,
  filter: { rfcMessageIds: readonly string[]; hashes: readonly Buffer[] },
): Promise<Buffer | null> {
  if (filter.rfcMessageIds.length + filter.hashes.length === 0) return null
  const found: FormerMessage[] = await listFormerMessages(db, tenant, filter)
  const byId = new Map(found.map((message) => [message.rfcMessageId, message.addressHash]))
  const nearest = filter.rfcMessageIds.find((id) => byId.has(id))
  return (nearest === undefined ? found[0]?.addressHash : byId.get(nearest)) ?? null
}

/**
 * Suppresses an address or a domain. If it is already suppressed, the graver source and the later end are kept. Returns false
 * if nothing changed.
 */
export async function suppress(tx: Executor, tenant: Tenant, input: SuppressInput): Promise<boolean> {
  const email = input.email === undefined ? null : normalizeEmail(input.email).email
  return store(tx, tenant, {
    email,
    hash: email === null ? null : input.secrets.addressHash(email),
    domain: input.domain === undefined ? null : normalizeEmail(`postmaster@${input.domain}`).domain,
    list: null,
    source: input.source,
    reason: input.reason,
    expiresAt: input.expiresAt ?? null,
    now: input.now,
  })
}

/** The number of addresses, besides the lead's, that mail about one thread, or one opt-out link, can suppress without proof. */
const unprovenMax = 3

const unprovenWays = { reply: 'reply about', page: 'entry on the page of', complaint: 'complaint about' } as const

/**
 * Suppresses an address for an opt-out or a complaint without proof of its owner: by a mail, or on the page of another address's
 * link. An admin can lift it, and its leads keep their positions. `about` names the thread, the message, the recipient of the
 * deleted message, or the link's address. The text of the mail must not choose it. Returns false if three addresses were
 * suppressed for this `about` before.
 */
export async function suppressUnproven(
  tx: Executor,
  tenant: Tenant,
  input: { email: string; via: keyof typeof unprovenWays; about: string; secrets: AddressHashes; now: Date },
): Promise<boolean> {
  const { email, via, about, secrets, now } = input
  const reason = `opted out by an unproven ${unprovenWays[via]} ${about.slice(0, 200)}`
  if ((await countUnproven(tx, tenant, { reason, limit: unprovenMax })) >= unprovenMax) return false
  await suppress(tx, tenant, { email, source: 'unproven', reason, secrets, now })
  return true
}

/** Like `suppress`, for an address of which only the hash is known. */
export async function suppressHash(
  tx: Executor,
  tenant: Tenant,
  input: { hash: Buffer; source: SuppressionSource; reason: string | null; now: Date },
): Promise<boolean> {
  return store(tx, tenant, { email: null, domain: null, list: null, expiresAt: null, ...input })
}

/** Lifts the suppression that a bounce with one of these reasons caused. Returns whether there was one. */
export async function liftBounce(
  tx: Executor,
  tenant: Tenant,
  { email, reasons, secrets }: { email: string; reasons: readonly string[]; secrets: AddressHashes },
): Promise<boolean> {
  return deleteBounceSuppression(tx, tenant, { hash: secrets.addressHash(normalizeEmail(email).email), reasons })
}

/**
 * A suppression after a bounce is recorded as a change by the system. A recipient's request is recorded by the caller, who
 * knows the recipient.
 */
async function store(tx: Executor, tenant: Tenant, suppression: Omit<NewSuppression, 'id'>): Promise<boolean> {
  const row = await upsertSuppression(tx, tenant, { id: newId('sup'), ...suppression })
  if (row !== null && suppression.source === 'bounce')
    await recordSystem(tx, { ...tenant, action: 'system.suppressions.create', targetId: row.id })
  return row !== null
}
