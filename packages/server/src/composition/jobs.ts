import { draftJobs, replyDraftJobs, triageJobs } from '../ai/index.ts'
import { campaignJobs } from '../campaigns/index.ts'
import { recipientProvidersJob } from '../deliverability/index.ts'
import { type DeliveryTools, deliveryJobs } from '../delivery/index.ts'
import { busyCalendarJob, type CalendarReader, type MeetingTools, meetingJobs } from '../meetings/index.ts'
import { exportJobs } from '../exports/index.ts'
import { listJobs } from '../lists/index.ts'
import { peopleJobs } from '../people/index.ts'
import { discardUploadJob } from '../platform/imports/uploads.shell.ts'
import type { JobHandler } from '../platform/jobs/job.ts'
import { placementJobs, type TestReader } from '../placement/index.ts'
import { reportJobs } from '../reports/index.ts'
import { type Sandbox, sandboxJobs } from '../sandbox/index.ts'
import { signalJobs } from '../signals/index.ts'
import { suppressionJobs } from '../suppressions/index.ts'
import { systemMailJobs } from '../team/index.ts'
import { taskJobs } from '../tasks/index.ts'
import { verificationJobs } from '../verification/index.ts'
import {
  draftTools,
  importTools,
  replyDraftTools,
  suppressionTools,
  taskTools,
  triageTools,
  verificationTools,
} from './slice-wiring.ts'

interface JobServices {
  delivery: DeliveryTools
  meetings: MeetingTools
  attachments: CalendarReader & TestReader
  sandbox: Sandbox
}

/** All kinds of jobs with their handlers. */
export function createJobHandlers(services: JobServices): JobHandler[] {
  return [
    ...campaignJobs(importTools),
    discardUploadJob,
    ...draftJobs(draftTools),
    ...triageJobs(triageTools(services.meetings.app)),
    ...replyDraftJobs(replyDraftTools(services.meetings.app)),
    ...deliveryJobs(services.delivery),
    ...meetingJobs(services.meetings),
    busyCalendarJob(services.attachments),
    ...sandboxJobs(services.sandbox),
    ...signalJobs(),
    ...peopleJobs(),
    ...suppressionJobs(suppressionTools),
    ...systemMailJobs(),
    ...verificationJobs(verificationTools),
    ...taskJobs(taskTools),
    ...listJobs(),
    ...exportJobs(),
    ...reportJobs(),
    recipientProvidersJob,
    ...placementJobs({
      ...services.delivery,
      meetingUrl: services.delivery.meetingUrl ?? (() => null),
      reader: services.attachments,
    }),
  ]
}
