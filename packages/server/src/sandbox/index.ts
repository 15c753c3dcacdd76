/** All that the composition may know of the test environment. */
export { sandboxRoutes } from './sandbox.routes.ts'
export { sandboxJobs } from './sandbox.jobs.ts'
export { createSandboxTransport } from './transport.client.ts'
export { pathOf as linkTokenOf } from './mail-links.ts'
export type { Engine, PublicPages, ReceiveMail, SandboxDeps, Visit } from './virtual-world.ts'
export { hasDelivered } from './mailbox.sql.ts'
