import { startImapDouble } from '@overture/testing/mail/imap-double.server.ts'

/**
 * Runs an IMAP server with the given number of empty mailboxes in its own process. Reports its port and the number of idle
 * connections.
 */
const count = Number(process.argv[2] ?? 1_000)
const users = Object.fromEntries(Array.from({ length: count }, (_, at) => [`sender${at}@example.com`, 'secret']))
const double = await startImapDouble({ users })
process.send?.({ port: double.port })
process.on('message', () => process.send?.({ idle: double.idleConnections }))
process.on('disconnect', () => process.exit(0))
