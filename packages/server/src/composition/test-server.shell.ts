import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listAccounts } from '../accounts/index.ts'
import { parseConfig } from '../platform/config.ts'
import { createLogger } from '../platform/log.shell.ts'
import { changeAccount } from './operator.commands.ts'
import { startOverture } from './start.ts'

export interface TestServerOptions {
  /** Settings as environment variables. The variables of this process are not read. */
  environment?: Readonly<Record<string, string>>
}

export interface TestServer {
  url: string
  /** The key of the test environment, from which no mail reaches a mail server. */
  testKey: string
  liveKey: string
  /** Stops the server and deletes its folder. */
  stop(): Promise<void>
}

const roomyLimits = {
  requestsPerMinute: 1_000_000,
  burstPerSecond: 1_000_000,
  monthlyRequests: 1_000_000_000,
  maxApiKeys: 1_000,
}

/** Starts the real server for any test suite, on a free port, with its own database in a temporary folder. */
export async function startTestServer({ environment = {} }: TestServerOptions = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'overture-test-server-'))
  const clean = () => rm(folder, { recursive: true, force: true })
  try {
    const config = parseConfig({ OVERTURE_DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error', ...environment }, folder)
    const lines: string[] = []
    const log = createLogger(config.logLevel)
    const server = await startOverture({ config, log, print: (line) => lines.push(line) })
    for (const { accountId } of await listAccounts(server.app.db))
      await changeAccount(server.app, accountId, roomyLimits)
    const printedKey = (name: string) => lines.find((line) => line.startsWith(name))?.slice(name.length) ?? ''
    return {
      url: server.url,
      testKey: printedKey('test key: '),
      liveKey: printedKey('live key: '),
      async stop() {
        await server.stop()
        await clean()
      },
    }
  } catch (error) {
    await clean()
    throw error
  }
}
