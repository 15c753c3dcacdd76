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
import { type MeetingTools, meetingUrlOf } from '../meetings/index.ts'
import { repliedHook, streamTools } from './hand-ins.ts'
import type { OpenApp } from './open-app.shell.ts'
import type { App } from '../platform/app.ts'
import type { Admission } from '../platform/http/admission.ts'
import { findHindranceOfNodes } from '../platform/distributed/look.shell.ts'
import { createSmtpPool, type SmtpPool } from '../platform/mail/smtp-pool.client.ts'
import type { Tenant } from '../platform/tenant.ts'
import { modelLines } from '../ai/index.ts'
import { createTemplateRenderer, type TemplateRenderer } from '../templates/index.ts'
import { createSandbox, createSandboxTransport, hasDelivered, type Sandbox } from '../sandbox/index.ts'

/** What several routes and workers share and that has to be stopped: the lead finder's index, connection pools. */
export interface Services {
  admission: Admission
  finder: LeadFinder
  delivery: DeliveryTools
  meetings: MeetingTools
  sandbox: Sandbox
  streams: EventStreams
  /** Those in which this process idles. */
  mailboxes: OpenMailboxes
  /** Started when somebody asks for a file of a message. */
  attachments: ReadingThreads
  /** Closes what is open to a sender's mail server. */
  disconnect(this: void, tenant: Tenant, sendingAccountId: string): void
  stop(): Promise<void>
}

interface ServiceOptions extends Pick<OpenApp, 'app' | 'engine' | 'databaseUrl'>, Partial<Pick<OpenApp, 'records'>> {
  /** Where the test environment's clock has its plans from. */
  plansFrom?: Sandbox['plansFrom']
}

export async function createServices(options: ServiceOptions): Promise<Services> {
  const { app, engine, records, databaseUrl, plansFrom } = options
  // A list of models that can't be read ends the start, not the first request.
  modelLines(app.config.ai)
  const finder = createLeadFinder({ app, databaseUrl, dataFolder: app.config.dataDir })
  const pool = createSmtpPool()
  const mailboxes = new OpenMailboxes()
  const renderer = createTemplateRenderer(app.log)
  const delivery = {
    ...deliveryTools(engine, { pool, renderer, mailboxes }),
    records,
    ...(app.config.citus && { findHindrance: () => findHindranceOfNodes(databaseUrl) }),
  }
  const meetings: MeetingTools = { app, queueMail }
  const services: Services = {
    admission: await openAdmission(app),
    finder,
    delivery,
    meetings,
    // The list of jobs holds the test environment's own, so it is asked for when the clock moves.
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

// A worker answers no requests. Of the embedded database, too, a second server may take part.
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
    // Nothing of the test environment ever reaches a mail server, whatever its senders are.
    transportFor: (tenant, provider) => (tenant.environment === 'test' || provider === 'sandbox' ? simulated : smtp),
    faults: noFaults,
    sentFolder: sentFolders(app, mailboxes),
    meetingUrl: (tenant, lead) => meetingUrlOf(app, tenant, lead),
  }
}

// The simulated mailboxes know what reached them; nothing of the test environment opens a connection.
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
