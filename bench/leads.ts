import { addLeads } from '../packages/server/src/campaigns/index.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { perMessage, readCosts, type Costs } from './costs.ts'
import { line, measure, type Stage } from './stage.ts'

const total = Number(process.env.OVERTURE_BENCH_LEADS ?? 100_000)
const perCall = 1000

/**
 * (d) Compares two ways to add 100,000 leads. The API validates, normalizes and checks a thousand per call. COPY writes the same rows
 * into the same four tables with all their indexes: profile, progress, person and event.
 */
export async function benchLeads({ app, db }: Stage): Promise<void> {
  const tenant = await insertTestAccount(app.db)
  const senderId = await insertTestSender(app.db, tenant, { port: 1 })
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
  const now = app.clock.now()
  const beforeAdding = await readCosts(db)
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
  const afterAdding = await readCosts(db)
  const other = await insertTestAccount(app.db)
  const otherCampaign = await insertTestCampaign(app.db, other, { senderIds: [] })
  const row = { accountId: other.accountId, campaignId: otherCampaign.id, at: now.toISOString() }
  const beforeCopying = await readCosts(db)
  const copied = await measure(() =>
    app.db.transaction(async (tx) => {
      for (const { columns, values } of copies)
        await tx.copyFrom(
          `copy ${columns} from stdin`,
          copyRows((index) => values(row, index)),
        )
    }),
  )
  const [adding, copying] = [perRow(beforeAdding, afterAdding), perRow(beforeCopying, await readCosts(db))]
  line(
    '(d) add leads / COPY of the same rows',
    copied.seconds / added.seconds,
    `${Math.round(total / added.seconds)}/s against ${Math.round(total / copied.seconds)}/s`,
  )
  line(
    '(d) the same by CPU time of PostgreSQL',
    copying.postgresMs / adding.postgresMs,
    `${micros(adding.postgresMs)} against ${micros(copying.postgresMs)} a lead, this process ${micros(adding.processMs)} ` +
      `against ${micros(copying.processMs)}`,
  )
}

const perRow = (before: Costs, after: Costs): Costs => perMessage(before, after, total)
const micros = (ms: number): string => `${Math.round(ms * 1000)} µs`

interface CopiedRow {
  accountId: string
  campaignId: string
  at: string
}

const copies: { columns: string; values: (row: CopiedRow, index: number) => string[] }[] = [
  {
    columns: `lead_profiles (account_id, environment, campaign_id, id, email, email_given, email_domain, first_name, last_name, company,
      custom_variables, created_at, updated_at)`,
    values: ({ accountId, campaignId, at }, index) => [
      accountId,
      'live',
      campaignId,
      idOf('led', index),
      emailOf(index),
      `Person.${index}@${domainOf(index)}`,
      domainOf(index),
      'Ada',
      'Lovelace',
      'Acme',
      '{"plan":"pro"}',
      at,
      at,
    ],
  },
  {
    columns: 'lead_progress (account_id, environment, campaign_id, lead_id, status, due_at, attempt_at, updated_at)',
    values: ({ accountId, campaignId, at }, index) => [
      accountId,
      'live',
      campaignId,
      idOf('led', index),
      'pending',
      at,
      at,
      at,
    ],
  },
  {
    columns: 'people (account_id, environment, id, email, created_at, updated_at)',
    values: ({ accountId, at }, index) => [accountId, 'live', idOf('per', index), emailOf(index), at, at],
  },
  {
    columns: `events (account_id, environment, id, type, occurred_at, campaign_id, lead_id, lead_email, data, actor_type)`,
    values: ({ accountId, campaignId, at }, index) => [
      accountId,
      'live',
      idOf('evt', index),
      'lead.added',
      at,
      campaignId,
      idOf('led', index),
      emailOf(index),
      '{}',
      'system',
    ],
  },
]

const idOf = (kind: string, index: number): string => `${kind}_copy${String(index).padStart(18, '0')}`
const domainOf = (index: number): string => `acme${index % 500}.example.com`
const emailOf = (index: number): string => `person.${index}@${domainOf(index)}`

function* copyRows(values: (index: number) => string[]): Generator<string> {
  for (let index = 0; index < total; index++) yield `${values(index).join('\t')}\n`
}
