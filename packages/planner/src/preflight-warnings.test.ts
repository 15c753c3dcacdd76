import type { Step } from '@overture/contract/campaigns/campaigns.ts'
import { expect, test } from 'vitest'
import { taskWarnings } from './preflight-warnings.ts'

const call = {
  id: 'stp_1',
  position: 2,
  type: 'task',
  channel: 'call',
  assigneeId: 'usr_1',
  blocks: true,
  expiresIn: { value: 3, unit: 'days' },
} as Step
const facts = { activeUserIds: new Set(['usr_1']), withoutPhone: new Map([['stp_1', 0]]) }

test.each([
  ['nothing is wrong', {}, {}, []],
  ['the task has no assignee', { assigneeId: null }, {}, []],
  ['the user was removed or suspended', {}, { activeUserIds: new Set<string>() }, [['task_without_assignee', null]]],
  ['leads have no number', {}, { withoutPhone: new Map([['stp_1', 4]]) }, [['task_without_phone', 4]]],
  ['leads have no number, but do not wait', { blocks: false }, { withoutPhone: new Map([['stp_1', 4]]) }, []],
  ['the step is no call', { channel: 'other' as const }, { withoutPhone: new Map([['stp_1', 4]]) }, []],
  ['the task never expires', { expiresIn: null }, {}, [['task_never_expires', null]]],
  ['the task never expires, but leads do not wait', { expiresIn: null, blocks: false }, {}, []],
  ['the step is an email', { type: 'email' as const, expiresIn: null }, { activeUserIds: new Set<string>() }, []],
])('if %s', (_name, step, more, expected) => {
  const found = taskWarnings([{ ...call, ...step }], { ...facts, ...more })
  expect(found.map(({ code, count }) => [code, count])).toEqual(expected)
  for (const { ref } of found) expect(ref).toBe('stp_1')
})
