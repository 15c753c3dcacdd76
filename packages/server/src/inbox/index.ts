/** All that other features may know of the inbox. */
export { conversationsRoutes } from './conversations.routes.ts'
export { createInboxWorker } from './inbox.worker.ts'
export { createSentFolder } from './mailbox-session.client.ts'
export { receiveMessage, settleBySeen } from './receive.commands.ts'
export type { Received, ReceiveInput } from './receive.commands.ts'
