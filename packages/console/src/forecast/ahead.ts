import type { AccountForecast } from '@overture/sdk'

export interface DayAhead {
  date: string
  planned: number
  capacity: number
}

export interface CampaignAhead {
  campaignId: string
  planned: number
  /** The last day within the forecast on which the campaign sends. */
  until: string
}

/** The planned messages of each day, and the capacity. */
export function daysAhead({ days }: Pick<AccountForecast, 'days'>): DayAhead[] {
  return days.map(({ date, bySender }) => ({
    date,
    planned: bySender.reduce((sum, { count }) => sum + count, 0),
    capacity: bySender.reduce((sum, { capacity }) => sum + capacity, 0),
  }))
}

/** The planned messages of each campaign, the most first. Campaigns that send nothing are left out. */
export function campaignsAhead({ days }: Pick<AccountForecast, 'days'>): CampaignAhead[] {
  const byId = new Map<string, CampaignAhead>()
  for (const { date, byCampaign } of days)
    for (const { campaignId, count } of byCampaign) {
      if (count === 0) continue
      const before = byId.get(campaignId)?.planned ?? 0
      byId.set(campaignId, { campaignId, planned: before + count, until: date })
    }
  return [...byId.values()].sort((one, other) => other.planned - one.planned)
}
