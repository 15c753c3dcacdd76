import { strict as assert } from 'node:assert'
import { Overture } from '@overture/sdk'
import { prospect, testClock } from '@overture/sdk/testing'
import { launch } from './campaign.ts'

// A reply, an opt-out and a bounce each stop the sequence. A lead who doesn't react gets both messages.
const overture = new Overture()
const stopped = { reply: 'replied', unsubscribe: 'unsubscribed', bounce: 'bounced' } as const
const campaign = await launch(overture, [
  ...(['reply', 'unsubscribe', 'bounce'] as const).map((act) => ({ email: prospect(act, act), firstName: act })),
  { email: prospect('silent'), firstName: 'Silent' },
])
await testClock(overture).advance('3w')
for await (const lead of overture.campaigns.leads.list(campaign.id)) {
  const { messages } = await overture.campaigns.leads.thread(campaign.id, lead.id)
  const sent = messages.filter((message) => message.kind === 'campaign').length
  console.log(`${lead.email}: ${lead.status}, ${sent} of 2 messages`)
  const expected = stopped[lead.firstName as keyof typeof stopped]
  assert.equal(lead.status, expected ?? 'completed')
  assert.equal(sent, expected === undefined ? 2 : 1)
}
