import { expect, test } from 'vitest'
import { smtpOver, type DeliveryByHand } from '@overture/testing/delivery/delivery-by-hand.ts'
import { insertTestCampaign, insertTestLeads, listTestLeads } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { useDelivery } from '@overture/testing/delivery/use-delivery.ts'
import { deliverClaimed, runPlanning } from '../../delivery/index.ts'
import type { App } from '../../platform/app.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { handOver } from './hand-over.commands.ts'

const start = new Date('2026-03-02T10:00:00.000Z')

let app: App
let delivery: DeliveryByHand
let tenant: Tenant
let senderId: string
useDelivery((world) => ({ app, delivery, tenant, senderId } = world))

const campaign = async () => (await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })).id

/** Two campaigns. The first one has the leads `p1@acme.test` …. */
async function launch(count: number) {
  const [fromId, toId] = [await campaign(), await campaign()]
  await insertTestLeads(app.db, tenant, { campaignId: fromId, count, dueAt: start })
  const leads = (await listTestLeads(app.db, tenant)).map(({ id }) => ({
    campaignId: fromId,
    leadId: id,
    by: 'entry' as const,
    evidence: 'Opened.',
    at: start,
  }))
  return { fromId, toId, leads }
}

type World = Awaited<ReturnType<typeof launch>>
const hand = ({ toId, leads }: Pick<World, 'toId' | 'leads'>) =>
  app.db.transaction((tx) => handOver(tx, tenant, { toCampaignId: toId, leads, now: start }))

interface Standing {
  campaignId: string
  leadId: string
  email: string
  status: string
  originLeadId: string | null
  handedToLeadId: string | null
}
const standings = () =>
  app.db.query<Standing>(
    `select p.campaign_id, p.lead_id, l.email, p.status, p.origin_lead_id, p.handed_to_lead_id
     from lead_progress p join lead_profiles l on l.account_id = $1 and l.id = p.lead_id where p.account_id = $1
     order by l.email, p.lead_id`,
    [tenant.accountId],
  )

test('a claimed message is withheld, and its counts are given back', async () => {
  const world = await launch(2)
  const { token } = await runPlanning(delivery.tools, tenant, start)
  await hand({ ...world, leads: world.leads.slice(0, 1) })
  const [day] = await app.db.query<{ claimed: number }>(`select claimed from sender_days where account_id = $1`, [
    tenant.accountId,
  ])
  expect(day?.claimed).toBe(1)
  await deliverClaimed(delivery.tools, tenant, { now: start, token })
  expect(delivery.smtp.accepted.map((mail) => mail.to[0])).toEqual(['p2@acme.test'])
})

test('the gate withholds a message handed over before the end of its body', async () => {
  const world = await launch(1)
  const smtp = smtpOver(app, delivery.pool)
  delivery.tools.transportFor = () => ({
    send: (request) =>
      smtp.send({
        ...request,
        async gate() {
          await hand(world)
          return request.gate()
        },
      }),
  })
  const { token } = await runPlanning(delivery.tools, tenant, start)
  await deliverClaimed(delivery.tools, tenant, { now: start, token })
  expect(delivery.smtp.accepted).toEqual([])
  expect((await standings()).map(({ status }) => status).toSorted()).toEqual(['pending', 'stopped'])
})

test('a transaction that ends before its commit hands over no lead', async () => {
  const world = await launch(3)
  const before = await standings()
  await expect(
    app.db.transaction(async (tx) => {
      expect((await handOver(tx, tenant, { toCampaignId: world.toId, leads: world.leads, now: start })).size).toBe(3)
      // Like `kill -9`: the server rolls back the transaction of the lost connection.
      await app.db.query(`select pg_terminate_backend($1)`, [
        (await tx.query<{ pid: number }>(`select pg_backend_pid() as pid`))[0]?.pid,
      ])
      await tx.query(`select`)
    }),
  ).rejects.toThrow()
  expect(await standings()).toEqual(before)
  expect((await hand(world)).size).toBe(3)
  expect(await app.db.query(`select lead_count from campaigns where id = $1`, [world.toId])).toEqual([{ leadCount: 3 }])
})

test.each([1, 2, 3])('a lead handed over to many campaigns at once joins exactly one: round %i', async () => {
  const world = await launch(8)
  const targets = [world.toId, await campaign(), await campaign()]
  const taken = await Promise.all(
    [...targets, ...targets].map((toId, at) =>
      hand({ toId, leads: at % 2 === 0 ? world.leads : world.leads.toReversed() }),
    ),
  )
  expect(taken.reduce((sum, one) => sum + one.size, 0)).toBe(8)
  const rows = await standings()
  const open = rows.filter(({ status }) => status === 'pending')
  expect(new Set(open.map(({ email }) => email)).size).toBe(open.length)
  expect(open).toHaveLength(8)
  for (const { leadId, originLeadId } of open)
    expect(rows.find((row) => row.leadId === originLeadId)).toMatchObject({ status: 'stopped', handedToLeadId: leadId })
  const events = await app.db.query<{ type: string; count: number }>(
    `select type, count(*)::int as count from events where account_id = $1 and type in ('lead.handed_over', 'lead.added')
     group by type order by type`,
    [tenant.accountId],
  )
  expect(events).toEqual([
    { type: 'lead.added', count: 8 },
    { type: 'lead.handed_over', count: 8 },
  ])
})

test('two leads of one person become one, and the other one stays unchanged', async () => {
  const first = await launch(1)
  const second = await campaign()
  await insertTestLeads(app.db, tenant, { campaignId: second, count: 1, dueAt: start, prefix: 'q' })
  await app.db.execute(`update lead_profiles set email = 'p1@acme.test' where account_id = $1 and campaign_id = $2`, [
    tenant.accountId,
    second,
  ])
  const other = (await standings()).find(({ campaignId }) => campaignId === second)!
  const leads = [first.leads[0]!, { ...first.leads[0]!, campaignId: second, leadId: other.leadId }]
  expect((await hand({ toId: first.toId, leads })).size).toBe(1)
  expect((await standings()).filter(({ campaignId }) => campaignId === first.toId)).toHaveLength(1)
  expect((await standings()).filter(({ handedToLeadId }) => handedToLeadId === null)).toHaveLength(2)
})

test('opted-out and bounced leads are not handed over', async () => {
  const world = await launch(3)
  const [opted, bounced] = world.leads
  await app.db.execute(`update lead_progress set status = 'unsubscribed' where account_id = $1 and lead_id = $2`, [
    tenant.accountId,
    opted!.leadId,
  ])
  await app.db.execute(`update lead_progress set status = 'bounced' where account_id = $1 and lead_id = $2`, [
    tenant.accountId,
    bounced!.leadId,
  ])
  expect([...(await hand(world))]).toEqual([world.leads[2]!.leadId])
})
