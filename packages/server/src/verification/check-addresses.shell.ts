import { checkDays } from '@overture/contract/verification/verification.ts'
import type { VerificationSource } from '@overture/contract/verification/verification.ts'
import { dayMs } from '@overture/ground/time/spans.ts'
import type { App } from '../platform/app.ts'
import type { Tenant } from '../platform/tenant.ts'
import { listStoredChecks, type StoredCheck } from './address-checks.sql.ts'
import { domainToAsk, judgeByRules, type MailRoute } from './address-rules.ts'
import type { UncheckedAddress } from './addresses.sql.ts'
import { loadDisposableDomains } from './disposable-domains.shell.ts'
import { type CheckedAddress, type Verdict, withEvidence } from './verdict.ts'
import { listBouncedLeads, listHistory } from './history.sql.ts'
import { findMailRoutes } from './mail-routes.client.ts'
import type { VerificationTools } from './verification-tools.ts'

/** A reply proves a mailbox for this long. */
const repliedDays = 365
/** Tries without a reply of a name server or a provider, after which an address stays `unknown`. */
export const attemptsMax = 4

interface CheckContext {
  app: App
  tenant: Tenant
  tools: VerificationTools
  now: Date
  signal: AbortSignal
}

export interface CheckedBatch {
  checked: CheckedAddress[]
  /** Addresses that are tried again, because no name server or provider replied. */
  postponed: string[]
}

/** An address about which the rules prove nothing. */
export interface MailboxToAsk extends UncheckedAddress {
  rules: Verdict
}

/** Checks addresses by the rules and by the account's own history. Returns those that only a provider can check, if there is one. */
export async function checkAddresses(
  context: CheckContext,
  addresses: readonly UncheckedAddress[],
): Promise<CheckedBatch & { toAsk: MailboxToAsk[] }> {
  const { app, tenant, tools, now } = context
  const hasProvider = tenant.environment === 'live' && app.config.verification !== null
  const [routes, isDisposable, history, stored] = await Promise.all([
    findRoutes(context, addresses),
    loadDisposableDomains(),
    findHistory(context, addresses),
    findStored(context, addresses),
  ])
  const checked: CheckedAddress[] = []
  const postponed: string[] = []
  const toAsk: MailboxToAsk[] = []
  for (const { email, attempts } of addresses) {
    const domain = domainToAsk(email)
    const simulated = tenant.environment === 'test' ? tools.simulate(email) : null
    const route = simulated?.route ?? routes.get(domain ?? '') ?? 'unknown'
    const disposable = domain !== null && (simulated?.isDisposable ?? isDisposable(domain))
    const rules = judgeByRules(email, { route, isDisposable: disposable })
    const known = history.get(email) ?? null
    if (domain !== null && route === 'unknown' && known === null && attempts + 1 < attemptsMax) {
      postponed.push(email)
      continue
    }
    const evidence = { known, stored: stored.get(email), simulated: simulated?.mailbox }
    const best = bestVerdict(rules, evidence, now)
    if (hasProvider && best.source === 'rules' && best.result === 'unknown') toAsk.push({ email, attempts, rules })
    else checked.push({ email, credits: 0, ...best })
  }
  return { checked, postponed, toAsk }
}

interface Evidence {
  known: Verdict | null
  stored: StoredCheck | undefined
  simulated: Verdict | undefined
}

type DatedVerdict = Verdict & { source: VerificationSource; checkedAt: Date }

/** Weighs the evidence: a domain without mail, then the account's own history, the other rules, and a mailbox that was checked. */
function bestVerdict(rules: Verdict, { known, stored, simulated }: Evidence, now: Date): DatedVerdict {
  const byRules = { ...rules, source: 'rules' as const, checkedAt: now }
  if (rules.result === 'undeliverable') return byRules
  if (known !== null) return { ...withEvidence(rules, known), source: 'history', checkedAt: now }
  if (rules.result !== 'unknown') return byRules
  if (stored !== undefined)
    return { ...withEvidence(rules, stored), source: stored.source, checkedAt: stored.checkedAt }
  if (simulated !== undefined) return { ...withEvidence(rules, simulated), source: 'simulation', checkedAt: now }
  return byRules
}

async function findRoutes(
  { app, tenant, signal }: CheckContext,
  addresses: readonly UncheckedAddress[],
): Promise<ReadonlyMap<string, MailRoute>> {
  if (tenant.environment === 'test') return new Map()
  const domains = addresses.flatMap(({ email }) => domainToAsk(email) ?? [])
  return findMailRoutes(domains, { servers: app.config.network.dnsServers, signal })
}

async function findStored(
  { app, tenant, now }: CheckContext,
  addresses: readonly UncheckedAddress[],
): Promise<ReadonlyMap<string, StoredCheck>> {
  const since = new Date(now.getTime() - checkDays * dayMs)
  const emails = addresses.map(({ email }) => email)
  const rows = await listStoredChecks(app.db, tenant, { emails, since })
  return new Map(rows.map((row) => [row.email, row]))
}

/** The addresses that replied to a campaign or bounced hard. The later of the two counts. */
async function findHistory(
  { app, tenant, now }: CheckContext,
  addresses: readonly UncheckedAddress[],
): Promise<ReadonlyMap<string, Verdict>> {
  const emails = addresses.flatMap(({ email }) => (domainToAsk(email) === null ? [] : [email]))
  const emailByHash = new Map(emails.map((email) => [app.secrets.addressHash(email).toString('hex'), email]))
  const hashes = [...emailByHash.keys()].map((hash) => Buffer.from(hash, 'hex'))
  const repliedSince = new Date(now.getTime() - repliedDays * dayMs)
  const [rows, bouncedLeads] = await Promise.all([
    listHistory(app.db, tenant, { hashes, repliedSince }),
    listBouncedLeads(app.db, tenant, emails),
  ])
  const bounced = new Map(bouncedLeads.map(({ email, at }) => [email, at.getTime()]))
  const replied = new Map<string, number>()
  for (const { addressHash, repliedAt, bouncedAt } of rows) {
    const email = emailByHash.get(addressHash.toString('hex')) ?? ''
    if (repliedAt !== null) replied.set(email, repliedAt.getTime())
    if (bouncedAt !== null) bounced.set(email, Math.max(bouncedAt.getTime(), bounced.get(email) ?? -Infinity))
  }
  return new Map(emails.flatMap((email) => historyVerdict(email, replied.get(email), bounced.get(email))))
}

function historyVerdict(email: string, repliedMs = -Infinity, bouncedMs = -Infinity): [string, Verdict][] {
  if (bouncedMs > repliedMs)
    return [[email, { result: 'undeliverable', reasons: ['bounced_before'], suggestion: null }]]
  if (repliedMs > -Infinity) return [[email, { result: 'deliverable', reasons: ['replied_before'], suggestion: null }]]
  return []
}
