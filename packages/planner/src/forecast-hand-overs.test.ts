import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeCampaign, makeEmail, makeLead, makeSender } from '@overture/testing/delivery/plan-fixtures.ts'
import { runForecast, type ForecastState } from './forecast-run.ts'
import type { PlanCampaign, PlanLead } from './plan.types.ts'

const monday = new Date('2027-02-01T08:00:00.000Z')
const until = new Date(monday.getTime() + 400 * 86_400_000)
const days = (value: number) => ({ value, unit: 'days' as const })

/** An email, then a branch by country that hands leads over. Some target campaigns are not part of the forecast. */
function campaign(number: number, ways: readonly number[]): PlanCampaign {
  const branches = ways.map((to, way) => ({
    id: `brn_${number}_${way}`,
    label: '',
    when: { field: 'country', is: 'equals' as const, value: ['DE', 'FR'][way]! },
    goTo: `cmp_${to}`,
    immediately: false,
  }))
  const first = makeEmail({ id: `stp_${number}_1`, position: 1, waitBefore: days(0) })
  const fork = {
    ...makeEmail({ id: `stp_${number}_2`, position: 2, waitBefore: days(1) }),
    type: 'branch' as const,
    branches,
  }
  return makeCampaign({ id: `cmp_${number}`, steps: [first, fork], answersOrigin: number % 2 === 0 })
}

function person(number: number, campaignNumber: number): PlanLead {
  const id = `led_${campaignNumber}_${number}`
  const fields = { email: `p${number}@r.test`, country: ['DE', 'FR', 'IT'][number % 3] }
  const facts = { leadId: id, fields, interest: null, intent: null, sends: [], acts: [], signals: [] }
  return makeLead({ id, campaignId: `cmp_${campaignNumber}`, dueAt: monday, facts })
}

const campaignsMax = 4
/** Every campaign hands over to two campaigns. A target may be the campaign itself or may not exist. */
const worlds = fc
  .record({
    ways: fc.array(fc.tuple(fc.nat({ max: campaignsMax }), fc.nat({ max: campaignsMax })), {
      minLength: 1,
      maxLength: campaignsMax,
    }),
    people: fc.array(fc.nat({ max: campaignsMax - 1 }), { minLength: 1, maxLength: 12 }),
    dailyLimit: fc.integer({ min: 1, max: 6 }),
  })
  .map(({ ways, people, dailyLimit }): ForecastState => ({
    now: monday,
    campaigns: ways.map((to, number) => campaign(number, to)),
    senders: [makeSender({ dailyLimit })],
    leads: people.flatMap((from, number) => (from < ways.length ? [person(number, from)] : [])),
  }))

test('each lead joins a campaign at most once, even if hand-overs form a circle, and every path ends', () => {
  fc.assert(
    fc.property(worlds, (state) => {
      const sent: string[] = []
      const whole = runForecast(state, { until, maxSends: 10_000, onSend: (send) => sent.push(send.campaignId) })
      expect(whole.unscheduled).toEqual([])
      expect(whole.handedOver).toBe(whole.arrivals)
      const known = new Set(state.campaigns.map(({ id }) => id))
      let within = 0
      for (const { id } of state.campaigns) {
        const one = runForecast(state, { until, maxSends: 10_000, campaignId: id })
        within += one.arrivals
        const began = state.leads.filter((lead) => lead.campaignId === id).length
        // Each lead that was there or arrived gets one message, and only such leads move on.
        expect(one.days.reduce((sum, day) => sum + day.first + day.followUp, 0)).toBe(began + one.arrivals)
        expect(one.handedOver).toBeLessThanOrEqual(began + one.arrivals)
        expect(began + one.arrivals).toBeLessThanOrEqual(state.leads.length)
      }
      expect(sent).toHaveLength(state.leads.length + within)
      expect(sent.every((id) => known.has(id))).toBe(true)
      // The forecast doesn't change its input, so a second run gives the same result.
      expect(runForecast(state, { until, maxSends: 10_000 })).toEqual(whole)
    }),
    { numRuns: 200 },
  )
})

test('a lead is not handed over to a campaign that has its address, and its thread keeps its sender', () => {
  const leads = [person(0, 0), person(3, 0)]
  const senders = [makeSender({ id: 'snd_1' }), makeSender({ id: 'snd_2' })]
  const campaigns = [
    { ...campaign(0, [2]), sendingAccountIds: ['snd_1'] },
    { ...campaign(2, []), sendingAccountIds: ['snd_2'] },
  ]
  const [known, other] = leads
  const state = { now: monday, campaigns, senders, leads: [{ ...known!, notTakenBy: new Set(['cmp_2']) }, other!] }
  const target = runForecast(state, { until, maxSends: 10, campaignId: 'cmp_2' })
  expect([target.arrivals, target.days.map((day) => day.bySender)]).toEqual([
    1,
    [[{ sendingAccountId: 'snd_1', count: 1 }]],
  ])
})
