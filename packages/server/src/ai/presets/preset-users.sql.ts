import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

// Finds the campaigns that prevent the deletion of a preset. The statement reads tables of campaigns, since campaigns import
// presets and so can't be called from here.

interface PresetUser {
  id: string
  name: string
}

/** Campaigns that use the preset: those that were started and are not completed. */
export async function listPresetUsers(db: Executor, tenant: Tenant, id: string, limit: number): Promise<PresetUser[]> {
  return db.query<PresetUser>(
    `select id, name from campaigns c
     where account_id = $1 and environment = $2 and deleted_at is null and status in ('scheduled', 'active', 'paused')
       and exists (select 1 from variants v where v.account_id = $1 and v.environment = $2 and v.campaign_id = c.id
                     and v.ai->>'presetId' = $3)
     order by id limit $4`,
    [tenant.accountId, tenant.environment, id, limit],
  )
}
