import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { smtpOver, startDelivery } from '@overture/testing/delivery/delivery-by-hand.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import type { Database, Executor } from '../../platform/db/database.ts'
import { deliverClaimed } from '../send/deliver.shell.ts'
import { runPlanning } from './plan-tenant.shell.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const start = new Date('2026-03-02T10:00:00.000Z')

/** The same database, which adds the name of each statement to `names`. */
function listening<Db extends Executor>(db: Db, names: string[]): Db {
  return new Proxy(db, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      if (key === 'query' || key === 'execute')
        return (text: string, values?: unknown[], name?: string) => {
          names.push(name ?? text.trim().slice(0, 40))
          return value.call(target, text, values, name)
        }
      if (key === 'transaction')
        return (run: (tx: Executor) => Promise<unknown>) =>
          value.call(target, (tx: Executor) => run(listening(tx, names)))
      return value.bind(target)
    },
  })
}

/** The names of all statements of the plans and one delivery of a campaign, in order. */
async function statementsOf(branch: boolean): Promise<string[]> {
  const app = createTestApp(database, {
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1', OVERTURE_PUBLIC_URL: 'https://mail.example.com' },
  })
  const delivery = await startDelivery(app)
  const tenant = await insertTestAccount(app.db)
  const senderId = await insertTestSender(app.db, tenant, { port: delivery.smtp.port })
  const { id } = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
  await insertTestLeads(app.db, tenant, { campaignId: id, count: 3, dueAt: start })
  if (branch)
    await app.db.execute(
      `update steps set type = 'branch', branches = '[]' where account_id = $1 and campaign_id = $2
         and position = (select max(position) from steps s where s.account_id = $1 and s.campaign_id = $2)`,
      [tenant.accountId, id],
    )
  const names: string[] = []
  const db: Database = listening(app.db, names)
  const tools = { ...delivery.tools, app: { ...app, db }, transportFor: () => smtpOver(app, delivery.pool) }
  const { token } = await runPlanning(tools, tenant, start)
  await deliverClaimed(tools, tenant, { now: start, token })
  await runPlanning(tools, tenant, new Date(start.getTime() + 3_600_000))
  await delivery.stop()
  return names
}

/** Statements that are only needed for branches, signals and hand-overs. */
const ofBranches =
  /decid|decision|deed|asked_leads|signal|entr|handed|hand_over|successor|waiting_entries|reached|list_paths/

test('a campaign without branches runs no statement for branches', async () => {
  const plain = await statementsOf(false)
  expect(plain.length).toBeGreaterThan(20)
  expect(plain.filter((name) => ofBranches.test(name))).toEqual([])
  // Proves that the pattern works: a campaign with a branch runs such statements.
  expect((await statementsOf(true)).filter((name) => ofBranches.test(name))).toContain('list_deciding_candidates')
})
