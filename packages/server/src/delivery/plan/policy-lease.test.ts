import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestPolicy,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import { noContactPolicy, type ContactPolicy } from '@overture/contract/contact-policy/contact-policy.ts'
import { campaignJobs } from '../../campaigns/index.ts'
import type { App } from '../../platform/app.ts'
import { enqueueJob } from '../../platform/jobs/jobs.shell.ts'
import { runDueJobs } from '../../platform/jobs/run-due-jobs.shell.ts'
import { updatePolicy } from '../../contact-policy/policies.sql.ts'
import { runPlanning } from './plan-tenant.shell.ts'

const now = new Date('2026-03-02T10:00:00.000Z')
let database: TestDatabase
let app: App
beforeAll(async () => {
  database = await createTestDatabase()
  app = createTestApp(database, { environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' } })
})
afterAll(() => database.drop())

/** Two campaigns that write to the same people, and a limit of one message per person. */
async function openTenant(perPerson: ContactPolicy['perPerson'] = { messages: 1, days: 7 }) {
  const tenant = await insertTestAccount(app.db)
  await insertTestPolicy(app.db, tenant, { ...noContactPolicy, perPerson })
  for (let campaign = 0; campaign < 2; campaign++) {
    const senderId = await insertTestSender(app.db, tenant, { port: 1 })
    const { id } = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
    await insertTestLeads(app.db, tenant, { campaignId: id, count: 5, dueAt: now })
  }
  const contacted = async () =>
    (
      await app.db.query<{ count: number }>(
        `select count(*)::int as count from contacts where account_id = $1 group by address_hash`,
        [tenant.accountId],
      )
    ).map(({ count }) => count)
  return { tenant, contacted }
}

test('one plan writes to each person once', async () => {
  const { tenant, contacted } = await openTenant()
  const { claimed } = await runPlanning({ app, renderer: testRenderer }, tenant, now)
  expect([claimed, await contacted()]).toEqual([5, [1, 1, 1, 1, 1]])
})

test('a planner whose lease another one took stores nothing, so that no person gets two messages', async () => {
  const { tenant, contacted } = await openTenant()
  let other: Promise<{ claimed: number }> | null = null
  // The first planner has read the contacts. Its lease runs out, and another planner plans and claims.
  const slow = {
    ...testRenderer,
    missing: async (...asked: Parameters<typeof testRenderer.missing>) => {
      if (other === null) {
        await app.db.execute(`update planning set lease_until = now() - interval '1 second' where account_id = $1`, [
          tenant.accountId,
        ])
        other = runPlanning({ app, renderer: testRenderer }, tenant, now)
        await other
      }
      return testRenderer.missing(...asked)
    },
  }
  await expect(runPlanning({ app, renderer: slow }, tenant, now)).rejects.toThrow('The planning lease was lost')
  expect((await other!).claimed).toBe(5)
  expect(await contacted()).toEqual([1, 1, 1, 1, 1])
})

test.each([[{ messages: 2, days: 7 }], [null]])(
  'a plan made with the limit %j stores nothing if one message per person is set meanwhile',
  async (perPerson) => {
    const { tenant, contacted } = await openTenant(perPerson)
    let changed = false
    const slow = {
      ...testRenderer,
      missing: async (...asked: Parameters<typeof testRenderer.missing>) => {
        const policy = { ...noContactPolicy, perPerson: { messages: 1, days: 7 } }
        if (!changed) await updatePolicy(app.db, tenant, { policy, now })
        changed = true
        return testRenderer.missing(...asked)
      },
    }
    await expect(runPlanning({ app, renderer: slow }, tenant, now)).rejects.toThrow('The contact policy changed')
    expect(await contacted()).toEqual([])
    await runPlanning({ app, renderer: slow }, tenant, now)
    expect(await contacted()).toEqual([1, 1, 1, 1, 1])
  },
)

test('claimed messages of a campaign that is deleted before they are sent count for no person', async () => {
  const { tenant, contacted } = await openTenant(null)
  await runPlanning({ app, renderer: testRenderer }, tenant, now)
  expect(await contacted()).toEqual([2, 2, 2, 2, 2])
  const values = [tenant.accountId, tenant.environment]
  const [campaign] = await app.db.query<{ id: string }>(
    `update campaigns set deleted_at = now() where id = (select min(id) from campaigns where account_id = $1 and environment = $2)
     returning id`,
    values,
  )
  const purge = { kind: 'campaigns.purge', tenant, payload: { campaignId: campaign!.id }, runAt: now }
  await enqueueJob(app.db, purge)
  await runDueJobs(app, tenant, now, campaignJobs())
  expect(await contacted()).toEqual([1, 1, 1, 1, 1])
  const days = await app.db.query<{ claimed: number }>(
    'select claimed from sender_days where account_id = $1 and environment = $2 order by claimed',
    values,
  )
  expect(days.map(({ claimed }) => claimed)).toEqual([0, 5])
})
