import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../platform/app.ts'
import type { Logger } from '../platform/log.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { releaseReservation, reserve, settleReservation } from './credits.commands.ts'
import {
  readBalance,
  charge,
  creditSummary,
  creditsPeriodic,
  findDisagreementsAcrossAccounts,
  grantCredits,
  initialiseCredits,
  setBalance,
} from './index.ts'

let database: TestDatabase
let app: App
const logged: { level: string; event: string }[] = []
const now = new Date('2026-01-31T12:00:00.000Z')

beforeAll(async () => {
  database = await createTestDatabase()
  const note = (level: string) => (entry: object) => void logged.push({ level, ...(entry as { event: string }) })
  const log = { info: note('info'), warn: note('warn'), error: note('error') } as unknown as Logger
  app = { ...createTestApp(database), log }
})
afterAll(() => database.drop())

async function newAccount(accountId: string): Promise<Tenant> {
  await database.db.transaction(async (tx) => {
    await tx.execute(`insert into accounts (account_id, name, plan, created_at) values ($1, 'A', 'trial', $2)`, [
      accountId,
      now,
    ])
    await initialiseCredits(tx, accountId, 'trial', now)
  })
  return { accountId, environment: 'live' }
}

const run = (name: string) => creditsPeriodic.find((periodic) => periodic.name === name)!.run(app, now)

describe('a server killed between reservation and result', () => {
  test('charges nothing, and the credits are released after their time', async () => {
    const tenant = await newAccount('acc_killed')
    const id = await app.db.transaction((tx) => reserve(tx, tenant, { amount: 40, reason: 'call', leadCredits: true }))
    await run('credits.release_expired')
    expect(await creditSummary(app.db, tenant)).toMatchObject({ balance: 100, available: 60 })
    await app.db.execute(`update credit_reservations set expires_at = now() - interval '1 second' where id = $1`, [id])
    await run('credits.release_expired')
    expect(await creditSummary(app.db, tenant)).toMatchObject({ balance: 100, available: 100, leadCreditsUsed: 0 })
    expect(logged).toContainEqual(expect.objectContaining({ level: 'warn', event: 'credits.reservation_expired' }))
    // A call that settles after its reservation expired is charged once.
    const settle = () => app.db.transaction((tx) => settleReservation(tx, tenant, id, { amount: 10, reason: 'late' }))
    expect(await settle()).toEqual({ charged: 10, balance: 90 })
  })
})

describe('the nightly ledger check', () => {
  test('reports a balance that differs from its sum, and changes nothing', async () => {
    const tenant = await newAccount('acc_wrong')
    await run('credits.check_ledgers')
    expect(logged.at(-1)).toMatchObject({ level: 'info', event: 'credits.ledgers_agree' })
    await app.db.execute(`update credit_balances set balance = balance + 5 where account_id = 'acc_wrong'`)
    await run('credits.check_ledgers')
    const reports = logged.filter(({ event }) => event === 'credits.ledger_disagrees')
    expect(reports).toEqual([
      expect.objectContaining({
        level: 'error',
        accountId: 'acc_wrong',
        environment: 'live',
        balance: 105,
        ledger: 100,
      }),
      expect.objectContaining({
        level: 'error',
        accountId: 'acc_wrong',
        environment: 'test',
        balance: 1005,
        ledger: 1000,
      }),
    ])
    expect(await readBalance(app.db, tenant)).toBe(105)
    await app.db.execute(`update credit_balances set balance = balance - 5 where account_id = 'acc_wrong'`)
  })
})

describe('any concurrent movements', () => {
  const amount = fc.integer({ min: 1, max: 60 })
  const movement = fc.oneof(
    fc.record({ kind: fc.constant('charge' as const), amount, leadCredits: fc.boolean() }),
    fc.record({ kind: fc.constant('call' as const), amount, cost: amount, leadCredits: fc.boolean() }),
    fc.record({ kind: fc.constant('failed call' as const), amount, leadCredits: fc.boolean() }),
    fc.record({ kind: fc.constant('failed charge' as const), amount, leadCredits: fc.boolean() }),
    fc.record({ kind: fc.constant('grant' as const), amount }),
    fc.record({ kind: fc.constant('set' as const), amount }),
  )
  type Movement = typeof movement extends fc.Arbitrary<infer Value> ? Value : never

  async function move(tenant: Tenant, step: Movement): Promise<void> {
    const { db } = app
    const spending = {
      amount: step.amount,
      reason: step.kind,
      ...('leadCredits' in step && { leadCredits: step.leadCredits }),
    }
    switch (step.kind) {
      case 'charge':
        return void (await db.transaction((tx) => charge(tx, tenant, spending)))
      case 'failed charge':
        return db.transaction(async (tx) => {
          await charge(tx, tenant, spending)
          throw new Error('failed afterwards')
        })
      case 'call':
      case 'failed call': {
        const id = await db.transaction((tx) => reserve(tx, tenant, spending))
        if (step.kind === 'failed call') return void (await db.transaction((tx) => releaseReservation(tx, tenant, id)))
        return void (await db.transaction((tx) =>
          settleReservation(tx, tenant, id, { ...spending, amount: step.cost }),
        ))
      }
      case 'grant':
        return void (await db.transaction((tx) => grantCredits(tx, tenant, spending)))
      case 'set':
        return void (await db.transaction((tx) => setBalance(tx, tenant, { balance: step.amount })))
      default:
        return step satisfies never
    }
  }

  test('keep balance and ledger equal and not negative, without leftover reservations, within the cap', async () => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.array(movement, { minLength: 5, maxLength: 25 }), async (steps) => {
        const tenant = await newAccount(`acc_any_${(count += 1)}`)
        await Promise.allSettled(steps.map((step) => move(tenant, step)))
        const { balance, available, leadCreditsUsed } = await creditSummary(app.db, tenant)
        expect(available).toBe(balance)
        expect(leadCreditsUsed).toBeLessThanOrEqual(50)
        const [lowest] = await app.db.query<{ least: number; sum: number }>(
          `select min(balance_after)::int as least, sum(amount)::int as sum from credit_ledger
           where account_id = $1 and environment = 'live'`,
          [tenant.accountId],
        )
        expect(lowest!.least).toBeGreaterThanOrEqual(0)
        expect(lowest!.sum).toBe(balance)
      }),
      { numRuns: 30 },
    )
    expect(await findDisagreementsAcrossAccounts(app.db)).toEqual([])
  })
})
