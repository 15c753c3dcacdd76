import { strict as assert } from 'node:assert'
import { Overture } from '@overture/sdk'
import { exampleLeads } from '@overture/sdk/example-campaign.ts'
import { testClock } from '@overture/sdk/testing'
import { launch } from './campaign.ts'

// Runs three weeks of a campaign in seconds: production code with its own clock, and only the network is simulated.
const overture = new Overture()
const campaign = await launch(overture, exampleLeads([['reply'], ['ooo'], []]))
const happened = await testClock(overture).advance('3w')
const stats = await overture.campaigns.stats(campaign.id)
console.log(
  `${stats.sent} messages, ${stats.uniqueReplied} replied, ${stats.autoReplied} away; it is ${happened.now} there`,
)

// One person replied to the first message and got no second one. The others got both.
assert.equal(stats.sent, 5)
assert.equal(stats.uniqueReplied, 1)
assert.equal(stats.autoReplied, 1)
