import { deleteContactsSql, renewFirstContacts } from '../../contact-policy/index.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { claimDay } from '../../sending-accounts/index.ts'
import type { ClaimCount } from '@overture/planner/plan.types.ts'

export interface ReleasedMessage {
  id: string
  campaignId: string | null
  leadId: string | null
  stepId: string | null
  sendingAccountId: string
  counted: Partial<ClaimCount>
  /** Null for mail that the contact policy does not count. */
  addressHash: Buffer | null
}

/**
 * Releases claims that were certainly not sent. With `discard`, a message that was never tried is deleted and will be written
 * again; otherwise its bytes are kept for the next attempt. `attempted` counts the attempt, and `byPolicy` marks a message that was refused
 * by policy. A manual message becomes due at `retryAt`.
 */
export async function releaseMessages(
  db: Executor,
  tenant: Tenant,
  release: {
    ids: readonly string[]
    token: string
    attempted: boolean
    byPolicy?: boolean
    retryAt: Date
    answer: string | null
    now: Date
    discard: boolean
  },
): Promise<ReleasedMessage[]> {
  const released = await deleteClaims(db, tenant, release)
  const ids = released.map((row) => row.id)
  if (release.discard) await deleteUntried(db, tenant, ids)
  await db.execute(
    `update message_heads set status = 'queued', gated_at = null, attempts = attempts + case when $4 then 1 else 0 end,
       first_attempt_at = case when $4 then coalesce(first_attempt_at, $5) else first_attempt_at end,
       smtp_answer = coalesce($6, smtp_answer), attempt_at = case when step_id is null then $7::timestamptz end,
       refused_by_policy = case when $8 then true else refused_by_policy end
     where account_id = $1 and environment = $2 and id = any($3)`,
    [
      tenant.accountId,
      tenant.environment,
      ids,
      release.attempted,
      release.now,
      release.answer,
      release.retryAt,
      release.byPolicy === true,
    ],
    'release_messages',
  )
  return released
}

/** Deletes claims of this token and returns their data. */
async function deleteClaims(
  db: Executor,
  tenant: Tenant,
  claim: { ids: readonly string[]; token: string },
): Promise<ReleasedMessage[]> {
  const rows = await db.query<
    Omit<ReleasedMessage, 'counted'> & { [Field in keyof ClaimCount]: ClaimCount[Field] | null }
  >(
    `with gone as (
       delete from claims where account_id = $1 and environment = $2 and message_id = any($3) and lease_token = $4
       returning message_id as id, campaign_id, lead_id, step_id, sending_account_id, sender_day, campaign_day, first, domain,
         address_hash, budgets, claimed_at)
     select g.id, g.campaign_id, g.lead_id, g.step_id, g.sending_account_id, g.sender_day, g.campaign_day, g.first, g.domain,
       g.address_hash, g.budgets, ${claimDay('g')} as budget_day
     from gone g`,
    [tenant.accountId, tenant.environment, claim.ids, claim.token],
    'delete_claims',
  )
  return rows.map(({ id, campaignId, leadId, stepId, sendingAccountId, addressHash, ...counted }) => ({
    id,
    campaignId,
    leadId,
    stepId,
    sendingAccountId,
    counted: toClaimCount(counted),
    addressHash,
  }))
}

function toClaimCount({ budgets, budgetDay, ...counted }: { [Field in keyof ClaimCount]: ClaimCount[Field] | null }) {
  const shared = budgets === null ? {} : { budgets, budgetDay }
  return { ...counted, ...shared } as Partial<ClaimCount>
}

async function deleteUntried(db: Executor, tenant: Tenant, ids: readonly string[]): Promise<void> {
  await db.execute(
    `with gone as (
       delete from message_heads where account_id = $1 and environment = $2 and id = any($3) and step_id is not null and attempts = 0
       returning id)
     delete from message_contents k using gone where k.account_id = $1 and k.environment = $2 and k.message_id = gone.id`,
    [tenant.accountId, tenant.environment, ids],
    'delete_untried',
  )
}

/** The server may have received the end of the message. The token is kept, so that a late reply can still be recorded. */
export async function updateMessageUncertain(
  db: Executor,
  tenant: Tenant,
  message: { id: string; token: string; answer: string },
): Promise<boolean> {
  const changed = await db.execute(
    `with kept as (
       update claims set lease_until = null
       where account_id = $1 and environment = $2 and message_id = $3 and lease_token = $4 and gated_at is not null
         and lease_until is not null
       returning message_id, gated_at)
     update message_heads m set status = 'uncertain', gated_at = kept.gated_at, smtp_answer = $5 from kept
     where m.account_id = $1 and m.environment = $2 and m.id = kept.message_id`,
    [tenant.accountId, tenant.environment, message.id, message.token, message.answer],
    'update_message_uncertain',
  )
  return changed === 1
}

/** Records a claim that could not be written as a failed message, even if it has no row yet. */
export async function upsertFailedMessage(
  db: Executor,
  tenant: Tenant,
  message: { id: string; token: string; failure: object },
): Promise<boolean> {
  const claims = await db.query<{ addressHash: Buffer | null }>(
    'select address_hash from claims where account_id = $1 and environment = $2 and message_id = $3',
    [tenant.accountId, tenant.environment, message.id],
    'find_address_hash_of_claim',
  )
  const changed = await db.execute(
    `with ended as (
       delete from claims where account_id = $1 and environment = $2 and message_id = $3 and lease_token = $4 and gated_at is null
       returning message_id, campaign_id, lead_id, step_id, sending_account_id, kind, lead_email, claimed_at, address_hash),
     uncounted as (${deleteContactsSql('ended')})
     insert into message_heads as m (account_id, environment, id, campaign_id, lead_id, step_id, sending_account_id, direction, kind,
       status, to_addresses, queued_at, failure)
     select $1, $2, message_id, campaign_id, lead_id, step_id, sending_account_id, 'outbound', kind, 'failed',
       jsonb_build_array(jsonb_build_object('email', lead_email, 'name', null)), claimed_at, $5 from ended
     on conflict (account_id, environment, id) do update set status = 'failed', failure = excluded.failure, attempt_at = null`,
    [tenant.accountId, tenant.environment, message.id, message.token, JSON.stringify(message.failure)],
    'upsert_failed_message',
  )
  await renewFirstContacts(
    db,
    tenant,
    claims.map(({ addressHash }) => addressHash),
  )
  return changed === 1
}
