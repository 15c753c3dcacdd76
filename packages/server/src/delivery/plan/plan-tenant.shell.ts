import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { earliest } from '@overture/ground/time/earliest.ts'
import { findPolicy } from '../../contact-policy/index.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { sendsMax } from '@overture/planner/page-limits.ts'
import { plan } from '@overture/planner/plan.ts'
import type { PlanResult } from '@overture/planner/plan.types.ts'
import { leaseMs } from './claims.sql.ts'
import type { PlanningTools } from './lead-facts.shell.ts'
import { claimPlanning, holdsPlanning, releasePlanning } from './lease.sql.ts'
import { loadPlanInput, type PlanInput } from './load-plan-input.shell.ts'
import { failedPauseMs, writePlan } from './write-plan.commands.ts'

interface PlanningResult {
  claimed: number
  /** The number of leads for which a decision was made, or which a task concerns. */
  decided: number
  /** When to plan again, in the tenant's time. Null if nothing will be due before something changes. */
  nextPlanAt: Date | null
  /** Identifies this run's claims for `deliverClaimed`. */
  token: string
}

/** The plan took longer than its lease, so another planner may have planned meanwhile. Nothing of the plan is stored. */
class PlanningLeaseLost extends Error {
  constructor() {
    super('The planning lease was lost, so the plan is made again.')
  }
}

/** Another request set the contact policy during the plan. Nothing of the plan is stored. */
class ContactPolicyChanged extends Error {
  constructor() {
    super('The contact policy changed, so the plan is made again.')
  }
}

/**
 * Plans a tenant once and claims the messages to send now, in one transaction. If another planner is at work or nothing is due,
 * `claimed` and `decided` are 0. With `heldToken` the caller already has the planning lease and keeps it.
 */
export async function runPlanning(
  tools: PlanningTools,
  tenant: Tenant,
  now: Date,
  options: { heldToken?: string } = {},
): Promise<PlanningResult> {
  // A plan that a crash loses is made again, since the gate of a message is stored after its plan.
  const db = tools.app.db.relaxed()
  const token = options.heldToken ?? randomUUID()
  const keep = options.heldToken !== undefined
  const claims = { token: randomUUID(), leaseMs }
  if (!(await claimPlanning(db, tenant, { token, leaseMs, held: keep })))
    return { claimed: 0, decided: 0, nextPlanAt: null, token: claims.token }
  try {
    const input = await loadPlanInput(tools, tenant, now)
    const result = decide(input, now)
    const written = await db.transaction(async (tx) => {
      const kept = await writePlan(tx, tenant, { input, result, now, lease: claims, secrets: tools.app.secrets })
      // The limits of the contact policy hold over all campaigns, so no other planner may have counted since the plan was made, and
      // no request may have changed the policy. A request that changes it writes the locked row, so its answer comes after the plan
      // is stored.
      if (input.contacts !== null && !(await holdsPlanning(tx, tenant, token))) throw new PlanningLeaseLost()
      if (!isDeepStrictEqual(await findPolicy(tx, tenant), input.policy)) throw new ContactPolicyChanged()
      await tools.faults?.hit('planning')
      return kept
    })
    await tools.faults?.hit('planned')
    const wakeAt = findNextPlan(input, { result, written, now })
    const nextPlanAt = await releasePlanning(db, tenant, { token, nextPlanAt: wakeAt, keep })
    return { claimed: written.claimed, decided: written.decided, nextPlanAt, token: claims.token }
  } catch (error) {
    // Releases the lease at once if the database still responds; otherwise the lease expires.
    const nextPlanAt = new Date(now.getTime() + failedPauseMs)
    await releasePlanning(db, tenant, { token, nextPlanAt, keep }).catch(() => null)
    throw error
  }
}

function decide({ campaigns, senders, leads, contacts, cutGroups, asides }: PlanInput, now: Date): PlanResult {
  const planned = plan({ now, campaigns, senders, candidates: leads, contacts, maxSends: sendsMax, cutGroups })
  return { ...planned, leadHolds: [...planned.leadHolds, ...asides] }
}

interface WrittenPlan {
  result: PlanResult
  written: Awaited<ReturnType<typeof writePlan>>
  now: Date
}

function findNextPlan(input: PlanInput, { result, written, now }: WrittenPlan): Date | null {
  const stepsAside = input.asides.length + input.finished.length > 0
  const busy = result.hasMore || (stepsAside && input.cutGroups.size > 0)
  return earliest([
    result.nextPlanAt,
    input.nextAttemptAt,
    written.nextDirectAt,
    ...result.leadHolds.map((hold) => hold.attemptAt),
    written.lookAgainAt,
    busy ? now : null,
  ])
}
