/** All that other features may know of the inbox. */
export { conversationsRoutes } from './conversations/conversations.routes.ts'
export { createInboxWorker } from './mailboxes/inbox.worker.ts'
export { inboxPeriodic } from './mailboxes/set-aside.worker.ts'
export { createSentFolder } from './mailboxes/mailbox-session.client.ts'
export { receiveMessage } from './receive/receive.commands.ts'
export { findReplyText, isNewestReply } from './receive/triage.sql.ts'
export type { ReceiveHooks } from './receive/receive.commands.ts'
