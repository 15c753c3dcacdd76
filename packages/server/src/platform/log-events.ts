/**
 * All events of the log by name, with their level and their meaning for the reader. `npm run settings` generates
 * docs/log-events.md from it. A test checks that every call has an event here and that every event has a call.
 */
export const logEvents = {
  'http.request': ['info', 'A request was answered: operation, route, status, ms, who asked. Of probes at `debug`.'],
  'http.unknown_proxy': ['warn', 'A proxy in a private network asks for others: name it in OVERTURE_TRUSTED_PROXIES.'],
  request_failed: ['error', 'A request ended in 500: a defect here. Report it with its requestId and `error`.'],
  'idempotency.not_freed': ['warn', 'The key of a stream that ended early is busy until its time is over.'],
  admission_in_memory: ['info', 'This process is alone and counts requests in memory.'],
  admission_in_database: ['info', 'Several processes serve: requests are counted in the database.'],
  admission_beat_failed: [
    'warn',
    'The database did not answer the counting of requests; it is asked again each second.',
  ],
  admission_housekeeping_failed: ['warn', 'When keys were last used could not be written; it is tried again.'],

  'process.stopping': ['info', 'A signal asked for a stop.'],
  'process.stuck': ['error', 'Loops of which a round does not end: `/healthz` says 503. Start the process again.'],
  'process.crashed': ['fatal', 'An error that nobody expected ended the process. Start it again, and report it.'],
  'clock.skewed': ['error', "This machine's clock is away from the database's: set both by NTP. `/readyz` says 503."],
  'shutdown.phase_late': ['error', 'A phase of the stop took too long, and the next one began.'],
  'shutdown.stopped': ['debug', 'A part has stopped.'],
  'shutdown.failed': ['error', 'A part could not stop; the others do.'],
  'worker.failed': ['error', 'A round of a loop failed; it is tried again, later each time.'],
  'public_url.changed': ['warn', 'OVERTURE_PUBLIC_URL is another than before: links of sent mail lead to the old one.'],
  'public_url.unreachable': ['warn', 'OVERTURE_PUBLIC_URL is not https and a public name: no live campaign starts.'],
  'secrets.unreadable': ['error', 'Stored secrets fit none of the encryption keys: give the old key, too.'],
  'metrics.database_failed': ['warn', 'The database did not answer what is asked for the metrics.'],
  'traces.not_sent': ['warn', 'The collector does not take traces; spans wait, then are dropped.'],
  'traces.sent_again': ['info', 'The collector takes traces again.'],

  'database.waiting': ['warn', 'The database can not be reached; the start waits for it.'],
  'database.migrated': ['info', 'The database was brought to this release.'],
  'database.migration_waits': [
    'warn',
    'A migration waits for a lock of somebody else, and lets others pass meanwhile.',
  ],
  'database.backed_up': ['info', 'A backup was made before an upgrade.'],
  'database.restored': ['warn', 'The database comes from a backup: campaigns are paused and live mail is held.'],
  'database.history_changed': ['error', 'The database is another than before: live mail is held ("Failover").'],
  'database.of_several': [
    'warn',
    'The database is a Citus, which tests know by its rules alone: run `test/citus/run` on yours first ("Citus").',
  ],
  'database.silent': ['warn', 'The database has not answered for seconds; `/readyz` says 503.'],
  'database.revived': ['warn', 'The database answers again.'],
  'database.connection_lost': ['warn', 'A connection ended that nobody was using; another is made.'],
  'database.client_error': ['debug', 'A connection ended while it was in use; whoever used it says what came of it.'],
  'database.listener_lost': ['debug', 'The listening connection ended; another is made.'],
  'database.wake_failed': ['debug', 'Others were not woken: they look by themselves within seconds.'],
  'database.not_analysed': ['debug', 'Statistics of a table that grew were not gathered; PostgreSQL does it later.'],
  'database.no_account_wall': ['warn', 'Requests are without row-level security: make the role ("Several nodes").'],
  'postgres.prepared': ['debug', 'The embedded database has its files.'],
  'postgres.not_started': ['error', 'The program of the embedded database could not be run.'],
  'postgres.ended': ['warn', 'The embedded database ended by itself; it is started again.'],
  'replica.follows': ['info', 'The replica has all that was answered before: it is read.'],
  'replica.lags': ['warn', 'The replica is behind: the primary is read instead.'],
  'replica.gone': ['warn', 'The replica does not answer, or is none of this primary: the primary is read instead.'],
  'replica.read_ended': ['warn', 'A read ended on the replica, and was made again on the primary.'],

  'job.failed': ['warn', 'A try of a job failed; it is tried again later.'],
  'job.dead': ['error', 'A job gave up after its last try: what it was for has to be asked for again.'],
  'job.outcome_lost': ['warn', 'What became of a job could not be written: it runs again when its lease ends.'],
  'jobs.renewal_failed': ['warn', 'Leases of running jobs could not be renewed; it is tried again in seconds.'],

  'delivery.failed': ['error', "A turn of an account's mail failed; it is taken up again."],
  'delivery.record_failed': [
    'warn',
    'Answers of mail servers can not be written: they are kept. Do not kill the process.',
  ],
  'delivery.record_given_up': ['error', 'The database refuses what came of one message: it stays uncertain.'],
  'delivery.recovered': [
    'warn',
    'Claims of a worker that ended were taken up: sent ones are uncertain, others go again.',
  ],
  'delivery.renew_failed': ['warn', 'Leases of messages on their way could not be renewed; it is tried again.'],
  'delivery.append_failed': ['info', 'The copy in the Sent folder could not be made; the message left.'],
  'delivery.secrets_not_read': ['warn', "A sender's login could not be read from the database: the message waits."],

  'oauth.client_refused': [
    'error',
    'Google or Microsoft refuses the client secret of this installation; mailboxes wait. `overture doctor` says what to set.',
  ],
  'tenant_connection.refused': [
    'warn',
    'Google or Microsoft refuses the login of a tenant connection; its mailboxes wait. The sending accounts say why.',
  ],
  'inbox.disconnected': ['warn', "A mailbox's connection ended; it is opened again, later each time."],
  'inbox.failed': ['error', 'Reading a mailbox failed in a way that nobody expected; it is opened again.'],
  'inbox.message_failed': [
    'error',
    'A message could not be stored and was passed over: `overture inbox set-aside list`.',
  ],
  'inbox.set_aside': ['warn', 'A message could not be read and was passed over: `overture inbox set-aside list`.'],
  'inbox.reader_ended': ['warn', 'A thread that reads mail was ended: a message took too much time or memory.'],
  'inbox.handed_back': ['info', 'Mailboxes are left to other workers.'],

  'templates.thread_ended': ['warn', 'A template of this account ended a thread by taking too long.'],
  'ai.provider_failed': ['warn', 'A provider of models failed.'],
  'ai.stream_failed': ['error', 'A text that was streamed could not be ended.'],
  lead_provider_failed: ['warn', 'A provider of people failed; nothing was charged.'],
  open_search_failed: ['warn', 'The cluster that people are searched in failed.'],
  open_search_loaded: ['info', 'People were loaded into a new index of the search cluster, which took over.'],
  'finder.demo_failed': ['error', 'People of the test environment could not be loaded.'],
  'import.upload_not_discarded': ['warn', 'Rows of an upload that was broken off stay until a job takes them out.'],

  'webhooks.turn_failed': ['error', 'A turn of a webhook failed; its deliveries are made again when the lease ends.'],
  'events.restored': ['info', 'Events of a restored database have their place in the log again.'],
  'events.restored_failed': [
    'error',
    'Events of a restored database could not be given their place; tried at each start.',
  ],
  'events.months_dropped': ['info', 'Months of events that are old enough were dropped.'],
  'events.stream_failed': ['warn', 'A stream of events was broken off; clients come back by themselves.'],
  'tracking.hit_dropped': ['warn', 'More opens and clicks than can be written: one was not counted.'],
  'tracking.hit_failed': ['error', 'Opens and clicks could not be written.'],
  'opt_out.failed': ['error', 'An opt-out could not be stored, and the page said so: look at the database at once.'],

  'audit.sealed': ['info', 'The seal of a day of an audit log: kept elsewhere it proves that nothing was changed.'],
  'audit.months_dropped': ['info', 'Months of audit logs that are old enough were dropped.'],
  'audit.not_written': ['error', 'A refused request could not be put into the audit log.'],
  'sign_in.issuer_failed': ['warn', 'Signing in by OpenID Connect failed at the issuer.'],
  'system_mail.uncertain': ['warn', 'A letter of the server may have left or not; its link can be made anew.'],
  credit_reservation_expired: ['warn', 'Credits were held by a process that ended, and are free again.'],
  credit_ledger_disagrees: ['error', 'A balance is not the sum of its ledger: report it, with this line.'],
  credit_ledgers_agree: ['info', 'Every balance is the sum of its ledger.'],
  stripe_failed: ['warn', 'Stripe failed; the payment can be begun again.'],
  stripe_session_of_no_account: ['error', 'A payment is of no account here: pay it back, or credit it by hand.'],
  stripe_session_of_no_offer: ['error', 'A payment is for nothing that is offered: pay it back, or credit it by hand.'],

  'sandbox.stride_failed': ['info', 'The clock of a test environment goes on step by step.'],
  'sandbox.renew_failed': ['warn', 'The lease of a moved clock could not be renewed; it is tried again.'],
  'sandbox.stepped_aside': ['warn', 'A moved clock waits for work that somebody else holds.'],
  'docs.building': ['info', 'The pages of the documentation are built, as a clone needs it.'],
  'docs.build_failed': ['error', 'The pages of the documentation could not be built.'],
  'console.building': ['info', 'The console is built, as a clone needs it.'],
  'console.build_failed': ['error', 'The console could not be built.'],
} as const satisfies Record<string, readonly [LogLevel, string]>

export const logLevels = ['debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevel = (typeof logLevels)[number]
export type LogEventName = keyof typeof logEvents

/** The documentation page for operators. */
export function logEventsPage(): string {
  const rows = Object.entries(logEvents).map(([name, [level, help]]) => `| \`${name}\` | ${level} | ${help} |`)
  return `${head}\n| event | level | what it means |\n|---|---|---|\n${rows.join('\n')}\n`
}

const head = `# What the log says

One JSON line per event on standard error, from \`LOG_LEVEL\` on: \`level\` (20 debug, 30 info, 40 warn, 50 error, 60 fatal), \`time\` in
milliseconds, \`event\`, and ids (\`accountId\`, \`requestId\`, \`traceId\`, \`jobId\` and the like); \`reason\` is what went wrong.
Never an address, a text of a message, a path with a token, a password or a key. \`OVERTURE_REQUEST_LOG\` says which requests have a line.

Names stay from one release to the next; new ones come. Written by \`npm run settings\`.
`
