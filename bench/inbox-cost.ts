import { readFileSync } from 'node:fs'
import { inspectMessage } from '@overture/server/inbox/classify/inspect.ts'

/** What reading one message costs this process: prints CPU time and the growth of its peak memory, the message included. */
const file = process.argv[2] ?? ''
inspectMessage(Buffer.from('From: a@example.com\nSubject: warm\n\nHello'))
const before = process.resourceUsage()
const found = inspectMessage(readFileSync(file))
const after = process.resourceUsage()
const cpuMs = (after.userCPUTime + after.systemCPUTime - before.userCPUTime - before.systemCPUTime) / 1000
process.stdout.write(
  JSON.stringify({
    cpuMs: Math.round(cpuMs),
    memoryMb: Math.round((after.maxRSS - before.maxRSS) / 1024),
    kind: found.kind,
    setAside: found.setAside,
  }),
)
