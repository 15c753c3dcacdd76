import type { LaunchCampaignInput } from '@overture/sdk'
import { exampleCampaign, exampleLeads } from '@overture/sdk/example-campaign.ts'
import type { Behaviour } from '@overture/sdk/testing'

/** More of the twenty people react than in real life, so that each kind of result is visible. */
const behaviours: readonly (readonly Behaviour[])[] = [
  ['interested'],
  ['reply'],
  ['open'],
  ['ooo'],
  ['click'],
  [],
  ['bounce'],
  ['book'],
  ['open'],
  [],
  ['unsubscribe'],
  ['reply'],
  [],
  ['open'],
  ['interested'],
  [],
  ['click'],
  [],
  ['open'],
  [],
]

/** The first two steps of the example campaign, which end within a week, to twenty simulated prospects. */
export function tryCampaign(
  name: string,
  sendingAccountId: string,
  timezone: string,
): LaunchCampaignInput & { name: string } {
  return {
    ...exampleCampaign,
    name,
    sendingAccountIds: [sendingAccountId],
    // Every hour of every day is open, so that messages are sent whenever the user tries it.
    schedule: {
      timezone,
      windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }],
    },
    steps: exampleCampaign.steps.slice(0, 2),
    leads: exampleLeads(behaviours),
  }
}
