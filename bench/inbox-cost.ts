import { readFileSync } from 'node:fs'
import { inspectMessage } from '@overture/mail-reading/classify/inspect.ts'

/**
 * Prints the cost of reading one message: CPU time, the time of a plain loop on this machine for comparison, and the growth of peak
 * memory including the message.
 */
const loopTurns = 20_000_000
const file = process.argv[2] ?? ''
inspectMessage(Buffer.from('From: a@example.com\nSubject: warm\n\nHello'))
const before = process.resourceUsage()
const found = inspectMessage(readFileSync(file))
const after = process.resourceUsage()
const cpuMs = (after.userCPUTime + after.systemCPUTime - before.userCPUTime - before.systemCPUTime) / 1000
let mixed = 0
for (let turn = 0; turn < loopTurns; turn++) mixed = (mixed * 31 + turn) | 0
const loop = process.resourceUsage()
process.stdout.write(
  JSON.stringify({
    cpuMs: Math.round(cpuMs),
    loopMs: Math.round((loop.userCPUTime - after.userCPUTime) / 1000),
    mixed,
    memoryMb: Math.round((after.maxRSS - before.maxRSS) / 1024),
    kind: found.kind,
    setAside: found.setAside,
  }),
)
