import { createHash } from 'node:crypto'
import { suppressionJobs } from '@overture/server/suppressions/index.ts'
import { receiveUpload } from '@overture/server/platform/imports/uploads.shell.ts'
import { runDueJobs } from '@overture/server/platform/jobs/run-due-jobs.shell.ts'
import { insertTestAccount } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { perMessage, readCosts } from './costs.ts'
import { line, measure, type Stage } from './stage.ts'

const aim = 20_000
const mebibyte = 1024 * 1024

/**
 * Imports a suppression list: new, then the same again with `replace`, then half of it. Every tenth row is a digest. The aim is
 * 20,000 rows per second for the job. The upload is measured apart.
 */
export async function benchSuppressionLists({ app, db }: Stage, rows: number): Promise<void> {
  const tenant = await insertTestAccount(app.db)
  const files = [
    ['new', 'add', 1],
    ['the same again', 'replace', 1],
    ['half of it', 'replace', 2],
  ] as const
  for (const [what, mode, every] of files) {
    const id = `imp_${mode}${every}`.padEnd(10, '0')
    const now = app.clock.now()
    const request = { id, keyId: id, target: { list: 'bench', mode }, jobKind: 'suppressions.import', now }
    const bytes = generateFile(rows, every)
    const uploaded = await measure(() =>
      receiveUpload(app, tenant, { ...request, checkHeader: () => undefined, bytes }, (complete) =>
        app.db.transaction(complete),
      ),
    )
    const before = await readCosts(db)
    const taken = await measure(async () => {
      await runDueJobs(app, tenant, app.clock.now(), suppressionJobs())
    })
    const after = await readCosts(db)
    const [job] = await app.db.query<{ status: string; rowsRead: number; removed: number }>(
      'select status, rows_read, removed from imports where account_id = $1 and id = $2',
      [tenant.accountId, id],
    )
    if (job?.status !== 'completed' || job.rowsRead !== Math.ceil(rows / every)) throw new Error(JSON.stringify(job))
    const { postgresMs, processMs } = perMessage(before, after, job.rowsRead)
    line(
      `suppression list of ${job.rowsRead} rows, ${what}: rows per second of the job / ${aim}`,
      job.rowsRead / taken.seconds / aim,
      [
        `${Math.round(job.rowsRead / taken.seconds)} rows/s`,
        `upload ${Math.round(job.rowsRead / uploaded.seconds)} rows/s`,
        `CPU of PostgreSQL ${micros(postgresMs)} and of this process ${micros(processMs)} per row`,
        `${job.removed} removed, memory ${Math.round(process.memoryUsage().rss / mebibyte)} MB`,
      ].join(', '),
    )
  }
}

const micros = (ms: number): string => `${Math.round(ms * 1000)} µs`

async function* generateFile(rows: number, every: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from('email,sha256,reason\n')
  let text = ''
  for (let row = 0; row < rows; row += every) {
    const email = `person.${row}@acme${row % 977}.example.com`
    text += row % 10 === 0 ? `,${createHash('sha256').update(email).digest('hex')},\n` : `${email},,customer\n`
    if (text.length < 60_000) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}
