import { runKills } from '@overture/testing/kills/kill-run.ts'

/**
 * Kills servers, workers and the database under load, and compares the result with the receiving mail server (docs/reliability.md):
 * `node --import tsx bench/kills.ts [KILLS] [SEED]`. The exit code is 1 if a message was sent twice or lost, or a reply was missed.
 */
const kills = Number(process.argv[2] ?? 1_000)
const seed = Number(process.argv[3] ?? 1)
/** Overwrites one line of the terminal. */
const tell = (text: string) => process.stderr.write(`\r\u001b[K${text}`)
let done = 0
const run = await runKills({
  kills,
  seed,
  pauseMs: { min: 0, max: 1_500 },
  settleMs: 300_000,
  progress: (text) => tell(`${text.startsWith('kill') ? done++ : done} of ${kills} kills: ${text}`),
})
tell('')
process.stdout.write(`${JSON.stringify(run, null, 2)}\n`)
process.exitCode = run.twice.length + run.lost.length + run.unheard.length === 0 ? 0 : 1
