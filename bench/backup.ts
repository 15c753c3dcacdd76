import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createDatabase } from '@overture/server/platform/db/pool.client.ts'
import { startEmbeddedPostgres } from '@overture/server/platform/db/embedded/embedded.shell.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'

/**
 * Prints the peak memory of `overture backup`, `restore --check` and `restore` for databases of several sizes: `node --import tsx
 * bench/backup.ts [MEGABYTES…]`. Each command runs in its own process, as operators run it.
 */
const sizes = process.argv.slice(2).map(Number)
const megabytes = sizes.length > 0 ? sizes : [20, 200, 2_000]
const program = fileURLToPath(new URL('../packages/cli/bin/overture.js', import.meta.url))
const log = createLogger('error')
const rowsPerStatement = 10_000
/** The size of a sent message. One in a hundred is as large as the largest received message may be. */
const rowBytes = 4_096
const largeBytes = 1_048_576
const largeEvery = 100

const folder = await mkdtemp(join(tmpdir(), 'overture-bench-'))
try {
  const results = []
  for (const size of megabytes) results.push(await measure(size))
  const [first] = results
  for (const { bytes, rows, peaks } of results) {
    const ratio = (at: number) => `${(peaks[at]! / first!.peaks[at]!).toFixed(2)} of the first`
    process.stdout.write(`${(bytes / 1e6).toFixed(0)} MB in ${rows} rows\n`)
    for (const [at, name] of ['backup', 'restore --check', 'restore'].entries())
      process.stdout.write(`  ${name.padEnd(16)} ${peaks[at]!.toFixed(0)} MB, ${ratio(at)}\n`)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function measure(size: number): Promise<{ bytes: number; rows: number; peaks: number[] }> {
  const [from, into] = [join(folder, `from-${size}`), join(folder, `into-${size}`)]
  const file = join(folder, `${size}.tar`)
  await overture(['accounts', 'list'], from)
  await fill(from, size * 1e6)
  const backup = await overture(['backup', file, '--include-key', '--json'], from)
  const checked = await overture(['restore', file, '--check', '--json'], into)
  const restored = await overture(['restore', file, '--json'], into)
  const { rows } = JSON.parse(restored.stdout) as { rows: number }
  if (rows !== (JSON.parse(backup.stdout) as { rows: number }).rows) throw new Error('Other rows came back.')
  const { size: bytes } = await stat(file)
  for (const path of [from, into, file]) await rm(path, { recursive: true })
  return { bytes, rows, peaks: [backup.peak, checked.peak, restored.peak] }
}

/** Inserts contents of messages, which are the largest part of a database. */
async function fill(dataDir: string, bytes: number): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir, log, kind: 'command' })
  const db = createDatabase({ url: postgres.url, log, connectionsMax: 1 })
  try {
    const rows = Math.round(bytes / (rowBytes + largeBytes / largeEvery))
    for (let at = 0; at < rows; at += rowsPerStatement)
      await db.execute(
        `insert into message_contents (account_id, environment, message_id, raw)
         select 'acc_bench', 'live', 'msg_' || n,
           decode(repeat(md5(n::text), (case when n % $3::int = 0 then $4::int else $5::int end) / 16), 'hex')
         from generate_series($1::int, $2::int) n`,
        [at + 1, Math.min(rows, at + rowsPerStatement), largeEvery, largeBytes, rowBytes],
      )
  } finally {
    await db.close()
    await postgres.stop()
  }
}

async function overture(words: readonly string[], dataDir: string): Promise<{ stdout: string; peak: number }> {
  const peakFile = join(folder, 'peak')
  const peak = pathToFileURL(fileURLToPath(new URL('./peak.mjs', import.meta.url))).href
  const env = {
    PATH: process.env.PATH,
    LOG_LEVEL: 'fatal',
    OVERTURE_DATA_DIR: dataDir,
    OVERTURE_BENCH_PEAK: peakFile,
    NODE_OPTIONS: `--import ${peak}`,
  }
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], { env })
  return { stdout, peak: Number(await readFile(peakFile, 'utf8')) / 1024 }
}
