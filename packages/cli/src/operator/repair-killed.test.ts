import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { idOfMessageId, recordBounce } from '@overture/server/delivery/index.ts'
import { createSecrets } from '@overture/server/platform/crypto/secrets.shell.ts'
import { contactedLead, type ContactedLead } from '@overture/testing/inbox/contacted-lead.ts'
import { builtCli } from '@overture/testing/programs/program.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

const now = new Date('2026-03-02T09:00:00.000Z')
const bounce = {
  type: 'hard' as const,
  code: '5.1.90',
  reason: '550 5.1.90 Your message can’t be sent because you’ve reached your daily limit for message recipients',
}
const leadsCount = 5
/** The address of a suppression is hashed with it, so the command needs the key of the server. */
const encryptionKey = 'a'.repeat(64)

let server: TestServer
let folder: string
let leads: ContactedLead[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-repair-'))
  server = await startWholeServer()
  const sender = { email: 'sender@example.com', fromName: 'Sender', provider: 'sandbox' }
  const senderId = (await server.call('POST', '/v2/sending-accounts', { key: server.keys.test, body: sender })).body.id
  leads = []
  for (let count = 0; count < leadsCount; count++) leads.push(await contactedLead(server, { senderId, now }))
  for (const lead of leads)
    await server.app.db.transaction((tx) =>
      recordBounce(tx, server.testTenant, {
        ...bounce,
        recipient: null,
        messageId: idOfMessageId(lead.rfcMessageId)!,
        secrets: createSecrets([encryptionKey]),
        now,
      }),
    )
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

async function startRepair() {
  const child = spawn(process.execPath, [await builtCli(), 'repair', 'returned', '--json'], {
    env: {
      PATH: process.env['PATH'],
      LOG_LEVEL: 'silent',
      DATABASE_URL: server.database.url,
      OVERTURE_DATA_DIR: folder,
      OVERTURE_ENCRYPTION_KEY: encryptionKey,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { child, printed: text(child.stdout) }
}

const query = <Row extends object>(sql: string, values: unknown[] = []) => server.app.db.query<Row>(sql, values)
const isWaiting = async () =>
  (
    await query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
    )
  ).length > 0
const returnedEvents = async () => {
  const rows = await query<{ leadId: string; count: number }>(
    `select lead_id, count(*)::int as count from events where type = 'message.returned' group by lead_id`,
  )
  return new Map(rows.map(({ leadId, count }) => [leadId, count]))
}
const leadOf = async ({ campaignId, leadId }: ContactedLead) =>
  (await server.call('GET', `/v2/campaigns/${campaignId}/leads/${leadId}`, { key: server.keys.test })).body

/** Locks the lead of the bounce in the middle, until the returned function is called. */
async function holdLead(leadId: string): Promise<() => Promise<void>> {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  let locked = (): void => undefined
  const isLocked = new Promise<void>((resolve) => (locked = resolve))
  const held = server.app.db.transaction(async (tx) => {
    await tx.query('select 1 from lead_progress where lead_id = $1 for update', [leadId])
    locked()
    await released
  })
  await isLocked
  return async () => {
    release()
    await held
  }
}

test('a repair that is killed within a bounce leaves it whole, and the next run finishes without a repetition', async () => {
  const [{ id: middle }] = (await query<{ id: string }>(
    `select lead_id as id from message_heads order by account_id, environment, id offset 2 limit 1`,
  )) as [{ id: string }]
  const release = await holdLead(middle)
  onTestFinished(release)
  const { child } = await startRepair()
  // Workers of the server may wait for the same lead, so a wait alone does not show where the repair is.
  await expect
    .poll(async () => [(await returnedEvents()).size, await isWaiting()], { timeout: 120_000 })
    .toEqual([2, true])
  child.kill('SIGKILL')
  expect((await once(child, 'exit'))[1]).toBe('SIGKILL')
  const before = await returnedEvents()
  expect(before.size).toBe(2)
  expect(before.has(middle)).toBe(false)
  await release()
  // The statement of the killed process ends with its lock, and its transaction is rolled back.
  await expect.poll(isWaiting, { timeout: 120_000 }).toBe(false)
  const killed = leads.find(({ leadId }) => leadId === middle)!
  expect(await leadOf(killed)).toMatchObject({ status: 'bounced', stoppedBy: { rule: 'hard_bounce' } })

  const second = await startRepair()
  expect(JSON.parse(await second.printed)).toMatchObject({ checked: leadsCount - 2, returned: leadsCount - 2 })
  const after = await returnedEvents()
  expect([...after.values()]).toEqual(Array(leadsCount).fill(1))
  for (const lead of leads) {
    expect(await leadOf(lead)).toMatchObject({ status: 'active', blockedReason: 'returned', stoppedBy: null })
    const path = `/v2/suppressions?q=${encodeURIComponent(lead.email)}`
    expect((await server.call('GET', path, { key: server.keys.test })).body.results).toEqual([])
  }
  const third = await startRepair()
  expect(JSON.parse(await third.printed)).toMatchObject({ checked: 0, returned: 0 })
})
