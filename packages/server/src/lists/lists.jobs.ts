import { addReadLeads, followJobKind, lockCampaign } from '../campaigns/index.ts'
import type { App } from '../platform/app.ts'
import type { Transaction } from '../platform/db/database.ts'
import { importJob } from '../platform/imports/run-import.shell.ts'
import type { JobHandler } from '../platform/jobs/job.ts'
import type { Tenant } from '../platform/tenant.ts'
import { findFollowedPosition, upsertFollow } from './follows.sql.ts'
import { memberImporter, memberImportKind } from './imports.commands.ts'
import { asLead } from './member.ts'
import { listMembersAfter } from './members.sql.ts'

const followedAtOnce = 500

export function listJobs(): JobHandler[] {
  return [
    importJob({ jobKind: memberImportKind, importKind: 'members', createImporter: () => memberImporter() }),
    {
      kind: followJobKind,
      maxAttempts: 20,
      lane: 'rows',
      run: async ({ app, tenant, now, signal }, payload) => {
        const follow = { campaignId: String(payload['campaignId']), secrets: app.secrets, now }
        for (let more = true; more && !signal.aborted;)
          more = await app.db.transaction((tx) => followList(tx, tenant, follow))
      },
    },
  ]
}

/**
 * Makes the next members leads of the campaign, by the rules of an import. The position moves in the same transaction, so that each
 * member is taken once. Returns whether there may be more.
 */
async function followList(
  tx: Transaction,
  tenant: Tenant,
  { campaignId, secrets, now }: { campaignId: string; secrets: App['secrets']; now: Date },
): Promise<boolean> {
  const campaign = await lockCampaign(tx, tenant, campaignId)
  const listId = campaign?.settings.followsListId ?? null
  if (listId === null) return false
  const position = await findFollowedPosition(tx, tenant, { campaignId, listId })
  const members = await listMembersAfter(tx, tenant, { listId, position, limit: followedAtOnce })
  const last = members.at(-1)
  if (last === undefined) return false
  const input = { onDuplicate: 'skip' as const, skipIfInOtherCampaign: false }
  const { added, skipped } = await addReadLeads(tx, tenant, {
    campaignId,
    input,
    read: members.map(asLead),
    secrets,
    now,
  })
  await upsertFollow(tx, tenant, { campaignId, listId, position: last.position, added, skipped })
  return members.length === followedAtOnce
}
