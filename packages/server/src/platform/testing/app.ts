import type { App } from '../app.ts'
import { systemClock, type Clock } from '../clock.ts'
import { parseConfig } from '../config.ts'
import { createSecrets } from '../crypto/secrets.ts'
import type { Database } from '../db/database.ts'
import { createLogger } from '../log.ts'
import { createTenantClocks } from '../tenant-clocks.sql.ts'

export interface TestAppOptions {
  clock?: Clock | undefined
  /** Environment variables on top of the defaults, as main.ts would read them. */
  environment?: Readonly<Record<string, string>> | undefined
}

/** An App over a test database, as main.ts makes it, but silent. */
export function createTestApp(database: { db: Database; url: string }, options: TestAppOptions = {}): App {
  const clock = options.clock ?? systemClock
  return {
    config: parseConfig({ DATABASE_URL: database.url, LOG_LEVEL: 'silent', PORT: '0', ...options.environment }, '/tmp'),
    db: database.db,
    clock,
    clocks: createTenantClocks(clock),
    secrets: createSecrets(['an encryption key of a test run']),
    log: createLogger(options.environment?.['LOG_LEVEL'] ?? 'silent'),
  }
}
