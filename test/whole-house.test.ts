import { expect, test, vi } from 'vitest'
import { runHouse } from '@overture/testing/house/house-run.ts'

// Each test starts and kills whole processes.
vi.setConfig({ testTimeout: 300_000 })

// A longer run is `npm run bench -- house`, which also measures durations.
const processes: [string, boolean][] = [
  ['one process', false],
  ['requests in a process of their own', true],
]

test.each(processes)(
  'several tenants send, get replies and call the API at once without errors (%s)',
  async (_name, isApart) => {
    const size = {
      isApart,
      accounts: 3,
      campaigns: 4,
      mailboxes: 12,
      leads: 800,
      daySeconds: 15,
      messagesPerMailbox: 10,
      requestsPerSecond: 5,
      answerEvery: 6,
    }
    const day = await runHouse(size, () => undefined)
    expect(day.api.refusals).toEqual([])
    expect(day.api.failed).toBe(0)
    expect(day.api.count).toBeGreaterThan(20)
    expect(day.repeated).toBe(0)
    expect(day.sent).toBeGreaterThan(size.mailboxes)
    expect(day.replies.count).toBeGreaterThan(0)
    expect(day.replies.unheard).toBe(0)
  },
)
