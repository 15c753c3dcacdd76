import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { standbyAvailable, startStandbyPair, type StandbyPair } from '@overture/testing/server/standby.server.ts'
import { insertTestAccount } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { migrate } from '../db/migrate.shell.ts'
import { createDatabase, type PoolDatabase } from '../db/pool.client.ts'
import { createLogger } from '../log.shell.ts'
import type { Tenant } from '../tenant.ts'
import { appendEvents } from './events.sql.ts'
import { listEvents } from './feed.sql.ts'
import { lacks } from '@overture/testing/tools.ts'

const log = createLogger('silent')
const patient = { timeout: 60_000, interval: 20 }

describe.skipIf(lacks('PostgreSQL 15', standbyAvailable()))(
  'a standby server (skipped without Debian PostgreSQL 15)',
  () => {
    let pair: StandbyPair
    let [primary, standby]: PoolDatabase[] = []
    let tenant: Tenant

    beforeAll(async () => {
      pair = await startStandbyPair()
      await migrate({ url: pair.primaryUrl, log })
      primary = createDatabase({ url: pair.primaryUrl, log })
      standby = createDatabase({ url: pair.standbyUrl, log })
      tenant = await insertTestAccount(primary)
    })
    afterAll(async () => {
      await Promise.all([primary?.close(), standby?.close()])
      await pair?.stop()
    })

    const event = (leadId: string) => ({ type: 'lead.added' as const, occurredAt: new Date('2026-11-01'), leadId })
    const append = (name: string) => primary!.transaction((tx) => appendEvents(tx, tenant, [event(name)]))
    const storedThere = async (name: string) =>
      (await standby!.query('select 1 from events where account_id = $1 and lead_id = $2', [tenant.accountId, name]))
        .length

    test('shows no events after one whose transaction is still open on the primary', async () => {
      const follow = async () =>
        (await listEvents(standby!, tenant, { order: 'asc', limit: 100 })).map(({ leadId }) => leadId)
      await append('first')
      await expect.poll(follow, patient).toEqual(['first'])
      let end = (): void => undefined
      const held = new Promise<void>((resolve) => (end = resolve))
      let isWritten = (): void => undefined
      const written = new Promise<void>((resolve) => (isWritten = resolve))
      const slow = primary!.transaction(async (tx) => {
        await appendEvents(tx, tenant, [event('slow')])
        isWritten()
        await held
      })
      try {
        await written
        await append('quick')
        // The event is stored there already. It would be readable if the slow transaction could not come before it.
        await expect.poll(() => storedThere('quick'), patient).toBe(1)
        expect(await follow()).toEqual(['first'])
      } finally {
        end()
        await slow
      }
      await expect.poll(follow, patient).toEqual(['first', 'slow', 'quick'])
    })

    test('is refused at the start with advice', async () => {
      const refused = migrate({ url: pair.standbyUrl, log })
      await expect(refused).rejects.toThrow(/^DATABASE_URL: this server is a read-only replica.*Use its primary/)
    })
  },
)
