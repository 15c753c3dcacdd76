import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

interface WorkerSettings {
  databaseUrl: string
  /** The folder of this worker's data. */
  folder: string
  encryptionKey: string
}

/** Starts the built server as a worker, in a process of its own. Returns it when it works. */
export async function startWorkerProcess(main: string, settings: WorkerSettings): Promise<ChildProcess> {
  const worker = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: settings.databaseUrl,
      OVERTURE_DATA_DIR: settings.folder,
      OVERTURE_ENCRYPTION_KEY: settings.encryptionKey,
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
