import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { builtProgram } from '@overture/testing/programs/program.ts'
import { campaignRoutes } from '../../packages/server/src/campaigns/index.ts'
import { createInboxWorker } from '../../packages/server/src/inbox/index.ts'
import { insertContacted } from '@overture/testing/inbox/inbox-fixtures.sql.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { sendingAccountsRoutes } from '../../packages/server/src/sending-accounts/index.ts'

// Each test starts and kills whole processes.
vi.setConfig({ testTimeout: 300_000 })

const worker = await builtProgram(new URL('./inbox-worker-main.ts', import.meta.url))

const mailboxes = Array.from({ length: 12 }, (_, at) => `sender${at}@example.com`)
const patient = { timeout: 60_000, interval: 50 }
/** One minute of the workers takes seven and a half seconds. */
const speed = 8
let server: TestServer
let imap: ImapDouble
let epochMs = 0
const children: ChildProcess[] = []
const senderIds = new Map<string, string>()
let campaignId = ''

beforeAll(async () => {
  imap = await startImapDouble({ users: Object.fromEntries(mailboxes.map((user) => [user, 'secret'])) })
  server = await startTestServer({
    routes: () => [
      ...campaignRoutes({
        renderer: testRenderer,
        checkAi: () => Promise.resolve({ missingPresetIds: [], creditsMissing: false }),
      }),
      ...sendingAccountsRoutes(),
    ],
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' },
  })
  epochMs = server.app.clock.now().getTime()
  for (const user of mailboxes) {
    const login = { host: '127.0.0.1', security: 'none', username: user, password: 'secret' }
    const sender = await call('POST', '/v2/sending-accounts', {
      email: user,
      fromName: 'Sender',
      smtp: { ...login, port: 2525 },
      imap: { ...login, port: imap.port },
    })
    senderIds.set(user, sender.body.id)
  }
  const campaign = await call('POST', '/v2/campaigns', {
    name: 'One',
    sendingAccountIds: [...senderIds.values()],
    steps: [{ variants: [{ subject: 'Hello', body: 'Hi' }] }],
  })
  campaignId = campaign.body.id
  for (const [user, sendingAccountId] of senderIds)
    for (const round of ['first', 'second', 'third']) {
      const added = await call('POST', `/v2/campaigns/${campaignId}/leads`, { leads: [{ email: leadOf(user, round) }] })
      await insertContacted(server.app.db, server.tenant, {
        campaignId,
        leadId: added.body.results[0].leadId,
        stepId: campaign.body.steps[0].id,
        sendingAccountId,
        rfcMessageId: `<${round}.${user}>`,
        status: 'sent',
        at: server.app.clock.now(),
      })
    }
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await server.stop()
  await imap.stop()
})

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.live, body })
const leadOf = (user: string, round: string) => `${round}@${user.split('@')[0]}.test`

function reply(user: string, round: string): string {
  return [
    `From: <${leadOf(user, round)}>`,
    `To: ${user}`,
    `Message-ID: <answer.${round}.${user}>`,
    `In-Reply-To: <${round}.${user}>`,
    'Subject: Re: Hello',
    '',
    'Yes.',
  ].join('\r\n')
}

/** The reply counts of a round's leads. */
async function replies(round: string): Promise<number[]> {
  const { results } = (await call('GET', `/v2/campaigns/${campaignId}/leads?limit=100`)).body
  return results
    .filter((lead: { email: string }) => lead.email.startsWith(`${round}@`))
    .map((lead: { replyCount: number }) => lead.replyCount)
}

async function holders(): Promise<Map<string, number>> {
  const rows = await server.app.db.query<{ token: string | null; count: number }>(
    'select lease_token as token, count(*)::integer as count from mailboxes group by 1',
  )
  return new Map(rows.map((row) => [row.token ?? 'nobody', row.count]))
}

async function startProcess(): Promise<ChildProcess> {
  const child = fork(worker, {
    execArgv: [],
    env: {
      ...process.env,
      DATABASE_URL: server.database.url,
      OVERTURE_TEST_SPEED: String(speed),
      OVERTURE_TEST_EPOCH: String(epochMs),
    },
  })
  children.push(child)
  await new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`The worker ended with ${code}.`)))
  })
  return child
}

const all = mailboxes.map(() => 1)

test('the mailboxes of a killed worker are read by another after its leases, without gaps or duplicates', async () => {
  const first = await startProcess()
  const dead = await vi.waitFor(async () => {
    const [[token, count] = []] = await holders()
    expect([token === 'nobody', count]).toEqual([false, mailboxes.length])
    return token ?? ''
  }, patient)
  for (const user of mailboxes) imap.deliver(user, reply(user, 'first'))
  await vi.waitFor(async () => expect(await replies('first')).toEqual(all), patient)

  await startProcess()
  for (const user of mailboxes) imap.deliver(user, reply(user, 'second'))
  first.kill('SIGKILL')
  for (const user of mailboxes) imap.deliver(user, reply(user, 'third'))
  await vi.waitFor(async () => {
    const held = await holders()
    expect(held.get(dead)).toBeUndefined()
    expect(held.get('nobody')).toBeUndefined()
    expect([...held.values()]).toEqual([mailboxes.length])
  }, patient)
  await vi.waitFor(
    async () =>
      expect([await replies('first'), await replies('second'), await replies('third')]).toEqual([all, all, all]),
    patient,
  )
  const messages = await server.app.db.query<{ count: number }>(
    `select count(*)::integer as count from messages where direction = 'inbound'`,
  )
  expect(messages).toEqual([{ count: mailboxes.length * 3 }])
})

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test("another worker's lease is respected until it ends", async () => {
  await Promise.all(children.map(ended))
  const { db } = server.app
  // Removes the earlier workers, so that mailboxes aren't shared out to them.
  await db.execute('delete from inbox_workers', [])
  const dead = '00000000-0000-4000-8000-000000000001'
  await db.execute(`insert into inbox_workers (token, lease_until) values ($1, now() + interval '1 hour')`, [dead])
  await db.execute(`update mailboxes set lease_token = $1, retry_at = null, retry_count = 0`, [dead])
  // Counts rounds: each round reads the clock.
  let rounds = 0
  const clock = {
    now: () => {
      rounds++
      return server.app.clock.now()
    },
  }
  const worker = createInboxWorker({ ...server.app, clock }, { tickMs: 20, pollMs: 1_000 })
  await worker.start()
  try {
    const before = rounds
    await vi.waitFor(() => expect(rounds).toBeGreaterThan(before + 3), patient)
    expect(await holders()).toEqual(new Map([[dead, mailboxes.length]]))
    await db.execute(`update inbox_workers set lease_until = now() - interval '1 second' where token = $1`, [dead])
    await vi.waitFor(async () => expect((await holders()).get(dead)).toBeUndefined(), patient)
  } finally {
    await worker.stop()
  }
})
