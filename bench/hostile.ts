import { runHostileMix } from '@overture/testing/hostile/hostile-run.ts'

/**
 * Runs a campaign with a schedule beside hostile mail, slow clients, unresolvable names, failing receivers and endless templates
 * (docs/reliability.md): `node --import tsx bench/hostile.ts [MINUTES]`.
 */
const minutes = Number(process.argv[2] ?? 30)
const run = await runHostileMix({
  seconds: minutes * 60,
  progress: (text) => process.stderr.write(`\r${text.padEnd(60)}`),
})
process.stdout.write(`\n${JSON.stringify(run, null, 2)}\n`)
