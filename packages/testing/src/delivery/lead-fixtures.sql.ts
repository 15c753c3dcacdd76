import type { Executor } from '@overture/server/platform/db/database.ts'
import type { Tenant } from '@overture/server/platform/tenant.ts'

export interface TestLead {
  campaignId: string
  id: string
  email: string
  status: string
  firstName?: string
  company?: string
  timezone?: string
  interest?: string
  sendingAccountId?: string
}

/** Inserts one lead in any state, without the API. */
export async function insertTestLead(db: Executor, tenant: Tenant, lead: TestLead): Promise<void> {
  await db.execute(
    `with profile as (
       insert into lead_profiles (account_id, environment, campaign_id, id, email, email_given, email_domain, first_name, company,
         timezone, interest, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $5, split_part($5, '@', 2), $6, $7, $8, $9, now(), now()))
     insert into lead_progress (account_id, environment, campaign_id, lead_id, status, sending_account_id, updated_at)
     values ($1, $2, $3, $4, $10, $11, now())`,
    [
      tenant.accountId,
      tenant.environment,
      lead.campaignId,
      lead.id,
      lead.email,
      lead.firstName ?? null,
      lead.company ?? null,
      lead.timezone ?? null,
      lead.interest ?? null,
      lead.status,
      lead.sendingAccountId ?? null,
    ],
  )
}
