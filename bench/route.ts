import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import fastify from 'fastify'
import { createAccount, setAccount } from '../packages/server/src/accounts/index.ts'
import { createAdmission, createKey } from '../packages/server/src/api-keys/index.ts'
import { campaignRoutes, findCampaignWithSequence } from '../packages/server/src/campaigns/index.ts'
import { changePlan, initialiseCredits } from '../packages/server/src/credits/index.ts'
import { insertTestCampaign, insertTestSender } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import { createHttpServer } from '@overture/server/platform/http/server.shell.ts'
import type { Tenant } from '../packages/server/src/platform/tenant.ts'
import { line, median, type Stage } from './stage.ts'

const seconds = 2
const rounds = 9
const connections = 20
const unlimited = { requestsPerMinute: 100_000_000, burstPerSecond: 10_000_000, monthlyRequests: 1_000_000_000 }

/** (b) Compares `GET /v2/campaigns/:id` with key, limits and usage meter to a bare route of the same framework with one SELECT. */
export async function benchRoute(stage: Stage): Promise<void> {
  const { app } = stage
  const now = app.clock.now()
  const { accountId } = await app.db.transaction((tx) =>
    createAccount(tx, { name: 'Bench', plan: 'self_hosted', now }, initialiseCredits),
  )
  await setAccount(app.db, accountId, unlimited, { now, changePlan })
  const { key } = await app.db.transaction((tx) =>
    createKey(tx, { accountId, environment: 'live', name: 'bench', scopes: ['read', 'write'], expiresAt: null, now }),
  )
  const tenant: Tenant = { accountId, environment: 'live' }
  const campaign = await insertTestCampaign(app.db, tenant, {
    senderIds: [await insertTestSender(app.db, tenant, { port: 1 })],
  })
  const admission = createAdmission(app, 'all')
  const server = await createHttpServer({
    app,
    routes: campaignRoutes({
      renderer: testRenderer,
      checkAi: () => Promise.resolve({ missingPresetIds: [], creditsMissing: false }),
    }),
    limiter: admission,
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const bare = fastify()
  bare.get('/v2/campaigns/:id', (request) =>
    findCampaignWithSequence(app.db, tenant, (request.params as { id: string }).id),
  )
  const bareUrl = await bare.listen({ host: '127.0.0.1', port: 0 })
  const ratios: number[] = []
  let output = ''
  // Takes short turns and the median of the pairs, so that other load on the machine affects both equally.
  for (let round = 0; round < rounds; round++) {
    const plain = await load(`${bareUrl}/v2/campaigns/${campaign.id}`, key)
    const whole = await load(`${url}/v2/campaigns/${campaign.id}`, key)
    ratios.push(whole / plain)
    output = `${Math.round(whole)}/s against ${Math.round(plain)}/s`
  }
  line('(b) GET campaign / bare route', median(ratios), output)
  await server.close()
  await bare.close()
  await admission.stop()
}

async function load(url: string, key: string): Promise<number> {
  const program = createRequire(import.meta.url).resolve('autocannon/autocannon.js')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, '-j', '-c', String(connections), '-d', String(seconds), '-H', `Authorization: Bearer ${key}`, url],
    { maxBuffer: 10_000_000 },
  )
  const result = JSON.parse(stdout) as { requests: { average: number }; non2xx: number }
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were refusals.`)
  return result.requests.average
}
