import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Prints the memory of an idle server of `npm start` five seconds and a minute after it listens, at its first start in an empty
 * folder (Linux): `node --import tsx bench/idle.ts [RUNS]`. With OVERTURE_BENCH_BUILT it starts the output of `npm run build`.
 */
const runs = Number(process.argv[2] ?? 3)
const root = join(import.meta.dirname, '..')
const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
const isBuilt = process.env.OVERTURE_BENCH_BUILT !== undefined
const built = join(root, 'packages/overture/dist', 'overture.mjs')
const command = isBuilt ? `exec node '${built}' start` : manifest.scripts.start

for (let run = 0; run < runs; run++) process.stdout.write(`${await oneStart()}\n`)

async function oneStart(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overture-idle-'))
  const { OVERTURE_BENCH_BUILT: _, ...environment } = process.env
  const server = spawn('sh', ['-c', command], {
    cwd: root,
    env: { ...environment, OVERTURE_DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(server.stdout)) if (line.startsWith('listening on ')) break
  await sleep(5_000)
  const early = await residentMb(server.pid!)
  await sleep(55_000)
  const late = await residentMb(server.pid!)
  server.kill('SIGTERM')
  await once(server, 'exit')
  await rm(folder, { recursive: true, force: true })
  return `resident after 5 s ${early} MB, after a minute ${late} MB`
}

async function residentMb(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Math.round(Number(/^Rss:\s+(\d+)/m.exec(rollup)![1]) / 1024)
}
