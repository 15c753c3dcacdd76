import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { creditSummary } from '../../credits/index.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { readCreditHeaders, ProviderStub } from '@overture/testing/lead-finder/provider-stub.server.ts'

const stub = new ProviderStub()
let server: TestServer

beforeAll(async () => {
  await stub.listen()
  server = await stub.start('prospeo')
  await server.app.db.execute(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
  )
})
beforeEach(() => {
  stub.asked = []
})
afterAll(() => stub.stop())

const refuse = (table: string) =>
  server.app.db.execute(`create trigger refuse before insert on ${table} for each row execute function refuse()`)
const allow = (table: string) => server.app.db.execute(`drop trigger refuse on ${table}`)
const count = async (table: string) => (await server.app.db.query(`select 1 from ${table}`)).length
const person = { email: { email: 'ada@acme.example' }, mobile: { mobile: '+4915112345678' } }
const page = {
  error: false,
  results: [{ person: { person_id: 'p1', ...person }, company: { company_id: 'c1', name: 'Acme' } }],
  pagination: { total_count: 1 },
}
const search = (jobTitle: string) => ({ path: 'search', body: { jobTitle }, given: page })
const reveal = (field: 'email' | 'mobile', personId: string) => ({
  path: 'reveal',
  body: { personId: `prospeo:${personId}`, field },
  given: { error: false, person },
})

// The last transaction after the provider's response fails: at the claim, at the charge, or at the stored response.
describe.each([
  ['a search at its claim', 'finder_searches', search('claim'), 1],
  ['a search at its charge', 'credit_ledger', search('charge'), 1],
  ['an e-mail at its row', 'finder_reveals', reveal('email', 'row'), 1],
  ['a mobile at its row', 'finder_reveals', reveal('mobile', 'row'), 10],
  ['a mobile at its charge', 'credit_ledger', reveal('mobile', 'charge'), 10],
] as const)('when the database refuses %s', (name, table, call, price) => {
  test.each([null, 'key'])('the reservation is released, nothing is charged, and a retry works (%s)', async (key) => {
    const body = { ...call.body, ...('jobTitle' in call.body && { jobTitle: `${call.body.jobTitle} ${key}` }) }
    if ('personId' in body) body.personId = `${body.personId}-${key}`
    const ask = () =>
      server.call('POST', `/v2/campaigns/lead-finder/${call.path}`, {
        key: server.keys.live,
        body,
        ...(key !== null && { headers: { 'idempotency-key': name.replaceAll(' ', '-') } }),
      })
    stub.respond = () => ({ status: 200, body: call.given })
    const before = await creditSummary(server.app.db, server.tenant)
    const entries = await count('credit_ledger')
    await refuse(table)
    const failed = await ask()
    await allow(table)
    expect([failed.status, failed.body.error.code, stub.asked.length]).toEqual([500, 'INTERNAL_ERROR', 1])
    expect(await creditSummary(server.app.db, server.tenant)).toEqual(before)
    expect([await count('credit_reservations'), await count('credit_ledger')]).toEqual([0, entries])
    const retried = await ask()
    expect(retried.status).toBe(200)
    expect(readCreditHeaders(retried)).toEqual([String(price), String(before.balance - price)])
    if (key !== null) expect(readCreditHeaders(await ask())).toEqual(readCreditHeaders(retried))
    expect(await count('credit_reservations')).toBe(0)
  })
})
