import { fork, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
  listTestLeads,
  listTestMessages,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { faultNames, noFaults } from '../../packages/server/src/delivery/index.ts'
import { createSecrets } from '@overture/server/platform/crypto/secrets.shell.ts'
import { builtProgram } from '@overture/testing/programs/program.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import type { Tenant } from '../../packages/server/src/platform/tenant.ts'
import { startFaultWorker } from './fault-worker.ts'
import { startPostgresProxy } from './postgres-proxy.ts'

/**
 * At every fault point, a worker is killed, frozen or cut off from its database, and another worker takes over. The result is checked
 * against the messages that the receiving server accepted, joined to the rows by Message-ID (docs/delivery.md).
 */
const leads = 3
// The same key as in `createTestApp`.
const testEncryptionKey = 'an encryption key of a test run'
const victims = new Set<ChildProcess>()
const mayBeUncertain = new Set([
  'gate_in_doubt',
  'gated',
  'half_terminator',
  'terminated',
  'answered',
  'record_in_doubt',
  'lease_over',
])
const worker = await builtProgram(new URL('./worker-main.ts', import.meta.url))
const triesMax = 1_200
const steps = [{ subject: 'Hello {{ firstName }}', body: 'Hi {{ firstName }}.', waitDays: 0 }]

let database: TestDatabase
let double: SmtpDouble

beforeAll(async () => {
  database = await createTestDatabase()
  double = await startSmtpDouble({ users: { eve: 'secret' } })
})
// Kills workers that reached no fault point, so that they don't work for the next test.
afterEach(() => {
  for (const child of victims) child.kill('SIGKILL')
  victims.clear()
})
afterAll(async () => {
  await double.stop()
  await database.drop()
})

async function launch(): Promise<Tenant> {
  const tenant = await insertTestAccount(database.db)
  const senderId = await insertTestSender(database.db, tenant, { port: double.port, login })
  const campaign = await insertTestCampaign(database.db, tenant, { senderIds: [senderId], steps })
  await insertTestLeads(database.db, tenant, {
    campaignId: campaign.id,
    count: leads,
    dueAt: new Date(),
    domain: `${tenant.accountId}.test`.replace('_', '-'),
  })
  return tenant
}

// A sender with a login, so that faults can happen at the login.
const login = {
  username: 'eve',
  seal: (context: string) =>
    createSecrets([testEncryptionKey]).encrypt(JSON.stringify({ smtpPassword: 'secret' }), context),
}

type Action = 'kill' | 'stop' | 'tell'

interface Victim {
  child: ChildProcess
  exited: Promise<void>
}

async function startVictim(
  point: string,
  options: { action?: Action; skip?: number; url?: string } = {},
): Promise<Victim> {
  const child = fork(worker, {
    execArgv: [],
    env: {
      ...process.env,
      DATABASE_URL: options.url ?? database.url,
      OVERTURE_FAULT: point,
      OVERTURE_FAULT_ACTION: options.action ?? 'kill',
      OVERTURE_FAULT_SKIP: String(options.skip ?? 0),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  victims.add(child)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await messageOf(child, 'ready')
  return { child, exited }
}

function messageOf(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('message', (message) => {
      if (message === text) resolve()
    })
    child.once('exit', () => reject(new Error(`The worker ended before it said ${text}.`)))
  })
}

async function until(what: string, check: () => Promise<boolean>): Promise<void> {
  for (let left = triesMax; !(await check()); left--) {
    if (left === 0) throw new Error(`Not in time: ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

/** Expires every held lease at once, to avoid waiting a minute. */
async function expireLeases(): Promise<void> {
  await database.db.execute(`update claims set lease_until = now() - interval '1 second' where lease_until is not null`)
  await database.db.execute(
    `update planning set lease_until = now() - interval '1 second' where lease_until is not null`,
  )
}

async function isSettled(tenant: Tenant): Promise<boolean> {
  const rows = await listTestLeads(database.db, tenant)
  return rows.every(
    (lead) => lead.status === 'completed' || lead.status === 'stopped' || lead.blockedReason === 'delivery_uncertain',
  )
}

async function takeOver(tenant: Tenant): Promise<void> {
  await expireLeases()
  const stop = await startFaultWorker(noFaults, database.url)
  try {
    await until('every lead is settled', () => isSettled(tenant))
  } finally {
    await stop()
  }
}

async function judge(tenant: Tenant, point: string): Promise<void> {
  const rows = await listTestMessages(database.db, tenant)
  const accepted = new Map<string, number>()
  for (const mail of double.accepted) {
    if (mail.to.some((to) => to.endsWith(`@${tenant.accountId.replace('_', '-')}.test`)))
      accepted.set(mail.messageId ?? '', (accepted.get(mail.messageId ?? '') ?? 0) + 1)
  }
  const recipients = double.accepted
    .flatMap((mail) => mail.to)
    .filter((to) => to.endsWith(`@${tenant.accountId.replace('_', '-')}.test`))
  expect(new Set(recipients).size, 'nobody got two messages').toBe(recipients.length)
  expect(
    [...accepted.values()].every((count) => count === 1),
    'no Message-ID twice',
  ).toBe(true)
  for (const row of rows) {
    const times = accepted.get(row.rfcMessageId ?? '') ?? 0
    if (row.status === 'sent') expect(times, `${row.id} is sent and was received`).toBe(1)
    else
      expect({ status: row.status, point }).toEqual({
        status: 'uncertain',
        point: mayBeUncertain.has(point) ? point : 'none',
      })
    accepted.delete(row.rfcMessageId ?? '')
  }
  expect([...accepted.keys()], 'everything received has its row').toEqual([])
  expect(rows).toHaveLength(leads)
  const events = await database.db.query<{ messageId: string }>(
    `select message_id from events where account_id = $1 and type = 'message.sent'`,
    [tenant.accountId],
  )
  expect(events.map((event) => event.messageId).sort()).toEqual(
    rows
      .filter((row) => row.status === 'sent')
      .map((row) => row.id)
      .sort(),
  )
}

async function stateOf(pid: number): Promise<string> {
  return (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.[0] ?? ''
}

describe('a worker killed with SIGKILL', () => {
  // Faults within the SMTP conversation happen at the second message, so that one message precedes it and one follows.
  const conversation = faultNames.indexOf('mail')
  const points = faultNames.filter((point) => point !== 'lease_over')
  test.each(points)('at %s: nothing is sent twice or lost', async (point) => {
    const victim = await startVictim(point, { skip: faultNames.indexOf(point) >= conversation ? 1 : 0 })
    const tenant = await launch()
    victim.child.send('go')
    await victim.exited
    expect(victim.child.signalCode).toBe('SIGKILL')
    await takeOver(tenant)
    await judge(tenant, point)
  })
})

/** Launches leads at a branch that moves all of them to a campaign with one email. */
async function launchHandOver(): Promise<{ tenant: Tenant; fromId: string; toId: string }> {
  const { db } = database
  const tenant = await insertTestAccount(db)
  const senderIds = [await insertTestSender(db, tenant, { port: double.port, login })]
  const { id: toId } = await insertTestCampaign(db, tenant, { senderIds, steps })
  const { id: fromId, stepIds } = await insertTestCampaign(db, tenant, { senderIds, steps: [...steps, ...steps] })
  const branch = { id: 'brn_all', label: 'All', when: { field: 'email', is: 'exists' }, goTo: toId, immediately: false }
  await db.execute(`update steps set type = 'branch', branches = $2 where id = $1`, [
    stepIds[0],
    JSON.stringify([branch]),
  ])
  await db.execute(`delete from variants where step_id = $1`, [stepIds[0]])
  const domain = `${tenant.accountId}.test`.replace('_', '-')
  await insertTestLeads(db, tenant, { campaignId: fromId, count: leads, dueAt: new Date(), domain })
  await db.execute(`update lead_progress set deciding = true where account_id = $1`, [tenant.accountId])
  return { tenant, fromId, toId }
}

async function judgeHandOver({ tenant, fromId, toId }: Awaited<ReturnType<typeof launchHandOver>>): Promise<void> {
  const rows = await database.db.query<{ campaignId: string; leadId: string; status: string; handedToLeadId: string }>(
    `select campaign_id, lead_id, status, handed_to_lead_id from lead_progress where account_id = $1`,
    [tenant.accountId],
  )
  const [sources, taken] = [fromId, toId].map((id) => rows.filter(({ campaignId }) => campaignId === id))
  expect(sources!.map(({ status }) => status)).toEqual(Array.from({ length: leads }, () => 'stopped'))
  const ids = (of: readonly string[]) => of.toSorted((a, b) => a.localeCompare(b))
  expect(ids(taken!.map(({ leadId }) => leadId))).toEqual(ids(sources!.map((source) => source.handedToLeadId)))
  const eventCounts = await database.db.query<{ type: string; count: number }>(
    `select type, count(*)::int as count from events where account_id = $1
       and type in ('branch.decided', 'lead.handed_over', 'lead.added') group by type order by type`,
    [tenant.accountId],
  )
  expect(eventCounts.map(({ count }) => count)).toEqual([leads, leads, leads])
  const counts = await database.db.query(`select lead_count from campaigns where id = $1`, [toId])
  expect(counts).toEqual([{ leadCount: leads }])
  const wrote = await database.db.query<{ campaignId: string }>(
    `select distinct campaign_id from message_heads where account_id = $1`,
    [tenant.accountId],
  )
  expect(wrote).toEqual([{ campaignId: toId }])
}

describe('a worker killed with SIGKILL during a hand-over', () => {
  test.each(['planning', 'planned', 'claimed', 'stored', 'gated', 'terminated', 'recorded'])(
    'at %s: each lead is in the other campaign once, and nothing is sent twice or lost',
    async (point) => {
      const victim = await startVictim(point)
      const world = await launchHandOver()
      victim.child.send('go')
      await victim.exited
      expect(victim.child.signalCode).toBe('SIGKILL')
      if (point === 'planning') {
        const begun = await listTestLeads(database.db, world.tenant)
        expect(begun.map(({ status }) => status)).toEqual(begun.map(() => 'pending'))
        expect(begun).toHaveLength(leads)
      }
      await takeOver(world.tenant)
      await judge(world.tenant, point)
      await judgeHandOver(world)
    },
  )
})

describe('a worker frozen past its lease and resumed', () => {
  test.each(['lease_over', 'gated'])('at %s: what others settled meanwhile is not sent again', async (point) => {
    const victim = await startVictim(point, { action: 'stop', skip: 1 })
    const tenant = await launch()
    victim.child.send('go')
    const pid = victim.child.pid ?? 0
    await until('the worker is frozen', async () => (await stateOf(pid)) === 'T')
    await takeOver(tenant)
    process.kill(pid, 'SIGCONT')
    victim.child.kill('SIGTERM')
    await victim.exited
    await judge(tenant, 'lease_over')
  })
})

describe('a database that becomes unavailable', () => {
  test.each([
    ['gate_in_doubt', 'cut'],
    ['gate_in_doubt', 'swallow'],
    ['record_in_doubt', 'cut'],
    ['record_in_doubt', 'swallow'],
  ] as const)('at %s (%s): the same worker settles the uncertain commit', async (point, mode) => {
    const proxy = await startPostgresProxy(database.url)
    const victim = await startVictim(point, { action: 'tell', skip: 1, url: proxy.url })
    const tenant = await launch()
    const hit = messageOf(victim.child, 'hit')
    victim.child.send('go')
    await hit
    proxy.mode = mode
    victim.child.send('on')
    await until('a connection is broken', () => Promise.resolve(proxy.broken > 0))
    proxy.mode = 'pass'
    await until('every lead is settled', () => isSettled(tenant))
    victim.child.kill('SIGTERM')
    await victim.exited
    await proxy.stop()
    await judge(tenant, point)
  })
})
