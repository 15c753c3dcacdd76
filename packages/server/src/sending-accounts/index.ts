export { sendingAccountsPublicRoutes } from './oauth.routes.ts'
export { sendingAccountsRoutes } from './sending-accounts.routes.ts'
export { retrySenders, sendingAccountsPeriodic } from './sending-accounts.worker.ts'
export { sealingContext as senderSecretContext } from './sender-secrets.shell.ts'
export { findSender, listSenders, listSendersPage } from './sending-accounts.sql.ts'
export { checkHealth } from './health.client.ts'
export { findCoveredAddresses } from './domains/covered-addresses.client.ts'
export { openSecrets } from './credentials.client.ts'
export { imapOptions, smtpOptions } from './logins/mail-login.client.ts'
export {
  holdSender,
  pauseSender,
  warnOfBounces,
  recordMailboxFailure,
  recordMailboxRecovered,
  recordProviderRefusal,
  recordSenderFailure,
  recordSenderSent,
  recordSenderWorks,
} from './sender-states.commands.ts'
export { firstReadingMs } from './sending-account.ts'
export { insertMailbox } from './reconnect.sql.ts'
export { applySignals, storePacing } from './sender-pace.commands.ts'
export { findAuthentication } from './sender-pace.sql.ts'
export { assertBudgetsHold, setBudget } from './budgets/recipient-budgets.commands.ts'
export { budgetsOfSender, claimDay, countBudgets } from './budgets/recipient-budgets.sql.ts'
export { createSender, present as presentSenders } from './sending-accounts.commands.ts'
export { connectionSecretContext } from './tenants/connection-secrets.shell.ts'
