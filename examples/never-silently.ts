import { strict as assert } from 'node:assert'
import { Overture } from '@overture/sdk'
import { exampleLeads } from '@overture/sdk/example-campaign.ts'
import { launch } from './campaign.ts'

// Explains why a lead got no message: every gate between the lead and its next message, with numbers.
const overture = new Overture()
const leads = exampleLeads([[]]).map((lead) => ({ ...lead, firstName: '' }))
const campaign = await launch(overture, leads)
const [lead] = await overture.campaigns.leads.list(campaign.id).toArray({ max: 1 })
assert.ok(lead)
const explained = await overture.campaigns.leads.explain(campaign.id, lead.id)
for (const gate of explained.gates) console.log(`${gate.passed ? 'passed' : 'HOLDS '} ${gate.gate}: ${gate.detail}`)

// The message uses the first name, which is unknown. A blank is never sent.
const holding = explained.gates.filter((gate) => !gate.passed).map((gate) => gate.gate)
assert.ok(holding.includes('missing_variable'))
assert.ok(explained.gates.length > 10)
