import type { Campaign, LaunchCampaignInput, Overture, SendingAccount } from '@overture/sdk'
import { anyTime } from '../schedules.ts'

export function makeSender(api: Overture, email = 'ada@sender.test'): PromiseLike<SendingAccount> {
  return api.sendingAccounts.create({
    email,
    fromName: 'Ada',
    provider: 'sandbox',
    timezone: 'UTC',
    minGapSeconds: 0,
    maxGapSeconds: 0,
    dailyLimit: 1000,
  })
}

export interface CampaignFacts {
  name: string
  sendingAccountIds: string[]
  leads?: LaunchCampaignInput['leads']
  steps?: LaunchCampaignInput['steps']
  /** The zone of the schedule, which is open at any time. The default is UTC. */
  timezone?: string
  settings?: NonNullable<LaunchCampaignInput['settings']>
}

const twoSteps: LaunchCampaignInput['steps'] = [
  { variants: [{ subject: 'Hello {{ firstName }}', body: 'Hi {{ firstName }},\n\nshall we talk?' }] },
  { waitBefore: { value: 3, unit: 'days' }, variants: [{ body: 'Did you see this, {{ firstName }}?' }] },
]

/** Creates a draft campaign with leads. */
export async function makeDraft(
  api: Overture,
  { leads = [], steps = twoSteps, timezone = 'UTC', settings, ...facts }: CampaignFacts,
): Promise<Campaign> {
  const campaign = await api.campaigns.create({
    ...facts,
    steps,
    schedule: { timezone, ...anyTime },
    settings: { bounceProtection: { enabled: false }, ...settings },
  })
  if (leads.length > 0) await api.campaigns.leads.add(campaign.id, { leads })
  return campaign
}

export async function makeRunning(api: Overture, facts: CampaignFacts): Promise<Campaign> {
  const { id } = await makeDraft(api, facts)
  return api.campaigns.start(id)
}

export function prospects(
  count: number,
  tag: string,
  from = 0,
): { email: string; firstName: string; company: string }[] {
  return Array.from({ length: count }, (_none, index) => ({
    email: `person${from + index}${tag === '' ? '' : `+${tag}`}@prospects.test`,
    firstName: `Person ${from + index}`,
    company: `Company ${from + index}`,
  }))
}
