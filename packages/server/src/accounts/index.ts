export { actualLimits, quotaMonth, type AccountRow } from './account.ts'
export {
  createAccount,
  listAccounts,
  setAccount,
  showAccount,
  type AccountChanges,
  type AccountTools,
} from './accounts.commands.ts'
export {
  findAccount,
  findFirstAccountIdAcrossAccounts,
  findMonthlyUsage,
  lockAccount,
  updatePaidPlan,
} from './accounts.sql.ts'
export { accountsRoutes } from './accounts.routes.ts'
