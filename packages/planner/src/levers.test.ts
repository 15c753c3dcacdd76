import { expect, test } from 'vitest'
import { campaignCapacity } from './capacity.ts'
import { findLevers } from './levers.ts'
import type { PlanCampaign, PlanSender } from './plan.types.ts'

const sender = (id: string, of: Partial<PlanSender> = {}): PlanSender => ({
  id,
  status: 'active',
  timezone: 'UTC',
  dailyLimit: 50,
  reservedPerDay: 0,
  rampUp: null,
  rampStartedAt: null,
  pace: null,
  claimedToday: 0,
  minGapSeconds: 60,
  maxGapSeconds: 60,
  nextSendAt: null,
  sendSequence: 0,
  heldUntil: null,
  retryAt: null,
  inboxReadAt: null,
  ...of,
})
const campaign = (of: Partial<PlanCampaign> = {}): PlanCampaign => ({
  id: 'cmp_1',
  status: 'active',
  schedule: {
    timezone: 'UTC',
    useLeadTimezone: false,
    windows: [{ days: ['mon'], from: '09:00', to: '17:00' }],
    startDate: null,
    endDate: null,
    blackoutDates: [],
  },
  caps: { dailyLimit: null, dailyNewLeadLimit: null, maxPerRecipientDomainPerDay: null },
  steps: [],
  usage: { claimed: 0, claimedFirst: 0, byDomain: {} },
  sendingAccountIds: ['snd_1'],
  ...of,
})
const now = new Date('2026-03-02T09:00:00.000Z')
const changesOf = (of: Partial<PlanCampaign>, senders: PlanSender[], spares: PlanSender[] = []) =>
  findLevers({ now, campaigns: [campaign(of)], senders, leads: [] }, 'cmp_1', spares).map(
    ({ path, from, to }) => [path, from, to] as const,
  )

test('each lever changes one setting and leaves the original state unchanged', () => {
  const state = {
    now,
    campaigns: [campaign({ caps: { dailyLimit: 10, dailyNewLeadLimit: 4, maxPerRecipientDomainPerDay: 1 } })],
    senders: [sender('snd_1', { maxGapSeconds: 90 })],
    leads: [],
  }
  const before = structuredClone(state)
  const levers = findLevers(state, 'cmp_1', [sender('snd_2')])
  expect(state).toEqual(before)
  expect(levers.map(({ path }) => path)).toEqual([
    'sendingAccountIds',
    'schedule.windows',
    'settings.dailyLimit',
    'settings.dailyNewLeadLimit',
    'settings.maxPerRecipientDomainPerDay',
    'sendingAccounts.snd_1.dailyLimit',
    'sendingAccounts.snd_1.maxGapSeconds',
  ])
  for (const { state: changed } of levers) expect(changed).not.toEqual(before)
})

test.each([
  ['two hours', '09:00', '17:00', '19:00'],
  ['one hour if the day ends then', '09:00', '23:00', '24:00'],
])('the lever makes a window longer by %s', (_name, from, to, until) => {
  const windows = [{ days: ['mon' as const], from, to }]
  const [windowsLever] = changesOf({ schedule: { ...campaign().schedule, windows } }, [sender('snd_1')])
  expect(windowsLever).toEqual(['schedule.windows', windows, [{ ...windows[0], to: until }]])
})

test.each([
  ['that ends with the day', '24:00'],
  ['that ends at midnight', '00:00'],
  ['that runs past midnight', '03:00'],
])('no lever for a window %s', (_name, to) => {
  const windows = [{ days: ['mon' as const], from: '09:00', to }]
  const paths = changesOf({ schedule: { ...campaign().schedule, windows } }, [sender('snd_1')]).map(([path]) => path)
  expect(paths).not.toContain('schedule.windows')
})

test.each([
  ['a fifth more', 50, 60],
  ['at least one more', 1, 2],
  ['none at the top', 1_000_000, undefined],
])('the lever raises a limit: %s', (_name, dailyLimit, to) => {
  const raised = changesOf({}, [sender('snd_1', { dailyLimit })]).find(([path]) => path.endsWith('.dailyLimit'))
  expect(raised?.[2]).toBe(to)
})

test('the lever for a paused sender activates it, and only three senders of many get a limit lever', () => {
  const resting = sender('snd_1', { status: 'paused' })
  expect(changesOf({ schedule: { ...campaign().schedule, windows: [] } }, [resting])).toEqual([
    ['sendingAccounts.snd_1.status', 'paused', 'active'],
  ])
  const senders = Array.from({ length: 200 }, (_, index) => sender(`snd_${index}`))
  const sendingAccountIds = senders.map(({ id }) => id)
  expect(changesOf({ sendingAccountIds }, senders).filter(([path]) => path.endsWith('.dailyLimit'))).toHaveLength(3)
})

test('capacity counts overlapping windows once, and ignores senders that need a new login', () => {
  const windows = [
    { days: ['mon' as const], from: '09:00', to: '11:00' },
    { days: ['mon' as const], from: '10:00', to: '12:00' },
  ]
  const one = campaign({ schedule: { ...campaign().schedule, windows }, sendingAccountIds: ['snd_1', 'snd_2'] })
  const senders = [
    sender('snd_1', { dailyLimit: 500, minGapSeconds: 3600, maxGapSeconds: 3600 }),
    sender('snd_2', { status: 'auth_required' }),
    sender('snd_3'),
  ]
  expect(campaignCapacity(one, senders, now.getTime())).toBe(4)
})
