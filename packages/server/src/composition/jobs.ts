import { draftJobs, triageJobs } from '../ai/index.ts'
import { campaignJobs } from '../campaigns/index.ts'
import { deliveryJobs } from '../delivery/index.ts'
import { meetingJobs } from '../meetings/index.ts'
import type { App } from '../platform/app.ts'
import type { JobHandler } from '../platform/jobs/jobs.shell.ts'
import { sandboxJobs } from '../sandbox/index.ts'
import type { Services } from './services.ts'
import { draftTools, triageTools } from './hand-ins.ts'

/** Every kind of job and what runs it. */
export function createJobHandlers(_app: App, services: Services): JobHandler[] {
  return [
    ...campaignJobs(),
    ...draftJobs(draftTools),
    ...triageJobs(triageTools),
    ...deliveryJobs(services.delivery),
    ...meetingJobs(services.meetings),
    ...sandboxJobs(services.sandbox),
  ]
}
