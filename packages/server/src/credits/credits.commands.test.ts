import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PlanId } from '@overture/contract/accounts/credits.ts'
import { AppError } from '@overture/contract/errors.ts'
import { newId } from '../platform/ids.ts'
import type { Tenant } from '../platform/tenant.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { releaseReservation, reserve, settleReservation } from './credits.commands.ts'
import {
  readBalance,
  changePlan,
  charge,
  creditSummary,
  findDisagreementsAcrossAccounts,
  grantCredits,
  initialiseCredits,
  listLedger,
  setBalance,
} from './index.ts'
import { renewPlan } from './plans.commands.ts'

let database: TestDatabase
const now = new Date('2026-01-31T12:00:00.000Z')

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function newAccount(plan: PlanId): Promise<Tenant> {
  const accountId = newId('acc')
  await database.db.transaction(async (tx) => {
    await tx.execute('insert into accounts (account_id, name, plan, created_at) values ($1, $2, $3, $4)', [
      accountId,
      'A',
      plan,
      now,
    ])
    await initialiseCredits(tx, accountId, plan, now)
    await initialiseCredits(tx, accountId, plan, now)
  })
  return { accountId, environment: 'live' }
}
const inTransaction: TestDatabase['db']['transaction'] = (run) => database.db.transaction(run)
const codeOf = (error: unknown) => (error instanceof AppError ? error.code : String(error))
const eventsOf = (tenant: Tenant) =>
  database.db
    .query<{ type: string }>('select type from events where account_id = $1 order by position', [tenant.accountId])
    .then((rows) => rows.map((row) => row.type))

describe('a new account', () => {
  test.each([
    ['trial', 100],
    ['starter', 1000],
    ['growth', 5000],
    ['scale', 25_000],
    ['self_hosted', 10_000],
  ] as const)('%s starts with %i live and 1000 test credits, once', async (plan, credits) => {
    const tenant = await newAccount(plan)
    expect(await readBalance(database.db, tenant)).toBe(credits)
    expect(await readBalance(database.db, { ...tenant, environment: 'test' })).toBe(1000)
  })
})

describe('concurrent charges', () => {
  test('never take more than the balance, and keep ledger and balance equal', async () => {
    const tenant = await newAccount('trial')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) =>
        inTransaction((tx) => charge(tx, tenant, { amount: 3, reason: 'race', reference: String(index) })),
      ),
    )
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(33)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(codeOf(outcome.reason)).toBe('INSUFFICIENT_CREDITS')
    expect(await readBalance(database.db, tenant)).toBe(1)
    const ledger = await listLedger(database.db, tenant, { after: null, offset: 0, limit: 100 })
    expect(ledger.reduce((sum, entry) => sum + entry.amount, 0)).toBe(1)
    expect(ledger.map((entry) => entry.balanceAfter)).toEqual([
      ...Array.from({ length: 33 }, (_, index) => 1 + index * 3),
      100,
    ])
    expect(await findDisagreementsAcrossAccounts(database.db)).toEqual([])
  })

  test("stop a trial's lead credits at exactly 50, including reservations", async () => {
    const tenant = await newAccount('trial')
    const held = await inTransaction((tx) => reserve(tx, tenant, { amount: 10, reason: 'held', leadCredits: true }))
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () =>
        inTransaction((tx) => charge(tx, tenant, { amount: 1, reason: 'search', leadCredits: true })),
      ),
    )
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(40)
    await inTransaction((tx) => settleReservation(tx, tenant, held, { amount: 4, reason: 'held', leadCredits: true }))
    expect(await creditSummary(database.db, tenant)).toMatchObject({
      balance: 56,
      leadCreditsUsed: 44,
      leadCreditCap: 50,
    })
    const test = { ...tenant, environment: 'test' } as const
    await inTransaction((tx) => charge(tx, test, { amount: 50, reason: 'search', leadCredits: true }))
    await expect(
      inTransaction((tx) => charge(tx, test, { amount: 1, reason: 'search', leadCredits: true })),
    ).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
    await inTransaction((tx) => charge(tx, test, { amount: 1, reason: 'ai' }))
  })
})

describe('a failed operation', () => {
  test('charges nothing', async () => {
    const tenant = await newAccount('starter')
    await expect(
      inTransaction(async (tx) => {
        await charge(tx, tenant, { amount: 5, reason: 'doomed' })
        throw new Error('failed afterwards')
      }),
    ).rejects.toThrow('failed afterwards')
    expect(await readBalance(database.db, tenant)).toBe(1000)
    const held = await inTransaction((tx) => reserve(tx, tenant, { amount: 900, reason: 'call' }))
    await expect(inTransaction((tx) => charge(tx, tenant, { amount: 200, reason: 'other' }))).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
    })
    expect(await inTransaction((tx) => releaseReservation(tx, tenant, held))).toBe(true)
    expect(await inTransaction((tx) => releaseReservation(tx, tenant, held))).toBe(false)
    expect(await creditSummary(database.db, tenant)).toMatchObject({ balance: 1000, available: 1000 })
  })
})

describe('the ledger', () => {
  test("can't be changed or deleted", async () => {
    await newAccount('starter')
    await expect(database.db.execute('update credit_ledger set amount = 0')).rejects.toThrow('append-only')
    await expect(database.db.execute('delete from credit_ledger')).rejects.toThrow('append-only')
  })

  test('books a purchase once', async () => {
    const tenant = await newAccount('starter')
    const buy = () =>
      inTransaction((tx) =>
        grantCredits(tx, tenant, { type: 'purchase', amount: 500, reason: 'bought', reference: 'cs_1' }),
      )
    await Promise.all([buy(), buy(), buy()])
    expect(await readBalance(database.db, tenant)).toBe(1500)
  })

  test('is written when an operator sets a balance, up or down', async () => {
    const tenant = await newAccount('starter')
    await inTransaction((tx) => setBalance(tx, tenant, { balance: 7 }))
    await inTransaction((tx) => setBalance(tx, tenant, { balance: 20 }))
    const ledger = await listLedger(database.db, tenant, { after: null, offset: 0, limit: 10 })
    expect(ledger.map((entry) => [entry.type, entry.amount])).toEqual([
      ['grant', 13],
      ['expiry', -993],
      ['grant', 1000],
    ])
    expect(await findDisagreementsAcrossAccounts(database.db)).toEqual([])
  })
})

describe('events for credits', () => {
  test('are credits.low and credits.exhausted, once each', async () => {
    const tenant = await newAccount('trial')
    await inTransaction((tx) => charge(tx, tenant, { amount: 91, reason: 'ai' }))
    await inTransaction((tx) => charge(tx, tenant, { amount: 5, reason: 'ai' }))
    expect(await eventsOf(tenant)).toEqual(['credits.low'])
    await inTransaction((tx) => charge(tx, tenant, { amount: 4, reason: 'ai' }))
    expect(await eventsOf(tenant)).toEqual(['credits.low', 'credits.exhausted'])
  })
})

describe('plans', () => {
  test('renew monthly on the same day; unspent plan credits end and bought ones stay', async () => {
    const tenant = await newAccount('starter')
    await inTransaction((tx) =>
      grantCredits(tx, tenant, { type: 'purchase', amount: 500, reason: 'bought', reference: 'cs_2' }),
    )
    await inTransaction((tx) => charge(tx, tenant, { amount: 300, reason: 'search' }))
    await inTransaction((tx) => renewPlan(tx, tenant, new Date('2026-02-28T11:00:00.000Z')))
    expect(await readBalance(database.db, tenant)).toBe(1200)
    await inTransaction((tx) => renewPlan(tx, tenant, new Date('2026-02-28T12:00:00.000Z')))
    await inTransaction((tx) => renewPlan(tx, tenant, new Date('2026-02-28T12:00:00.000Z')))
    expect(await readBalance(database.db, tenant)).toBe(1500)
  })

  test('a trial ends without renewal', async () => {
    const tenant = await newAccount('trial')
    await inTransaction((tx) => renewPlan(tx, tenant, new Date('2026-02-14T12:00:00.000Z')))
    await inTransaction((tx) => renewPlan(tx, tenant, new Date('2026-04-14T12:00:00.000Z')))
    expect(await readBalance(database.db, tenant)).toBe(0)
  })

  test('a changed plan ends the old credits', async () => {
    const tenant = await newAccount('trial')
    await inTransaction((tx) => changePlan(tx, tenant.accountId, 'growth', now))
    expect(await readBalance(database.db, tenant)).toBe(5000)
  })
})
