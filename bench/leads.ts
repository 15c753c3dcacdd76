import { addLeads } from '../packages/server/src/campaigns/index.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { line, measure, type Stage } from './stage.ts'

const total = Number(process.env.OVERTURE_BENCH_LEADS ?? 100_000)
const perCall = 1000

/** (d) Adding 100,000 leads, validated, normalised and checked, a thousand a call, against COPY of the same rows. */
export async function benchLeads({ app }: Stage): Promise<void> {
  const tenant = await insertTestAccount(app.db)
  const senderId = await insertTestSender(app.db, tenant, { port: 1 })
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
  const now = app.clock.now()
  const added = await measure(async () => {
    for (let from = 0; from < total; from += perCall) {
      const leads = Array.from({ length: perCall }, (_, index) => ({
        email: `Person.${from + index}@Acme${(from + index) % 500}.example.com`,
        firstName: 'Ada',
        lastName: 'Lovelace',
        company: 'Acme',
        customVariables: { plan: 'pro' },
      }))
      await app.db.transaction(async (tx) => {
        const input = { leads, onDuplicate: 'skip' as const, skipIfInOtherCampaign: false }
        const result = await addLeads(tx, tenant, { campaignId: campaign.id, input, secrets: app.secrets, now })
        if (result.added !== perCall) throw new Error(`Added ${result.added} of ${perCall}.`)
      })
    }
  })
  await app.db.execute('create table leads_copy (like leads including all)')
  const copied = await measure(() =>
    app.db.transaction(async (tx) => {
      await tx.copyFrom(
        `copy leads_copy (account_id, environment, campaign_id, id, email, email_given, email_domain, first_name, last_name, company,
         custom_variables, status, due_at, attempt_at, created_at, updated_at) from stdin`,
        copyRows(tenant.accountId, campaign.id, now.toISOString()),
      )
    }),
  )
  line(
    '(d) add leads / COPY of the same rows',
    copied.seconds / added.seconds,
    `${Math.round(total / added.seconds)}/s against ${Math.round(total / copied.seconds)}/s`,
  )
}

function* copyRows(accountId: string, campaignId: string, at: string): Generator<string> {
  for (let index = 0; index < total; index++) {
    const domain = `acme${index % 500}.example.com`
    const email = `person.${index}@${domain}`
    yield (
      [
        accountId,
        'live',
        campaignId,
        `led_copy${String(index).padStart(18, '0')}`,
        email,
        email,
        domain,
        'Ada',
        'Lovelace',
        'Acme',
        '{"plan":"pro"}',
        'pending',
        at,
        at,
        at,
        at,
      ].join('\t') + '\n'
    )
  }
}
