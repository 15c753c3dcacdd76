import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestPolicy,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import type { ContactPolicy } from '@overture/contract/contact-policy/contact-policy.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import { runPlanning } from '../packages/server/src/delivery/index.ts'
import { line, measure, median, type Stage } from './stage.ts'

const due = 100
const rounds = 9
const waitingMs = 10 * 24 * 3_600_000

/** Limits that hold no lead of the bench, so that every gate is judged and every message is claimed. */
const everyLimit: ContactPolicy = {
  perPerson: { messages: 100, days: 30 },
  perCompany: { people: 1000, days: 30 },
  oneCampaignAtATime: true,
  quietAfterReplyDays: 30,
  conversation: { days: 30, scope: 'company' },
  stopOnManualMail: true,
}

/** (c) Planning and claiming 100 due leads with 10,000 and with 1,000,000 leads stored, and with a contact policy. */
export async function benchPlanning(stage: Stage, storedMost: number): Promise<void> {
  const small = await planWith(stage, 10_000)
  const policed = await planWith(stage, 10_000, everyLimit)
  line(
    '(c) plan 100 due: every limit of the contact policy / none',
    policed / small,
    `${(policed * 1000).toFixed(1)} ms against ${(small * 1000).toFixed(1)} ms`,
  )
  const large = await planWith(stage, storedMost)
  line(
    `(c) plan 100 due: ${storedMost} / 10000 stored`,
    large / small,
    `${(large * 1000).toFixed(1)} ms against ${(small * 1000).toFixed(1)} ms`,
  )
}

async function planWith({ engine: app }: Stage, stored: number, policy?: ContactPolicy): Promise<number> {
  const tenant = await insertTestAccount(app.db)
  if (policy !== undefined) await insertTestPolicy(app.db, tenant, policy)
  const senderId = await insertTestSender(app.db, tenant, { port: 1 })
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
  const now = app.clock.now()
  await insertTestLeads(app.db, tenant, {
    campaignId: campaign.id,
    count: stored,
    dueAt: new Date(now.getTime() + waitingMs),
    prefix: 'w',
  })
  for (let round = 0; round < rounds + 1; round++) {
    await insertTestLeads(app.db, tenant, {
      campaignId: campaign.id,
      count: due,
      dueAt: new Date(now.getTime() + round * 60_000),
      prefix: `d${round}x`,
    })
  }
  const seconds: number[] = []
  for (let round = 0; round < rounds + 1; round++) {
    const at = new Date(now.getTime() + round * 60_000)
    const measured = await measure(async () => {
      const { claimed } = await runPlanning({ app, renderer: testRenderer }, tenant, at)
      if (claimed !== due) throw new Error(`Claimed ${claimed} of ${due}.`)
    })
    if (round > 0) seconds.push(measured.seconds)
    // The first round has cold plans, caches and statistics and doesn't count. Autovacuum updates statistics within seconds.
    else await app.db.execute('analyze')
  }
  return median(seconds)
}
