/** The public interface of address verification for other features. */
export { isCalledDeliverable } from './address-checks.sql.ts'
export { findAddressVerdicts } from './address-verdicts.queries.ts'
export { createVerification } from './verifications.commands.ts'
export { verificationUrl } from './provider-urls.ts'
export { verificationJobs } from './verifications.jobs.ts'
export { verificationRoutes } from './verification.routes.ts'
