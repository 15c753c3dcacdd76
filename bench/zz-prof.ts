import { benchEngine } from './engine.ts'
import { openStage } from './stage.ts'
import { readFileSync, readdirSync } from 'node:fs'
import pg from 'pg'
const stage = await openStage()
const client = new pg.Client({ connectionString: stage.url })
await client.connect()
await client.query('create extension if not exists pg_stat_statements')
function pgCpu(): number {
  let ticks = 0
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
      if (name !== 'postgres') continue
      const env = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      void env
      const cwd = readdirSync(`/proc/${pid}/cwd`).length
      void cwd
      const f = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      ticks += Number(f[11]) + Number(f[12]) + Number(f[13]) + Number(f[14])
    } catch {}
  }
  return ticks * 10
}
void pgCpu
await client.query('select pg_stat_statements_reset()')
const wal0 = (await client.query('select pg_current_wal_lsn() l')).rows[0].l
await benchEngine(stage)
const { rows } = await client.query(`select calls, round(total_exec_time::numeric,1) ms, round((total_plan_time)::numeric,1) plan, rows, wal_bytes, wal_fpi, shared_blks_hit hit, left(regexp_replace(query,'\\s+',' ','g'), 90) q from pg_stat_statements order by total_exec_time desc limit 34`)
let total = 0
for (const r of rows) { total += Number(r.ms); console.log(String(r.calls).padStart(6), String(r.ms).padStart(9), String(r.plan).padStart(7), String(r.rows).padStart(7), String(r.wal_bytes).padStart(9), String(r.hit).padStart(9), r.q) }
console.log('total ms', total, (await client.query('select pg_wal_lsn_diff(pg_current_wal_lsn(), $1) d', [wal0])).rows[0].d)
console.log((await client.query(`select n_tup_ins, n_tup_upd, n_tup_hot_upd, relname from pg_stat_user_tables where n_tup_ins+n_tup_upd > 500`)).rows)
await client.end()
await stage.close()
