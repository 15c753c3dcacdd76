import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeSchema } from '../platform/db/describe-schema.sql.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded/embedded.shell.ts'
import { migrate } from '../platform/db/migrate.shell.ts'
import { createDatabase } from '../platform/db/pool.client.ts'
import { createLogger } from '../platform/log.shell.ts'

/** Writes schema.sql, the schema of the whole database as the migrations make it. */
const log = createLogger('silent')
const folder = await mkdtemp(join(tmpdir(), 'overture-schema-'))
const postgres = await startEmbeddedPostgres({ dataDir: folder, log, kind: 'command', settings: { fsync: 'off' } })
try {
  await migrate({ url: postgres.url, log })
  const db = createDatabase({ url: postgres.url, log })
  await writeFile(fileURLToPath(new URL('../../schema.sql', import.meta.url)), await describeSchema(db))
  await db.close()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
