import type { RevealField } from '@overture/contract/lead-finder/lead-finder.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

export interface SearchClaim {
  digest: Buffer
  now: Date
  /** A page that was paid for after this time is free. */
  freeSince: Date
}

/** Returns true if the page must be paid for. Only one of two concurrent requests gets true. */
export async function claimSearch(db: Executor, tenant: Tenant, claim: SearchClaim): Promise<boolean> {
  const claimed = await db.execute(
    `insert into finder_searches as s (account_id, environment, digest, charged_at) values ($1, $2, $3, $4)
     on conflict (account_id, environment, digest) do update set charged_at = excluded.charged_at
     where s.charged_at <= $5`,
    [tenant.accountId, tenant.environment, claim.digest, claim.now, claim.freeSince],
    'claim_finder_search',
  )
  return claimed === 1
}

export async function hasPaidSearch(db: Executor, tenant: Tenant, claim: SearchClaim): Promise<boolean> {
  const rows = await db.query(
    `select 1 as found from finder_searches
     where account_id = $1 and environment = $2 and digest = $3 and charged_at > $4`,
    [tenant.accountId, tenant.environment, claim.digest, claim.freeSince],
  )
  return rows.length > 0
}

interface OldSearch {
  accountId: string
  environment: string
  digest: Buffer
}

/** Searches that are no longer free to repeat. */
export async function listOldSearchesAcrossAccounts(db: Executor, before: Date, limit: number): Promise<OldSearch[]> {
  return db.query<OldSearch>(
    `select account_id, environment, digest from finder_searches where charged_at < $1 limit $2`,
    [before, limit],
    'list_old_searches',
  )
}

export async function deleteOldSearches(
  db: Executor,
  accountId: string,
  rows: readonly OldSearch[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from finder_searches where account_id = $1 and (environment, digest) in (
       select environment, digest from finder_searches where account_id = $1 and charged_at < $2
         and (environment, digest) in (select * from unnest($3::text[], $4::bytea[])) for update skip locked)`,
    [accountId, before, rows.map((row) => row.environment), rows.map((row) => row.digest)],
    'delete_old_searches',
  )
}

/** Deletes unused tokens. A search for such a page starts again at the provider's first page. */
export async function deleteOldScrollTokens(db: Executor, before: Date, limit: number): Promise<number> {
  return db.execute(
    `delete from finder_scroll_tokens where ctid = any (array(
       select ctid from finder_scroll_tokens where created_at < $1 limit $2 for update skip locked))`,
    [before, limit],
    'delete_old_scroll_tokens',
  )
}

export interface RevealRow {
  personId: string
  value: Buffer | null
  /** 0 if the provider was asked and had nothing. */
  creditsCharged: number
  revealedAt: Date
}

export async function findReveals(
  db: Executor,
  tenant: Tenant,
  wanted: { personIds: readonly string[]; field: RevealField },
): Promise<RevealRow[]> {
  return db.query<RevealRow>(
    `select person_id, value, credits_charged, revealed_at from finder_reveals
     where account_id = $1 and environment = $2 and person_id = any($3::text[]) and field = $4`,
    [tenant.accountId, tenant.environment, wanted.personIds, wanted.field],
    'find_finder_reveals',
  )
}

/**
 * Returns false if the reveal was already paid for. Only one of two concurrent reveals is new. An unsuccessful one (0 credits) is
 * replaced.
 */
export async function insertReveal(
  db: Executor,
  tenant: Tenant,
  reveal: { personId: string; field: RevealField; value: Buffer | null; credits: number; now: Date },
): Promise<boolean> {
  const inserted = await db.execute(
    `insert into finder_reveals as r (account_id, environment, person_id, field, value, credits_charged, revealed_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (account_id, environment, person_id, field) do update set
       value = excluded.value, credits_charged = excluded.credits_charged, revealed_at = excluded.revealed_at
     where r.credits_charged = 0`,
    [tenant.accountId, tenant.environment, reveal.personId, reveal.field, reveal.value, reveal.credits, reveal.now],
    'insert_finder_reveal',
  )
  return inserted === 1
}

/** Takes units of the month's budget. Returns false if too few are left. With a `budget` of null they are only counted. */
export async function takeProviderUnits(
  db: Executor,
  use: { provider: string; month: string; units: number; budget: number | null },
): Promise<boolean> {
  if (use.budget !== null && use.units > use.budget) return false
  const taken = await db.execute(
    `insert into finder_provider_usage as u (provider, month, units) values ($1, $2, $3)
     on conflict (provider, month) do update set units = u.units + excluded.units
     where $4::bigint is null or u.units + excluded.units <= $4`,
    [use.provider, use.month, use.units, use.budget],
  )
  return taken === 1
}

export async function returnProviderUnits(
  db: Executor,
  use: { provider: string; month: string; units: number },
): Promise<void> {
  await db.execute(`update finder_provider_usage set units = units - $3 where provider = $1 and month = $2`, [
    use.provider,
    use.month,
    use.units,
  ])
}

export async function findScrollToken(
  db: Executor,
  at: { provider: string; digest: Buffer; page: number },
): Promise<string | null> {
  const rows = await db.query<{ token: string }>(
    `select token from finder_scroll_tokens where provider = $1 and digest = $2 and page = $3`,
    [at.provider, at.digest, at.page],
  )
  return rows[0]?.token ?? null
}

export async function upsertScrollToken(
  db: Executor,
  at: { provider: string; digest: Buffer; page: number; token: string; now: Date },
): Promise<void> {
  await db.execute(
    `insert into finder_scroll_tokens (provider, digest, page, token, created_at) values ($1, $2, $3, $4, $5)
     on conflict (provider, digest, page) do update set token = excluded.token, created_at = excluded.created_at`,
    [at.provider, at.digest, at.page, at.token, at.now],
  )
}
