import { randomUUID } from 'node:crypto'
import { createJobHandlers } from '@overture/server/composition/jobs.ts'
import type { App } from '@overture/server/platform/app.ts'
import { claimDueJobs } from '@overture/server/platform/jobs/claim-jobs.shell.ts'
import type { JobHandler } from '@overture/server/platform/jobs/job.ts'
import { runJob } from '@overture/server/platform/jobs/run-job.shell.ts'
import { receiveMessage } from '@overture/server/inbox/index.ts'
import type { Tenant } from '@overture/server/platform/tenant.ts'
import { deliverDue, startDelivery } from '../delivery/delivery-by-hand.ts'
import type { SmtpDouble } from '../mail/smtp-double.server.ts'
import type { TestAnswer, TestServer } from '../server.ts'
import { startWholeServer } from './whole-server.ts'

/** The whole product in the live environment. Mail is sent and received only when a test calls it. */
export interface MailWorld {
  server: TestServer
  smtp: SmtpDouble
  live: (method: string, path: string, body?: unknown) => Promise<TestAnswer>
  /** Sends everything that is due at `now`. Each message is then sent or refused. */
  work: (now?: Date) => Promise<void>
  receiveAnswer(answer: LeadAnswer, tenant?: Tenant): Promise<void>
  /** Runs the jobs of these kinds that are due, now or at a given time, and those that they enqueue. */
  runJobs(kinds: readonly string[], at?: Date): Promise<void>
  /** A mail arrives in a mailbox. */
  receive(lines: readonly string[], senderId: string, tenant?: Tenant): Promise<void>
  stop(): Promise<void>
}

/** A lead's reply to a message that it received. */
export interface LeadAnswer {
  from: string
  /** The Message-ID of the message that the lead replies to. */
  to: string
  senderId: string
  headers?: readonly string[]
}

export async function startMailWorld(environment: Readonly<Record<string, string>> = {}): Promise<MailWorld> {
  let handlers: readonly JobHandler[] = []
  const server = await startWholeServer({
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1', ...environment },
    composed: (services) => {
      handlers = createJobHandlers(services)
    },
  })
  const { app, keys } = server
  const delivery = await startDelivery(app)
  const { smtp, tools } = delivery
  let [uid, answers] = [0, 0]
  const receive: MailWorld['receive'] = async (lines, senderId, tenant = server.tenant) => {
    const now = app.clock.now()
    const place = { sendingAccountId: senderId, folder: 'INBOX', junk: false, uid: ++uid, receivedAt: now, now }
    await receiveMessage(app, tenant, { ...place, raw: Buffer.from(lines.join('\r\n')) })
  }
  return {
    server,
    smtp,
    live: (method, path, body) => server.call(method, path, { key: keys.live, body }),
    async work(now = app.clock.now()) {
      await deliverDue(tools, server.tenant, now)
    },
    runJobs: (kinds, at) => runDueJobs(app, { handlers: handlers.filter(({ kind }) => kinds.includes(kind)), at }),
    receive,
    async receiveAnswer({ from, to, senderId, headers = [] }, tenant) {
      answers++
      const lines = [
        `From: Ada <${from}>`,
        ...headers,
        'Subject: Re: Hello',
        `Message-ID: <question${answers}@acme.test>`,
        `In-Reply-To: ${to}`,
        `References: ${to}`,
        '',
        'Tell me more.',
      ]
      await receive(lines, senderId, tenant)
    },
    async stop() {
      await delivery.stop()
      await server.stop()
    },
  }
}

async function runDueJobs(app: App, { handlers, at }: { handlers: readonly JobHandler[]; at: Date | undefined }) {
  const kinds = handlers.map(({ kind }) => kind)
  const leased = { leaseMs: 60_000, leaseToken: randomUUID(), limit: 10, perAccountMax: 10, underWay: new Map() }
  const { signal } = new AbortController()
  for (let count = 1; count > 0;) {
    count = 0
    // A job that another one enqueues is due by the clock of that moment.
    const now = at ?? app.clock.now()
    for await (const job of claimDueJobs(app.db, { kinds, now, ...leased })) {
      count++
      await runJob({ app, job, handler: handlers.find(({ kind }) => kind === job.kind)!, now, signal })
    }
  }
}
