/** All that other features and the composition root may know of delivery. */
import type { JobHandler } from '../platform/jobs/jobs.ts'
import type { DeliveryDeps } from './delivery.shell.ts'
import { draftsAheadJobs } from './drafts-ahead.jobs.ts'
import { settleJob } from './settle.commands.ts'

export { getForecast as forecast } from './ahead.queries.ts'
export { recordBounce, type Bounce } from './bounce.commands.ts'
export { deliverClaimed, openDelivery, type Delivery, type DeliverOptions } from './deliver.jobs.ts'
export { explainLead as explain, previewMessage, type MeetingUrl } from './delivery.queries.ts'
export { deliveryRoutes, type DeliveryRouteTools } from './delivery.routes.ts'
export type { DeliveryDeps, SentFolder } from './delivery.shell.ts'
export { createDeliveryWorker, type DeliveryWorkerOptions } from './delivery.worker.ts'
export { noFaults, type FaultName, type FaultPoints } from './faults.ts'
export { presentMessage, queueManualMessage, replyInThread, sendNow, type ManualMessage } from './messages.commands.ts'
export { findMessage, listLeadMessages, listThreadMessages, type MessageRow } from './messages.sql.ts'
export { composeMessage, type Address, type Attachment, type MimeInput } from './mime.ts'
export { classifyRefusal, type BounceType } from './outcome.ts'
export { runPlanning, type PlanningResult } from './planning.jobs.ts'
export { recoverExpired } from './recover.jobs.ts'
export { settleMessage } from './settle.commands.ts'
export { createSmtpTransport } from './smtp-transport.client.ts'
export { readTrackingToken, signTrackingToken, type TrackingPurpose, type TrackingToken } from './tracking-token.ts'
export { parseAnswer, type SendRequest, type SmtpResult, type Transport } from './transport.ts'

export function deliveryJobs(deps: DeliveryDeps): JobHandler[] {
  return [settleJob(deps), ...draftsAheadJobs()]
}
