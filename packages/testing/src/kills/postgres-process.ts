import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { builtProgram } from '../programs/program.ts'

const program = new URL('./postgres-keeper.ts', import.meta.url)

export interface PostgresProcess {
  url: string
  /** The id of the process that runs PostgreSQL. */
  pid: number
  stop(): Promise<void>
}

/** Starts a PostgreSQL in a folder. It stops and deletes the folder even if its parent process is killed. */
export async function startPostgresProcess(folder: string): Promise<PostgresProcess> {
  const stdio: ['ignore', 'ignore', 'inherit', 'ipc'] = ['ignore', 'ignore', 'inherit', 'ipc']
  const keeper = spawn(process.execPath, [await builtProgram(program), folder], { stdio, detached: true })
  const gone = once(keeper, 'exit')
  const received: unknown = await Promise.race([once(keeper, 'message'), gone])
  const [message] = received as [{ url: string } | number | null]
  if (typeof message !== 'object' || message === null) throw new Error('PostgreSQL did not start.')
  return {
    url: message.url,
    pid: keeper.pid ?? 0,
    async stop() {
      if (keeper.connected) keeper.disconnect()
      await gone
    },
  }
}
