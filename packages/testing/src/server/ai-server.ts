import { createDatabase, type PoolDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { type ModelDouble, startModelDouble } from '../model-double.server.ts'
import { startRunningServer, type RunningProduct } from './running-server.ts'
import type { AnswerBody } from '../server.ts'

/** The name of the double's model in the product. */
export const modelId = 'openai-compatible/tiny'

export interface AiServer {
  model: ModelDouble
  server: RunningProduct
  db: PoolDatabase
  /** Moves the clock. Throws if the clock doesn't reach the time. */
  advance: (by: string) => Promise<void>
  /** Moves the clock to the next Saturday at noon: nothing can be sent before Monday at nine. */
  toSaturday: () => Promise<void>
  newSender(): Promise<string>
  newPreset(prompt?: string): Promise<string>
  textsOf: (campaignId: string, status: string) => Promise<AnswerBody[]>
  stop(): Promise<void>
}

/** Starts the product with its own model in the test environment, whose clock moves only when a test moves it. */
export async function startAiServer(
  usual: ModelDouble['usual'],
  more: Readonly<Record<string, string>> = {},
): Promise<AiServer> {
  const model = await startModelDouble(usual)
  const server = await startRunningServer({
    OVERTURE_AI_BASE_URL: model.baseUrl,
    OVERTURE_AI_MODEL: 'tiny',
    OVERTURE_AI_IN_TEST: '1',
    OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
    OVERTURE_AI_CONCURRENCY: '2',
    ...more,
  })
  const db = createDatabase({ url: server.databaseUrl, log: createLogger('error'), connectionsMax: 2 })
  await server.test('POST', '/v2/sandbox/clock', { frozen: true })
  let number = 0
  const moveClock = async (body: object) => {
    const { status, body: answer } = await server.test('POST', '/v2/sandbox/clock/advance', body)
    if (status !== 200) throw new Error(`The clock did not move: ${status} ${JSON.stringify(answer)}`)
  }
  return {
    model,
    server,
    db,
    advance: (by) => moveClock({ by }),
    async toSaturday() {
      const day = new Date((await server.test('GET', '/v2/sandbox/clock')).body.now)
      day.setUTCDate(day.getUTCDate() + 1)
      day.setUTCDate(day.getUTCDate() + ((6 - day.getUTCDay() + 7) % 7))
      await moveClock({ to: `${day.toISOString().slice(0, 10)}T12:00:00.000Z` })
    },
    async newSender() {
      number += 1
      const email = `sender${number}@sender.example.com`
      const sender = { email, fromName: 'Ada', provider: 'sandbox', minGapSeconds: 60, maxGapSeconds: 60 }
      return (await server.test('POST', '/v2/sending-accounts', sender)).body.id
    },
    newPreset: async (prompt = 'Ask {{ firstName }}.') =>
      (await server.test('POST', '/v2/campaigns/ai-prompts', { name: 'P', prompt })).body.id,
    textsOf: async (id, status) =>
      (await server.test('GET', `/v2/campaigns/${id}/approvals?status=${status}&limit=100`)).body.results,
    async stop() {
      await db.close()
      await server.stop()
      await model.stop()
    },
  }
}
