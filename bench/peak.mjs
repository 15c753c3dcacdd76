// Says at its end how much memory a process had at most, in KiB, in the file that OVERTURE_BENCH_PEAK names. Loaded before everything else.
import { writeFileSync } from 'node:fs'

const { OVERTURE_BENCH_PEAK: path } = process.env
delete process.env.OVERTURE_BENCH_PEAK
process.on('exit', () => writeFileSync(path, String(process.resourceUsage().maxRSS)))
