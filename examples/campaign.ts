import type { Overture } from '@overture/sdk'

export interface Lead {
  email: string
  firstName: string
}

/** Launches a campaign of two steps from a simulated mailbox. */
export async function launch(overture: Overture, leads: Lead[]) {
  const sender = await overture.sendingAccounts.create({
    email: `ada.${Date.now()}@sender.example.com`,
    fromName: 'Ada',
    provider: 'sandbox',
    minGapSeconds: 0,
    maxGapSeconds: 0,
  })
  return overture.campaigns.launch({
    name: 'Hello',
    sendingAccountIds: [sender.id],
    steps: [
      { variants: [{ subject: 'Hello {{ firstName }}', body: 'Hi {{ firstName }}, shall we talk?' }] },
      { waitBefore: { value: 3, unit: 'days' }, variants: [{ body: 'Still interested?' }] },
    ],
    leads,
  })
}
