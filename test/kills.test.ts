import { expect, test, vi } from 'vitest'
import { runKills } from '@overture/testing/kills/kill-run.ts'
import { judgeRun } from '@overture/testing/kills/kill-judge.ts'

// Each test starts and kills whole processes.
vi.setConfig({ testTimeout: 300_000 })

// A longer run is bench/kills.ts (docs/reliability.md).
test('random kills of servers, workers and database under load duplicate and lose nothing', async () => {
  const run = await runKills({ kills: 8, seed: 22, pauseMs: { min: 100, max: 1_500 }, settleMs: 300_000 })
  expect({ twice: run.twice, lost: run.lost, unheard: run.unheard }).toEqual({ twice: [], lost: [], unheard: [] })
  expect(run.kills.api).toBeGreaterThan(0)
  expect(run.kills.worker).toBeGreaterThan(0)
  expect(run.kills.database).toBeGreaterThan(0)
  expect(run.sent).toBeGreaterThan(20)
})

const mail = (messageId: string, to: string) => ({
  messageId,
  to: [to],
  from: 'ada@sender.test',
  raw: Buffer.alloc(0),
  sessionId: '',
  user: null,
  secure: false,
  atMs: 0,
})
const nothing = { leads: new Set<string>(), suppressions: new Set<string>(), replies: new Set<string>() }
const run = { accepted: [], acknowledged: nothing, leads: [], suppressions: new Set<string>(), steps: 1 }

test.each([
  ['a Message-ID taken twice', { ...run, accepted: [mail('<1>', 'a@r.test'), mail('<1>', 'b@r.test')] }, 'twice'],
  ['two messages to one address', { ...run, accepted: [mail('<1>', 'a@r.test'), mail('<2>', 'a@r.test')] }, 'twice'],
  ['a lead that is gone', { ...run, acknowledged: { ...nothing, leads: new Set(['a@r.test']) } }, 'lost'],
  [
    'a lead that says it is done and got nothing',
    {
      ...run,
      acknowledged: { ...nothing, leads: new Set(['a@r.test']) },
      leads: [{ email: 'a@r.test', status: 'completed', blockedReason: null }],
    },
    'lost',
  ],
  ['a suppression that is gone', { ...run, acknowledged: { ...nothing, suppressions: new Set(['a@r.test']) } }, 'lost'],
  ['a reply that was not heard', { ...run, acknowledged: { ...nothing, replies: new Set(['a@r.test']) } }, 'unheard'],
] as const)('the check finds %s', (_name, seen, finding) => expect(judgeRun(seen)[finding]).not.toEqual([]))
