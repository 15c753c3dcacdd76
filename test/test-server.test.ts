import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { startTestServer } from 'overture/testing'
import { expect, test, vi } from 'vitest'
import { Overture } from '@overture/sdk'
import { prospect, testClock } from '@overture/sdk/testing'

// Each test builds, installs or runs whole programs.
vi.setConfig({ testTimeout: 300_000 })

const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('overture-test-server-'))

test('a test suite gets its own server and database, and nothing is left behind', async () => {
  const before = folders()
  const servers = await Promise.all([startTestServer(), startTestServer()])
  try {
    const [one, other] = servers.map(({ url, testKey }) => new Overture({ baseUrl: url, apiKey: testKey }))
    const sender = await one!.sendingAccounts.create({ email: 'a@example.com', fromName: 'A', provider: 'sandbox' })
    const { id } = await one!.campaigns.launch({
      name: 'Mine',
      steps: [{ variants: [{ subject: 'Hello', body: 'A question.' }] }],
      sendingAccountIds: [sender.id],
      leads: [{ email: prospect('ada', 'interested') }],
    })
    await testClock(one!).advance('7d')
    expect((await one!.campaigns.stats(id)).interested).toBe(1)
    // Other accounts have a rate limit below forty requests at once.
    await Promise.all(Array.from({ length: 40 }, () => one!.account.get({ retries: 0 })))
    expect((await other!.campaigns.list()).pagination.totalCount).toBe(0)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
  expect(folders()).toEqual(before)
  await expect(fetch(`${servers[0]!.url}/healthz`)).rejects.toThrow()
}, 180_000)
