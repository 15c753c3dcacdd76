import { judgeAddress, type AddressVerdict } from '@overture/planner/address-check.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { listAddressRules, listLastChecks } from './address-checks.sql.ts'
import { isRoleAddress } from './role-names.ts'

interface AskedAddress {
  id: string
  campaignId: string
  email: string
}

/** Judges the addresses of leads by the rules of their campaigns. Leads of campaigns without rules have no verdict. */
export async function findAddressVerdicts(
  db: Executor,
  tenant: Tenant,
  leads: readonly AskedAddress[],
): Promise<ReadonlyMap<string, AddressVerdict>> {
  if (leads.length === 0) return new Map()
  const campaignIds = [...new Set(leads.map(({ campaignId }) => campaignId))]
  const rules = new Map((await listAddressRules(db, tenant, campaignIds)).map((row) => [row.id, row.rules]))
  const checkedLeads = leads.filter(({ campaignId }) => rules.has(campaignId))
  if (checkedLeads.length === 0) return new Map()
  const emails = [...new Set(checkedLeads.map(({ email }) => email))]
  const checks = new Map((await listLastChecks(db, tenant, emails)).map((check) => [check.email, check]))
  return new Map(
    checkedLeads.flatMap(({ id, campaignId, email }) => {
      const own = rules.get(campaignId)
      const verdict = own && judgeAddress(own, checks.get(email) ?? null, isRoleAddress(email))
      return verdict === undefined ? [] : [[id, verdict] as const]
    }),
  )
}
