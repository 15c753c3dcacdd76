import type { Transaction } from '../../platform/db/database.ts'
import type { JobContext, JobHandler } from '../../platform/jobs/job.ts'
import { enqueueJob } from '../../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findSuppressed } from '../../suppressions/index.ts'
import { lockCampaignRow } from '../campaigns.sql.ts'
import { reopenCampaign, wakePlanner } from './lead-moves.commands.ts'
import {
  clearSuppressedLeads,
  listSuppressedLeads,
  requeueCheckedLeads,
  updateAddressHolds,
  requeueSuppressedLeads,
  updatePolicyHolds,
  updateAddressPolicyHolds,
  hasProviderHolds,
  updateProviderHolds,
  type SuppressedAddress,
} from './suppressed-leads.sql.ts'

/** Releases leads that may be written to again, and reopens campaigns that had nothing else left to do. */
export async function releaseSuppressedLeads(
  tx: Transaction,
  tenant: Tenant,
  address: SuppressedAddress & { now: Date },
): Promise<void> {
  await reopen(tx, tenant, { campaignIds: await clearSuppressedLeads(tx, tenant, address), now: address.now })
}

async function reopen(
  tx: Transaction,
  tenant: Tenant,
  { campaignIds, now }: { campaignIds: readonly string[]; now: Date },
): Promise<void> {
  for (const id of campaignIds) {
    const campaign = await lockCampaignRow(tx, tenant, id)
    if (campaign) await reopenCampaign(tx, tenant, campaign, now)
  }
}

const suppressionHoldsKind = 'campaigns.suppression_holds'

/** Looks again at all leads that suppressions hold. A job does it, because there may be many. */
export async function releaseSuppressionHolds(tx: Transaction, tenant: Tenant, now: Date): Promise<void> {
  await enqueueJob(tx, { kind: suppressionHoldsKind, tenant, payload: {}, runAt: now, key: 'suppressed' })
}

export const suppressionHoldsJob: JobHandler = {
  kind: suppressionHoldsKind,
  maxAttempts: 20,
  lane: 'rows',
  async run(context) {
    for (let after: { campaignId: string; leadId: string } | null = { campaignId: '', leadId: '' }; after !== null;) {
      if (context.signal.aborted) return
      after = await releasePage(context, after)
    }
  },
}

/** Releases the leads of a page that are no longer suppressed. Returns the last lead of the page, or null after the last page. */
async function releasePage({ app, tenant, now }: JobContext, after: { campaignId: string; leadId: string }) {
  const leads = await listSuppressedLeads(app.db, tenant, { after, limit: leadsAtOnce })
  const emails = leads.map(({ email }) => email)
  const suppressed = await findSuppressed(app.db, tenant, { secrets: app.secrets, emails })
  const freed = leads.filter(({ email }) => !suppressed.has(email))
  if (freed.length > 0)
    await app.db.transaction(async (tx) => {
      await reopen(tx, tenant, { campaignIds: await requeueSuppressedLeads(tx, tenant, { leads: freed, now }), now })
      wakePlanner(tx, tenant, now)
    })
  return leads.length < leadsAtOnce ? null : leads.at(-1)!
}

const addressHoldsKind = 'campaigns.address_holds'

/** Looks again at the leads of these addresses after they were verified. */
export async function releaseCheckedLeads(
  tx: Transaction,
  tenant: Tenant,
  checked: { emails: readonly string[]; now: Date },
): Promise<void> {
  const campaignIds = await requeueCheckedLeads(tx, tenant, checked)
  await reopen(tx, tenant, { campaignIds, now: checked.now })
  if (campaignIds.length > 0) wakePlanner(tx, tenant, checked.now)
}

/** Looks again at the leads of a campaign after its rules for addresses changed. A job does it, because there may be many. */
export async function releaseAddressHolds(
  tx: Transaction,
  tenant: Tenant,
  { campaignId, now }: { campaignId: string; now: Date },
): Promise<void> {
  await enqueueJob(tx, { kind: addressHoldsKind, tenant, payload: { campaignId }, runAt: now, key: campaignId })
}

export const addressHoldsJob: JobHandler = {
  kind: addressHoldsKind,
  maxAttempts: 20,
  lane: 'rows',
  async run({ app, tenant, now, signal }, payload) {
    const campaignId = String(payload['campaignId'])
    for (let more = true; more && !signal.aborted;)
      more = await app.db.transaction(async (tx) => {
        const released = await updateAddressHolds(tx, tenant, { campaignId, now, limit: leadsAtOnce })
        if (released > 0) {
          await reopen(tx, tenant, { campaignIds: [campaignId], now })
          wakePlanner(tx, tenant, now)
        }
        return released === leadsAtOnce
      })
  },
}

const policyHoldsKind = 'campaigns.policy_holds'

const leadsAtOnce = 1_000

/** Looks again at all leads that the contact policy holds. A job does it, because there may be many. */
export async function releasePolicyHolds(tx: Transaction, tenant: Tenant, now: Date): Promise<void> {
  await enqueueJob(tx, { kind: policyHoldsKind, tenant, payload: {}, runAt: now, key: 'policy' })
}

/** Looks again at the leads with an address that the contact policy holds. */
export async function releaseAddressPolicyHolds(
  tx: Transaction,
  tenant: Tenant,
  lead: { email: string; now: Date },
): Promise<void> {
  if ((await updateAddressPolicyHolds(tx, tenant, lead)) > 0) wakePlanner(tx, tenant, lead.now)
}

export const policyHoldsJob: JobHandler = {
  kind: policyHoldsKind,
  maxAttempts: 20,
  async run({ app, tenant, now, signal }) {
    for (let more = true; more && !signal.aborted;)
      more = await app.db.transaction((tx) => releaseSomePolicyHolds(tx, tenant, now))
  },
}

/** Releases some leads. Returns whether there may be more. */
async function releaseSomePolicyHolds(tx: Transaction, tenant: Tenant, now: Date): Promise<boolean> {
  const released = await updatePolicyHolds(tx, tenant, { now, limit: leadsAtOnce })
  if (released > 0) wakePlanner(tx, tenant, now)
  return released === leadsAtOnce
}

const providerHoldsKind = 'campaigns.provider_holds'

/** Looks again at leads that wait for a sender at their provider, after senders or settings changed. */
export async function releaseProviderHolds(tx: Transaction, tenant: Tenant, now: Date): Promise<void> {
  if (!(await hasProviderHolds(tx, tenant))) return
  await enqueueJob(tx, { kind: providerHoldsKind, tenant, payload: {}, runAt: now, key: 'providers' })
}

export const providerHoldsJob: JobHandler = {
  kind: providerHoldsKind,
  maxAttempts: 20,
  lane: 'rows',
  async run({ app, tenant, now, signal }) {
    for (let more = true; more && !signal.aborted;)
      more = await app.db.transaction(async (tx) => {
        const released = await updateProviderHolds(tx, tenant, { now, limit: leadsAtOnce })
        if (released > 0) wakePlanner(tx, tenant, now)
        return released === leadsAtOnce
      })
  },
}
