import type { Diagnosis } from '@overture/contract/delivery/diagnosis.ts'
import { dailyLimitMax } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { SendingWindow } from '@overture/ground/time/sending-window.ts'
import { needsPerson } from './capacity.ts'
import type { ForecastState } from './forecast-run.ts'
import type { GateName, PlanCampaign, PlanSender } from './plan.types.ts'

type LeverValue = Diagnosis['levers'][number]['change']['to']

/** A change of one thing about a campaign or its senders: its name in the API, and the changed state. */
export interface Lever {
  path: string
  from: LeverValue
  to: LeverValue
  /** The gate that the change opens further. */
  gate: GateName
  state: ForecastState
}

const capGrowth = 1.2
const longerMinutes = 120
const dayMinutes = 24 * 60
/** The largest number of senders that are tried per kind of change. Among hundreds of senders a single one has little effect. */
const sendersTriedMax = 3

/** Returns the changes that are worth trying, those of the campaign first. `spares` are senders that it does not use yet. */
export function findLevers(state: ForecastState, campaignId: string, spares: readonly PlanSender[]): Lever[] {
  const campaign = state.campaigns.find(({ id }) => id === campaignId)
  if (campaign === undefined) return []
  const senders = state.senders.filter(({ id }) => campaign.sendingAccountIds.includes(id))
  return [
    ...spares.slice(0, 1).map((spare) => anotherSender(state, campaign, spare)),
    ...longerWindows(state, campaign),
    ...higherCaps(state, campaign),
    ...bySender(senders, (sender) => resumed(state, sender)),
    ...bySender(senders, (sender) => higherLimit(state, sender)),
    ...bySender(senders, (sender) => shorterGap(state, sender)),
  ]
}

function bySender(senders: readonly PlanSender[], findLever: (sender: PlanSender) => Lever | null): Lever[] {
  return senders.flatMap((sender) => findLever(sender) ?? []).slice(0, sendersTriedMax)
}

function anotherSender(state: ForecastState, campaign: PlanCampaign, spare: PlanSender): Lever {
  const sendingAccountIds = [...campaign.sendingAccountIds, spare.id]
  return {
    path: 'sendingAccountIds',
    from: [...campaign.sendingAccountIds],
    to: sendingAccountIds,
    gate: 'sender_daily_limit',
    state: withCampaign({ ...state, senders: [...state.senders, spare] }, { ...campaign, sendingAccountIds }),
  }
}

function longerWindows(state: ForecastState, campaign: PlanCampaign): Lever[] {
  const { windows } = campaign.schedule
  const longer = windows.map((window) => ({ ...window, days: [...window.days], to: later(window) }))
  if (longer.every(({ to }, at) => to === windows[at]?.to)) return []
  const schedule = { ...campaign.schedule, windows: longer }
  const from = windows.map((window) => ({ ...window, days: [...window.days] }))
  const changed = withCampaign(state, { ...campaign, schedule })
  return [{ path: 'schedule.windows', from, to: longer, gate: 'outside_window', state: changed }]
}

/** Two hours later, at most until the end of the day. A window that runs past midnight is not changed. */
function later({ from, to }: SendingWindow): string {
  const [start, end] = [parseMinutes(from), parseMinutes(to)]
  if (end === 0 || end <= start) return to
  const until = Math.min(dayMinutes, end + longerMinutes)
  return `${String(Math.floor(until / 60)).padStart(2, '0')}:${String(until % 60).padStart(2, '0')}`
}

function parseMinutes(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

const capGates = {
  dailyLimit: 'daily_limit',
  dailyNewLeadLimit: 'new_lead_limit',
  maxPerRecipientDomainPerDay: 'recipient_domain_limit',
} as const

function higherCaps(state: ForecastState, campaign: PlanCampaign): Lever[] {
  const names = ['dailyLimit', 'dailyNewLeadLimit', 'maxPerRecipientDomainPerDay'] as const
  return names.flatMap((name) => {
    const from = campaign.caps[name]
    const to = from === null ? null : more(from)
    if (from === null || to === from) return []
    const changed = withCampaign(state, { ...campaign, caps: { ...campaign.caps, [name]: to } })
    return [{ path: `settings.${name}`, from, to, gate: capGates[name], state: changed }]
  })
}

function resumed(state: ForecastState, sender: PlanSender): Lever | null {
  if (!needsPerson(sender)) return null
  const changed = withSender(state, { ...sender, status: 'active' })
  const path = `sendingAccounts.${sender.id}.status`
  return { path, from: sender.status, to: 'active', gate: 'sender_unavailable', state: changed }
}

function higherLimit(state: ForecastState, sender: PlanSender): Lever | null {
  if (needsPerson(sender)) return null
  if (sender.dailyLimit >= dailyLimitMax) return null
  const dailyLimit = more(sender.dailyLimit)
  const path = `sendingAccounts.${sender.id}.dailyLimit`
  const changed = withSender(state, { ...sender, dailyLimit })
  return { path, from: sender.dailyLimit, to: dailyLimit, gate: 'sender_daily_limit', state: changed }
}

function shorterGap(state: ForecastState, sender: PlanSender): Lever | null {
  if (sender.maxGapSeconds === 0 || sender.maxGapSeconds === sender.minGapSeconds) return null
  const maxGapSeconds = sender.minGapSeconds
  const path = `sendingAccounts.${sender.id}.maxGapSeconds`
  const changed = withSender(state, { ...sender, maxGapSeconds })
  return { path, from: sender.maxGapSeconds, to: maxGapSeconds, gate: 'sender_gap', state: changed }
}

function more(limit: number): number {
  return Math.min(dailyLimitMax, Math.max(limit + 1, Math.ceil(limit * capGrowth)))
}

function withCampaign(state: ForecastState, changed: PlanCampaign): ForecastState {
  return { ...state, campaigns: state.campaigns.map((one) => (one.id === changed.id ? changed : one)) }
}

function withSender(state: ForecastState, changed: PlanSender): ForecastState {
  return { ...state, senders: state.senders.map((one) => (one.id === changed.id ? changed : one)) }
}
