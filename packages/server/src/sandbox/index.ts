/** The exports of the test environment for the composition. */
export { sandboxRoutes } from './sandbox.routes.ts'
export { sandboxJobs } from './sandbox.jobs.ts'
export { createSandbox, type Sandbox } from './sandbox.shell.ts'
export { describeClock } from './clock.commands.ts'
export { hasDelivered } from './mailbox.sql.ts'
export { simulateAddress } from './prospect.ts'
export { createSandboxTransport } from './transport.client.ts'
