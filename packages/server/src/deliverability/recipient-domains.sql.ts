import type { RecipientProvider } from '@overture/contract/deliverability/recipient-provider.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

/** Lists the stored providers of domains. They are deleted when they are too old. */
export async function listRecipientProviders(
  db: Executor,
  tenant: Tenant,
  domains: readonly string[],
): Promise<{ domain: string; provider: RecipientProvider }[]> {
  return db.query(
    `select domain, provider from recipient_domains where account_id = $1 and environment = $2 and domain = any($3)`,
    [tenant.accountId, tenant.environment, domains],
    'list_recipient_providers',
  )
}

export async function upsertRecipientProviders(
  tx: Executor,
  tenant: Tenant,
  rows: readonly { domain: string; provider: RecipientProvider }[],
): Promise<void> {
  await tx.execute(
    `insert into recipient_domains (account_id, environment, domain, provider)
     select a.account_id, $2, r.domain, r.provider
     from accounts a, unnest($3::text[], $4::text[]) as r (domain, provider)
     where a.account_id = $1 order by r.domain
     on conflict (account_id, environment, domain) do update set provider = excluded.provider, recorded_at = default`,
    [tenant.accountId, tenant.environment, rows.map(({ domain }) => domain), rows.map(({ provider }) => provider)],
    'upsert_recipient_providers',
  )
}

/** Lists the campaigns that choose senders by the provider of the recipient. */
export async function listMatchingCampaigns(
  db: Executor,
  tenant: Tenant,
  campaignIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from campaigns
     where account_id = $1 and environment = $2 and id = any($3) and settings->>'providerMatching' in ('prefer', 'strict')`,
    [tenant.accountId, tenant.environment, campaignIds],
    'list_matching_campaigns',
  )
  return rows.map((row) => row.id)
}
