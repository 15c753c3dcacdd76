import { rm } from 'node:fs/promises'
import { startEmbeddedPostgres } from '@overture/server/platform/db/embedded/embedded.shell.ts'
import { grantRightsOfTests } from '../superuser.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'

/** Runs the PostgreSQL of a folder until the parent process exits: `postgres-keeper.ts FOLDER`. */
const folder = process.argv[2] as string
const isAlone = new Promise((resolve) => process.once('disconnect', resolve))
const postgres = await startEmbeddedPostgres({ dataDir: folder, log: createLogger('silent'), kind: 'server' })
await grantRightsOfTests(postgres.url)
process.send?.({ url: postgres.url })
await isAlone
await postgres.stop()
await rm(folder, { recursive: true, force: true, maxRetries: 5 })
process.exit()
