import type { CreateCampaignInput } from '@overture/sdk'
import { exampleCampaign, exampleLeads, type ExampleLead } from '@overture/sdk/example-campaign.ts'
import type { Behaviour } from '@overture/sdk/testing'

/** The behaviors of lead number `index`. Most leads do nothing, as in real life. */
function chooseBehaviours(index: number): Behaviour[] {
  if (index % 40 === 7) return ['bounce']
  if (index % 50 === 31) return ['softbounce']
  if (index % 25 === 3) return ['open', 'interested']
  if (index % 20 === 11) return ['open', 'reply']
  if (index % 30 === 17) return ['ooo']
  if (index % 45 === 22) return ['unsubscribe']
  if (index % 60 === 14) return ['open', 'click', 'book']
  return index % 3 === 0 ? ['open'] : []
}

/** `count` people at prospects.test, whose addresses contain their behavior. */
export function demoLeads(count: number): ExampleLead[] {
  return exampleLeads(Array.from({ length: count }, (_, index) => chooseBehaviours(index)))
}

/** The example campaign during office hours, with new leads over several days. */
export function demoCampaign(sendingAccountIds: string[], timezone: string): CreateCampaignInput {
  return {
    ...exampleCampaign,
    name: 'Demo: three weeks in seconds',
    sendingAccountIds,
    schedule: {
      timezone,
      windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
    },
    settings: { ...exampleCampaign.settings, dailyNewLeadLimit: 40 },
  }
}

/** Three senders with human gaps between their messages. */
export function demoSenders(run: string, timezone: string) {
  return ['Mara Vogel', 'Jonas Reuter', 'Lea Sommer'].map((fromName) => ({
    email: `${fromName.split(' ')[0]?.toLowerCase() ?? 'x'}@${run}.outreach.test`,
    fromName,
    provider: 'sandbox' as const,
    timezone,
    dailyLimit: 60,
    minGapSeconds: 120,
    maxGapSeconds: 480,
  }))
}
