import { strict as assert } from 'node:assert'
import { Overture } from '@overture/sdk'
import { exampleLeads } from '@overture/sdk/example-campaign.ts'
import { testClock } from '@overture/sdk/testing'
import { launch } from './campaign.ts'

// A reply, an opt-out and a bounce each stop the sequence. A lead who doesn't react gets both messages.
const overture = new Overture()
const leads = exampleLeads([['reply'], ['unsubscribe'], ['bounce'], []])
const statuses = ['replied', 'unsubscribed', 'bounced', 'completed']
const campaign = await launch(overture, leads)
await testClock(overture).advance('3w')
for await (const lead of overture.campaigns.leads.list(campaign.id)) {
  const { messages } = await overture.campaigns.leads.thread(campaign.id, lead.id)
  const sent = messages.filter((message) => message.kind === 'campaign').length
  console.log(`${lead.email}: ${lead.status}, ${sent} of 2 messages`)
  const expected = statuses[leads.findIndex(({ email }) => email === lead.email)]
  assert.equal(lead.status, expected)
  assert.equal(sent, expected === 'completed' ? 2 : 1)
}
