import { expect, test } from 'vitest'
import { smtpOver, type DeliveryByHand } from '@overture/testing/delivery/delivery-by-hand.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
  listTestLeads,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { useDelivery } from '@overture/testing/delivery/use-delivery.ts'
import { createRandom } from '@overture/testing/sandbox/random.ts'
import { listSignalsOfLeads } from '../campaigns/index.ts'
import { deliverClaimed, runPlanning } from '../delivery/index.ts'
import type { App } from '../platform/app.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { receiveSignals } from './signals.commands.ts'
import { signalJobs } from './signals.jobs.ts'

const start = new Date('2026-03-02T10:00:00.000Z')

let app: App
let delivery: DeliveryByHand
let tenant: Tenant
let senderId: string
useDelivery((world) => ({ app, delivery, tenant, senderId } = world))

/** Leads `p1@acme.test`, `p2@acme.test` … of a campaign that stops when a deal is won. */
async function launch(count: number): Promise<string> {
  const { id } = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
  await app.db.execute(
    `update campaigns set settings = settings || '{"stopOnSignals": ["deal_won"]}' where account_id = $1 and id = $2`,
    [tenant.accountId, id],
  )
  await insertTestLeads(app.db, tenant, { campaignId: id, count, dueAt: start })
  return id
}

const tell = (tx: Transaction, signals: readonly object[]) => receiveSignals(tx, tenant, { signals, now: start })
const won = { name: 'deal_won', email: 'p1@acme.test' }

test('a claimed message is withheld, and its counts are given back', async () => {
  await launch(3)
  const { token } = await runPlanning(delivery.tools, tenant, start)
  await app.db.transaction((tx) => tell(tx, [won, { ...won, email: 'p3@acme.test' }]))
  const [day] = await app.db.query<{ claimed: number }>(`select claimed from sender_days where account_id = $1`, [
    tenant.accountId,
  ])
  expect(day?.claimed).toBe(1)
  await deliverClaimed(delivery.tools, tenant, { now: start, token })
  expect(delivery.smtp.accepted.map((mail) => mail.to[0])).toEqual(['p2@acme.test'])
})

test('the gate withholds a message after a signal during its body', async () => {
  await launch(1)
  const smtp = smtpOver(app, delivery.pool)
  delivery.tools.transportFor = () => ({
    send: (request) =>
      smtp.send({
        ...request,
        async gate() {
          await app.db.transaction((tx) => tell(tx, [won]))
          return request.gate()
        },
      }),
  })
  const { token } = await runPlanning(delivery.tools, tenant, start)
  await deliverClaimed(delivery.tools, tenant, { now: start, token })
  expect(delivery.smtp.accepted).toEqual([])
  expect((await listTestLeads(app.db, tenant)).map(({ status }) => status)).toEqual(['stopped'])
})

/** The same transaction, with a counter of the statements sent. */
function counting(tx: Transaction): { tx: Transaction; sent: () => number } {
  let sent = 0
  const count = <Method extends keyof Executor>(method: Method) =>
    ((...given: Parameters<Executor[Method]>) => {
      sent++
      return (tx[method] as (...all: unknown[]) => unknown)(...given)
    }) as Executor[Method]
  return {
    tx: Object.assign(Object.create(tx), { query: count('query'), execute: count('execute') }),
    sent: () => sent,
  }
}

test('a thousand signals for a thousand leads need as many statements as two', async () => {
  const statements: number[] = []
  for (const size of [2, 1000]) {
    await launch(size)
    const signals = Array.from({ length: size }, (_, at) => ({ ...won, email: `p${at + 1}@acme.test` }))
    await app.db.transaction(async (plain) => {
      const { tx, sent } = counting(plain)
      expect((await tell(tx, signals)).accepted).toBe(size)
      statements.push(sent())
    })
    expect((await listTestLeads(app.db, tenant)).every(({ status }) => status === 'stopped')).toBe(true)
    tenant = await insertTestAccount(app.db)
    senderId = await insertTestSender(app.db, tenant, { port: delivery.smtp.port })
  }
  expect(statements[1]).toBeLessThanOrEqual(statements[0]! + 1)
  expect(statements[1]).toBeLessThan(20)
})

test('leads of a large company are stopped by a job, to the last one', async () => {
  await launch(2_300)
  await app.db.transaction((tx) => tell(tx, [{ name: 'deal_won', domain: 'acme.test' }]))
  const open = async () => (await listTestLeads(app.db, tenant)).filter(({ status }) => status === 'pending').length
  expect(await open()).toBe(1_300)
  const [job] = await app.db.query<{ payload: Record<string, unknown> }>(
    `select payload from jobs where kind = 'signals.stop' and account_id = $1`,
    [tenant.accountId],
  )
  const signal = new AbortController().signal
  await signalJobs()[0]?.run({ app, tenant, now: start, signal } as never, job!.payload)
  expect(await open()).toBe(0)
})

test.each([1, 2, 3, 4, 5])('a lead has the signals of its id, address and company: seed %i', async (seed) => {
  const random = createRandom(seed)
  const names = ['a', 'b', 'c']
  const domains = ['one.test', 'two.test', 'three.test']
  const leads: { campaignId: string; id: string; email: string; company: string }[] = []
  for (let campaign = 0; campaign < 2; campaign++) {
    const { id: campaignId } = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
    await insertTestLeads(app.db, tenant, { campaignId, count: 8, dueAt: start, prefix: `c${campaign}p` })
    for (const [at, { id }] of (await listTestLeads(app.db, tenant))
      .filter((lead) => !leads.some((one) => one.id === lead.id))
      .entries()) {
      const [domain, own] = [random.pick(domains), random.oneIn(2) ? random.pick(domains) : null]
      const email = `person${at}@${domain}`
      await app.db.execute(
        `update lead_profiles set email = $3, email_domain = $4, company_domain = $5 where account_id = $1 and id = $2`,
        [tenant.accountId, id, email, domain, own],
      )
      leads.push({ campaignId, id, email, company: own ?? domain })
    }
  }
  const at = (hours: number) => new Date(start.getTime() - hours * 3_600_000)
  const signals = Array.from({ length: 40 }, () => {
    const lead = random.pick(leads)
    const of = random.pick([{ email: lead.email }, { domain: lead.company }, { leadId: lead.id }])
    return { name: random.pick(names), ...of, occurredAt: at(random.between(0, 99)).toISOString() } as {
      name: string
      email?: string
      domain?: string
      leadId?: string
      occurredAt: string
    }
  })
  await app.db.transaction((tx) => tell(tx, signals))
  const wantedNames = names.slice(0, 2)
  const expected = leads.flatMap((lead) =>
    wantedNames.flatMap((name) => {
      const times = signals
        .filter(
          (one) =>
            one.name === name && (one.email === lead.email || one.domain === lead.company || one.leadId === lead.id),
        )
        .map((one) => one.occurredAt)
      return times.length === 0 ? [] : [`${lead.id} ${name} ${times.toSorted().at(-1)}`]
    }),
  )
  const found = await listSignalsOfLeads(app.db, tenant, {
    leads: leads.map(({ campaignId, id }) => ({ campaignId, leadId: id })),
    names: wantedNames,
  })
  const text = found.map(({ leadId, name, occurredAt }) => `${leadId} ${name} ${occurredAt.toISOString()}`)
  expect(text.sort()).toEqual(expected.sort())
})
