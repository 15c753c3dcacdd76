/** The public interface of address verification for other features. */
export { verificationJobs } from './verifications.jobs.ts'
export { verificationRoutes } from './verification.routes.ts'
