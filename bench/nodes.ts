import { rate, runNodes } from '@overture/testing/kills/nodes-run.ts'

/**
 * Two API processes and three workers on one PostgreSQL, one of them killed every twenty seconds under load
 * (docs/reliability.md): `node --import tsx bench/nodes.ts [MINUTES] [SEED]`. Ends with 1 where a promise was broken.
 */
const minutes = Number(process.argv[2] ?? 10)
const seed = Number(process.argv[3] ?? 1)
const everyMs = 20_000
const dailyLimit = 200
/** One line of the terminal, written again each time. */
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
