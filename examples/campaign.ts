import type { Overture } from '@overture/sdk'
import { exampleCampaign, type ExampleLead } from '@overture/sdk/example-campaign.ts'

/** Launches the first two steps of the example campaign from a simulated mailbox. */
export async function launch(overture: Overture, leads: ExampleLead[]) {
  const sender = await overture.sendingAccounts.create({
    email: `ada.${Date.now()}@sender.example.com`,
    fromName: 'Ada',
    provider: 'sandbox',
    minGapSeconds: 0,
    maxGapSeconds: 0,
  })
  return overture.campaigns.launch({
    ...exampleCampaign,
    name: 'Hello',
    sendingAccountIds: [sender.id],
    steps: exampleCampaign.steps.slice(0, 2),
    leads,
  })
}
