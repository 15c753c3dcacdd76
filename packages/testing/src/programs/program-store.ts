import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buildProgram } from './build-program.ts'

export interface ProgramStore {
  /** Builds the program, or returns the path of the one that was built before. */
  build(entry: string): Promise<string>
}

/** Keeps built programs in a folder, each in a folder of its own. */
export function createProgramStore(folder: string): ProgramStore {
  const built = new Map<string, Promise<string>>()
  return {
    build(entry) {
      const path = built.get(entry) ?? buildProgram(entry, join(folder, String(built.size)))
      built.set(entry, path)
      return path
    },
  }
}

/** Answers each connection, which sends a line with the path of an entry, with `{path}` or `{error}` as JSON. */
export async function serveProgramStore(store: ProgramStore, socketPath: string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    createInterface({ input: socket }).once('line', (entry) => {
      store.build(entry).then(
        (path) => socket.end(JSON.stringify({ path })),
        (error: Error) => socket.end(JSON.stringify({ error: error.message })),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  return server
}
