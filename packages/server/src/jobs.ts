import { draftJobs } from './ai/index.ts'
import { campaignJobs } from './campaigns/index.ts'
import type { App } from './platform/app.ts'
import type { JobHandler } from './platform/jobs/jobs.ts'
import type { Services } from './services.ts'
import { draftTools } from './subscriptions.ts'

/** Every kind of job and what runs it. */
export function createJobHandlers(_app: App, _services: Services): JobHandler[] {
  return [...campaignJobs(), ...draftJobs(draftTools)]
}
