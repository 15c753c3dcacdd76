/** All that other features may know of the inbox. */
export { conversationsRoutes } from './conversations.routes.ts'
export { createInboxWorker } from './inbox.worker.ts'
export { createSentFolder } from './mailbox-session.client.ts'
export { receiveMessage, settleBySeen } from './receive.commands.ts'
export { findReplyText, isNewestReply, updateTriage } from './triage.sql.ts'
export type { ReceiveHooks, Received, ReceiveInput } from './receive.commands.ts'
