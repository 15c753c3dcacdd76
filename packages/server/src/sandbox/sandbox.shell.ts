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
  /** Every kind of job, `sandboxJobs` included; asked when the clock moves. */
  jobs: () => readonly JobHandler[]
  /** What else follows from a reply, as in the live environment. */
  replied?: ReceiveHooks['replied']
  /** Gives moving the clock connections of its own, which do not wait for the disk at every commit. */
  databaseUrl?: string
  /** `memory` where nothing else is asked for. */
  plansFrom?: SandboxTools['plansFrom']
}

export interface Sandbox extends SandboxTools {
  stop(): Promise<void>
}

const connectionsMax = 6
/**
 * A long transaction and a request can each wait for what the other holds. The long one gives way, before PostgreSQL
 * looks for deadlocks (after a second) and may choose the request.
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
  // Nothing of the test environment ever reaches a mail server, and its mail is written where everything else is.
  const transport = createSandboxTransport(app)
  return {
    app,
    // A world commits as a whole: an answer recorded beside it would wait for the world, and the world for it.
    engine: createEngine({ ...parts.delivery, app, records: app.db, transportFor: () => transport }, parts.jobs),
    pages: createProspectPages(app, { ...parts.meetings, app }),
    async receive(tenant, { sendingAccountId, raw, uid, receivedAt }) {
      const place = { sendingAccountId, folder: 'INBOX', junk: false, uid, receivedAt, now: receivedAt }
      const mail = { ...place, raw, isSimulated: true }
      const { replied } = parts
      await receiveMessage(app, tenant, mail, { calendar: calendarHook(app), ...(replied && { replied }) })
    },
  }
}

/** The production engine under the virtual clock. `jobs` is asked late: its list holds the test environment's own. */
function createEngine(delivery: DeliveryTools, jobs: () => readonly JobHandler[]): Engine {
  return {
    async send(tenant, { now, leaseToken, failed }) {
      const { claimed, decided, token } = await runPlanning(delivery, tenant, now, { heldToken: leaseToken })
      if (claimed > 0)
        await deliverClaimed(delivery, tenant, { now, token, ...(failed !== undefined && { signal: failed }) })
      return claimed + decided
    },
    openPlanner: (tenant, { failed, ...options }) =>
      new VirtualPlanner(delivery, tenant, {
        ...options,
        deliver: (claim) => deliverClaimed(delivery, tenant, { ...claim, signal: failed }),
      }),
    jobs,
  }
}

// Mailboxes, mail and what is recorded of it lie in one database here, which loses commits from the end or not at all:
// after a crash the run goes on from a moment that was, and no promise to a mail server can be broken.
function openRelaxed({ log, config }: App, databaseUrl: string): PoolDatabase {
  const url = new URL(databaseUrl)
  url.searchParams.set('options', '-c synchronous_commit=off -c overture.simulated=on')
  return createDatabase({
    url: url.toString().replaceAll('+', '%20'),
    log,
    connectionsMax,
    plans: 'generic',
    distributed: config.citus,
  })
}
