import { byAccount } from '@overture/ground/by-account.ts'
import { KeyedSemaphore } from '@overture/ground/keyed-semaphore.ts'
import { minuteMs } from '@overture/ground/time/spans.ts'
import { randomUUID } from 'node:crypto'
import { Gauge } from 'prom-client'
import { wakePlanner } from '../../campaigns/index.ts'
import type { App } from '../../platform/app.ts'
import { createPollingWorker } from '../../platform/lifecycle/polling.worker.ts'
import type { Worker } from '../../platform/lifecycle/worker.ts'
import { memoryBytes, openFilesMax } from '../../platform/machine.shell.ts'
import { metrics } from '../../platform/metrics.shell.ts'
import type { MailReader } from '../reading/mail-reader.ts'
import { createReadingThreads } from '../reading/reading-threads.client.ts'
import type { ReceiveHooks } from '../receive/receive.commands.ts'
import { listHeldMailboxesAcrossAccounts, releaseMailbox, updateMailboxesRead } from './mailboxes.sql.ts'
import type { ReadMailbox } from './mailboxes.sql.ts'
import { listSetAsideToRetryAcrossAccounts } from './set-aside.sql.ts'
import { findShare, renewShare, takeFreeMailboxes, unreadMs } from './share.shell.ts'
import { deleteInboxWorker, updateInboxWorkerLeaving } from './sharing.sql.ts'
import { OpenMailboxes } from './open-mailboxes.ts'
import { fairShare, idleMailboxesMax } from './sharing.ts'
import type { MailboxTools } from './folder.shell.ts'
import { WatchedMailboxes } from './watched-mailboxes.shell.ts'

const tickMs = 5_000
const claimedAtOnce = 25
/** How many mailboxes above the share are released per tick. The limit keeps most readers at work. */
const handedBackAtOnce = 50
/** How many mailboxes a process visits at once, besides those in which it idles. */
const visitsAtOnce = 100
const loginsAtOnce = 50
const pollMs = minuteMs
const defaultBytesUnderWayMax = 64 * 1024 * 1024
const retriesAtOnce = 100

export interface InboxWorkerOptions {
  tickMs?: number
  pollMs?: number
  /** The largest number of mailboxes in which the worker idles. */
  watchedMax?: number
  /** Bytes of all messages that are being read at the same time. */
  bytesUnderWayMax?: number
  hooks?: ReceiveHooks
  /** Reads messages of strangers. By default the worker starts its own threads. */
  reader?: MailReader
  /** Registers the mailboxes in which the worker idles. */
  open?: OpenMailboxes
}

const mailboxesGauge = new Gauge({
  name: 'overture_inbox_mailboxes',
  help: 'Mailboxes that this process reads now, either with IDLE or by polling.',
  labelNames: ['how'],
  registers: [metrics],
})
const unreadGauge = new Gauge({
  name: 'overture_inbox_mailboxes_not_read',
  help: 'Mailboxes of active sending accounts that were not read for 15 minutes; nothing is sent from them.',
  registers: [metrics],
})

/**
 * Reads mailboxes: claims free ones under a lease up to its share of all, idles in each, and hands new mail to `takeMessage`.
 * If there are more mailboxes than all workers can idle in, the rest are visited in turn, the least recently read first. If
 * more workers start, mailboxes above the share are released after the message that is being read.
 */
export function createInboxWorker(app: App, options: InboxWorkerOptions = {}): Worker {
  const threads = createReadingThreads({ log: app.log, ...app.config.inbox })
  const tools: MailboxTools = {
    app,
    reader: options.reader ?? threads,
    reports: threads,
    budget: new KeyedSemaphore({ permits: () => options.bytesUnderWayMax ?? defaultBytesUnderWayMax }),
    logins: new KeyedSemaphore({ permits: () => loginsAtOnce }),
    open: options.open ?? new OpenMailboxes(),
    hooks: options.hooks ?? {},
  }
  const token = randomUUID()
  const mailboxes = new WatchedMailboxes(tools, { token, pollMs: options.pollMs ?? pollMs })
  const machine = { memoryBytes: memoryBytes(), openFiles: openFilesMax() }
  const idleMax = options.watchedMax ?? app.config.inbox.idleMailboxesMax ?? idleMailboxesMax(machine)
  const loop = createPollingWorker({
    name: 'inbox',
    log: app.log,
    heartbeats: app.heartbeats,
    pollMs: options.tickMs ?? tickMs,
    run: () => tick(app, { mailboxes, token, idleMax }),
  })
  return {
    name: 'inbox',
    start: () => loop.start(),
    async stop() {
      await loop.stop()
      mailboxes.abort()
      await updateInboxWorkerLeaving(app.db, token)
      await mailboxes.ended()
      await deleteInboxWorker(app.db, token)
      await threads.stop()
    },
  }
}

interface InboxShare {
  mailboxes: WatchedMailboxes
  token: string
  /** The largest number of mailboxes in which the worker idles. */
  idleMax: number
}

async function tick(app: App, share: InboxShare): Promise<boolean> {
  const { mailboxes, token } = share
  const forgotten = await mailboxes.keep({
    renew: () => renewShare(app, token),
    list: () => listHeldMailboxesAcrossAccounts(app.db, token),
  })
  for (const { accountId, environment, sendingAccountId, retryCount } of forgotten)
    await releaseMailbox(app.db, { accountId, environment }, { sendingAccountId, token, awayMs: null, retryCount })
  await noteRead(app, mailboxes.read.take())
  const work = await findShare(app)
  unreadGauge.set(work.unread)
  const all = Number.MAX_SAFE_INTEGER
  const more = await takeMailboxes(app, share, work.workers > 1 ? fairShare(work, all) : all)
  for (const place of await listSetAsideToRetryAcrossAccounts(app.db, {
    token,
    now: app.clock.now(),
    limit: retriesAtOnce,
  }))
    mailboxes.retry(place)
  return more
}

// Wakes the planner for accounts whose mailboxes had not been read for long.
async function noteRead(app: App, mailboxes: ReadMailbox[]): Promise<void> {
  const long: ReadMailbox[] = []
  for (const [accountId, own] of byAccount(mailboxes))
    long.push(...(await updateMailboxesRead(app.db.relaxed(), accountId, { mailboxes: own, longMs: unreadMs })))
  const tenants = new Map(
    long.map(({ accountId, environment }) => [`${accountId} ${environment}`, { accountId, environment }]),
  )
  for (const tenant of tenants.values())
    await app.db.transaction(async (tx) => wakePlanner(tx, tenant, app.clock.now()))
}

async function takeMailboxes(app: App, { mailboxes, token, idleMax }: InboxShare, ofAll: number): Promise<boolean> {
  const share = Math.min(ofAll, idleMax)
  const kept = mailboxes.handBackAbove(share, handedBackAtOnce)
  const visits = mailboxes.countVisits()
  mailboxesGauge.set({ how: 'idle' }, kept)
  mailboxesGauge.set({ how: 'visit' }, visits)
  const visit = kept >= idleMax && ofAll > idleMax
  const places = visit ? visitsAtOnce - visits : share - kept
  const limit = Math.min(claimedAtOnce, places)
  const claimed = limit <= 0 ? [] : await takeFreeMailboxes(app.db, { token, limit })
  for (const box of claimed) mailboxes.start(box, visit)
  return claimed.length === claimedAtOnce
}
