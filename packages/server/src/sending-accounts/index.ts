export {
  sendingAccountsPublicRoutes,
  sendingAccountsRoutes,
  type SendingAccountsDeps,
} from './sending-accounts.routes.ts'
export { refreshHealth, retrySenders, sendingAccountsPeriodic } from './sending-accounts.worker.ts'
export { contextOf as senderSecretContext } from './sender-secrets.shell.ts'
export { type Sender } from './sending-account.ts'
export { findSender, findSenderByEmail, listSenders } from './sending-accounts.sql.ts'
export {
  imapOptions,
  openSecrets,
  smtpOptions,
  type ReadyCredentials,
  type SenderCredentials,
} from './credentials.client.ts'
export {
  holdSender,
  pauseSender,
  warnOfBounces,
  recordMailboxFailure,
  recordMailboxRecovered,
  recordSenderFailure,
  recordSenderRecovered,
  recordSenderSent,
} from './sender-states.commands.ts'
export { createSender } from './sending-accounts.commands.ts'
