import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createProgramStore, type ProgramStore } from './program-store.ts'

/** The name of the variable with the socket of the run that builds programs. */
export const programSocketName = 'OVERTURE_TEST_PROGRAMS'

let ownStore: ProgramStore | null = null

/**
 * Returns the path of a program of this repository as plain JavaScript, which `node` runs without a loader. A run of tests builds each
 * program once; outside of a run, each process builds its own.
 */
export async function builtProgram(entry: URL): Promise<string> {
  const socket = process.env[programSocketName]
  if (socket === undefined) return storeOfProcess().build(fileURLToPath(entry))
  const asked = connect(socket)
  asked.write(`${fileURLToPath(entry)}\n`)
  const answer = JSON.parse(await text(asked)) as { path: string } | { error: string }
  if ('error' in answer) throw new Error(`The program could not be built: ${answer.error}`)
  return answer.path
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
