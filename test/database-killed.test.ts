import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { launchAtFullSpeed } from '@overture/testing/server/launched-campaign.ts'
import { type SmtpDouble, startSmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { startEmbeddedServer } from '@overture/testing/server/running-server.ts'

// PostgreSQL is killed and recovers three times while 240 messages go out.
vi.setConfig({ testTimeout: 300_000 })

const leadCount = 240
const killsAt = [30, 90, 150]
const patience = { timeout: 90_000, interval: 50 }

let product: Awaited<ReturnType<typeof startEmbeddedServer>>
let smtp: SmtpDouble

beforeAll(async () => {
  smtp = await startSmtpDouble({ users: { 'ada@sender.test': 'secret' } })
  product = await startEmbeddedServer({ OVERTURE_ALLOW_PRIVATE_TARGETS: '1', LOG_LEVEL: 'fatal' })
  await product.live('PUT', '/v2/account', { postalAddress: '1 Main Street, Springfield' })
})
afterAll(async () => {
  await product.stop()
  await smtp.stop()
})

test('PostgreSQL killed under load: no write is lost, no lead is emailed twice, and it recovers', async () => {
  const campaignId = await launchAtFullSpeed(product, smtp, { name: 'Under load', leadCount })
  const writing = writeUntilStopped()
  const killed: number[] = []
  for (const count of killsAt) {
    await vi.waitFor(() => expect(smtp.accepted.length).toBeGreaterThanOrEqual(count), patience)
    const pid = product.postgresPid()
    killed.push(pid)
    process.kill(pid, 'SIGKILL')
    await vi.waitFor(() => expect(product.postgresPid()).not.toBe(pid), patience)
  }
  await vi.waitFor(async () => expect(await unsettled(campaignId)).toBe(0), patience)
  const { acknowledged, refused } = await writing.stop()

  expect(new Set(killed).size).toBe(killsAt.length)
  const kept = new Set<string>()
  for (const email of acknowledged) {
    const found = await product.live('GET', `/v2/suppressions?q=${encodeURIComponent(email)}`)
    if (found.body.results.length === 1) kept.add(email)
  }
  expect(acknowledged.filter((email) => !kept.has(email))).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(20)
  // A write during the outage gets a 503 that asks to retry, and no other status.
  for (const status of refused) expect(status).toBe(503)

  const recipients = smtp.accepted.flatMap((mail) => mail.to)
  expect(new Set(recipients).size).toBe(recipients.length)
  const leads = await listLeads(campaignId)
  const reached = new Set(recipients)
  for (const lead of leads) {
    if (lead.blockedReason === 'delivery_uncertain') continue
    expect([lead.email, lead.status, reached.has(lead.email)]).toEqual([lead.email, 'completed', true])
  }
})

/** Writes one suppression after the other and records which were acknowledged. */
function writeUntilStopped() {
  const acknowledged: string[] = []
  const refused: number[] = []
  let stopped = false
  const done = (async () => {
    for (let index = 0; !stopped && index < 5_000; index++) {
      const email = `blocked${index}@elsewhere.test`
      const { status } = await product.live('POST', '/v2/suppressions', { email })
      if (status === 201) acknowledged.push(email)
      else refused.push(status)
    }
  })()
  return {
    async stop() {
      stopped = true
      await done
      return { acknowledged, refused }
    },
  }
}

interface ListedLead {
  email: string
  status: string
  blockedReason: string | null
}

async function listLeads(campaignId: string): Promise<ListedLead[]> {
  const leads: ListedLead[] = []
  for (let page = 1; leads.length < leadCount; page++) {
    const { status, body } = await product.live('GET', `/v2/campaigns/${campaignId}/leads?limit=100&page=${page}`)
    if (status !== 200 || body.results.length === 0) return []
    leads.push(...body.results)
  }
  return leads
}

/** The number of leads that got no message and aren't marked as in doubt. */
async function unsettled(campaignId: string): Promise<number> {
  const leads = await listLeads(campaignId)
  if (leads.length < leadCount) return leadCount
  return leads.filter((lead) => lead.status !== 'completed' && lead.blockedReason !== 'delivery_uncertain').length
}
