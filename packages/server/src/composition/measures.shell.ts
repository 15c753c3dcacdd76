import { Gauge } from 'prom-client'
import { senderStatuses } from '@overture/contract/vocabularies.ts'
import { monotonicMs } from '../platform/clock.ts'
import type { Executor } from '../platform/db/database.ts'
import { findUnreadAcrossAccounts, listLooks, logReaders, type LogReader } from '../platform/events/places.sql.ts'
import { errorFacts } from '../platform/log.shell.ts'
import { metrics } from '../platform/metrics.shell.ts'
import {
  countSendersByStatusAcrossAccounts,
  findServiceFactsAcrossAccounts,
  type ServiceFacts,
} from './measures.sql.ts'
import type { OpenApp } from './open-app.shell.ts'

/** The database is queried at most once in this time, however many clients scrape. */
const askedEveryMs = 10_000
const rowsMax = 100_000

function gauge<Label extends string = never>(name: string, help: string, labelNames: Label[] = []): Gauge<Label> {
  return new Gauge({ name: `overture_${name}`, help, labelNames, registers: [metrics] })
}

const answers = gauge('database_answers', '1 while the database query for these metrics succeeds.')
const connections = gauge(
  'database_connections',
  'Connections of this process by pool and state; waiting counts callers.',
  ['pool', 'state'],
)
const loopsStuck = gauge('loops_stuck', 'Hanging loops of this process; /healthz then returns 503.')
const gatesHindered = gauge(
  'gates_hindered',
  '1 while this process may send no message, because a database server could lose committed data.',
)

/** Metrics of the whole service: every process reports the same values. */
const ofService: Record<Exclude<keyof ServiceFacts, 'lastBackup'>, Gauge> = {
  dueTenants: gauge('due_accounts', 'Accounts whose live campaigns are due to be planned.'),
  dueSeconds: gauge('due_oldest_seconds', 'How long the oldest of them has been due.'),
  underWay: gauge('messages_under_way', 'Live messages that are claimed and have no outcome yet.'),
  uncertain: gauge('messages_uncertain', 'Live messages for which it is unknown whether they were sent.'),
  jobsWaiting: gauge('jobs_waiting', 'Jobs that are due.'),
  jobsSeconds: gauge('jobs_oldest_seconds', 'How long the oldest due job has waited for its first attempt.'),
  jobsDead: gauge('jobs_dead', 'Jobs that failed permanently within the last 30 days.'),
  webhooksPending: gauge('webhook_deliveries_pending', 'Webhook deliveries that are not acknowledged yet.'),
  webhooksSeconds: gauge('webhook_oldest_seconds', 'How long the oldest of them has waited.'),
  databaseBytes: gauge('database_bytes', 'Size of the database on disk.'),
}
const backupAge = gauge('backup_age_seconds', 'Age of the last overture backup; absent if there is none.')
const feedLag = gauge('feed_lag_seconds', 'How far a reader lags behind the event log.', ['reader'])
const senders = gauge('sending_accounts', 'Live sending accounts by status.', ['status'])

/** Updates the metrics of the service and of this process; called for each request of `/metrics`. */
export function createMeasures({ app, usage }: Pick<OpenApp, 'app' | 'usage'>): () => Promise<void> {
  let askedAtMs = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | null = null
  return async () => {
    measureProcess(app, usage)
    if (monotonicMs() - askedAtMs > askedEveryMs) {
      askedAtMs = monotonicMs()
      asking = measureService(app)
    }
    await asking
  }
}

function measureProcess({ heartbeats }: OpenApp['app'], usage: OpenApp['usage']): void {
  loopsStuck.set(heartbeats.stuck(monotonicMs()).length)
  gatesHindered.set(heartbeats.areGatesHindered ? 1 : 0)
  for (const [pool, { total, idle, waiting }] of Object.entries(usage())) {
    connections.set({ pool, state: 'idle' }, idle)
    connections.set({ pool, state: 'busy' }, total - idle)
    connections.set({ pool, state: 'waiting' }, waiting)
  }
}

/** How far the reader is behind the log, in seconds. */
async function measureFeedLag(db: Executor, reader: LogReader, now: Date): Promise<number> {
  const looks = await listLooks(db, reader)
  const unread = await Promise.all(looks.map((look) => findUnreadAcrossAccounts(db, look)))
  return Math.max(0, ...unread.flatMap((at) => (at === null ? [] : [(now.getTime() - at.getTime()) / 1000])))
}

// If the query fails, these metrics are removed: an old value would look current.
async function measureService({ db, clock, log }: OpenApp['app']): Promise<void> {
  try {
    const now = clock.now()
    const { lastBackup, ...facts } = await findServiceFactsAcrossAccounts(db, { now, rowsMax })
    const lags = await Promise.all(logReaders.map((reader) => measureFeedLag(db, reader, now)))
    const counts = new Map((await countSendersByStatusAcrossAccounts(db)).map(({ status, count }) => [status, count]))
    for (const [name, of] of Object.entries(ofService)) of.set(facts[name as keyof typeof facts])
    for (const [index, reader] of logReaders.entries()) feedLag.set({ reader }, lags[index]!)
    for (const status of senderStatuses) senders.set({ status }, counts.get(status) ?? 0)
    if (lastBackup === null) backupAge.remove()
    else backupAge.set((now.getTime() - new Date(lastBackup).getTime()) / 1000)
    answers.set(1)
  } catch (error) {
    log.warn({ event: 'metrics.database_failed', ...errorFacts(error as Error) })
    for (const of of [...Object.values(ofService), backupAge]) of.remove()
    for (const of of [feedLag, senders]) of.reset()
    answers.set(0)
  }
}
