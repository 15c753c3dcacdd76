import { rememberLeads } from '../people/index.ts'
import type { App } from '../platform/app.ts'
import type { Transaction } from '../platform/db/database.ts'
import type { JobContext, JobHandler } from '../platform/jobs/job.ts'
import type { Tenant } from '../platform/tenant.ts'
import { rememberRecipients, type AddressHashes } from '../suppressions/index.ts'
import { beginScheduledCampaign } from './campaign-start.commands.ts'
import { deleteCampaignRemains, deleteMessages, listUnsentClaims, lockCampaignMessages } from './purge.sql.ts'
import { deleteForwardRemains, deleteTestRemains } from './test-remains.sql.ts'
import { copyLeadsKind, copyOtherLeads } from './leads/copy-leads.commands.ts'
import { leadImportJob, type LeadImportTools } from './imports/imports.commands.ts'
import { enterJobKind, enterWaiting } from './steering/ask-branches.commands.ts'
import { resumeJobKind, resumeLead } from './steering/update-lead.commands.ts'
import {
  addressHoldsJob,
  policyHoldsJob,
  providerHoldsJob,
  suppressionHoldsJob,
} from './leads/suppressed-leads.commands.ts'
import { listLeadsToDelete } from './leads/leads-to-delete.sql.ts'
import { deleteUnsentClaims } from './leads/stop-leads.sql.ts'

const purgeBatch = 5000
const purgeMessagesBatch = 1000

export function campaignJobs(tools: LeadImportTools = {}): JobHandler[] {
  return [
    {
      kind: 'campaigns.begin',
      maxAttempts: 20,
      run: ({ app, tenant, now }, payload) =>
        app.db.transaction((tx) =>
          beginScheduledCampaign(tx, tenant, { campaignId: String(payload['campaignId']), now }),
        ),
    },
    {
      kind: resumeJobKind,
      maxAttempts: 20,
      run: ({ app, tenant, now }, { campaignId, leadId }) =>
        app.db.transaction((tx) =>
          resumeLead(tx, tenant, { campaignId: String(campaignId), leadId: String(leadId), now }),
        ),
    },
    {
      kind: enterJobKind,
      maxAttempts: 20,
      run: async ({ app, tenant, now, signal }, payload) => {
        const campaignId = String(payload['campaignId'])
        for (let more = true; more && !signal.aborted;)
          more = await app.db.transaction((tx) => enterWaiting(tx, tenant, { campaignId, now }))
      },
    },
    policyHoldsJob,
    addressHoldsJob,
    providerHoldsJob,
    suppressionHoldsJob,
    leadImportJob(tools),
    { kind: copyLeadsKind, maxAttempts: 20, lane: 'rows', run: copyOtherLeads },
    {
      kind: 'campaigns.purge',
      maxAttempts: 20,
      lane: 'rows',
      run: purge,
    },
  ]
}

/** Deletes everything of a deleted campaign, in batches. */
async function purge({ app, tenant, signal }: JobContext, payload: Record<string, unknown>): Promise<void> {
  const campaignId = String(payload['campaignId'])
  for (let gone = 1; gone > 0 && !signal.aborted;)
    gone = await app.db.transaction((tx) => withdrawSome(tx, tenant, campaignId))
  for (let gone = 1; gone > 0 && !signal.aborted;)
    gone = await app.db.transaction((tx) => purgeMessages(tx, tenant, app.secrets, campaignId))
  for (let after: string | null = ''; after !== null && !signal.aborted;)
    after = await rememberSome(app, tenant, { campaignId, after })
  for (let gone = 1; gone > 0 && !signal.aborted;)
    gone = await deleteTestRemains(app.db, tenant, campaignId, purgeMessagesBatch)
  for (let gone = 1; gone > 0 && !signal.aborted;)
    gone = await deleteForwardRemains(app.db, tenant, campaignId, purgeMessagesBatch)
  for (let gone = 1; gone > 0 && !signal.aborted;)
    gone = await deleteCampaignRemains(app.db, tenant, campaignId, purgeBatch)
}

/** Withdraws claimed messages that have not passed their gate. They count for no limit. */
async function withdrawSome(tx: Transaction, tenant: Tenant, campaignId: string): Promise<number> {
  const leads = await listUnsentClaims(tx, tenant, campaignId, purgeMessagesBatch)
  await deleteUnsentClaims(tx, tenant, leads)
  return leads.length
}

/** Deletes a batch of a campaign's messages. Their recipients are remembered, so that they can still opt out by replying. */
async function purgeMessages(
  tx: Transaction,
  tenant: Tenant,
  secrets: AddressHashes,
  campaignId: string,
): Promise<number> {
  const messages = await lockCampaignMessages(tx, tenant, campaignId, purgeMessagesBatch)
  const sentMessages = messages.flatMap(({ rfcMessageId, deliveredMessageId, email }) =>
    [rfcMessageId, deliveredMessageId].flatMap((id) =>
      id === null || email === null ? [] : [{ rfcMessageId: id, email }],
    ),
  )
  await rememberRecipients(tx, tenant, { secrets, messages: sentMessages })
  const ids = messages.map((message) => message.id)
  await deleteMessages(tx, tenant, ids)
  return ids.length
}

/** Remembers a page of leads. Returns the id of the last one, or null if there are no more. */
async function rememberSome(
  { db, secrets }: Pick<App, 'db' | 'secrets'>,
  tenant: Tenant,
  page: { campaignId: string; after: string },
): Promise<string | null> {
  const leads = await listLeadsToDelete(db, tenant, { ...page, limit: purgeBatch })
  await rememberLeads(db, tenant, { secrets, leads })
  return leads.at(-1)?.id ?? null
}
