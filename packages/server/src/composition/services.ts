import { createEventStreams, type EventStreams } from '../analytics/index.ts'
import { createMemoryAdmission, startNodeAdmission } from '../api-keys/index.ts'
import {
  createSmtpTransport,
  type DeliveryTools,
  noFaults,
  queueManualMessage,
  type SentFolder,
  smtpLane,
} from '../delivery/index.ts'
import { createReadingThreads, createSentFolder, OpenMailboxes, type ReadingThreads } from '../inbox/index.ts'
import { createJobHandlers } from './jobs.ts'
import { createLeadFinder, type LeadFinder } from '../lead-finder/index.ts'
import { type MeetingTools, createMeetingUrl } from '../meetings/index.ts'
import { repliedHook, streamTools } from './slice-wiring.ts'
import type { OpenApp } from './open-app.shell.ts'
import type { App } from '../platform/app.ts'
import type { Admission, SessionAdmission } from '../platform/http/admission.ts'
import { findHindranceOfNodes } from '../platform/distributed/look.shell.ts'
import { createSmtpPool, type SmtpPool } from '../platform/mail/smtp-pool.client.ts'
import type { Tenant } from '../platform/tenant.ts'
import { createSessionAdmission, type SessionRates } from '../team/index.ts'
import { modelLines } from '../ai/index.ts'
import { createTemplateRenderer, type TemplateRenderer } from '../templates/index.ts'
import { createSandbox, createSandboxTransport, hasDelivered, type Sandbox } from '../sandbox/index.ts'

/** Objects that routes and workers share and that must be stopped: the lead finder's index, connection pools. */
export interface Services {
  admission: Admission
  sessions: SessionAdmission
  finder: LeadFinder
  delivery: DeliveryTools
  meetings: MeetingTools
  sandbox: Sandbox
  streams: EventStreams
  /** The mailboxes on which this process has an open IDLE connection. */
  mailboxes: OpenMailboxes
  /** Started by the first request for an attachment. */
  attachments: ReadingThreads
  /** Closes all connections to a sender's mail server. */
  disconnect(this: void, tenant: Tenant, sendingAccountId: string): void
  stop(): Promise<void>
}

interface ServiceOptions extends Pick<OpenApp, 'app' | 'engine' | 'databaseUrl'>, Partial<Pick<OpenApp, 'records'>> {
  /** The source of plans for the clock of the test environment. */
  plansFrom?: Sandbox['plansFrom']
  sessionRates?: SessionRates | undefined
}

export async function createServices(options: ServiceOptions): Promise<Services> {
  const { app, engine, records, databaseUrl, plansFrom, sessionRates } = options
  // An invalid list of models must fail the start, not the first request.
  modelLines(app.config.ai)
  const finder = createLeadFinder({ app, databaseUrl, dataFolder: app.config.dataDir })
  const pool = createSmtpPool()
  const mailboxes = new OpenMailboxes()
  const renderer = createTemplateRenderer(app.log)
  const delivery = {
    ...deliveryTools(engine, { pool, renderer, mailboxes }),
    records,
    ...(app.config.distributed && { findHindrance: () => findHindranceOfNodes(databaseUrl) }),
  }
  const meetings: MeetingTools = { app, queueMail }
  const services: Services = {
    admission: await openAdmission(app),
    sessions: createSessionAdmission(app, sessionRates),
    finder,
    delivery,
    meetings,
    // The list of jobs includes the sandbox's own jobs, so it is read only when the clock moves.
    sandbox: createSandbox({
      delivery,
      meetings,
      jobs: () => createJobHandlers(services),
      replied: repliedHook(app),
      databaseUrl,
      ...(plansFrom && { plansFrom }),
    }),
    streams: createEventStreams(app, streamTools),
    mailboxes,
    attachments: createReadingThreads({ log: app.log, ...app.config.inbox }),
    disconnect: (tenant, sendingAccountId) => pool.forget(smtpLane(tenant, sendingAccountId)),
    async stop() {
      services.streams.stop()
      await services.attachments.stop()
      await services.sandbox.stop()
      await pool.close()
      await renderer.stop()
      await finder.stop()
    },
  }
  return services
}

// A worker serves no API requests, so its limits need no shared counts. With the embedded database, too, a second server may run.
function openAdmission(app: App): Promise<Admission> {
  const { role } = app.config
  if (role === 'worker') return Promise.resolve(createMemoryAdmission(app))
  return startNodeAdmission(app, { mayBeSole: role === 'all' })
}

function deliveryTools(
  app: App,
  { pool, renderer, mailboxes }: { pool: SmtpPool; renderer: TemplateRenderer; mailboxes: OpenMailboxes },
): DeliveryTools {
  const smtp = createSmtpTransport({ app, pool, faultsArmed: false })
  const simulated = createSandboxTransport(app)
  return {
    app,
    renderer,
    // Mail of the test environment never reaches a mail server, whatever its senders are.
    transportFor: (tenant, provider) => (tenant.environment === 'test' || provider === 'sandbox' ? simulated : smtp),
    faults: noFaults,
    sentFolder: sentFolders(app, mailboxes),
    meetingUrl: (tenant, lead) => createMeetingUrl(app, tenant, lead),
  }
}

// Copies in simulated mailboxes are found in the simulation: the test environment opens no connection.
function sentFolders(app: App, mailboxes: OpenMailboxes): SentFolder {
  const real = createSentFolder(app, mailboxes)
  return {
    ...real,
    async find(tenant, sendingAccountId, copy) {
      if (tenant.environment === 'live') return real.find(tenant, sendingAccountId, copy)
      return (await hasDelivered(app.db, tenant, copy.rfcMessageId)) ? { messageId: copy.rfcMessageId } : null
    },
  }
}

const queueMail: MeetingTools['queueMail'] = (tx, tenant, { attachments, ...mail }) =>
  queueManualMessage(tx, tenant, {
    ...mail,
    html: null,
    inReplyTo: null,
    refs: [],
    attachments: attachments.map((file) => ({ ...file, content: Buffer.from(file.content) })),
    kind: 'notification',
  })
