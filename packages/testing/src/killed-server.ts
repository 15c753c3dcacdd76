import { z } from 'zod'
import { endpoint } from '@overture/contract/endpoint.ts'
import { createAdmission } from '@overture/server/api-keys/index.ts'
import { createDatabase } from '@overture/server/platform/db/pool.client.ts'
import { command } from '@overture/server/platform/http/route.ts'
import { createHttpServer } from '@overture/server/platform/http/server.shell.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { createTestApp } from './app.ts'
import { findServers } from './distributed/test-servers.ts'

/** An API that exits after the transaction commits, before the client gets a response. */
const url = process.argv[2] ?? ''
const distributed = (await findServers(url)) !== null
const app = createTestApp({
  db: createDatabase({ url, log: createLogger('silent'), connectionsMax: 5, distributed }),
  url,
})
const addThings = endpoint({
  operationId: 'addThings',
  call: 'things.addThings',
  method: 'POST',
  path: '/v2/things',
  environment: 'both',
  scope: 'write',
  summary: 'Add things',
  tag: 'Things',
  body: z.strictObject({ name: z.string() }),
  success: [200],
  output: z.strictObject({ ok: z.boolean(), seen: z.string() }),
})
const route = command(addThings, async (_context, { body }, tx) => {
  await tx.execute(
    `insert into finder_scroll_tokens (provider, digest, page, token, created_at) values ('killed effect', '', 1, '', now())`,
  )
  tx.afterCommit(() => process.kill(process.pid, 'SIGKILL'))
  return { ok: true, seen: body.name }
})
const server = await createHttpServer({ app, routes: [route], limiter: createAdmission(app, 'api') })
process.send?.(await server.listen({ host: '127.0.0.1', port: 0 }))
