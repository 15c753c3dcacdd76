import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { App } from '@overture/server/platform/app.ts'
import type { Tenant } from '@overture/server/platform/tenant.ts'
import { createTestApp } from '../app.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { startDelivery, type DeliveryByHand } from './delivery-by-hand.ts'
import { insertTestAccount, insertTestSender } from './delivery-fixtures.sql.ts'

interface DeliveryWorld {
  app: App
  delivery: DeliveryByHand
  tenant: Tenant
  /** A sending account of the tenant that sends to the SMTP double of `delivery`. */
  senderId: string
}

/** Gives a test file a database and each of its tests an SMTP double and a new account with one sender. */
export function useDelivery(begin: (world: DeliveryWorld) => void): void {
  let database: TestDatabase
  let app: App
  let delivery: DeliveryByHand
  beforeAll(async () => {
    database = await createTestDatabase()
    app = createTestApp(database, {
      environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1', OVERTURE_PUBLIC_URL: 'https://mail.example.com' },
    })
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    delivery = await startDelivery(app)
    const tenant = await insertTestAccount(app.db)
    begin({ app, delivery, tenant, senderId: await insertTestSender(app.db, tenant, { port: delivery.smtp.port }) })
  })
  afterEach(() => delivery.stop())
}
