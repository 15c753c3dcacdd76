/**
 * All events of the log by name, with their level and their meaning for the reader. `npm run settings` generates
 * docs/log-events.md from it. A test checks that every call has an event here and that every event has a call.
 */
export const logEvents = {
  'http.request': [
    'info',
    'A request was answered, with operation, route, status, ms and caller. Probes are logged at `debug`.',
  ],
  'http.unknown_proxy': ['warn', 'A proxy in a private network forwards requests. Add it to OVERTURE_TRUSTED_PROXIES.'],
  'http.request_failed': [
    'error',
    'A request failed with 500, which is a bug in Overture. Report it with its requestId and `error`.',
  ],
  'idempotency.not_freed': ['warn', 'The idempotency key of a stream that ended early stays in use until it expires.'],
  'admission.in_memory': ['info', 'This is the only process, so requests are counted in memory.'],
  'admission.in_database': ['info', 'There are several processes, so requests are counted in the database.'],
  'admission.beat_failed': ['warn', 'Requests could not be counted in the database. It is retried every second.'],
  'admission.housekeeping_failed': ['warn', 'The last use of keys could not be written. It is retried.'],

  'process.stopping': ['info', 'The process received a stop signal.'],
  'process.stuck': ['error', 'A loop hangs, and `/healthz` returns 503. Restart the process.'],
  'process.crashed': ['fatal', 'An unexpected error ended the process. Restart it, and report the error.'],
  'clock.skewed': [
    'error',
    'The clocks of this machine and the database differ, and `/readyz` returns 503. Synchronize both with NTP.',
  ],
  'shutdown.phase_late': ['error', 'A phase of the shutdown took too long, so the next one started.'],
  'shutdown.stopped': ['debug', 'A part has stopped.'],
  'shutdown.failed': ['error', 'A part failed to stop. The others continue to stop.'],
  'worker.failed': ['error', 'A round of a loop failed. It is retried with growing delays.'],
  'public_url.changed': ['warn', 'OVERTURE_PUBLIC_URL has changed. Links in sent mail still use the old URL.'],
  'public_url.unreachable': [
    'warn',
    'OVERTURE_PUBLIC_URL is not https with a public name, so no live campaign starts.',
  ],
  'secrets.unreadable': ['error', 'Stored secrets match none of the encryption keys. Add the old key.'],
  'metrics.database_failed': ['warn', 'The database query for the metrics failed.'],
  'traces.not_sent': ['warn', 'The collector does not accept traces. Spans are buffered, then dropped.'],
  'traces.sent_again': ['info', 'The collector accepts traces again.'],

  'database.waiting': ['warn', "The database can't be reached. The start waits for it."],
  'database.migrated': ['info', 'The database was migrated to this release.'],
  'database.migration_waits': ['warn', 'A migration waits for a lock, and lets other statements pass in the meantime.'],
  'database.backed_up': ['info', 'A backup was made before an upgrade.'],
  'database.restored': ['warn', 'The database was restored from a backup. Campaigns are paused and live mail is held.'],
  'database.history_changed': ['error', 'The database has changed, so live mail is held ("Failover").'],
  'database.of_several': ['warn', 'The database is a Citus cluster. Run `test/citus/run` on yours first ("Citus").'],
  'database.silent': ['warn', 'The database has not responded for seconds, and `/readyz` returns 503.'],
  'database.revived': ['warn', 'The database responds again.'],
  'database.connection_lost': ['warn', 'An idle connection was lost. A new one is opened.'],
  'database.client_error': ['debug', 'A connection was lost while in use. The failed operation logs its own result.'],
  'database.listener_lost': ['debug', 'The listening connection was lost. A new one is opened.'],
  'database.wake_failed': ['debug', 'Other processes were not notified. They poll within seconds.'],
  'database.not_analysed': ['debug', 'Statistics of a table that grew were not updated. PostgreSQL does it later.'],
  'database.no_account_wall': ['warn', 'Requests run without row-level security. Create the role ("Several nodes").'],
  'postgres.prepared': ['debug', 'The embedded database has its files.'],
  'postgres.not_started': ['error', 'The embedded database could not be started.'],
  'postgres.ended': ['warn', 'The embedded database ended unexpectedly. It is restarted.'],
  'replica.follows': ['info', 'The replica is up to date and in use.'],
  'replica.lags': ['warn', 'The replica lags. The primary is read instead.'],
  'replica.gone': ['warn', 'The replica does not respond or belongs to another primary. The primary is read instead.'],
  'replica.read_ended': ['warn', 'A read failed on the replica and was repeated on the primary.'],

  'job.failed': ['warn', 'An attempt of a job failed. It is retried later.'],
  'job.dead': ['error', 'A job failed permanently. Request its work again.'],
  'job.outcome_lost': ['warn', 'The outcome of a job could not be written. The job runs again when its lease ends.'],
  'jobs.renewal_failed': ['warn', 'Leases of running jobs could not be renewed. It is retried within seconds.'],

  'delivery.failed': ['error', 'A delivery round of an account failed. It is retried.'],
  'delivery.record_failed': [
    'warn',
    "Responses of mail servers can't be written and are kept in memory. Do not kill the process.",
  ],
  'delivery.record_given_up': ['error', 'The database rejects the outcome of a message, which stays uncertain.'],
  'delivery.recovered': [
    'warn',
    'Claims of a dead worker were recovered. Messages past the gate are uncertain, others are sent again.',
  ],
  'delivery.renew_failed': ['warn', 'Leases of messages in flight could not be renewed. It is retried.'],
  'delivery.append_failed': ['info', 'The message was sent, but its copy in the Sent folder failed.'],
  'delivery.secrets_not_read': [
    'warn',
    'The login of a sender could not be read from the database. The message waits.',
  ],

  'oauth.client_refused': [
    'error',
    'Google or Microsoft rejects the client secret of this installation. Its mailboxes wait. `overture doctor` shows the fix.',
  ],
  'tenant_connection.refused': [
    'warn',
    'Google or Microsoft rejects the login of a tenant connection. Its mailboxes wait. The sending accounts show the reason.',
  ],
  'inbox.disconnected': ['warn', 'The connection to a mailbox was lost. It is reopened with growing delays.'],
  'inbox.failed': ['error', 'Reading a mailbox failed unexpectedly. It is reopened.'],
  'deliverability.report_refused': ['warn', 'A DMARC report in a mailbox was not stored. `reason` says why.'],
  'inbox.message_failed': [
    'error',
    'A message could not be stored and was skipped. See `overture inbox set-aside list`.',
  ],
  'inbox.set_aside': ['warn', 'A message could not be read and was skipped. See `overture inbox set-aside list`.'],
  'inbox.reader_ended': [
    'warn',
    'A thread that parses mail was ended, because a message took too much time or memory.',
  ],
  'inbox.handed_back': ['info', 'Mailboxes were released to other workers.'],

  'templates.thread_ended': ['warn', 'A template of this account ended a thread by taking too long.'],
  'ai.provider_failed': ['warn', 'An AI provider failed.'],
  'assistants.document_refused': ['info', 'The description of an assistant could not be read from `host`.'],
  'assistants.server_error': ['error', 'The authorization server for assistants failed. It is a bug.'],
  'ai.stream_failed': ['error', 'The end of a streamed text could not be stored.'],
  'lead_finder.provider_failed': ['warn', 'A people database provider failed. Nothing was charged.'],
  'open_search.failed': ['warn', 'The search cluster for people failed.'],
  'open_search.loaded': ['info', 'People were loaded into a new index of the search cluster, which is now in use.'],
  'verification.provider_failed': [
    'warn',
    'The provider that verifies addresses failed or refused the key. The addresses are tried again, four times at most.',
  ],
  'finder.demo_failed': ['error', 'People of the test environment could not be loaded.'],
  'import.upload_not_discarded': ['warn', 'Rows of an interrupted upload stay until a job deletes them.'],

  'webhooks.turn_failed': ['error', 'A round of a webhook failed. Its deliveries are repeated when the lease ends.'],
  'events.restored': ['info', 'Events of a restored database were put back in order.'],
  'events.restored_failed': [
    'error',
    'Events of a restored database could not be put in order. It is retried at each start.',
  ],
  'events.months_dropped': ['info', 'Expired months of events were deleted.'],
  'events.stream_failed': ['warn', 'An event stream was interrupted. Clients reconnect automatically.'],
  'tracking.hit_dropped': ['warn', 'There were more opens and clicks than can be written, so one was not counted.'],
  'tracking.hit_failed': ['error', 'Opens and clicks could not be written.'],
  'opt_out.failed': [
    'error',
    'An opt-out could not be stored, and the recipient saw an error. Check the database immediately.',
  ],

  'audit.sealed': ['info', 'The daily seal of an audit log. A copy kept elsewhere proves that no entry was changed.'],
  'audit.months_dropped': ['info', 'Expired months of audit logs were deleted.'],
  'audit.not_written': ['error', 'A rejected request could not be written to the audit log.'],
  'sign_in.issuer_failed': ['warn', 'A sign-in with OpenID Connect failed at the issuer.'],
  'system_mail.uncertain': ['warn', 'It is unknown whether a system mail was sent. Its link can be created again.'],
  'report.uncertain': ['warn', 'It is unknown whether a report was mailed to a user. It is not mailed again.'],
  'credits.reservation_expired': ['warn', 'Credits that were reserved by a dead process were released.'],
  'credits.ledger_disagrees': ['error', 'A balance is not the sum of its ledger. Report it with this line.'],
  'credits.ledgers_agree': ['info', 'Every balance is the sum of its ledger.'],
  'stripe.failed': ['warn', 'Stripe failed. The payment can be started again.'],
  'stripe.session_without_account': [
    'error',
    'A payment belongs to no account. Refund it, or grant the credits manually.',
  ],
  'stripe.session_without_offer': [
    'error',
    'A payment is for an unknown offer. Refund it, or grant the credits manually.',
  ],

  'sandbox.batch_failed': ['info', 'The clock of a test environment continues step by step.'],
  'sandbox.renew_failed': ['warn', 'The lease of a moved clock could not be renewed. It is retried.'],
  'sandbox.stepped_aside': ['warn', 'A moved clock waits for work of another process.'],
  'docs.building': ['info', 'The documentation pages are being built, which is needed in a clone.'],
  'docs.build_failed': ['error', 'The documentation pages could not be built.'],
  'console.building': ['info', 'The console is being built, which is needed in a clone.'],
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

One JSON line per event on standard error, starting at \`LOG_LEVEL\`. It has \`level\` (20 debug, 30 info, 40 warn, 50 error, 60 fatal),
\`time\` in milliseconds, \`event\`, and ids (\`accountId\`, \`requestId\`, \`traceId\`, \`jobId\` and the like). \`reason\` is
the cause of a failure. It never has an address, a message text, a path with a token, a password or a key. \`OVERTURE_REQUEST_LOG\`
selects the logged requests.

Names stay the same from release to release; new ones are added. Written by \`npm run settings\`.
`
