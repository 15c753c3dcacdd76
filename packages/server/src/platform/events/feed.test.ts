import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../ids.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import type { Tenant } from '../tenant.ts'
import { appendEvents } from './events.sql.ts'
import { listEvents } from './feed.sql.ts'

let ours: TestDatabase
let theirs: TestDatabase
const tenant: Tenant = { accountId: 'acc_feed', environment: 'live' }

beforeAll(async () => {
  ;[ours, theirs] = await Promise.all([createTestDatabase(), createTestDatabase()])
})
afterAll(() => Promise.all([ours.drop(), theirs.drop()]))

const event = (name: string) => ({ type: 'campaign.created' as const, occurredAt: new Date(0), data: { name } })
const append = (name: string) => ours.db.transaction((tx) => appendEvents(tx, tenant, [event(name)]))
const names = async () =>
  (await listEvents(ours.db, tenant, { order: 'asc', limit: 1000 })).map(({ data }) => data.name)
const until = (name: string) => expect.poll(names, { timeout: 30_000, interval: 20 }).toContain(name)

/** Begins a transaction that writes events, and keeps it open until the returned function is called. */
async function holdOpen({ db }: TestDatabase, name: string): Promise<() => Promise<void>> {
  let finish = (): void => undefined
  const held = new Promise<void>((resolve) => (finish = resolve))
  let whole: Promise<void> = Promise.resolve()
  await new Promise<void>((begun) => {
    whole = db.transaction(async (tx) => {
      await appendEvents(tx, tenant, [event(name)])
      begun()
      await held
    })
  })
  return () => {
    finish()
    return whole
  }
}

describe('readers of the event log', () => {
  test('wait for writers of this database only, not of others on the server', async () => {
    const endTheirs = await holdOpen(theirs, 'elsewhere')
    await append('beside a long transaction elsewhere')
    await until('beside a long transaction elsewhere')
    const endOurs = await holdOpen(ours, 'slow')
    await append('behind the slow one')
    await append('and another')
    expect(await names()).toEqual(['beside a long transaction elsewhere'])
    await endOurs()
    await until('and another')
    expect(await names()).toEqual(['beside a long transaction elsewhere', 'slow', 'behind the slow one', 'and another'])
    await endTheirs()
    expect(await names()).not.toContain('elsewhere')
  })

  test('need no right to see other sessions', async () => {
    const role = newId('evt').toLowerCase()
    const endTheirs = await holdOpen(theirs, 'unseen')
    await ours.db.execute(`create role ${role}`)
    await ours.db.execute(`grant ${role} to current_user`)
    try {
      const [row] = await ours.db.transaction(async (tx) => {
        await tx.execute(`set local role ${role}`)
        return tx.query<{ open: boolean; passed: boolean }>(
          `select pg_snapshot_xmin(pg_current_snapshot()) < pg_snapshot_xmax(pg_current_snapshot()) as open,
             events_horizon() > pg_snapshot_xmin(pg_current_snapshot()) as passed`,
        )
      })
      expect(row).toEqual({ open: true, passed: true })
    } finally {
      await ours.db.execute(`drop role ${role}`)
      await endTheirs()
    }
  })

  test('miss no event when writers of both databases run at the same time', async () => {
    const written: string[] = []
    const write = async (writer: number): Promise<void> => {
      for (let round = 0; round < 12; round++) {
        const database = writer % 3 === 0 ? theirs : ours
        const name = `race ${writer} ${round}`
        await database.db.transaction(async (tx) => {
          await appendEvents(tx, tenant, [event(name)])
          await tx.query('select pg_sleep($1)', [((writer * 5 + round * 3) % 7) / 500])
        })
        if (database === ours) written.push(name)
      }
    }
    let over = false
    const writers = Promise.all(Array.from({ length: 9 }, (_, index) => write(index))).then(() => (over = true))
    const read: unknown[] = []
    let after: { txId: string; position: number } | undefined
    do {
      const page = await listEvents(ours.db, tenant, { order: 'asc', limit: 5, after })
      read.push(...page.map(({ data }) => data.name))
      const last = page.at(-1)
      if (last) after = { txId: last.txId, position: last.position }
      if (over && page.length === 0 && read.filter((name) => String(name).startsWith('race')).length >= written.length)
        break
    } while (read.length < 1000)
    await writers
    const raced = read.map(String).filter((name) => name.startsWith('race'))
    expect(raced.toSorted()).toEqual(written.toSorted())
  })
})
