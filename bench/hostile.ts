import { runHostileMix } from '@overture/testing/hostile/hostile-run.ts'

/**
 * Bad mail, slow clients, dead names, failing receivers and templates that never end beside a campaign that keeps its
 * schedule (docs/reliability.md): `node --import tsx bench/hostile.ts [MINUTES]`.
 */
const minutes = Number(process.argv[2] ?? 30)
const run = await runHostileMix({
  seconds: minutes * 60,
  progress: (text) => process.stderr.write(`\r${text.padEnd(60)}`),
})
process.stdout.write(`\n${JSON.stringify(run, null, 2)}\n`)
