import { strict as assert } from 'node:assert'
import { Overture } from '@overture/sdk'
import { prospect, testClock } from '@overture/sdk/testing'
import { launch } from './campaign.ts'

// Runs three weeks of a campaign in seconds: production code with its own clock, and only the network is simulated.
const overture = new Overture()
const campaign = await launch(overture, [
  { email: prospect('grace', 'reply'), firstName: 'Grace' },
  { email: prospect('alan', 'ooo'), firstName: 'Alan' },
  { email: prospect('joan'), firstName: 'Joan' },
])
const happened = await testClock(overture).advance('3w')
const stats = await overture.campaigns.stats(campaign.id)
console.log(
  `${stats.sent} messages, ${stats.uniqueReplied} replied, ${stats.autoReplied} away; it is ${happened.now} there`,
)

// Grace replied to the first message, so she got one message. The others got both.
assert.equal(stats.sent, 5)
assert.equal(stats.uniqueReplied, 1)
assert.equal(stats.autoReplied, 1)
