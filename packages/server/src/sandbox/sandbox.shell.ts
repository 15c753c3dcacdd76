import { deliverClaimed, runPlanning, VirtualPlanner, type DeliveryTools } from '../delivery/index.ts'
import { type ReceiveHooks, receiveMessage } from '../inbox/index.ts'
import { calendarHook, type MeetingTools } from '../meetings/index.ts'
import type { App } from '../platform/app.ts'
import { createDatabase, type PoolDatabase } from '../platform/db/pool.client.ts'
import type { JobHandler } from '../platform/jobs/job.ts'
import { limitLockWait } from './clock.sql.ts'
import { joinTransaction } from './joined-database.shell.ts'
import { createProspectPages } from './pages.shell.ts'
import { createSandboxTransport } from './transport.client.ts'
import type { Engine, SandboxTools, World } from './virtual-world.ts'

interface SandboxParts {
  delivery: DeliveryTools
  meetings: MeetingTools
  /** All kinds of jobs, `sandboxJobs` included. Called when the clock moves. */
  jobs: () => readonly JobHandler[]
  /** The hook for replies, as in the live environment. */
  replied?: ReceiveHooks['replied']
  /** If present, runs of the clock use separate connections, which do not wait for the disk at every commit. */
  databaseUrl?: string
  /** `memory` by default. */
  plansFrom?: SandboxTools['plansFrom']
}

export interface Sandbox extends SandboxTools {
  stop(): Promise<void>
}

const connectionsMax = 6
/**
 * A long transaction of the clock and a request can deadlock. This timeout makes the long one give up before PostgreSQL detects
 * the deadlock (after a second) and possibly aborts the request.
 */
const lockWaitMs = 150

/** The test environment around the production engine: only the network is simulated. */
export function createSandbox(parts: SandboxParts): Sandbox {
  const relaxed = parts.databaseUrl === undefined ? null : openRelaxed(parts.delivery.app, parts.databaseUrl)
  const app = relaxed === null ? parts.delivery.app : { ...parts.delivery.app, db: relaxed }
  return {
    ...createWorld(parts, app),
    plansFrom: parts.plansFrom ?? 'memory',
    inOneTransaction: (time, run) =>
      app.db.transaction(async (tx) => {
        await limitLockWait(tx, lockWaitMs)
        const joined = joinTransaction(tx)
        const standing = () => Promise.resolve(time.now)
        const clocks = { now: standing, hold: standing }
        const result = await run(createWorld(parts, { ...app, db: joined.db, clocks }), joined.failed)
        joined.close()
        return result
      }),
    stop: () => relaxed?.close() ?? Promise.resolve(),
  }
}

function createWorld(parts: SandboxParts, app: App): World {
  // Mail of the test environment never reaches a mail server. It is stored in the same database as everything else.
  const transport = createSandboxTransport(app)
  return {
    app,
    // A world commits as a whole. A result stored on another connection would wait for the world's transaction, and the world for it.
    engine: createEngine({ ...parts.delivery, app, records: app.db, transportFor: () => transport }, parts.jobs),
    pages: createProspectPages(app, { ...parts.meetings, app }),
    async receive(tenant, { sendingAccountId, raw, uid, receivedAt, sent = false }) {
      const folder = sent ? 'Sent' : 'INBOX'
      const place = { sendingAccountId, folder, junk: false, sent, uid, receivedAt, now: receivedAt }
      const mail = { ...place, raw, isSimulated: true }
      const { replied } = parts
      await receiveMessage(app, tenant, mail, { calendar: calendarHook(app), ...(replied && { replied }) })
    },
  }
}

/** The production engine with the virtual clock. `jobs` is called late, because its list includes the sandbox's own jobs. */
function createEngine(delivery: DeliveryTools, jobs: () => readonly JobHandler[]): Engine {
  const send: Engine['send'] = async (tenant, { now, leaseToken, failed }) => {
    const { claimed, decided, token } = await runPlanning(delivery, tenant, now, { heldToken: leaseToken })
    if (claimed > 0)
      await deliverClaimed(delivery, tenant, { now, token, ...(failed !== undefined && { signal: failed }) })
    return claimed + decided
  }
  return {
    send,
    openPlanner: (tenant, { failed, ...options }) =>
      new VirtualPlanner(delivery, tenant, { ...options, send: (at) => send(tenant, { ...at, failed }) }),
    jobs,
  }
}

// Mailboxes, mail and results of sends are in one database here, which may lose the last commits but never one in between. After
// a crash the run continues from an earlier consistent moment. No real mail server is involved, so nothing is sent twice.
function openRelaxed({ log, config }: App, databaseUrl: string): PoolDatabase {
  const url = new URL(databaseUrl)
  url.searchParams.set('options', '-c synchronous_commit=off -c overture.simulated=on')
  return createDatabase({
    url: url.toString().replaceAll('+', '%20'),
    log,
    connectionsMax,
    plans: 'generic',
    distributed: config.distributed,
  })
}
