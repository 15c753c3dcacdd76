/** The public interface of delivery for other features and the composition root. */
import type { JobHandler } from '../platform/jobs/job.ts'
import type { DeliveryTools } from './delivery.shell.ts'
import { draftsAheadJobs } from './plan/drafts-ahead.jobs.ts'
import { settleJob } from './record/settle.jobs.ts'

export { getForecast as forecast } from './ask/forecast.queries.ts'
export { assertForwardable, presentForwards, queueForward, writeForward } from './ask/forward.shell.ts'
export { queuePlacementMessages, writePlacementMessages, type PlacementText } from './ask/placement-messages.shell.ts'
export { updateWaitingTestsFailed, type PlacementMessage } from './ask/placement-messages.sql.ts'
export type { ExplainTools } from './delivery.shell.ts'
export { judgeSender, recordBounce, recordComplaint } from './record/bounce.commands.ts'
export { deliverClaimed, openDelivery } from './send/deliver.shell.ts'
export { explainLead as explain } from './ask/explain.queries.ts'
export { previewMessage } from './ask/preview.queries.ts'
export { deliveryRoutes } from './delivery.routes.ts'
export type { DeliveryTools, SentFolder } from './delivery.shell.ts'
export { createDeliveryWorker } from './delivery.worker.ts'
export { faultNames, noFaults, type FaultName, type FaultPoints } from './faults.ts'
export { presentMessage, queueManualMessage, sendNow } from './messages/messages.commands.ts'
export { withdrawReply } from './messages/withdraw.commands.ts'
export { holdScheduled, updateReply } from './messages/scheduled.commands.ts'
export { replyInThread } from './messages/reply.commands.ts'
export { updateAnsweredElsewhere, updateAwaiting } from './messages/awaiting.sql.ts'
export {
  insertInbound,
  updateConversation,
  updateConversationOwner,
  updateMessagesOpened,
  updateSnooze,
  updateTriage,
  upsertThreadArrival,
  type NewInbound,
} from './messages/arrivals.sql.ts'
export { listMessagePage, listThreadMessages, type StoredAttachment } from './messages/messages.sql.ts'
export { findComplainants } from './plan/recipients.ts'
export { listOwnAddresses } from './plan/writers.sql.ts'
export { recordReturned } from './record/returned.commands.ts'
export { repairBounce, type PastFault } from './record/repair-bounces.commands.ts'
export { listPastBouncesAcrossAccounts, type MessagePlace, type PastBounce } from './record/past-bounces.sql.ts'
export { idOfMessageId } from './write/message-bytes.ts'
export { VirtualPlanner } from './memory/virtual-planner.shell.ts'
export { runPlanning } from './plan/plan-tenant.shell.ts'
export { hasRunningBranches } from './plan/campaigns.sql.ts'
export { recoverExpired, resumeAfterRestore } from './record/recover.shell.ts'
export { settleMessage } from './record/settle.commands.ts'
export { createSmtpTransport, smtpLane } from './send/smtp-transport.client.ts'
export { readAddressToken, signAddressToken } from './write/opt-out-mailto.ts'
export { readOptOut, signOptOut, type OptOutToken } from './write/opt-out-link.ts'
export {
  readTrackingToken,
  signTrackingToken,
  type TrackingPurpose,
  type TrackingToken,
} from './write/tracking-token.ts'
export type { SendRequest, Transport } from './transport.ts'

export function deliveryJobs(tools: DeliveryTools): JobHandler[] {
  return [settleJob(tools), ...draftsAheadJobs()]
}
