/** The public interface of deliverability for other features. */
export { deliverabilityRoutes } from './deliverability.routes.ts'
export { takeMailedReport } from './mailed-reports.shell.ts'
export { findRecipientProviders } from './recipient-providers.queries.ts'
export { recipientProvidersJob, requestProviders } from './recipient-providers.jobs.ts'
