import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Diagnosis } from '@overture/contract/delivery/diagnosis.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
  await ask('POST', '/v2/sandbox/clock', { frozen: true })
})
afterAll(() => server.stop())

const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await server.call(method, path, { key: server.keys.test, body })
  expect([path, answer.status < 300, answer.body.error?.message]).toEqual([path, true, undefined])
  return answer.body
}

const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
let count = 0
const makeSender = (of: object = {}): Promise<{ id: string }> =>
  ask('POST', '/v2/sending-accounts', {
    email: `sender${++count}@example.com`,
    fromName: 'Sender',
    provider: 'sandbox',
    minGapSeconds: 0,
    maxGapSeconds: 0,
    ...of,
  })
const makeCampaign = (of: object): Promise<{ id: string }> =>
  ask('POST', '/v2/campaigns', {
    name: 'Planned',
    steps: [{ variants: [{ subject: 'Hello {{ firstName }}', body: 'A question.' }] }],
    schedule: { timezone: 'UTC', windows: [{ days: everyDay, from: '09:00', to: '11:00' }] },
    ...of,
  })
const addLeads = (id: string, leads: readonly object[]) => ask('POST', `/v2/campaigns/${id}/leads`, { leads })
const people = (howMany: number, of: object = { firstName: 'Ada' }) =>
  Array.from({ length: howMany }, () => ({ email: `lead${++count}@prospects.test`, ...of }))
const dateIn = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10)
const rowsOf = async () => {
  const rows = await server.app.db.query<{ rows: string }>(
    `select (select count(*) || ' ' || max(updated_at) from campaigns) || (select count(*) || '' from events) as rows`,
    [],
  )
  return rows[0]?.rows
}

test('preflight reports every blocker like the start, and changes nothing', async () => {
  const { id } = await makeCampaign({ steps: [], schedule: { windows: [] } })
  const before = await rowsOf()
  const preflight = await ask('GET', `/v2/campaigns/${id}/preflight`)
  expect(await rowsOf()).toBe(before)
  const refused = await server.call('POST', `/v2/campaigns/${id}/start`, { key: server.keys.test, body: {} })
  expect(refused.status).toBe(409)
  expect(preflight).toMatchObject({ ready: false, capacityPerDay: 0 })
  expect(preflight.blockers).toEqual(refused.body.error.details.blockers)
  expect(preflight.blockers.map(({ code }: { code: string }) => code)).toEqual([
    'no_steps',
    'no_sending_accounts',
    'schedule_never_opens',
  ])
})

test("preflight warns about problems that don't block the start", async () => {
  const login = { host: 'mail.example.com', port: 587, security: 'starttls', username: 'u', password: 'p' }
  const deaf = await makeSender({ provider: 'smtp', smtp: login })
  const well = await makeSender()
  const health = { spf: 'pass', dkim: 'missing', dmarc: 'warning', mx: 'pass', checkedAt: '2026-01-01T00:00:00.000Z' }
  await server.app.db.execute(
    `update sending_accounts set status_reason = 'bounce_rate_warning', health = '${JSON.stringify(health)}' where id = '${well.id}'`,
  )
  const other = await makeCampaign({ name: 'Other', sendingAccountIds: [well.id] })
  const shared = people(2)
  await addLeads(other.id, shared)
  await ask('POST', `/v2/campaigns/${other.id}/start`, {})
  const { id, steps } = await ask('POST', '/v2/campaigns', {
    name: 'Planned',
    steps: [
      { variants: [{ subject: 'Hello {{ firstName }}', body: 'A question.' }] },
      { waitBefore: { value: 30, unit: 'days' }, variants: [{ subject: '', body: 'Again, {{ firstName }}.' }] },
    ],
    // The campaign ends before the second step is due.
    schedule: { windows: [{ days: everyDay, from: '09:00', to: '11:00' }], endDate: dateIn(10) },
    sendingAccountIds: [deaf.id, well.id],
  })
  await addLeads(id, [...shared, ...people(3, {})])
  const { ready, warnings } = await ask('GET', `/v2/campaigns/${id}/preflight`)
  expect(ready).toBe(true)
  expect(
    warnings.map(({ code, ref, count: of }: { code: string; ref: string; count: number }) => [code, ref, of]),
  ).toEqual([
    ['missing_variable', 'firstName', 3],
    ['replies_not_read', deaf.id, null],
    ['sender_not_healthy', well.id, null],
    ['authentication', well.id, null],
    ['overlap', other.id, 2],
    ['step_never_reached', steps[1].id, 5],
  ])
})

test('preflight warns about ending logins, distrusted domains and header-only opt-outs', async () => {
  const login = { host: 'smtp.office365.com', port: 587, security: 'starttls', username: 'u', password: 'p' }
  const password = await makeSender({ provider: 'smtp', smtp: login, imap: { ...login, port: 993, security: 'tls' } })
  const own = await makeSender()
  const settings = { unsubscribe: 'header_only' }
  const { id } = await makeCampaign({ sendingAccountIds: [password.id, own.id], settings })
  const warningRefs = async (): Promise<string[][]> => {
    const { warnings } = await ask('GET', `/v2/campaigns/${id}/preflight`)
    return warnings.map(({ code, ref }: { code: string; ref: string }) => [code, ref])
  }
  expect(await warningRefs()).toEqual([
    ['opt_out_header_only', password.id],
    ['password_login_ends', password.id],
  ])
  await server.app.db.execute(
    `update sending_accounts set email = 'a@contoso.onmicrosoft.com', status_reason = 'ask_operator' where id = '${own.id}'`,
  )
  await ask('PUT', `/v2/campaigns/${id}`, { settings: { unsubscribe: 'link' } })
  expect(await warningRefs()).toEqual([
    ['password_login_ends', password.id],
    ['onmicrosoft_domain', own.id],
    ['client_secret_refused', own.id],
  ])
})

test('preflight warns about tasks that leads may wait for without end', async () => {
  const call = { type: 'task', channel: 'call', title: 'Call' }
  const { id } = await makeCampaign({ steps: [call, { ...call, expiresIn: { value: 2, unit: 'days' } }] })
  await addLeads(id, [...people(2), ...people(1, { mobile: '+49 30 12345' })])
  const taskWarnings = async (): Promise<unknown[]> => {
    const { warnings } = await ask('GET', `/v2/campaigns/${id}/preflight`)
    return warnings.flatMap(({ code, ref, count: leads }: { code: string; ref: string; count: number | null }) =>
      code.startsWith('task_') ? [[code, ref, leads]] : [],
    )
  }
  const [first, second] = (await ask('GET', `/v2/campaigns/${id}`)).steps
  const waiting = [
    ['task_without_phone', first.id, 2],
    ['task_never_expires', first.id, null],
    ['task_without_phone', second.id, 2],
  ]
  expect(await taskWarnings()).toEqual(waiting)
  // A user that was removed after the step was assigned to it.
  await server.app.db.execute(
    `update steps set task = jsonb_set(task, '{assigneeId}', '"usr_gone"') where id = '${second.id}'`,
  )
  expect(await taskWarnings()).toEqual([...waiting.slice(0, 2), ['task_without_assignee', second.id, null], waiting[2]])
})

test('preflight counts the leads that get a message, and names the others', async () => {
  const sender = await makeSender({ dailyLimit: 100 })
  const { id } = await makeCampaign({
    sendingAccountIds: [sender.id],
    steps: [
      { variants: [{ subject: 'Hello {{ firstName }}', body: 'A question.' }] },
      { waitBefore: { value: 1, unit: 'days' }, variants: [{ body: 'How is {{ plan }}?' }] },
    ],
  })
  const withPlan = { firstName: 'Ada', customVariables: { plan: 'Gold' } }
  const nameless = { email: 'nameless@prospects.test', customVariables: { plan: 'Gold' } }
  await addLeads(id, [...people(2, withPlan), ...people(1), nameless])
  const { recipients, warnings } = await ask('GET', `/v2/campaigns/${id}/preflight`)
  expect(recipients).toEqual({
    count: 3,
    firstMessageAt: expect.stringMatching(/T(09|10):/),
    leftOut: [
      {
        reason: 'missing_variable',
        count: 1,
        leads: [{ id: expect.any(String), email: nameless.email, missingVariables: ['firstName'] }],
      },
    ],
    partial: false,
  })
  expect(warnings.map(({ ref, count: of }: { ref: string; count: number }) => [ref, of]).toSorted()).toEqual([
    ['firstName', 1],
    ['plan', 1],
  ])
  const { days } = await ask('GET', `/v2/campaigns/${id}/forecast`)
  const messages = days.reduce(
    (sum: number, day: { first: number; followUp: number }) => sum + day.first + day.followUp,
    0,
  )
  expect(messages).toBe(5)
  await ask('POST', `/v2/campaigns/${id}/start`, {})
  await ask('POST', '/v2/sandbox/clock/advance', { by: '3d' })
  const { missingValues } = await ask('GET', '/v2/campaigns/summary')
  expect(missingValues).toEqual([{ campaignId: id, name: 'Planned', leads: 2 }])
})

test('preflight warns about a misspelt name that no lead has, also with a default', async () => {
  const sender = await makeSender()
  const { id } = await makeCampaign({
    sendingAccountIds: [sender.id],
    steps: [
      { variants: [{ subject: 'For {{ compnay }}', body: 'A question.' }] },
      { variants: [{ body: 'Hi {{ frstName | default: "there" }}' }] },
    ],
  })
  await addLeads(id, people(2))
  const { warnings } = await ask('GET', `/v2/campaigns/${id}/preflight`)
  const unknown = warnings.filter(({ code }: { code: string }) => code === 'unknown_variable')
  expect(unknown.map(({ ref, count: of }: { ref: string; count: number }) => [ref, of])).toEqual([
    ['compnay', 2],
    ['frstName', 0],
  ])
})

test('capacity follows from limits, gaps and windows', async () => {
  const quick = await makeSender({ dailyLimit: 30 })
  const slow = await makeSender({ dailyLimit: 500, minGapSeconds: 600, maxGapSeconds: 600 })
  const { id } = await makeCampaign({ sendingAccountIds: [quick.id, slow.id] })
  // Two hours with a message every ten minutes allow thirteen messages.
  expect((await ask('GET', `/v2/campaigns/${id}/preflight`)).capacityPerDay).toBe(43)
  await ask('PUT', `/v2/campaigns/${id}`, { settings: { dailyLimit: 40 } })
  expect((await ask('GET', `/v2/campaigns/${id}/preflight`)).capacityPerDay).toBe(40)
})

/** Applies the change of a lever through the API. */
async function pull(campaignId: string, { path, to }: Diagnosis['levers'][number]['change']): Promise<void> {
  const [place = '', id = '', field = ''] = path.split('.')
  if (place === 'sendingAccounts' && field === 'status') await ask('POST', `/v2/sending-accounts/${id}/resume`, {})
  else if (place === 'sendingAccounts') await ask('PUT', `/v2/sending-accounts/${id}`, { [field]: to })
  else await ask('PUT', `/v2/campaigns/${campaignId}`, id === '' ? { [place]: to } : { [place]: { [id]: to } })
}

test('applying a lever finishes the campaign on the predicted day', async () => {
  const build = async () => {
    const [narrow, resting] = [await makeSender({ dailyLimit: 5 }), await makeSender({ dailyLimit: 5 })]
    await ask('POST', `/v2/sending-accounts/${resting.id}/pause`, {})
    const { id } = await makeCampaign({
      sendingAccountIds: [narrow.id, resting.id],
      settings: { dailyNewLeadLimit: 4, dailyLimit: 9 },
    })
    await addLeads(id, people(40))
    return id
  }
  const diagnosis: Diagnosis = await ask('GET', `/v2/campaigns/${await build()}/diagnose`)
  expect(diagnosis.levers.length).toBeGreaterThan(0)
  for (const [index, { finishesOn }] of diagnosis.levers.entries()) {
    const id = await build()
    // A different campaign has different senders, so the test applies its own lever of the same rank.
    const own: Diagnosis = await ask('GET', `/v2/campaigns/${id}/diagnose`)
    const lever = own.levers[index]!
    expect(lever.finishesOn).toBe(finishesOn)
    expect((await ask('GET', `/v2/campaigns/${id}/forecast`)).finishesOn).toBe(own.finishesOn)
    await pull(id, lever.change)
    expect([lever.change.path, (await ask('GET', `/v2/campaigns/${id}/forecast`)).finishesOn]).toEqual([
      lever.change.path,
      lever.finishesOn,
    ])
  }
})

test('diagnose counts leads by the gate of explain, and names the best lever', async () => {
  const sender = await makeSender({ dailyLimit: 3 })
  const { now } = await ask('GET', '/v2/sandbox/clock')
  const hour = (ahead: number) => `${String((new Date(now).getUTCHours() + ahead) % 24).padStart(2, '0')}:00`
  const schedule = { timezone: 'UTC', windows: [{ days: everyDay, from: hour(2), to: hour(3) }] }
  const { id } = await makeCampaign({ sendingAccountIds: [sender.id], schedule })
  await addLeads(id, [...people(9), ...people(2, {})])
  await ask('POST', `/v2/campaigns/${id}/start`, {})
  const diagnosis: Diagnosis = await ask('GET', `/v2/campaigns/${id}/diagnose`)
  const { results } = await ask('GET', `/v2/campaigns/${id}/leads`)
  const explained: { blockedReason: string }[] = await Promise.all(
    results.map((lead: { id: string }) => ask('GET', `/v2/campaigns/${id}/leads/${lead.id}/explain`)),
  )
  for (const { gate, count: of } of diagnosis.held)
    expect([gate, of]).toEqual([gate, explained.filter(({ blockedReason }) => blockedReason === gate).length])
  expect(diagnosis.held.map(({ gate, count: of }) => [gate, of])).toEqual([
    ['outside_window', 9],
    ['missing_variable', 2],
  ])
  expect(diagnosis.held.map(({ until }) => until === null)).toEqual([false, true])
  expect(diagnosis).toMatchObject({ bottleneck: 'sender_daily_limit', partial: false })
  expect(diagnosis.levers.length).toBeLessThanOrEqual(6)
  const days = diagnosis.levers.map(({ finishesOn }) => finishesOn)
  expect(days).toEqual(days.toSorted())
})

test("the forecast of all campaigns is the sum of theirs, with each sender's capacity", async () => {
  const fresh = await startWholeServer()
  const request = async (method: string, path: string, body?: unknown) =>
    (await fresh.call(method, path, { key: fresh.keys.test, body })).body
  await request('POST', '/v2/sandbox/clock', { frozen: true })
  const sender = await request('POST', '/v2/sending-accounts', {
    email: 'one@example.com',
    fromName: 'Sender',
    provider: 'sandbox',
    dailyLimit: 4,
    minGapSeconds: 0,
    maxGapSeconds: 0,
  })
  const ids: string[] = []
  for (const name of ['One', 'Two']) {
    const { id } = await request('POST', '/v2/campaigns', {
      name,
      steps: [{ variants: [{ subject: 'Hello', body: 'A question.' }] }],
      schedule: { timezone: 'UTC', windows: [{ days: everyDay, from: '23:58', to: '24:00' }] },
      sendingAccountIds: [sender.id],
    })
    await request('POST', `/v2/campaigns/${id}/leads`, { leads: people(6) })
    await request('POST', `/v2/campaigns/${id}/start`, {})
    ids.push(id)
  }
  const all = await request('GET', '/v2/forecast?days=5')
  expect(all).toMatchObject({ timezone: 'UTC', partial: false })
  expect(all.days).toHaveLength(5)
  for (const day of all.days) {
    expect(day.bySender).toHaveLength(1)
    expect(day.bySender[0].capacity).toBe(4)
    const byCampaign = day.byCampaign.reduce((sum: number, { count: of }: { count: number }) => sum + of, 0)
    expect(byCampaign).toBe(day.bySender[0].count)
    expect(byCampaign).toBeLessThanOrEqual(4)
  }
  for (const id of ids) {
    const { days } = await request('GET', `/v2/campaigns/${id}/forecast`)
    const alone = Object.fromEntries(days.map((day: { date: string; first: number }) => [day.date, day.first]))
    for (const { date, byCampaign } of all.days) {
      const own = byCampaign.find(({ campaignId }: { campaignId: string }) => campaignId === id)
      expect([date, own.count]).toEqual([date, alone[date] ?? 0])
    }
  }
  expect((await fresh.call('GET', '/v2/forecast?days=91', { key: fresh.keys.test })).status).toBe(400)
  await fresh.stop()
})
