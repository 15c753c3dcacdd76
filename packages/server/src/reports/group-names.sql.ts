import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { NamedRow } from './group-names.ts'

/** Finds the names of ids. A removed object has none. */
type ListNames = (db: Executor, tenant: Tenant, ids: readonly string[]) => Promise<NamedRow[]>

export const listCampaignNames: ListNames = (db, tenant, ids) =>
  db.query(
    `select id, name, launched_at, created_at from campaigns
     where account_id = $1 and environment = $2 and id = any($3)`,
    [tenant.accountId, tenant.environment, ids],
    'list_campaign_names',
  )

export const listSenderNames: ListNames = (db, tenant, ids) =>
  db.query(
    `select id, email as name, null as launched_at, created_at from sending_accounts
     where account_id = $1 and environment = $2 and id = any($3)`,
    [tenant.accountId, tenant.environment, ids],
    'list_sender_names',
  )

export const listStepNames: ListNames = (db, tenant, ids) =>
  db.query(
    `select s.id, c.name || ', step ' || s.position as name, c.launched_at, c.created_at from steps s
     join campaigns c on c.account_id = $1 and c.environment = $2 and c.id = s.campaign_id
     where s.account_id = $1 and s.environment = $2 and s.id = any($3)`,
    [tenant.accountId, tenant.environment, ids],
    'list_step_names',
  )

export const listVariantNames: ListNames = (db, tenant, ids) =>
  db.query(
    `select v.id, c.name || ', step ' || s.position || ', ' || v.label as name, c.launched_at, c.created_at from variants v
     join steps s on s.account_id = $1 and s.environment = $2 and s.campaign_id = v.campaign_id and s.id = v.step_id
     join campaigns c on c.account_id = $1 and c.environment = $2 and c.id = v.campaign_id
     where v.account_id = $1 and v.environment = $2 and v.id = any($3)`,
    [tenant.accountId, tenant.environment, ids],
    'list_variant_names',
  )
