import type { RecipientProvider } from '@overture/contract/deliverability/recipient-provider.ts'
import { providerOfConsumerDomain, providerOfExchanges } from '@overture/ground/recipient-provider.ts'
import type { Executor } from '../platform/db/database.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'
import type { JobContext, JobHandler } from '../platform/jobs/job.ts'
import { lookUpExchanges } from '../platform/mail/mail-exchanges.client.ts'
import type { Tenant } from '../platform/tenant.ts'
import { listRecipientProviders, upsertRecipientProviders } from './recipient-domains.sql.ts'

const providersKind = 'deliverability.providers'
/** Domains of one job. All are asked within a minute, also if no name server replies. */
const domainsMax = 500

/** Has the providers of domains looked up. The rest of a longer list is requested by the next plan. */
export async function requestProviders(
  tx: Executor,
  tenant: Tenant,
  { domains, now }: { domains: readonly string[]; now: Date },
): Promise<void> {
  const payload = { domains: [...new Set(domains)].slice(0, domainsMax) }
  if (payload.domains.length === 0) return
  await enqueueJob(tx, { kind: providersKind, tenant, payload, runAt: now })
}

/** Looks up the providers that accept the mail of domains. */
export const recipientProvidersJob: JobHandler = {
  kind: providersKind,
  maxAttempts: 5,
  lane: 'mail',
  run: lookUpProviders,
}

async function lookUpProviders({ app, tenant, signal }: JobContext, payload: Record<string, unknown>): Promise<void> {
  const batch = (payload['domains'] as string[]).slice(0, domainsMax)
  const stored = new Set((await listRecipientProviders(app.db, tenant, batch)).map(({ domain }) => domain))
  const domains = batch.filter((domain) => !stored.has(domain))
  if (domains.length === 0) return
  const found = await resolveProviders(app.config.network.dnsServers, domains, signal)
  signal.throwIfAborted()
  await app.db.transaction((tx) => upsertRecipientProviders(tx, tenant, found))
}

/** A domain for which no name server replies is `unknown` until its row is deleted. */
async function resolveProviders(
  servers: readonly string[],
  domains: readonly string[],
  signal: AbortSignal,
): Promise<{ domain: string; provider: RecipientProvider }[]> {
  const exchanges = await lookUpExchanges(domains, { servers, signal })
  return domains.map((domain) => {
    const answer = exchanges.get(domain)
    const provider = answer?.kind === 'found' ? providerOfExchanges(answer.values) : 'unknown'
    return { domain, provider: providerOfConsumerDomain(domain) ?? provider }
  })
}
