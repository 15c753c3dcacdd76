import type { App } from '@overture/server/platform/app.ts'
import { systemClock, type Clock } from '@overture/server/platform/clock.ts'
import { parseConfig } from '@overture/server/platform/config.ts'
import { createSecrets } from '@overture/server/platform/crypto/secrets.shell.ts'
import type { Database } from '@overture/server/platform/db/database.ts'
import { Heartbeats } from '@overture/server/platform/lifecycle/heartbeats.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { createNames, type Names } from '@overture/server/platform/mail/names.client.ts'
import { createTenantClocks } from '@overture/server/platform/tenant-clocks.sql.ts'

export interface TestAppOptions {
  clock?: Clock | undefined
  /** Environment variables that override the defaults, read as main.ts reads them. */
  environment?: Readonly<Record<string, string>> | undefined
  names?: Names | undefined
}

/** Builds an App over a test database as main.ts does, but with a silent log. */
export function createTestApp(database: { db: Database; url: string }, options: TestAppOptions = {}): App {
  const clock = options.clock ?? systemClock
  const cheap = { LOG_LEVEL: 'silent', OVERTURE_PASSWORD_MEBIBYTES: '1' }
  const distributed = process.env['OVERTURE_CITUS']
  const several =
    distributed === undefined ? {} : { OVERTURE_CITUS: distributed, OVERTURE_ENCRYPTION_KEY: 'a'.repeat(64) }
  const environment = { DATABASE_URL: database.url, PORT: '0', ...cheap, ...several, ...options.environment }
  const config = parseConfig(environment, '/tmp')
  return {
    config,
    db: database.db,
    clock,
    clocks: createTenantClocks(clock),
    secrets: createSecrets(['an encryption key of a test run']),
    names: options.names ?? createNames({ servers: config.network.dnsServers }),
    heartbeats: new Heartbeats(),
    log: createLogger(options.environment?.['LOG_LEVEL'] ?? 'silent'),
  }
}
