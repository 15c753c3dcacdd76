import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { builtProgram } from '../programs/program.ts'

const main = new URL('../../../server/src/composition/main.ts', import.meta.url)

/** Starts a process of the product that only works, and waits until it does. The caller ends it. */
export async function startWorkerProcess(environment: {
  databaseUrl: string
  /** The worker creates its own folder in this one. */
  folder: string
  name: string
  encryptionKey: string
}): Promise<ChildProcess> {
  const worker = spawn(process.execPath, [await builtProgram(main)], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: environment.databaseUrl,
      OVERTURE_DATA_DIR: join(environment.folder, environment.name),
      OVERTURE_ENCRYPTION_KEY: environment.encryptionKey,
      OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
      OVERTURE_ROLE: 'worker',
      PORT: '0',
      LOG_LEVEL: 'fatal',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: worker.stdout })) {
    if (line === 'working' || line.startsWith('listening on')) break
  }
  worker.stdout.resume()
  if (worker.exitCode !== null) await once(worker, 'exit')
  return worker
}
