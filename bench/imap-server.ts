import { startImapDouble } from '@overture/testing/mail/imap-double.server.ts'

/** An IMAP server for as many empty mailboxes as asked, in a process of its own; tells its port and who idles. */
const count = Number(process.argv[2] ?? 1_000)
const users = Object.fromEntries(Array.from({ length: count }, (_, at) => [`sender${at}@example.com`, 'secret']))
const double = await startImapDouble({ users })
process.send?.({ port: double.port })
process.on('message', () => process.send?.({ idle: double.idleConnections }))
process.on('disconnect', () => process.exit(0))
