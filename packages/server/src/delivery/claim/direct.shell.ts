import { minuteMs } from '../../ground/time/spans.ts'
import { findCampaign } from '../../campaigns/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findSuppressed, type AddressHashes } from '../../suppressions/index.ts'
import { countClaims, type Lease } from '../claims.sql.ts'
import {
  claimDirectMessages,
  findNextDirect,
  lockDirectMessages,
  postponeDirectMessage,
  updateDirectFailed,
  type DirectClaim,
  type DirectRow,
} from './direct.sql.ts'
import { budgetOf, readyMs, type SenderBudget } from '../planner/pacing.ts'
import { loadSenders } from './load-state.shell.ts'
import { openCampaign, toDate } from '../planner/plan-state.ts'
import type { ClaimCount } from '../planner/plan.types.ts'

const directMax = 100
const unavailableRetryMs = 15 * minuteMs

/**
 * Claims the due messages that no plan holds back: a person's replies and send-now, which skip wait and window but
 * never the sender's daily cap (docs/contract.md, "Leads").
 */
export async function claimDueDirect(
  tx: Transaction,
  tenant: Tenant,
  { lease, secrets, now }: { lease: Lease; secrets: AddressHashes; now: Date },
): Promise<{ claimed: number; nextAt: Date | null }> {
  const nextAt = await findNextDirect(tx, tenant)
  if (nextAt === null || nextAt > now) return { claimed: 0, nextAt }
  const due = await lockDirectMessages(tx, tenant, { now, limit: directMax })
  const rows = await withoutSuppressed(tx, tenant, secrets, due)
  const claims = rows.length === 0 ? [] : await admit(tx, tenant, rows, now)
  const claimed =
    claims.length === 0 ? new Set<string>() : await claimDirectMessages(tx, tenant, claims, { ...lease, now })
  await countClaims(
    tx,
    tenant,
    claims.filter(({ row }) => claimed.has(row.id)).map(({ row, counted }) => ({ ...row, counted })),
    1,
  )
  return { claimed: claimed.size, nextAt: await findNextDirect(tx, tenant) }
}

/** Of those whom nobody knows, whoever wants no mail gets none; the message is given up. */
async function withoutSuppressed(
  tx: Transaction,
  tenant: Tenant,
  secrets: AddressHashes,
  rows: readonly DirectRow[],
): Promise<DirectRow[]> {
  const emails = rows.flatMap((row) => row.strangerEmail ?? [])
  const suppressed = await findSuppressed(tx, tenant, { secrets, emails })
  const refused = rows.filter((row) => row.strangerEmail !== null && suppressed.has(row.strangerEmail))
  for (const row of refused) await updateDirectFailed(tx, tenant, { id: row.id, failure: { type: 'suppressed' } })
  return rows.filter((row) => !refused.includes(row))
}

async function admit(tx: Transaction, tenant: Tenant, rows: readonly DirectRow[], now: Date): Promise<DirectClaim[]> {
  const senders = await loadSenders(tx, tenant, [...new Set(rows.map((row) => row.sendingAccountId))], now)
  const budgets = new Map(senders.map((sender) => [sender.id, budgetOf(sender, now.getTime())]))
  const claims: DirectClaim[] = []
  for (const row of rows) {
    const budget = budgets.get(row.sendingAccountId)
    const waitUntil = budget === undefined ? new Date(now.getTime() + unavailableRetryMs) : heldUntil(row, budget, now)
    if (budget === undefined || waitUntil !== null) {
      await postponeDirectMessage(tx, tenant, { id: row.id, at: waitUntil ?? now })
      continue
    }
    budget.claimed++
    claims.push({ row, counted: await countedOf(tx, tenant, { row, budget, now }) })
  }
  return claims
}

function heldUntil(row: DirectRow, budget: SenderBudget, now: Date): Date | null {
  const nowMs = now.getTime()
  // A person may answer from a mailbox that is paused for campaigns.
  const availableMs = row.kind !== 'campaign' && budget.sender.status === 'paused' ? nowMs : budget.availableMs
  if (availableMs > nowMs) return toDate(Math.min(availableMs, nowMs + unavailableRetryMs))
  if (row.kind !== 'campaign' || budget.claimed < budget.allowance) return null
  return toDate(Math.min(readyMs({ ...budget, nextSendMs: nowMs }, nowMs), budget.nextDayMs))
}

async function countedOf(
  tx: Transaction,
  tenant: Tenant,
  { row, budget, now }: { row: DirectRow; budget: SenderBudget; now: Date },
): Promise<Partial<ClaimCount>> {
  const campaign =
    row.kind === 'campaign' && row.campaignId !== null ? await findCampaign(tx, tenant, row.campaignId) : undefined
  if (campaign === undefined) return { senderDay: budget.day }
  const { day } = openCampaign(
    {
      id: campaign.id,
      status: campaign.status,
      schedule: campaign.schedule,
      steps: [],
      sendingAccountIds: [],
      caps: { dailyLimit: null, dailyNewLeadLimit: null, maxPerRecipientDomainPerDay: null },
      usage: { claimed: 0, claimedFirst: 0, byDomain: {} },
    },
    now.getTime(),
  )
  return { senderDay: budget.day, campaignDay: day, first: row.first, domain: row.emailDomain ?? '' }
}
