import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createProgramStore, type ProgramStore } from './program-store.ts'
import { askRun, runSocketName } from './run-socket.ts'

let ownStore: ProgramStore | null = null

/**
 * Returns the path of a program of this repository as plain JavaScript, which `node` runs without a loader. A run of tests builds each
 * program once; outside of a run, each process builds its own.
 */
export function builtProgram(entry: URL): Promise<string> {
  const socket = process.env[runSocketName]
  return socket === undefined ? storeOfProcess().build(fileURLToPath(entry)) : askRun(socket, fileURLToPath(entry))
}

/** The command of the product: `node` runs it as it runs `bin/overture.js`. */
export function builtCli(): Promise<string> {
  return builtProgram(new URL('../../../cli/src/main.ts', import.meta.url))
}

function storeOfProcess(): ProgramStore {
  if (ownStore !== null) return ownStore
  const folder = mkdtempSync(join(tmpdir(), 'overture-programs-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  ownStore = createProgramStore(folder)
  return ownStore
}
