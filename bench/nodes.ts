import { rate, runNodes } from '@overture/testing/kills/nodes-run.ts'

/**
 * Runs two API processes and three workers on one PostgreSQL under load, and kills one of them every twenty seconds
 * (docs/reliability.md): `node --import tsx bench/nodes.ts [MINUTES] [SEED]`. The exit code is 1 if a guarantee was broken.
 */
const minutes = Number(process.argv[2] ?? 10)
const seed = Number(process.argv[3] ?? 1)
const everyMs = 20_000
const dailyLimit = 200
/** Overwrites one line of the terminal. */
const tell = (text: string) => process.stderr.write(`\r\u001b[K${text}`)
const run = await runNodes({
  kills: Math.round((minutes * 60_000) / everyMs),
  seed,
  everyMs,
  dailyLimit,
  gapSeconds: 2,
  settleMs: 300_000,
  progress: tell,
})
tell('')
process.stdout.write(`${JSON.stringify(run, null, 2)}\n`)
const broken = run.twice.length + run.lost.length + run.unheard.length + run.logFaults.length
const isOver = run.admitted.perMinute > rate.perMinute || run.admitted.perSecond > rate.perSecond
process.exitCode = broken === 0 && !isOver && run.sentOfLimited === dailyLimit ? 0 : 1
