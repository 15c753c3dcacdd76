import { longestOpenMs, type SendingSchedule } from '@overture/ground/time/sending-window.ts'
import { dailyAllowance } from './pacing.ts'
import type { PlanCampaign, PlanSender } from './plan.types.ts'

/** Whether a sender sends nothing until a person acts. */
export function needsPerson({ status }: Pick<PlanSender, 'status'>): boolean {
  return status === 'paused' || status === 'auth_required' || status === 'blocked'
}

/** The number of messages that a sender may send on the day of `atMs`; 0 if a person must first repair the account. */
export function senderCapacity(sender: PlanSender, atMs: number): number {
  if (needsPerson(sender)) return 0
  return dailyAllowance(sender, atMs)
}

/** The number of messages that a campaign could send on the longest day of its week if it shared no sender. */
export function campaignCapacity(campaign: PlanCampaign, senders: readonly PlanSender[], atMs: number): number {
  const own = senders.filter((sender) => campaign.sendingAccountIds.includes(sender.id))
  const remaining = new Map<string, number>()
  const sum = own.reduce((total, sender) => {
    const budgets = (sender.budgets ?? []).map(({ id, limit }) => ({ id, room: remaining.get(id) ?? limit }))
    const count = Math.min(capacityWithin(campaign.schedule, sender, atMs), ...budgets.map(({ room }) => room))
    for (const { id, room } of budgets) remaining.set(id, room - count)
    return total + count
  }, 0)
  return Math.min(sum, campaign.caps.dailyLimit ?? Infinity)
}

function capacityWithin(schedule: SendingSchedule, sender: PlanSender, atMs: number): number {
  const openMs = longestOpenMs(schedule)
  if (openMs === 0) return 0
  const gapMs = ((sender.minGapSeconds + Math.max(sender.minGapSeconds, sender.maxGapSeconds)) / 2) * 1000
  const byGap = gapMs === 0 ? Infinity : Math.floor(openMs / gapMs) + 1
  return Math.min(senderCapacity(sender, atMs), byGap)
}
