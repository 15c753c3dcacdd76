import { normalizeDomain } from '@overture/contract/addresses.ts'
import {
  leadsAtOnceMax,
  type BulkLeadsOutput,
  type CompanyLeadsInput,
} from '@overture/contract/campaigns/leads-bulk.ts'
import type { LeadStatus } from '@overture/contract/campaigns/leads.ts'
import { invalid } from '@overture/contract/errors.ts'
import { isSharedDomain } from '@overture/ground/company-domain.ts'
import { groupBy } from '@overture/ground/group-by.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { lockCampaignRow } from '../campaigns.sql.ts'
import { changeNamed, movableTo, skipReason } from './bulk-leads.commands.ts'
import { countCompanyLeads, listCompanyLeads } from './company-leads.sql.ts'
import { assertResumes } from './update-lead.commands.ts'

const sharedDomainIssue = {
  path: 'domain',
  rule: 'shared_domain',
  message: 'People of different companies have addresses at this domain.',
}

/** Pauses or resumes the leads of a company in all campaigns (docs/contract.md, "Leads"). A provider of free mail is refused. */
export async function changeCompanyLeads(
  tx: Transaction,
  tenant: Tenant,
  { domain: given, status, resumeAt, dryRun, now }: CompanyLeadsInput & { now: Date },
): Promise<BulkLeadsOutput> {
  const domain = normalizeDomain(given)
  if (isSharedDomain(domain)) throw invalid(sharedDomainIssue)
  if (resumeAt !== undefined) assertResumes(new Date(resumeAt), now)
  const from = movableTo(status) ?? []
  const skipped: Record<string, number> = {}
  let matched = 0
  let fitting = 0
  for (const { status: current, count } of await countCompanyLeads(tx, tenant, domain)) {
    matched += count
    if (from.includes(current)) fitting += count
    else skipped[skipReason(current as LeadStatus, status)] = count
  }
  if (dryRun) return { matched, changed: 0, skipped, more: fitting > 0 }
  const keys = await listCompanyLeads(tx, tenant, { domain, from, limit: leadsAtOnceMax })
  let changed = 0
  // Campaigns are locked in one order, so that two calls can't deadlock.
  for (const [campaignId, leads] of groupBy(keys, (key) => key.campaignId)) {
    if (!(await lockCampaignRow(tx, tenant, campaignId))) continue
    const change = { status, campaignId, now, ...(resumeAt !== undefined && { resumeAt }) }
    const ids = leads.map(({ leadId }) => leadId)
    changed += (await changeNamed(tx, tenant, change, ids)).changed
  }
  return { matched, changed, skipped, more: fitting > keys.length }
}
