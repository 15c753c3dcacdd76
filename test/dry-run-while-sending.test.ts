import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Campaign, StepInput } from '@overture/contract/campaigns/campaigns.ts'
import type { CampaignDryRun } from '@overture/contract/delivery/dry-run.ts'
import { anyTime } from '@overture/testing/schedules.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { testCalls } from '@overture/testing/server/test-calls.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

/** Source: docs/before-you-send.md, "Dry run". */
let server: TestServer
const { done } = testCalls(() => server)
beforeAll(async () => {
  server = await startWholeServer()
  await done('POST', '/v2/sandbox/clock', { frozen: true })
})
afterAll(() => server.stop())

const step = (days: number): StepInput => ({
  sameThread: false,
  waitBefore: { value: days, unit: 'days' },
  variants: [{ subject: `After ${days} days`, body: 'Hello.' }],
})

/** A campaign whose four leads get their second message with the next day. */
async function makeFollowedUp(name: string): Promise<Campaign> {
  const gap = { minGapSeconds: 0, maxGapSeconds: 0 }
  const email = `${name}@sender.example.com`
  const sender = await done('POST', '/v2/sending-accounts', { email, fromName: name, provider: 'sandbox', ...gap })
  const campaign: Campaign = await done('POST', '/v2/campaigns', {
    name,
    steps: [step(0), step(2), step(3)],
    schedule: { timezone: 'UTC', ...anyTime },
    sendingAccountIds: [sender.id],
  })
  const leads = [1, 2, 3, 4].map((lead) => ({ email: `${name}${lead}@prospects.test` }))
  await done('POST', `/v2/campaigns/${campaign.id}/leads`, { leads })
  await done('POST', `/v2/campaigns/${campaign.id}/start`)
  await done('POST', '/v2/sandbox/clock/advance', { by: '30h' })
  expect(await countSent(campaign)).toBe(4)
  return campaign
}
const countSent = ({ id }: Campaign) =>
  server.app.db.execute(`select from messages where campaign_id = $1 and status = 'sent'`, [id])

/** Sends the messages of a day between the first statement of a dry run and its change. */
async function dryRunWhileSending(id: string, change: object): Promise<CampaignDryRun> {
  const { asked } = await server.app.db.transaction(async (tx) => {
    // Sending needs no lock on the campaign that conflicts with this one. A change does.
    const held = await tx.query<{ pid: number }>(
      'select pg_backend_pid() as pid from campaigns where account_id = $1 and id = $2 for no key update',
      [server.tenant.accountId, id],
    )
    const answer = done('PUT', `/v2/campaigns/${id}?dryRun=true`, change)
    const waiting = 'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))'
    await expect.poll(() => server.app.db.execute(waiting, [held[0]!.pid]), { timeout: 60_000 }).toBe(1)
    await done('POST', '/v2/sandbox/clock/advance', { by: '1d' })
    return { asked: answer }
  })
  return asked
}

test('messages sent during a dry run are no effect of the change', async () => {
  const campaign = await makeFollowedUp('eve')
  const dryRun = await dryRunWhileSending(campaign.id, { name: 'Other' })
  expect(await countSent(campaign)).toBe(8)
  expect(dryRun.forecastAfter).toEqual(dryRun.forecastBefore)
})

test('a dry run whose rows are changed meanwhile is retried without the snapshot', async () => {
  const campaign = await makeFollowedUp('joe')
  const [first, ...rest] = campaign.steps.map(({ position: _position, ...kept }) => kept)
  const dryRun = await dryRunWhileSending(campaign.id, { steps: [first, step(1), ...rest] })
  expect(await countSent(campaign)).toBe(8)
  expect(dryRun.effects.moved).toEqual([])
  expect(dryRun.forecastAfter).toEqual(dryRun.forecastBefore)
})
