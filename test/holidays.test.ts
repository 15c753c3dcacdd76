import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { testCalls } from '@overture/testing/server/test-calls.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

/** Source: docs/contract.md, "Campaigns". */
let server: TestServer
const { call, done } = testCalls(() => server)
beforeAll(async () => {
  server = await startWholeServer()
  await done('POST', '/v2/sandbox/clock', { frozen: true })
  await goTo('2027-03-24T07:00:00.000Z')
})
afterAll(() => server.stop())

const goTo = (to: string) => done('POST', '/v2/sandbox/clock/advance', { to })

const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const office = {
  timezone: 'Europe/Berlin',
  useLeadTimezone: true,
  windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
}
const berlin = { email: 'ada@berlin.prospects.test', country: 'Germany', timezone: 'Europe/Berlin' }
const paris = { email: 'zoe@paris.prospects.test', country: 'FR', timezone: 'Europe/Paris' }
const nowhere = { email: 'kim@nowhere.prospects.test', timezone: 'Europe/Berlin' }

let names = 0

async function launch(schedule: object, leads: object[], waits: { value: number; unit: string }[]): Promise<string> {
  const email = `mara@sender${++names}.example.com`
  const pace = { provider: 'sandbox', timezone: 'Europe/Berlin', minGapSeconds: 0, maxGapSeconds: 0, dailyLimit: 500 }
  const { id } = await done('POST', '/v2/sending-accounts', { email, fromName: 'Mara', ...pace })
  const variants = [{ subject: 'Hello', body: 'Hello' }]
  const steps = waits.map((waitBefore) => ({ waitBefore, sameThread: false, variants }))
  const body = { name: `campaign ${names}`, sendingAccountIds: [id], schedule, steps, leads }
  return (await done('POST', '/v2/campaigns/launch', body)).id
}

/** The days of the messages by address, in the zone of Berlin and Paris. */
async function daysByLead(campaignId: string): Promise<Record<string, string[]>> {
  const path = `/v2/campaigns/activity?type=message.sent&campaignId=${campaignId}&limit=100&order=asc`
  const days: Record<string, string[]> = {}
  for (const { leadEmail, occurredAt } of (await done('GET', path)).results)
    (days[leadEmail] ??= []).push(dayOf(occurredAt))
  return days
}

const dayOf = (at: string) => new Date(Date.parse(at) + 2 * 3_600_000).toISOString().slice(0, 10)

async function gateOf(campaignId: string, email: string): Promise<AnswerBody> {
  const { results } = await done('GET', `/v2/campaigns/${campaignId}/leads?email=${email}`)
  const explained = await done('GET', `/v2/campaigns/${campaignId}/leads/${results[0].id}/explain`)
  return explained.gates.find(({ gate }: AnswerBody) => gate === 'outside_window')
}

// Easter Sunday is 28 March 2027.
describe('over Easter', () => {
  test('sends by the country of each lead what the forecast promised', async () => {
    const twoSteps = [
      { value: 0, unit: 'days' },
      { value: 2, unit: 'business_days' },
    ]
    const byLead = { ...office, holidays: { calendar: 'lead' } }
    const campaignId = await launch(byLead, [berlin, paris, nowhere], twoSteps)
    const before = await launch(office, [{ ...berlin, email: 'bo@berlin.prospects.test' }], twoSteps)
    await goTo('2027-03-24T08:30:00.000Z')
    const lead = (await done('GET', `/v2/campaigns/${campaignId}/leads?email=${berlin.email}`)).results[0]
    expect(dayOf(lead.nextSendAt)).toBe('2027-03-30')
    await goTo('2027-03-24T20:00:00.000Z')
    const { days } = await done('GET', `/v2/campaigns/${campaignId}/forecast`)

    await goTo('2027-03-29T10:00:00.000Z')
    const german = await gateOf(campaignId, berlin.email)
    expect(german).toMatchObject({ passed: false, until: '2027-03-30T07:00:00.000Z' })
    expect(german.detail).toMatch(
      /^Closed: Easter Monday in DE\. It is Mon 2027-03-29 12:00 in Europe\/Berlin, and the window opens/,
    )
    expect((await gateOf(campaignId, nowhere.email)).detail).toMatch(/^Open\. /)

    await goTo('2027-04-08T20:00:00.000Z')
    const sent = await daysByLead(campaignId)
    expect(sent).toEqual({
      // Good Friday and Easter Monday are holidays in Germany.
      [berlin.email]: ['2027-03-24', '2027-03-30'],
      // Good Friday is a holiday only in the east of France.
      [paris.email]: ['2027-03-24', '2027-03-26'],
      [nowhere.email]: ['2027-03-24', '2027-03-26'],
    })
    expect(await daysByLead(before)).toEqual({ 'bo@berlin.prospects.test': ['2027-03-24', '2027-03-26'] })
    const promised = days.flatMap(({ date, first, followUp }: AnswerBody) =>
      first + followUp === 0 ? [] : [[date, first + followUp]],
    )
    expect(promised).toEqual([
      ['2027-03-26', 2],
      ['2027-03-30', 1],
    ])
  })

  test('uses one country or region for all leads', async () => {
    const daily = { ...office, windows: [{ days: everyDay, from: '09:00', to: '17:00' }] }
    await goTo('2027-05-26T20:00:00.000Z')
    const bavaria = await launch({ ...daily, holidays: { calendar: 'DE-BY' } }, [paris], [{ value: 0, unit: 'days' }])
    const germany = await launch({ ...daily, holidays: { calendar: 'DE' } }, [paris], [{ value: 0, unit: 'days' }])
    await goTo('2027-05-28T20:00:00.000Z')
    // Corpus Christi is a holiday of Bavaria.
    expect(await daysByLead(bavaria)).toEqual({ [paris.email]: ['2027-05-28'] })
    expect(await daysByLead(germany)).toEqual({ [paris.email]: ['2027-05-27'] })
  })
})

test('3 October is closed in Berlin and open in Paris', async () => {
  const daily = { ...office, windows: [{ days: everyDay, from: '09:00', to: '17:00' }], holidays: { calendar: 'lead' } }
  await goTo('2027-10-02T20:00:00.000Z')
  const campaignId = await launch(daily, [berlin, paris], [{ value: 0, unit: 'days' }])
  await goTo('2027-10-03T10:00:00.000Z')
  expect((await gateOf(campaignId, berlin.email)).detail).toMatch(/^Closed: National Holiday in DE\. /)
  expect(await daysByLead(campaignId)).toEqual({ [paris.email]: ['2027-10-03'] })
  await goTo('2027-10-04T10:00:00.000Z')
  expect(await daysByLead(campaignId)).toEqual({ [paris.email]: ['2027-10-03'], [berlin.email]: ['2027-10-04'] })
})

describe('the field', () => {
  const create = (schedule: object) => done('POST', '/v2/campaigns', { name: 'A campaign', schedule })

  test('is null unless it is set, also in campaigns that are older', async () => {
    const { id, schedule } = await create({})
    expect(schedule.holidays).toBeNull()
    await server.app.db.query(`update campaigns set schedule = schedule - 'holidays' where id = $1`, [id])
    const old = await done('GET', `/v2/campaigns/${id}`)
    expect(old.schedule).toEqual(schedule)
    await done('PUT', `/v2/campaigns/${id}`, old)
    expect((await done('GET', `/v2/campaigns?q=A campaign`)).results[0].schedule).toEqual(schedule)
  })

  test('stays when other fields of the schedule change, and null removes it', async () => {
    const { id } = await create({ holidays: { calendar: 'DE-BY' } })
    const path = `/v2/campaigns/${id}`
    expect((await done('PUT', path, { schedule: { timezone: 'Europe/Paris' } })).schedule.holidays).toEqual({
      calendar: 'DE-BY',
    })
    expect((await done('PUT', path, { schedule: { holidays: null } })).schedule.holidays).toBeNull()
  })

  test.each(['ZZ', 'DE-XX', 'germany', 'DE-', 'de', '', 'Lead'])('refuses the calendar "%s"', async (calendar) => {
    const answer = await call('POST', '/v2/campaigns', { name: 'A', schedule: { holidays: { calendar } } })
    expect(answer.status).toBe(400)
    expect(answer.body.error.details.issues.map(({ path }: AnswerBody) => path)).toEqual(['schedule.holidays.calendar'])
  })
})

describe('the calendars', () => {
  test('are served by year, with the version of the data', async () => {
    const { holidays, ...rest } = await done('GET', '/v2/holidays?calendar=DE-BY&year=2027')
    const data = { name: 'date-holidays', version: '3.37.0', license: 'ISC AND CC-BY-3.0' }
    expect(rest).toMatchObject({ calendar: 'DE-BY', year: 2027, data })
    expect(holidays.slice(0, 3)).toEqual([
      { date: '2027-01-01', name: "New Year's Day" },
      { date: '2027-01-06', name: 'Epiphany' },
      { date: '2027-03-26', name: 'Good Friday' },
    ])
  })

  test.each([
    ['calendar=ZZ&year=2027', 'calendar'],
    ['calendar=lead&year=2027', 'calendar'],
    ['year=2027', 'calendar'],
    ['calendar=DE&year=1999', 'year'],
    ['calendar=DE', 'year'],
  ])('refuse %s', async (query, path) => {
    const answer = await call('GET', `/v2/holidays?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.error.details.issues.map((issue: AnswerBody) => issue.path)).toEqual([path])
  })

  test('are listed with their regions', async () => {
    const { countries } = await done('GET', '/v2/holidays/calendars')
    const { regions, ...germany } = countries.find(({ calendar }: AnswerBody) => calendar === 'DE')
    expect(germany).toEqual({ calendar: 'DE', name: 'Germany' })
    expect(regions).toContainEqual({ calendar: 'DE-BE', name: 'Berlin' })
  })
})
