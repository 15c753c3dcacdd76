import { describe, expect, test } from 'vitest'
import { makeCampaign, makeSender } from '@overture/testing/delivery/plan-fixtures.ts'
import { openSender } from '@overture/planner/pacing.ts'
import type { PlanSender } from '@overture/planner/plan.types.ts'
import { checkRecipients, planDirect, type DirectRow } from './direct.ts'

const now = new Date('2026-03-02T09:00:00Z')
const address = (email: string) => ({ email, name: null })

function rowOf(fields: Partial<DirectRow> = {}): DirectRow {
  return {
    id: 'msg_1',
    kind: 'manual',
    campaignId: null,
    leadId: null,
    companyDomain: null,
    leadEmail: null,
    stepId: null,
    sendingAccountId: 'snd_1',
    emailDomain: null,
    first: false,
    threadId: 'thr_1',
    to: [address('ada@acme.test')],
    cc: [],
    bcc: [],
    toStranger: false,
    refusedBefore: [],
    ...fields,
  }
}

function planned(rows: readonly DirectRow[], sender: Partial<PlanSender> = {}, recipients = 0) {
  const budgets = new Map([['snd_1', openSender(makeSender(sender), now.getTime())]])
  const counts = [{ sendingAccountId: 'snd_1', kind: 'manual' as const, recipients }]
  const schedules = new Map([['cmp_1', makeCampaign()]])
  const { claims, postponed } = planDirect(rows, { now, budgets, counts, schedules, contacts: null })
  return { claims: claims.map(({ counted }) => counted), postponed: postponed.map(({ at }) => at.toISOString()) }
}

describe('a message that bypasses the planner', () => {
  const day = '2026-03-02'
  test('is counted on the day of its sender and, if it is a step, of its campaign', () => {
    expect(planned([rowOf()]).claims).toEqual([{ senderDay: day }])
    const step = rowOf({ kind: 'campaign', campaignId: 'cmp_1', first: true, emailDomain: 'acme.test' })
    expect(planned([step]).claims).toEqual([{ senderDay: day, campaignDay: day, first: true, domain: 'acme.test' }])
  })

  test("waits for the next day at the sender's recipient limit", () => {
    const two = rowOf({ cc: [address('bob@acme.test')] })
    expect(planned([two, rowOf()], {}, 298)).toEqual({
      claims: [{ senderDay: day }],
      postponed: ['2026-03-02T23:00:00.000Z'],
    })
  })

  test("waits a quarter of an hour if its sending account doesn't exist", () => {
    expect(planned([rowOf({ sendingAccountId: 'snd_2' })]).postponed).toEqual(['2026-03-02T09:15:00.000Z'])
  })

  test.each([
    ['a reply skips a pause', {}, 1],
    ['a follow-up waits for a paused account', { toStranger: true }, 0],
    ['a step waits for a paused account', { kind: 'campaign' as const, campaignId: 'cmp_1' }, 0],
  ])('%s', (_name, fields, claimed) => {
    expect(planned([rowOf(fields)], { status: 'paused' }).claims).toHaveLength(claimed)
  })

  test.each([
    ['a reply skips the daily cap', {}, 1],
    ['a follow-up waits for the daily cap', { toStranger: true }, 0],
  ])('%s', (_name, fields, claimed) => {
    expect(planned([rowOf(fields)], { dailyLimit: 5, claimedToday: 5 }).claims).toHaveLength(claimed)
  })
})

test('loses suppressed recipients, and fails if none is left', () => {
  const rows = [
    rowOf({ id: 'msg_fails', refusedBefore: [{ email: 'old@acme.test', code: null, reason: 'Before.' }] }),
    rowOf({ id: 'msg_changes', cc: [address('bob@acme.test')] }),
    rowOf({ id: 'msg_stays', to: [address('bob@acme.test')] }),
    rowOf({ id: 'msg_answers', threadId: 'thr_2' }),
    rowOf({ id: 'msg_step', kind: 'campaign' }),
  ]
  const at = (minute: number) => new Date(Date.UTC(2026, 2, 2, 8, minute))
  const checked = checkRecipients(rows, {
    suppressedAt: new Map([['ada@acme.test', at(0)]]),
    writers: new Map([['thr_2', [{ email: 'ada@acme.test', at: at(1) }]]]),
  })
  expect(checked.kept.map(({ id }) => id)).toEqual(['msg_changes', 'msg_stays', 'msg_answers', 'msg_step'])
  expect(checked.changed.map(({ id, envelope }) => [id, envelope.to.length, envelope.cc.length])).toEqual([
    ['msg_changes', 0, 1],
  ])
  expect(checked.failed.map(({ id, refused }) => [id, refused.map(({ email }) => email)])).toEqual([
    ['msg_fails', ['old@acme.test', 'ada@acme.test']],
  ])
})
