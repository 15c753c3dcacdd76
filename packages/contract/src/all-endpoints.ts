import { dataFlowEndpoints } from './accounts/data-flows.ts'
import { accountEndpoints } from './accounts/account.ts'
import { aiEndpoints } from './ai/ai-endpoints.ts'
import { approvalEndpoints } from './ai/approvals.ts'
import { analyticsEndpoints } from './analytics/analytics.ts'
import { apiKeysEndpoints } from './accounts/api-keys.ts'
import { grantEndpoints } from './accounts/grants.ts'
import { attachmentEndpoints } from './inbox/attachments.ts'
import { billingEndpoints } from './accounts/billing.ts'
import { campaignDocumentEndpoints } from './campaigns/campaign-document.ts'
import { campaignEndpoints } from './campaigns/campaign-endpoints.ts'
import { contactPolicyEndpoints } from './contact-policy/contact-policy.ts'
import { conversationEndpoints } from './inbox/conversations.ts'
import { forwardEndpoints } from './inbox/forwards.ts'
import { noteEndpoints } from './inbox/notes.ts'
import { replyDraftEndpoints } from './inbox/reply-drafts.ts'
import { deliveryEndpoints } from './delivery/delivery.ts'
import { dryRunCampaign } from './delivery/dry-run.ts'
import { diagnosisEndpoints } from './delivery/diagnosis.ts'
import { preflightEndpoints } from './delivery/preflight.ts'
import { returnedEndpoints } from './delivery/returned.ts'
import { testMessageEndpoints } from './delivery/test-messages.ts'
import type { Endpoint } from './endpoint.ts'
import { eventEndpoints } from './events/events-endpoints.ts'
import { exportEndpoints } from './exports/exports.ts'
import { holidayEndpoints } from './holidays/holidays.ts'
import { leadFinderEndpoints } from './lead-finder/lead-finder.ts'
import { reportEndpoints } from './reports/report-endpoints.ts'
import { importEndpoints } from './campaigns/imports.ts'
import { leadEndpoints } from './campaigns/leads.ts'
import { meEndpoints } from './team/me.ts'
import { auditEndpoints } from './team/audit.ts'
import { totpEndpoints } from './team/totp.ts'
import { userEndpoints } from './team/users.ts'
import { leadsBulkEndpoints } from './campaigns/leads-bulk.ts'
import { meetingEndpoints } from './meetings/meetings.ts'
import { erasureEndpoints } from './people/erasures.ts'
import { peopleEndpoints } from './people/people.ts'
import { sandboxEndpoints } from './sandbox/sandbox.ts'
import { sendingAccountEndpoints } from './sending-accounts/sending-account-endpoints.ts'
import { signalEndpoints } from './signals/signals.ts'
import { signInEndpoints } from './team/sign-in.ts'
import { suppressionListEndpoints } from './suppressions/suppression-lists.ts'
import { suppressionEndpoints } from './suppressions/suppressions.ts'
import { tenantConnectionEndpoints } from './sending-accounts/tenant-connections.ts'
import { taskEndpoints } from './tasks/task-endpoints.ts'
import { tagEndpoints } from './tags/tags.ts'
import { listEndpoints } from './lists/list-endpoints.ts'
import { textCheckEndpoints } from './templates/check.ts'
import { templateEndpoints } from './templates/templates.ts'
import { deliverabilityEndpoints } from './deliverability/deliverability.ts'
import { placementTestEndpoints } from './placement/placement-tests.ts'
import { seedMailboxEndpoints } from './placement/seed-mailboxes.ts'
import { verificationEndpoints } from './verification/verification.ts'
import { webhookEndpoints } from './webhooks/webhooks.ts'

/** The answers of dry runs (`?dryRun=true`), by the name of the operation. */
export const dryRuns = { updateCampaign: dryRunCampaign }

/** Every operation by its name in the code, in the order of the document. */
export const endpoints = {
  ...accountEndpoints,
  ...dataFlowEndpoints,
  ...apiKeysEndpoints,
  ...grantEndpoints,
  ...campaignEndpoints,
  ...campaignDocumentEndpoints,
  ...leadEndpoints,
  ...leadsBulkEndpoints,
  ...importEndpoints,
  ...deliveryEndpoints,
  ...returnedEndpoints,
  ...testMessageEndpoints,
  ...preflightEndpoints,
  ...diagnosisEndpoints,
  ...conversationEndpoints,
  ...noteEndpoints,
  ...replyDraftEndpoints,
  ...forwardEndpoints,
  ...attachmentEndpoints,
  ...analyticsEndpoints,
  ...eventEndpoints,
  ...sendingAccountEndpoints,
  ...tenantConnectionEndpoints,
  ...contactPolicyEndpoints,
  ...holidayEndpoints,
  ...suppressionEndpoints,
  ...suppressionListEndpoints,
  ...signalEndpoints,
  ...verificationEndpoints,
  ...deliverabilityEndpoints,
  ...seedMailboxEndpoints,
  ...placementTestEndpoints,
  ...peopleEndpoints,
  ...erasureEndpoints,
  ...listEndpoints,
  ...tagEndpoints,
  ...meetingEndpoints,
  ...taskEndpoints,
  ...templateEndpoints,
  ...textCheckEndpoints,
  ...exportEndpoints,
  ...reportEndpoints,
  ...webhookEndpoints,
  ...sandboxEndpoints,
  ...aiEndpoints,
  ...approvalEndpoints,
  ...leadFinderEndpoints,
  ...billingEndpoints,
  ...signInEndpoints,
  ...meEndpoints,
  ...totpEndpoints,
  ...userEndpoints,
  ...auditEndpoints,
}

export const allEndpoints: readonly Endpoint[] = Object.values(endpoints) as unknown as Endpoint[]
