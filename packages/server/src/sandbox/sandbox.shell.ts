import type { DeliveryDeps } from '../delivery/index.ts'
import { receiveMessage } from '../inbox/index.ts'
import type { MeetingDeps } from '../meetings/index.ts'
import type { JobHandler } from '../platform/jobs/jobs.ts'
import { createEngine } from './engine.shell.ts'
import { createProspectPages } from './pages.shell.ts'
import type { SandboxDeps } from './virtual-world.ts'

export interface SandboxParts {
  delivery: DeliveryDeps
  meetings: MeetingDeps
  /** Every kind of job, `sandboxJobs` included; asked when the clock moves. */
  jobs: () => readonly JobHandler[]
}

/** The test environment around the production engine: only the network is simulated. */
export function createSandbox({ delivery, meetings, jobs }: SandboxParts): SandboxDeps {
  const { app } = delivery
  return {
    engine: createEngine(delivery, jobs),
    pages: createProspectPages(app, meetings),
    async receive(tenant, { sendingAccountId, raw, uid, receivedAt }) {
      await receiveMessage(app, tenant, { sendingAccountId, raw, folder: 'INBOX', uid, receivedAt, now: receivedAt })
    },
  }
}
