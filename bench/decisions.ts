import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import { runPlanning } from '../packages/server/src/delivery/index.ts'
import { line, measure, type Stage } from './stage.ts'

const secondsMax = 60
const plansMax = 1_000

/** Measures how long the decisions take if many leads are due at a branch at the same moment. The goal is a minute. */
export async function benchDecisions({ engine: app }: Stage, due: number): Promise<void> {
  const tenant = await insertTestAccount(app.db)
  const senderId = await insertTestSender(app.db, tenant, { port: 1 })
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
  const now = app.clock.now()
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count: due, dueAt: now, prefix: 'b' })
  const branches = [
    { id: 'brn_1', label: 'Opened', when: { did: 'opened' }, goTo: 'end', immediately: false },
    { id: 'brn_2', label: 'Half', when: { chance: 50 }, goTo: null, immediately: false },
  ]
  await app.db.execute(
    `update steps set type = 'branch', branches = $3 where account_id = $1 and campaign_id = $2 and position = 1`,
    [tenant.accountId, campaign.id, JSON.stringify(branches)],
  )
  await app.db.execute(`update lead_progress set deciding = true where account_id = $1 and campaign_id = $2`, [
    tenant.accountId,
    campaign.id,
  ])
  await app.db.execute('analyze')
  let decided = 0
  let plans = 0
  const { seconds } = await measure(async () => {
    while (decided < due && plans++ < plansMax)
      decided += (await runPlanning({ app, renderer: testRenderer }, tenant, now)).decided
  })
  if (decided !== due) throw new Error(`Decided for ${decided} of ${due}.`)
  line(
    `decide for ${due} due: seconds against ${secondsMax}`,
    seconds / secondsMax,
    `${seconds.toFixed(1)} s, ${plans} plans`,
  )
}
