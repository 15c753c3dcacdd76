import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { costlyMessages } from '@overture/testing/hostile/costly-messages.ts'

const run = promisify(execFile)
const script = join(import.meta.dirname, '../inbox-cost.ts')

interface MessageCost {
  cpuMs: number
  loopMs: number
  memoryMb: number
}

/** Reads each message in a separate process, so that peak memory and CPU time belong to this message alone. */
export async function* messageCosts(): AsyncGenerator<{ name: string; loops: number; memoryMb: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'cost-'))
  try {
    for (const [name, make] of costlyMessages) {
      const file = join(folder, 'message.eml')
      await writeFile(file, make())
      const { stdout } = await run(process.execPath, ['--import', 'tsx', script, file])
      const { cpuMs, loopMs, memoryMb } = JSON.parse(stdout) as MessageCost
      yield { name, loops: cpuMs / loopMs, memoryMb }
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
