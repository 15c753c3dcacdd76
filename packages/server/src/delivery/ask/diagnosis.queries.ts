import { type Diagnosis, leversMax } from '@overture/contract/delivery/diagnosis.ts'
import type { BlockedReason } from '@overture/contract/campaigns/leads.ts'
import type { App } from '../../platform/app.ts'
import { createTurns, monotonicMs } from '../../platform/clock.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { parseDayNumber } from '@overture/ground/time/time-zone.ts'
import type { ExplainTools } from '../delivery.shell.ts'
import { loadSenders } from '../plan/senders.sql.ts'
import type { ForecastState } from '@overture/planner/forecast-run.ts'
import { explainGates } from '@overture/planner/gates.ts'
import { findLevers, type Lever } from '@overture/planner/levers.ts'
import { findSpareSenderId } from './explain.sql.ts'
import { loadCampaignAhead, runAhead } from './forecast.queries.ts'

/** The time limit for all tried changes together. */
const tryMsMax = 2_000
const turnMsMax = 20

/** Reports what a campaign's leads wait for, and which change would end the campaign sooner. */
export async function diagnoseCampaign(
  app: App,
  tenant: Tenant,
  input: ExplainTools & { campaignId: string; now: Date },
): Promise<Diagnosis> {
  const { campaignId, now } = input
  const { state, cut, campaign } = await loadCampaignAhead(app, tenant, input)
  const spareId = await findSpareSenderId(app.db, tenant, { exceptIds: campaign.sendingAccountIds })
  const spares = spareId === undefined ? [] : await loadSenders(app.db, tenant, [spareId], now)
  const [held, { finishesOn }] = [await heldLeads(state, campaignId), await runAhead(state, { campaignId })]
  const tried = await tryLevers(findLevers(state, campaignId, spares), { campaignId, finishesOn })
  const best = tried.found.toSorted((a, b) => (a.finishesOn < b.finishesOn ? -1 : a.finishesOn > b.finishesOn ? 1 : 0))
  return {
    held,
    bottleneck: best[0]?.gate ?? null,
    finishesOn,
    levers: best
      .slice(0, leversMax)
      .map(({ change, finishesOn: on, daysSooner }) => ({ change, finishesOn: on, daysSooner })),
    partial: cut || !tried.all,
  }
}

type HeldLeads = Diagnosis['held'][number]

async function heldLeads(state: ForecastState, campaignId: string): Promise<HeldLeads[]> {
  const campaign = state.campaigns.find(({ id }) => id === campaignId)
  if (campaign === undefined) return []
  const turn = createTurns(turnMsMax)
  const held = new Map<BlockedReason, HeldLeads>()
  const leaving = new Set(state.leaving?.map(({ leadId }) => leadId))
  for (const lead of state.leads) {
    if (lead.campaignId !== campaignId || leaving.has(lead.id)) continue
    await turn()
    const { blockedReason, gates } = explainGates({ now: state.now, lead, campaign, senders: state.senders })
    const gate = gates.find((one) => one.gate === blockedReason)
    if (gate === undefined) continue
    const until = gate.until?.toISOString() ?? null
    const known = held.get(gate.gate)
    if (known === undefined) held.set(gate.gate, { gate: gate.gate, count: 1, until, detail: gate.detail })
    else {
      known.count++
      if (until !== null && (known.until === null || until < known.until)) known.until = until
    }
  }
  return [...held.values()].sort((a, b) => b.count - a.count)
}

type FoundLever = Diagnosis['levers'][number] & Pick<Lever, 'gate'>

async function tryLevers(
  levers: readonly Lever[],
  { campaignId, finishesOn: before }: { campaignId: string; finishesOn: string | null },
): Promise<{ found: FoundLever[]; all: boolean }> {
  const startedMs = monotonicMs()
  const found: FoundLever[] = []
  for (const { path, from, to, gate, state } of levers) {
    if (monotonicMs() - startedMs > tryMsMax) return { found, all: false }
    const { finishesOn } = await runAhead(state, { campaignId })
    if (finishesOn === null || (before !== null && finishesOn >= before)) continue
    const daysSooner = before === null ? null : parseDayNumber(before) - parseDayNumber(finishesOn)
    found.push({ change: { path, from, to }, finishesOn, daysSooner, gate })
  }
  return { found, all: true }
}
