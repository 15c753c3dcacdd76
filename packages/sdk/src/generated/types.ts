// Written by `npm run openapi` from packages/contract. Change the contract, not this file.

export interface Error {
  error: ErrorBody
}

export interface ErrorBody {
  code: ErrorCode
  message: string
  /** The same as X-Request-Id. */
  request_id: string
  details?: ErrorDetails
}

export type ErrorCode = "VALIDATION_ERROR" | "UNAUTHORIZED" | "INSUFFICIENT_CREDITS" | "API_ACCESS_DISABLED" | "INSUFFICIENT_SCOPE" | "INSUFFICIENT_ROLE" | "NOT_FOUND" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMIT_EXCEEDED" | "QUOTA_EXCEEDED" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE"

/** Details beyond the message, if there are any. */
export interface ErrorDetails {
  /** All problems of the input. */
  issues?: ValidationIssue[]
  /** With CONFLICT: the present status. */
  currentStatus?: string
  /** With CONFLICT: the actions that are possible instead. */
  allowedActions?: string[]
  /** Everything that prevents the campaign from starting. */
  blockers?: Blocker[]
  /** With a running campaign: the fields that can be changed only while it is paused. */
  fields?: string[]
  /** With a sending account in use: the campaigns and conversations that use it. */
  users?: SenderUser[]
  /** The sending account that already has this address. */
  sendingAccountId?: string
  /** With INSUFFICIENT_ROLE: the lowest role that is allowed. */
  requiredRole?: string
  /** One word for programs, if a code has several reasons. */
  reason?: string
  /** The same value as Retry-After. */
  retryAfterSeconds?: number
  [field: string]: unknown
}

export interface SenderUser {
  kind: "campaign" | "conversation"
  id: string
  name: string
}

export interface ValidationIssue {
  /** Such as `steps[0].variants[1].subject`. Empty for the body itself. */
  path: string
  rule: string
  message: string
}

export interface AcceptLinkInput {
  token: string
  name: string
  password: string
  email?: string
}

export interface Account {
  id: string
  name: string
  plan: PlanId
  environment: Environment
  apiAccessEnabled: boolean
  defaultTimezone: string
  postalAddress: string | null
  /** The contact for questions about personal data, such as an email address. Privacy notices name it. */
  privacyContact: string | null
  /** The page with the privacy policy of the account. Linked in privacy notices. */
  privacyUrl: string | null
  /** The facts about the account and its offer that drafted replies may use, as plain text. Null if nothing was written. */
  replyKnowledge: string | null
  /** Whether recipients can open the links of live mail: the URL of this server is https and has a public name. Otherwise no live campaign can start. */
  linksReachRecipients: boolean
  limits: AccountLimits
  usage: AccountUsage
  credits: {
    balance: number
  }
  trial: Trial | null
  createdAt: string
}

export interface AccountExport {
  id: string
  /** `completed`, `failed` and `removed` are final. `removed`: a person was erased, so the files were deleted. Start a new export. */
  status: "pending" | "running" | "completed" | "failed" | "removed"
  format: "csv" | "ndjson"
  from: string | null
  to: string | null
  /** One for each table, in the order in which they are written. */
  files: ExportFile[]
  error: string | null
  createdAt: string
  completedAt: string | null
  /** When the export and its files are deleted. */
  expiresAt: string
}

export interface AccountExportList {
  results: AccountExport[]
  pagination: Pagination
  nextCursor: string | null
}

export interface AccountForecast {
  /** The time zone of the account, in which days are counted. */
  timezone: string
  days: AccountForecastDay[]
  /** There are too many campaigns or leads, so not all were checked. */
  partial: boolean
}

export interface AccountForecastDay {
  date: string
  bySender: SenderForecastDay[]
  byCampaign: CampaignForecastDay[]
}

export interface AccountLimits {
  requestsPerMinute: number
  burstPerSecond: number
  monthlyRequests: number
  maxApiKeys: number
}

export interface AccountUsage {
  monthlyRequests: number
  monthlyRequestsRemaining: number
  periodStart: string
  resetsAt: string
  activeApiKeys: number
}

export interface Activity {
  id: string
  type: EventType
  occurredAt: string
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  sendingAccountId: string | null
  actor: AuditActor | null
  data: Record<string, unknown>
}

export interface ActivityList {
  results: Activity[]
  pagination: Pagination
  nextCursor: string | null
}

export type AddLeadOutcome = "added" | "updated" | "skipped" | "invalid"

export type AddLeadReason = "duplicate" | "in_other_campaign" | "suppressed" | "invalid_email" | "invalid_field"

export interface AddLeadResult {
  index: number
  email: string | null
  outcome: AddLeadOutcome
  reason: AddLeadReason | null
  leadId: string | null
  /** The field that makes an item invalid. */
  field?: string
  /** The problem of that field, and what to do. */
  message?: string
}

export interface AddLeadsInput {
  leads: LeadItem[]
  onDuplicate?: "skip" | "update"
  skipIfInOtherCampaign?: boolean
  reveal?: boolean
  maxCredits?: number
}

export interface AddLeadsResults {
  added: number
  updated: number
  skipped: number
  invalid: number
  results: AddLeadResult[]
  estimatedCredits?: number
  creditsCharged?: number
}

export interface AddListMemberResult {
  index: number
  email: string | null
  outcome: "added" | "updated" | "invalid"
  /** The field that makes an item invalid. */
  field?: string
  /** The problem of that field, and what to do. */
  message?: string
}

export interface AddListMembersInput {
  members: LeadItem[]
}

export interface AddListMembersResults {
  added: number
  updated: number
  invalid: number
  results: AddListMemberResult[]
}

export interface AddressVerification {
  id: string
  status: "running" | "completed"
  /** The campaign whose leads are verified, if it was given. */
  campaignId: string | null
  /** Addresses found so far. Final when the status is `completed`. */
  total: number
  deliverable: number
  risky: number
  undeliverable: number
  unknown: number
  creditsCharged: number
  createdAt: string
  completedAt: string | null
}

export interface AdminConsent {
  url: string
  expiresAt: string
}

export interface AdvanceSandboxClockInput {
  by?: string
  to?: string
}

/** The AI generations of the campaign and their cost, as sums of `GET /v2/ai/generations`. */
export interface AiCost {
  generations: number
  credits: number
  promptTokens: number
  completionTokens: number
}

export interface Analytics {
  campaignId: string
  from: string
  to: string
  interval: "day" | "week" | "month"
  timezone: string
  series: AnalyticsPeriod[]
  steps: StepAnalytics[]
  paths: PathAnalytics[]
  variants: VariantAnalytics[]
  senders: SendingAccountAnalytics[]
  comparisons: VariantComparison[]
}

export interface AnalyticsGroup {
  /** One per dimension: `2026-03-29` (of a week its Monday, of a month its first), `mon`, `09`, or an id; null where an event has none. */
  key: Array<string | null>
  replyInterval: {
    low: number
    high: number
  } | null
  leads: number
  contacted: number
  sent: number
  delivered: number
  opened: number
  uniqueOpened: number
  machineOpened: number
  clicked: number
  uniqueClicked: number
  machineClicked: number
  replied: number
  uniqueReplied: number
  autoReplied: number
  bounced: number
  verifiedBounced: number
  unsubscribed: number
  interested: number
  meetingsBooked: number
  handedOver: number
  failed: number
  uncertain: number
  returned: number
  notSent: Record<string, number>
  rates: Rates
}

export interface AnalyticsPeriod {
  date: string
  startAt: string
  endAt: string
  leads: number
  contacted: number
  sent: number
  delivered: number
  opened: number
  uniqueOpened: number
  machineOpened: number
  clicked: number
  uniqueClicked: number
  machineClicked: number
  replied: number
  uniqueReplied: number
  autoReplied: number
  bounced: number
  verifiedBounced: number
  unsubscribed: number
  interested: number
  meetingsBooked: number
  handedOver: number
  failed: number
  uncertain: number
  returned: number
  notSent: Record<string, number>
  rates: Rates
}

export interface ApiKey {
  id: string
  name: string
  prefix: string
  scopes: Scope[]
  environment: Environment
  userId: string | null
  status: "active" | "revoked" | "expired"
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
  revokedAt: string | null
}

export interface ApiKeyCreatedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  apiKeyId: string
  userId: string | null
}

export interface ApiKeyCreatedEvent {
  id: string
  type: "api_key.created"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: ApiKeyCreatedData
}

export interface ApiKeyList {
  results: ApiKey[]
  pagination: Pagination
  nextCursor: string | null
}

export interface ApiKeyRevokedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  apiKeyId: string
  userId: string | null
}

export interface ApiKeyRevokedEvent {
  id: string
  type: "api_key.revoked"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: ApiKeyRevokedData
}

export interface Approval {
  id: string
  campaignId: string
  leadId: string
  stepId: string
  variantId: string
  /** Null for a step by hand, whose text no model writes. */
  modelId: string | null
  status: ApprovalStatus
  subject: string | null
  body: string | null
  error: string | null
  edited: boolean
  /** SHA-256 of subject and body, in hexadecimal. Send it with an approval to approve exactly this text. Null if there is no text yet. */
  textDigest: string | null
  createdAt: string
  updatedAt: string
}

export interface ApprovalList {
  results: Approval[]
  pagination: Pagination
  nextCursor: string | null
}

export type ApprovalStatus = "requested" | "waiting" | "approved" | "rejected" | "failed"

export interface ApproveTextInput {
  /** `textDigest` of the text that was read. If the text has changed, the response is 409. */
  textDigest?: string
}

export interface Attachment {
  /** Its number in the message, from 1: what it is fetched by. */
  n: number
  filename: string
  /** The name given by the sender. */
  contentType: string
  /** In bytes. Null if the file was too large to store and can't be downloaded. */
  size: number | null
}

export interface AttachmentInput {
  filename: string
  contentType?: string
  content: string
}

export interface Attendee {
  email: string
  name: string | null
  status: AttendeeStatus
}

export interface AttendeeInput {
  email: string
  name?: string | null
  status?: AttendeeStatus
}

export type AttendeeStatus = "needs_action" | "accepted" | "declined" | "tentative"

export interface AuditActor {
  type: "user" | "key" | "operator" | "recipient" | "system"
  id: string | null
  name: string | null
}

export interface AuditChange {
  path: string
  before: unknown
  after: unknown
}

export interface AuditEntry {
  id: string
  at: string
  environment: Environment | null
  actor: AuditActor
  action: string
  target: AuditTarget
  outcome: "success" | "denied"
  ip: string | null
  userAgent: string | null
  requestId: string | null
  changes: AuditChange[]
}

export interface AuditEntryList {
  results: AuditEntry[]
  pagination: Pagination
  nextCursor: string | null
}

export interface AuditTarget {
  type: string | null
  id: string | null
}

export type AuthenticationResult = "pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror"

export interface AuthorizeSendingAccountInput {
  provider: OAuthProvider
  email?: string
  fromName?: string
  sendingAccountId?: string
  returnPath?: string
}

export interface AutoReplyReceivedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  rule: string
  awayUntil: string | null
  deferredUntil: string | null
  proven?: false
}

export interface Availability {
  enabled: boolean
  title: string
  timezone: string
  windows: ScheduleWindow[]
  durationMinutes: number
  slotStepMinutes: number
  bufferMinutes: number
  minNoticeMinutes: number
  maxDaysAhead: number
  blackoutDates: string[]
  hostName: string | null
  hostEmail: string | null
  joinUrl: string | null
  reminderMinutes: number[]
  slug: string
  bookingUrl: string
  calCom: MeetingIntegration
  calendly: MeetingIntegration
  busyCalendar: BusyCalendar
  updatedAt: string | null
}

export interface BeginTotpInput {
  confirm?: Confirmation
}

export interface Billing {
  plan: PlanId
  balance: number
  trial: Trial | null
  period: {
    start: string
    end: string
  }
}

export type BlockedReason = "suppressed" | "delivery_uncertain" | "returned" | "in_conversation" | "missing_variable" | "address_check" | "awaiting_approval" | "waiting_for_task" | "campaign_not_active" | "sender_unavailable" | "inbox_not_read" | "provider_mismatch" | "wait_not_over" | "outside_window" | "other_campaign" | "person_limit" | "company_limit" | "daily_limit" | "new_lead_limit" | "sender_daily_limit" | "recipient_domain_limit" | "sender_gap"

export interface Blocker {
  code: string
  message: string
  /** The id of the object to fix, or null. */
  ref: string | null
}

export interface BounceProtection {
  enabled: boolean
  maxBounceRate: number
  minSent: number
}

export interface BounceProtectionInput {
  enabled?: boolean
  maxBounceRate?: number
  minSent?: number
}

export interface Branch {
  id: string
  label: string
  when: Condition
  goTo: string | null
  immediately: boolean
}

export interface BranchDecidedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  branchId: string | null
  label: string | null
  goesTo: string
  evidence: string
  immediate: boolean
  reason: "decided" | "target_removed" | "branch_removed"
}

export interface BranchDecidedEvent {
  id: string
  type: "branch.decided"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: BranchDecidedData
}

export interface BranchInput {
  id?: string
  label?: string
  when: Condition
  /** The id or key of a later step, `end`, or another campaign that takes over the person. Null means the next step. */
  goTo?: string | null
  /** Decides as soon as the condition becomes true, before the wait is over. */
  immediately?: boolean
}

export interface BulkConversationsInput {
  ids: string[]
  read?: boolean
  archived?: boolean
  interest?: Interest | null
  ownerId?: string | null
}

export interface BulkConversationsResult {
  id: string
  outcome: "updated" | "not_found"
  message: string | null
}

export interface BulkConversationsResults {
  results: BulkConversationsResult[]
}

export interface BulkDeleteInput {
  ids: string[]
}

export interface BulkDeleteResult {
  id: string
  outcome: "deleted" | "not_found" | "conflict"
  message: string | null
}

export interface BulkDeleteResults {
  results: BulkDeleteResult[]
}

export interface BulkLeadsInput {
  ids?: string[]
  filter?: LeadFilter
  status?: "paused" | "active" | "stopped"
  /** With `status: paused`: when the leads that this call pauses are resumed automatically. Leads that are already paused do not change. */
  resumeAt?: string
  interest?: Interest | null
}

export interface BulkLeadsResult {
  /** Leads that match the ids or the filter. */
  matched: number
  changed: number
  /** The number of unchanged leads per reason: `not_found`, `unchanged`, or the status that does not allow the change. */
  skipped: Record<string, number>
  /** More leads match the filter. Send the same request again. */
  more: boolean
}

export interface BulkTaskResult {
  id: string
  outcome: "changed" | "not_found" | "conflict" | "invalid"
  message: string | null
}

export interface BulkTasksInput {
  ids: string[]
  action: "complete" | "skip" | "snooze" | "reopen" | "delete"
  /** A call needs an outcome other than `done`. Any other task has the outcome `done`. */
  outcome?: TaskOutcome
  note?: string
  /** Also stops the lead, which gets nothing more of the campaign. */
  stop?: boolean
  /** With `snooze`, which needs it. */
  until?: string
}

export interface BulkTasksResults {
  results: BulkTaskResult[]
}

export interface BusyCalendar {
  configured: boolean
  host: string | null
  readAt: string | null
  error: string | null
  busyTimes: number
}

export interface Campaign {
  id: string
  name: string
  status: CampaignStatus
  statusReason: string | null
  steps: Step[]
  schedule: Schedule
  sendingAccountIds: string[]
  settings: CampaignSettings
  entry: CampaignEntry | null
  /** The user who owns it. Null if it has no owner or the owner was removed. It is only a filter and gives no permission. */
  ownerId: string | null
  /** The tags of this resource, by id. See `POST /v2/tags/:id/assign`. */
  tagIds: string[]
  leadCount: number
  createdAt: string
  updatedAt: string
  launchedAt: string | null
  completedAt: string | null
}

export interface CampaignCompletedEvent {
  id: string
  type: "campaign.completed"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: PlainEventData
}

export interface CampaignCreatedEvent {
  id: string
  type: "campaign.created"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: CampaignNameData
}

export interface CampaignDeletedEvent {
  id: string
  type: "campaign.deleted"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: CampaignNameData
}

export interface CampaignDocument {
  format: "overture-campaign/1"
  name: string
  steps: CampaignDocumentStep[]
  schedule: Schedule
  settings: CampaignDocumentSettings
  /** The addresses of the sending accounts. */
  senders: string[]
  entry: CampaignEntry | null
  /** The names of the tags. */
  tags: string[]
}

export interface CampaignDocumentBranch {
  label?: string
  when: Condition
  /** The id or key of a later step, `end`, or another campaign that takes over the person. Null means the next step. */
  goTo?: string | null
  /** Decides as soon as the condition becomes true, before the wait is over. */
  immediately?: boolean
}

export interface CampaignDocumentInput {
  format: "overture-campaign/1"
  name: string
  steps: CampaignDocumentStep[]
  schedule?: ScheduleInput
  settings?: CampaignDocumentSettingsInput
  /** The addresses of the sending accounts. */
  senders?: string[]
  entry?: CampaignEntry | null
  /** The names of the tags. */
  tags?: string[]
}

export interface CampaignDocumentSettings {
  dailyLimit: number | null
  dailyNewLeadLimit: number | null
  stopOnReply: boolean
  stopOnAutoReply: boolean
  stopOnMeetingBooked: boolean
  stopForCompany: boolean
  /** Names of signals that stop the leads they speak of, from when they are set. */
  stopOnSignals: string[]
  tracking: TrackingMode
  privacyNotice: PrivacyNoticeForm
  openTracking: boolean
  linkTracking: boolean
  textOnly: boolean
  unsubscribe: "link" | "header_only"
  bounceProtection: BounceProtection
  maxPerRecipientDomainPerDay: number | null
  aiApproval: "none" | "first_n" | "all"
  /** The model that classifies replies in addition to the rules. Null for no model. */
  aiTriage: {
    modelId: string
  } | null
  /** Whether the model of `aiTriage` drafts replies to messages that it reads as interested, a question or an objection. A person sends them. */
  replyDrafts: "off" | "on"
  verification: VerificationSettings
  /** Whether the sender of a first message is at the mail provider of the recipient. `prefer`: if such a sender can send today. `strict`: the lead waits for one. The providers `gateway`, `other` and `unknown` match every sender. */
  providerMatching: "off" | "prefer" | "strict"
}

export interface CampaignDocumentSettingsInput {
  dailyLimit?: number | null
  dailyNewLeadLimit?: number | null
  stopOnReply?: boolean
  stopOnAutoReply?: boolean
  stopOnMeetingBooked?: boolean
  stopForCompany?: boolean
  /** Names of signals that stop the leads they speak of, from when they are set. */
  stopOnSignals?: string[]
  tracking?: TrackingMode
  privacyNotice?: PrivacyNoticeForm
  openTracking?: boolean
  linkTracking?: boolean
  textOnly?: boolean
  unsubscribe?: "link" | "header_only"
  bounceProtection?: BounceProtectionInput
  maxPerRecipientDomainPerDay?: number | null
  aiApproval?: "none" | "first_n" | "all"
  /** The model that classifies replies in addition to the rules. Null for no model. */
  aiTriage?: {
    modelId: string
  } | null
  /** Whether the model of `aiTriage` drafts replies to messages that it reads as interested, a question or an objection. A person sends them. */
  replyDrafts?: "off" | "on"
  verification?: {
    /** The addresses that the campaign does not write to: none, those that are undeliverable, also risky ones, or all that are not known to be deliverable. */
    mode?: "off" | "block_undeliverable" | "block_risky" | "require"
    /** Whether the campaign writes to role addresses, such as `info@`. */
    roleAddresses?: "allow" | "block"
  }
  /** Whether the sender of a first message is at the mail provider of the recipient. `prefer`: if such a sender can send today. `strict`: the lead waits for one. The providers `gateway`, `other` and `unknown` match every sender. */
  providerMatching?: "off" | "prefer" | "strict"
}

export interface CampaignDocumentStep {
  type?: StepType
  /** Unique in the document. Branches and conditions refer to steps by it. */
  key: string
  waitBefore?: Wait
  /** Where leads go next: the id or key of a later step, or `end`. Null means the next step. For a branch: where leads go if no branch matches. */
  then?: string | null
  sameThread?: boolean
  variantSelection?: VariantSelection
  variants?: CampaignDocumentVariant[]
  branches?: CampaignDocumentBranch[]
  /** The kind of task. Required for a task step, null for others. */
  channel?: TaskStepChannel | null
  /** A template, as the texts of messages. A task step needs one. */
  title?: string | null
  /** A template for the person who does the task. */
  instructions?: string | null
  /** The user who does the task. Null means the owner of the campaign. */
  assigneeId?: string | null
  /** When the task is due, counted from its opening. The default is a day. */
  dueIn?: Wait | null
  /** Whether the lead waits until the task is closed. The default is true. */
  blocks?: boolean | null
  /** When an open task is skipped, counted from its opening. Null means never. */
  expiresIn?: Wait | null
  /** An email step whose text a person reads, changes and approves as a task. */
  byHand?: boolean
}

export interface CampaignDocumentVariant {
  label?: string
  subject?: string
  body?: string
  weight?: number
  enabled?: boolean
  ai?: VariantAi | null
}

export interface CampaignDryRun {
  /** The campaign after the update. New steps, branches and variants have the ids that the update gives them, unless another change of the steps comes first. */
  campaign: Campaign
  effects: ChangeEffects
  forecastBefore: Forecast
  forecastAfter: Forecast
}

export interface CampaignEntry {
  /** Campaigns whose leads this campaign takes over. `any` means all others. An empty list means only leads that a branch hands over. */
  from: "any" | string[]
  /** The condition, checked when something happens to such a lead. It needs at least one of did, interest, intent or signal. */
  when: Condition | null
}

export interface CampaignEntryInput {
  /** Campaigns whose leads this campaign takes over. `any` means all others. An empty list means only leads that a branch hands over. */
  from: "any" | string[]
  /** The condition, checked when something happens to such a lead. It needs at least one of did, interest, intent or signal. */
  when?: Condition | null
}

export interface CampaignForecastDay {
  campaignId: string
  count: number
}

export interface CampaignImportNote {
  /** The place in the document, such as `senders[0]`. */
  path: string
  message: string
}

export interface CampaignList {
  results: Campaign[]
  pagination: Pagination
  nextCursor: string | null
}

export interface CampaignMissingValues {
  campaignId: string
  name: string
  leads: number
}

export interface CampaignNameData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  name: string
}

export interface CampaignPausedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  reason: string
}

export interface CampaignPausedEvent {
  id: string
  type: "campaign.paused"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: CampaignPausedData
}

export interface CampaignResumedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  reason?: "reopened"
}

export interface CampaignResumedEvent {
  id: string
  type: "campaign.resumed"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: CampaignResumedData
}

export interface CampaignSettings {
  dailyLimit: number | null
  dailyNewLeadLimit: number | null
  stopOnReply: boolean
  stopOnAutoReply: boolean
  stopOnMeetingBooked: boolean
  stopForCompany: boolean
  /** Names of signals that stop the leads they speak of, from when they are set. */
  stopOnSignals: string[]
  tracking: TrackingMode
  privacyNotice: PrivacyNoticeForm
  openTracking: boolean
  linkTracking: boolean
  textOnly: boolean
  unsubscribe: "link" | "header_only"
  bounceProtection: BounceProtection
  maxPerRecipientDomainPerDay: number | null
  aiApproval: "none" | "first_n" | "all"
  /** The model that classifies replies in addition to the rules. Null for no model. */
  aiTriage: {
    modelId: string
  } | null
  /** Whether the model of `aiTriage` drafts replies to messages that it reads as interested, a question or an objection. A person sends them. */
  replyDrafts: "off" | "on"
  verification: VerificationSettings
  /** Whether the sender of a first message is at the mail provider of the recipient. `prefer`: if such a sender can send today. `strict`: the lead waits for one. The providers `gateway`, `other` and `unknown` match every sender. */
  providerMatching: "off" | "prefer" | "strict"
  /** The list of people that fills the campaign: each member becomes a lead, also those that are added later. */
  followsListId: string | null
}

export interface CampaignSettingsInput {
  dailyLimit?: number | null
  dailyNewLeadLimit?: number | null
  stopOnReply?: boolean
  stopOnAutoReply?: boolean
  stopOnMeetingBooked?: boolean
  stopForCompany?: boolean
  /** Names of signals that stop the leads they speak of, from when they are set. */
  stopOnSignals?: string[]
  tracking?: TrackingMode
  privacyNotice?: PrivacyNoticeForm
  openTracking?: boolean
  linkTracking?: boolean
  textOnly?: boolean
  unsubscribe?: "link" | "header_only"
  bounceProtection?: BounceProtectionInput
  maxPerRecipientDomainPerDay?: number | null
  aiApproval?: "none" | "first_n" | "all"
  /** The model that classifies replies in addition to the rules. Null for no model. */
  aiTriage?: {
    modelId: string
  } | null
  /** Whether the model of `aiTriage` drafts replies to messages that it reads as interested, a question or an objection. A person sends them. */
  replyDrafts?: "off" | "on"
  verification?: {
    /** The addresses that the campaign does not write to: none, those that are undeliverable, also risky ones, or all that are not known to be deliverable. */
    mode?: "off" | "block_undeliverable" | "block_risky" | "require"
    /** Whether the campaign writes to role addresses, such as `info@`. */
    roleAddresses?: "allow" | "block"
  }
  /** Whether the sender of a first message is at the mail provider of the recipient. `prefer`: if such a sender can send today. `strict`: the lead waits for one. The providers `gateway`, `other` and `unknown` match every sender. */
  providerMatching?: "off" | "prefer" | "strict"
  /** The list of people that fills the campaign: each member becomes a lead, also those that are added later. */
  followsListId?: string | null
}

export interface CampaignStartedEvent {
  id: string
  type: "campaign.started"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: PlainEventData
}

export interface CampaignStats {
  leads: number
  contacted: number
  sent: number
  delivered: number
  opened: number
  uniqueOpened: number
  machineOpened: number
  clicked: number
  uniqueClicked: number
  machineClicked: number
  replied: number
  uniqueReplied: number
  autoReplied: number
  bounced: number
  verifiedBounced: number
  unsubscribed: number
  interested: number
  meetingsBooked: number
  handedOver: number
  failed: number
  uncertain: number
  returned: number
  notSent: Record<string, number>
  rates: Rates
  ai: AiCost
}

export type CampaignStatus = "draft" | "scheduled" | "active" | "paused" | "completed"

export interface ChangeEffects {
  /** Leads whose next step changes, the largest group first. */
  moved: MovedLeads[]
  /** Of these: completed leads that continue. */
  reopened: number
  /** Of these: leads that have no next step anymore. */
  completed: number
  /** Leads that get the same step at another time. */
  rescheduled: number
  /** Branch decisions that are discarded because their target was removed. */
  decisionsVoided: number
  /** Open tasks of removed steps. */
  tasksCanceled: number
  /** Examples of affected leads. */
  sample: MovedLead[]
}

export interface ChangePasswordInput {
  token?: string
  currentPassword?: string
  newPassword: string
  code?: string
}

export interface ChangedUser {
  id: string
  email: string
  name: string
  role: Role
  status: "active" | "disabled"
  methods: SignInMethod[]
  totp: boolean
  lastSeenAt: string | null
  createdAt: string
  keptWebhooks: KeptWebhook[]
}

export interface CheckTextsInput {
  subject?: string
  body?: string
  campaignId?: string
  stepId?: string
  leadIds?: string[]
}

export interface CheckedTexts {
  issues: TextIssue[]
  hints: TextHint[]
  variables: TextVariable[]
  previews: TextPreview[]
}

export interface Checkout {
  id: string
  url: string
  expiresAt: string | null
}

export interface ClientCertificateInput {
  /** The RSA key as PEM, without a passphrase. */
  privateKey: string
  /** The certificate as PEM, as it was uploaded to the application in Entra. */
  certificate: string
}

export interface CompanyInfo {
  name: string
  domain: string
  website: string
  logoUrl: string | null
  industry: string
  employeeCount: number
  employeeRange: string
  country: string
  city: string
}

export interface CompanyInfoInput {
  name?: string | null
  domain?: string | null
  website?: string | null
  logoUrl?: string | null
  industry?: string | null
  employeeCount?: number | null
  employeeRange?: string | null
  country?: string | null
  city?: string | null
}

export interface CompanyLeadsInput {
  /** The company: the leads with this `companyDomain`, or with an address of this domain if they have none. */
  domain: string
  status: "paused" | "active"
  /** With `status: paused`: when the leads that this call pauses are resumed automatically. */
  resumeAt?: string
  /** Counts without a change. */
  dryRun?: boolean
}

export interface CompanySearchResult {
  companyId: string
  name: string
  domain: string
  website: string
  logoUrl: string | null
  industry: string
  employeeCount: number
  employeeRange: string
  location: string
  linkedinUrl: string
  founded: number
  revenuePrinted: string
  type: string
}

export interface CompanySearchResultPage {
  results: CompanySearchResult[]
  pagination: Pagination
}

export interface ComplaintCounts {
  /** Leads that got a message from the domain. */
  leads: number
  /** Leads with a proven complaint. Google and Yahoo report no complaints. */
  complaints: number
}

export interface CompleteTaskInput {
  /** A call needs an outcome other than `done`. Any other task has the outcome `done`. */
  outcome?: TaskOutcome
  note?: string
  /** Also stops the lead, which gets nothing more of the campaign. */
  stop?: boolean
}

/** Exactly one of `all`, `any`, `not`, `did`, `interest`, `intent`, `field`, `signal`, `task` or `chance`. At most 16 of the last seven in total, with groups nested at most three levels deep. */
export interface Condition {
  all?: ConditionMiddle[]
  any?: ConditionMiddle[]
  not?: ConditionMiddle
  did?: Deed
  /** With `did`: only for the message of the step with this id or key. */
  stepId?: string
  /** With `did: clicked`: exactly this link, or with `*` at the end every link that starts with it. */
  url?: string
  /** With `did`: the minimum number of times. The default is once. */
  times?: number
  /** With `did`: within this many hours after the message. */
  withinHours?: number
  /** The label of the lead is one of these. Null means no label. */
  interest?: Array<"interested" | "meeting_booked" | "meeting_completed" | "won" | "not_interested" | "wrong_person" | "out_of_office" | "lost" | "no_show" | null>
  /** The intent of the last reply, as classified by a model, is one of these. */
  intent?: Array<"meeting_request" | "question" | "information_request" | "referral" | "objection" | "not_now" | "decline" | "opt_out" | "other">
  /** A field of the lead, or `customVariables.x`. Case and outer spaces are ignored. */
  field?: string
  is?: ConditionTest
  /** The value to compare with. A list with `is: in`, not set with `exists` and `missing`. */
  value?: string | number | boolean | Array<string | number | boolean>
  /** A signal of this name was recorded for the lead, its address or its company. */
  signal?: string
  /** With `signal`: the maximum age in days. */
  withinDays?: number
  /** The task of the step with this id or key is closed. The step is on the path before the branch. */
  task?: string
  /** With `task`: its outcome is one of these; `skipped` also means expired. Without it: the task was completed, with any outcome. */
  outcome?: Array<"connected" | "no_answer" | "voicemail" | "wrong_number" | "not_interested" | "done" | "skipped">
  /** The percentage of leads. A lead draws once per step: 30 in one branch and 50 in the next one select 30, then 20 more. */
  chance?: number
}

export interface ConditionInner {
  all?: ConditionQuestion[]
  any?: ConditionQuestion[]
  not?: ConditionQuestion
  did?: Deed
  /** With `did`: only for the message of the step with this id or key. */
  stepId?: string
  /** With `did: clicked`: exactly this link, or with `*` at the end every link that starts with it. */
  url?: string
  /** With `did`: the minimum number of times. The default is once. */
  times?: number
  /** With `did`: within this many hours after the message. */
  withinHours?: number
  /** The label of the lead is one of these. Null means no label. */
  interest?: Array<"interested" | "meeting_booked" | "meeting_completed" | "won" | "not_interested" | "wrong_person" | "out_of_office" | "lost" | "no_show" | null>
  /** The intent of the last reply, as classified by a model, is one of these. */
  intent?: Array<"meeting_request" | "question" | "information_request" | "referral" | "objection" | "not_now" | "decline" | "opt_out" | "other">
  /** A field of the lead, or `customVariables.x`. Case and outer spaces are ignored. */
  field?: string
  is?: ConditionTest
  /** The value to compare with. A list with `is: in`, not set with `exists` and `missing`. */
  value?: string | number | boolean | Array<string | number | boolean>
  /** A signal of this name was recorded for the lead, its address or its company. */
  signal?: string
  /** With `signal`: the maximum age in days. */
  withinDays?: number
  /** The task of the step with this id or key is closed. The step is on the path before the branch. */
  task?: string
  /** With `task`: its outcome is one of these; `skipped` also means expired. Without it: the task was completed, with any outcome. */
  outcome?: Array<"connected" | "no_answer" | "voicemail" | "wrong_number" | "not_interested" | "done" | "skipped">
  /** The percentage of leads. A lead draws once per step: 30 in one branch and 50 in the next one select 30, then 20 more. */
  chance?: number
}

export interface ConditionMiddle {
  all?: ConditionInner[]
  any?: ConditionInner[]
  not?: ConditionInner
  did?: Deed
  /** With `did`: only for the message of the step with this id or key. */
  stepId?: string
  /** With `did: clicked`: exactly this link, or with `*` at the end every link that starts with it. */
  url?: string
  /** With `did`: the minimum number of times. The default is once. */
  times?: number
  /** With `did`: within this many hours after the message. */
  withinHours?: number
  /** The label of the lead is one of these. Null means no label. */
  interest?: Array<"interested" | "meeting_booked" | "meeting_completed" | "won" | "not_interested" | "wrong_person" | "out_of_office" | "lost" | "no_show" | null>
  /** The intent of the last reply, as classified by a model, is one of these. */
  intent?: Array<"meeting_request" | "question" | "information_request" | "referral" | "objection" | "not_now" | "decline" | "opt_out" | "other">
  /** A field of the lead, or `customVariables.x`. Case and outer spaces are ignored. */
  field?: string
  is?: ConditionTest
  /** The value to compare with. A list with `is: in`, not set with `exists` and `missing`. */
  value?: string | number | boolean | Array<string | number | boolean>
  /** A signal of this name was recorded for the lead, its address or its company. */
  signal?: string
  /** With `signal`: the maximum age in days. */
  withinDays?: number
  /** The task of the step with this id or key is closed. The step is on the path before the branch. */
  task?: string
  /** With `task`: its outcome is one of these; `skipped` also means expired. Without it: the task was completed, with any outcome. */
  outcome?: Array<"connected" | "no_answer" | "voicemail" | "wrong_number" | "not_interested" | "done" | "skipped">
  /** The percentage of leads. A lead draws once per step: 30 in one branch and 50 in the next one select 30, then 20 more. */
  chance?: number
}

export interface ConditionQuestion {
  did?: Deed
  /** With `did`: only for the message of the step with this id or key. */
  stepId?: string
  /** With `did: clicked`: exactly this link, or with `*` at the end every link that starts with it. */
  url?: string
  /** With `did`: the minimum number of times. The default is once. */
  times?: number
  /** With `did`: within this many hours after the message. */
  withinHours?: number
  /** The label of the lead is one of these. Null means no label. */
  interest?: Array<"interested" | "meeting_booked" | "meeting_completed" | "won" | "not_interested" | "wrong_person" | "out_of_office" | "lost" | "no_show" | null>
  /** The intent of the last reply, as classified by a model, is one of these. */
  intent?: Array<"meeting_request" | "question" | "information_request" | "referral" | "objection" | "not_now" | "decline" | "opt_out" | "other">
  /** A field of the lead, or `customVariables.x`. Case and outer spaces are ignored. */
  field?: string
  is?: ConditionTest
  /** The value to compare with. A list with `is: in`, not set with `exists` and `missing`. */
  value?: string | number | boolean | Array<string | number | boolean>
  /** A signal of this name was recorded for the lead, its address or its company. */
  signal?: string
  /** With `signal`: the maximum age in days. */
  withinDays?: number
  /** The task of the step with this id or key is closed. The step is on the path before the branch. */
  task?: string
  /** With `task`: its outcome is one of these; `skipped` also means expired. Without it: the task was completed, with any outcome. */
  outcome?: Array<"connected" | "no_answer" | "voicemail" | "wrong_number" | "not_interested" | "done" | "skipped">
  /** The percentage of leads. A lead draws once per step: 30 in one branch and 50 in the next one select 30, then 20 more. */
  chance?: number
}

export type ConditionTest = "equals" | "not_equals" | "contains" | "starts_with" | "in" | "gt" | "lt" | "exists" | "missing"

export interface ConfirmTotpInput {
  code: string
}

export interface Confirmation {
  password?: string
  code?: string
}

export interface ConnectGoogleInput {
  provider: "google"
  /** The JSON key of the service account, as an object or as the text of the file. */
  serviceAccountKey: string | Record<string, unknown>
  /** A mailbox of the organization. The connection is checked by logging in to it. */
  adminEmail: string
}

export interface ConnectMicrosoftInput {
  provider: "microsoft"
  /** The directory (tenant) id. */
  tenantId: string
  /** The application (client) id. */
  clientId: string
  clientSecret?: string
  certificate?: ClientCertificateInput
}

export type ConnectTenantInput = ConnectMicrosoftInput | ConnectGoogleInput

export interface ConnectTenantMailboxesInput {
  mailboxes: TenantMailboxInput[]
  confirm?: Confirmation
}

export interface ContactConversation {
  days: number
  scope: "person" | "company"
}

export interface ContactLimitPerCompany {
  people: number
  days: number
}

export interface ContactLimitPerPerson {
  messages: number
  days: number
}

export interface ContactPolicy {
  /** The most messages of campaigns that a person gets in this many days. */
  perPerson: ContactLimitPerPerson | null
  /** The most people of a company that get their first message in this many days. */
  perCompany: ContactLimitPerCompany | null
  /** The campaign that wrote to a person first keeps the person until that lead ends. */
  oneCampaignAtATime: boolean
  /** After a reply to any campaign, no campaign writes to the person for this many days. */
  quietAfterReplyDays: number | null
  /** No campaign writes to a person, or to a company, that exchanged mail outside of campaigns with a connected mailbox within this many days. */
  conversation: ContactConversation | null
  /** Stops a lead when a person writes to it from a sending account's mailbox. */
  stopOnManualMail: boolean
}

export interface ContactPolicyHeld {
  reason: BlockedReason
  count: number
}

export interface ContactPolicyHeldByCampaign {
  campaignId: string
  name: string
  leads: number
  held: number
}

export interface ContactPolicyPreview {
  /** The leads of running campaigns whose next message is due by the end of today. */
  leads: number
  /** How many of them the policy would hold back, by the first gate. */
  held: ContactPolicyHeld[]
  byCampaign: ContactPolicyHeldByCampaign[]
  /** Whether there are more campaigns or leads than were counted. */
  partial: boolean
}

export interface Conversation {
  id: string
  leadId: string | null
  campaignId: string | null
  sendingAccountId: string
  lead: ConversationLead | null
  subject: string
  snippet: string
  unread: boolean
  /** The last message is from the lead and has no reply yet. */
  awaiting: boolean
  interest: Interest | null
  archived: boolean
  /** Until then, or until the lead writes, `awaiting=true` does not list the conversation. Null if it is not snoozed. */
  snoozedUntil: string | null
  /** Whether a scheduled reply waits for its time, or is held for a decision. Null if there is none. */
  scheduled: ScheduledReply | null
  /** The user who owns it. Null if it has no owner or the owner was removed. It is only a filter and gives no permission. */
  ownerId: string | null
  lastMessageAt: string
  createdAt: string
}

export interface ConversationCounts {
  total: number
  unread: number
  awaiting: number
  snoozed: number
  scheduled: number
  held: number
  byInterest: Record<string, number>
  bySendingAccount: Record<string, number>
  byCampaign: Record<string, number>
}

export interface ConversationLead {
  email: string
  firstName: string | null
  lastName: string | null
}

export interface ConversationList {
  results: Conversation[]
  pagination: Pagination
  nextCursor: string | null
}

export interface ConversationNote {
  id: string
  author: AuditActor
  text: string
  /** The ids of the users that the note is for. */
  mentions: string[]
  createdAt: string
}

export interface ConversationNotedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  conversationId: string
  noteId: string
  mentions: string[]
}

export interface ConversationNotedEvent {
  id: string
  type: "conversation.noted"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: ConversationNotedData
}

export interface ConversationReplyInput {
  text?: string
  html?: string
  cc?: string[]
  bcc?: string[]
  replyToMessageId?: string
  /** The reply is sent after this delay and can be withdrawn until then. */
  delaySeconds?: number
  /** When the reply is sent, up to 90 days ahead. It can be changed and withdrawn until then. A message of the lead that arrives before holds it. */
  sendAt?: string
  /** The newest message that the writer saw. The response is 409 if a person has replied after it. */
  seenMessageId?: string
  attachments?: AttachmentInput[]
  /** The draft that the reply was made from. Without `text` and `html`, exactly its text is sent. */
  draftId?: string
  /** `textDigest` of the draft that was read. If the draft has changed or is outdated, nothing is sent (409). */
  draftDigest?: string
}

export interface ConversationWithMessages {
  id: string
  leadId: string | null
  campaignId: string | null
  sendingAccountId: string
  lead: ConversationLead | null
  subject: string
  snippet: string
  unread: boolean
  /** The last message is from the lead and has no reply yet. */
  awaiting: boolean
  interest: Interest | null
  archived: boolean
  /** Until then, or until the lead writes, `awaiting=true` does not list the conversation. Null if it is not snoozed. */
  snoozedUntil: string | null
  /** Whether a scheduled reply waits for its time, or is held for a decision. Null if there is none. */
  scheduled: ScheduledReply | null
  /** The user who owns it. Null if it has no owner or the owner was removed. It is only a filter and gives no permission. */
  ownerId: string | null
  lastMessageAt: string
  createdAt: string
  messages: Message[]
  notes: ConversationNote[]
  forwards: ForwardedMessage[]
  /** The reply that a model drafted. Null if there is none. */
  draft: ReplyDraft | null
}

export interface ConvertSendingAccountInput {
  provider?: OAuthProvider
  returnPath?: string
}

export interface CopyCampaignInput {
  name?: string
  withLeads?: boolean
}

export interface CreateApiKeyInput {
  name?: string
  scopes?: Scope[]
  environment?: Environment
  expiresAt?: string | null
  confirm?: Confirmation
}

export interface CreateCampaignInput {
  name: string
  steps?: StepInput[]
  schedule?: ScheduleInput
  sendingAccountIds?: string[]
  settings?: CampaignSettingsInput
  /** Takes over people from other campaigns, as a sub-sequence. Its first message may wait for some time after the event, and may continue the thread that the person knows. */
  entry?: CampaignEntryInput | null
  ownerId?: string | null
}

export interface CreateCheckoutInput {
  pack?: "credits_500" | "credits_2000" | "credits_10000"
  plan?: "starter" | "growth" | "scale"
  successUrl?: string
  cancelUrl?: string
}

export interface CreateExportInput {
  tables?: ExportTable[]
  /** Exports every table. */
  all?: true
  format: "csv" | "ndjson"
  /** Only rows that were created at this time or later. */
  from?: string
  /** Only rows that were created before this time. */
  to?: string
}

export interface CreateInvitationInput {
  email: string
  role: Role
  confirm?: Confirmation
}

export interface CreateListInput {
  name: string
  description?: string
}

export interface CreateMeetingInput {
  leadId?: string | null
  campaignId?: string | null
  title: string
  startAt: string
  endAt: string
  timezone?: string
  joinUrl?: string | null
  attendees?: AttendeeInput[]
  sendInvitation?: boolean
}

export interface CreateNoteInput {
  text: string
  mentions?: string[]
}

export interface CreatePlacementTestInput {
  sendingAccountIds: string[]
  campaignId?: string
  stepId?: string
  variantId?: string
  templateId?: string
  leadId?: string
  seedMailboxIds?: string[]
  repeat?: PlacementRepeat
}

export interface CreatePromptPresetInput {
  name: string
  description?: string | null
  category?: string | null
  prompt: string
  modelId?: string | null
  variables?: string[]
}

export interface CreateReportInput {
  name: string
  /** False pauses the report. The default is true. */
  active?: boolean
  query: ReportQueryInput
  every: "day" | "week" | "month"
  /** For `week` the day from 1 (Monday) to 7. For `month` the day from 1 to 31; a shorter month has its last day. The default is 1. Null for `day`. */
  on?: number | null
  /** The time of day in the zone. The default is 08:00. */
  at?: string
  /** The default is the time zone of the account. */
  timezone?: string
  /** Ids of active users of the account. Without recipients, only the event `report.ready` is written. */
  recipients?: string[]
}

export interface CreateSandboxInboundInput {
  leadId: string
  kind: "reply" | "auto_reply" | "bounce" | "unsubscribe" | "open" | "click" | "meeting" | "manual_mail"
  /** The text of the reply. The default is a random text. */
  text?: string
  /** With `click`: the link as written in the template. The default is the first link of the message. */
  url?: string
  /** With `manual_mail`: whether the lead wrote, or the owner of the mailbox. The default is `outbound`, which is a message in the Sent folder. */
  direction?: "inbound" | "outbound"
}

export interface CreateSeedMailboxInput {
  email: string
  imap?: ImapPlaceInput
}

export interface CreateSendingAccountInput {
  fromName?: string
  dailyLimit?: number
  reservedPerDay?: number
  ignoreMail?: IgnoredMail[]
  requireAuthentication?: boolean
  minGapSeconds?: number
  maxGapSeconds?: number
  timezone?: string
  signature?: string | null
  replyTo?: string | null
  trackingDomain?: string | null
  oauth?: {
    refreshToken: string
  }
  email: string
  provider?: SendingAccountProvider
  smtp?: SmtpServerInput | null
  imap?: ImapServerInput | null
  rampUp?: RampUp | null
}

export interface CreateSuppressionInput {
  email?: string
  domain?: string
  reason?: string
  /** Adds the entry to this suppression list. */
  list?: string
  /** When the suppression ends. By default it never ends. */
  expiresAt?: string
}

export interface CreateTagInput {
  name: string
}

export interface CreateTaskInput {
  channel: "call" | "linkedin_visit" | "linkedin_connect" | "linkedin_message" | "other"
  title: string
  instructions?: string
  leadId?: string | null
  /** The default is the owner of the lead’s campaign. */
  assigneeId?: string | null
  /** The default is now. */
  dueAt?: string
  note?: string | null
}

export interface CreateTemplateInput {
  name: string
  subject?: string
  body?: string
  tags?: string[]
}

export interface CreateVerificationInput {
  emails?: string[]
  /** Verifies the leads of this campaign that can still get a message. */
  campaignId?: string
}

export interface CreateWebhookInput {
  url: string
  events?: Array<EventType | "*">
  /** The campaigns whose events are sent. Empty means all events of the environment. */
  campaignIds?: string[]
  enabled?: boolean
}

export interface CreatedApiKey {
  id: string
  name: string
  prefix: string
  scopes: Scope[]
  environment: Environment
  userId: string | null
  status: "active" | "revoked" | "expired"
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
  revokedAt: string | null
  key?: string
}

export interface CreatedInvitation {
  id: string
  email: string
  role: Role
  invitedBy: string | null
  createdAt: string
  expiresAt: string
  url?: string
  mailed: boolean
}

export interface CreditPack {
  id: string
  credits: number
  priceCents: number
}

export interface CreditsEventData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  balance: number
  threshold: number
}

export interface CreditsExhaustedEvent {
  id: string
  type: "credits.exhausted"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: CreditsEventData
}

export interface CreditsLowEvent {
  id: string
  type: "credits.low"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: CreditsEventData
}

export interface DataFlow {
  receiver: DataReceiver
  /** The host that data is sent to. `system` is the name server of the machine. */
  host: string
  configuredBy: "account" | "operator"
  /** The data that is sent, in words. */
  fields: string[]
  /** Messages, requests or deliveries of this account and environment in 30 days. Null: they are not counted. */
  callsIn30Days: number | null
}

export interface DataFlows {
  receivers: DataFlow[]
}

export type DataReceiver = "mail_server" | "mail_login" | "ai_model" | "people_data" | "address_verification" | "webhook" | "calendar" | "system_mail" | "payments" | "search_index" | "traces" | "single_sign_on" | "assistant_document" | "name_server"

/** What a lead can do. Only opens and clicks by people count, not those by machines. */
export type Deed = "opened" | "clicked" | "replied" | "auto_replied" | "soft_bounced" | "meeting_booked"

export interface DeleteUserInput {
  confirm?: Confirmation
}

export interface Deleted {
  id: string
  deleted: true
}

export interface DeletedUser {
  id: string
  deleted: true
  keptWebhooks: KeptWebhook[]
}

export interface Deliverability {
  state: DeliverabilityState
  since: string
  /** 100 without bad signals, 0 at the threshold that holds the account. The worst signal decides. */
  score: number
  allowanceToday: number
  reasons: DeliverabilityReason[]
  /** When the account is healthy again if no bad signal comes. Null: it is healthy, or a person must act. */
  reviewAt: string | null
}

export interface DeliverabilityDomain {
  domain: string
  /** Sending accounts with an address at the domain. 0 for a tracking domain. */
  senders: number
  /** The last check of its DNS records. Null if there was none. */
  health: HealthSummary | null
  /** Sums of the reports of the last 30 days. */
  reported: ReportedSums
  /** Recipients per day in UTC that the sending accounts share. Every recipient counts, those of the own organization included. Null: no shared limit. */
  dailyExternalRecipients: number | null
  /** Microsoft's limit of external recipients per day, 500 × licences^0.7 + 9,500, with one licence per sending account at Microsoft 365. The organization may have more licences; a trial has 5,000 recipients. Null without such an account. */
  suggestedDailyExternalRecipients: number | null
  /** The last day in these reports. */
  lastReportOn: string | null
  state: DeliverabilityState | null
}

export interface DeliverabilityDomainDetail {
  domain: string
  from: string
  to: string
  /** Recipients per day in UTC that the sending accounts share. Every recipient counts, those of the own organization included. Null: no shared limit. */
  dailyExternalRecipients: number | null
  /** Microsoft's limit of external recipients per day, 500 × licences^0.7 + 9,500, with one licence per sending account at Microsoft 365. The organization may have more licences; a trial has 5,000 recipients. Null without such an account. */
  suggestedDailyExternalRecipients: number | null
  /** The DNS records as they are now. Null for a tracking domain. */
  dns: DomainDns | null
  dmarc: DmarcSummary
  complaints: ComplaintCounts
  /** Results of placement tests in the period. Null if there was none. */
  placement: PlacementCounts | null
  placementDays: PlacementDay[]
  /** The lowest score of the sending accounts of the domain. */
  score: number | null
  /** The newest messages, at most 20,000, by who accepts the mail of the recipient. */
  bouncesByProvider: ProviderBounces[]
  /** At most 200 sending accounts, by address. */
  senders: DomainSender[]
  state: DeliverabilityState | null
}

export interface DeliverabilityDomainList {
  results: DeliverabilityDomain[]
  pagination: Pagination
  nextCursor: string | null
}

export interface DeliverabilityReason {
  signal: "bounces" | "complaints" | "spam_placement" | "policy_refusals" | "authentication"
  /** A share of 1. With `authentication`: hours. */
  value: number
  threshold: number
  sample: number
  scope: "mailbox" | "domain"
}

export type DeliverabilityState = "healthy" | "watch" | "cooling" | "held"

export interface DescribeLinkInput {
  token: string
}

export interface Diagnosis {
  held: HeldLeads[]
  /** The gate that the best of the levers widens; null where no change brings the end nearer. */
  bottleneck: BlockedReason | null
  /** The forecast without a change. */
  finishesOn: string | null
  /** Each change on its own, the best first. */
  levers: Lever[]
  /** There are too many leads or changes, so not all were checked. */
  partial: boolean
}

export interface DiscoverSendingAccountInput {
  email: string
}

export type DiscoverySource = "mx" | "srv" | "autoconfig" | "known" | "probe" | "none"

export interface DmarcDay {
  date: string
  /** Messages in the reports of receivers. */
  messages: number
  spfAligned: number
  dkimAligned: number
  /** Messages that were aligned by SPF or DKIM, so DMARC passed. */
  passed: number
}

export type DmarcPolicy = "none" | "quarantine" | "reject"

export interface DmarcReport {
  id: string
  /** The domain whose DMARC record applied. */
  domain: string
  /** The receiver that wrote the report. */
  orgName: string
  /** The id that the receiver gave to the report. */
  reportId: string
  policy: DmarcPolicy
  beginsAt: string
  endsAt: string
  /** Messages from domains of the account. Rows about other domains are not kept. */
  messages: number
  spfAligned: number
  dkimAligned: number
  receivedAt: string
}

export interface DmarcSource {
  ip: string
  count: number
  /** The action that receivers took on the messages. */
  disposition: DmarcPolicy
  spfAligned: number
  dkimAligned: number
  /** Whether the SPF record allows the address. False if it does not, or if that is not certain. */
  known: boolean
}

export interface DmarcSummary {
  /** The policy in the last report. */
  policy: DmarcPolicy | null
  /** Messages in the reports of receivers. */
  messages: number
  spfAligned: number
  dkimAligned: number
  /** Messages that were aligned by SPF or DKIM, so DMARC passed. */
  passed: number
  /** The 50 addresses that sent most in the name of the domain. */
  sources: DmarcSource[]
  days: DmarcDay[]
}

export interface DnsRecord {
  type: "TXT" | "CNAME" | "MX"
  name: string
  value: string
}

export interface DomainDns {
  spf: HealthCheck
  dkim: HealthCheck
  dmarc: HealthCheck
  mx: HealthCheck
  checkedAt: string
}

export interface DomainReportReceivedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  reportId: string
  domain: string
  orgName: string
  beginsAt: string
  endsAt: string
  messages: number
  spfAligned: number
  dkimAligned: number
}

export interface DomainReportReceivedEvent {
  id: string
  type: "domain.report_received"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: DomainReportReceivedData
}

export interface DomainSender {
  sendingAccountId: string
  email: string
  status: SendingAccountStatus
  sent: number
  bounced: number
  state: DeliverabilityState | null
  /** The signals that led to the state. Empty if it is healthy. */
  reasons: DeliverabilityReason[]
}

export interface EditApprovalInput {
  subject?: string
  body?: string
}

export interface EndTotpInput {
  confirm?: Confirmation
}

export type Environment = "live" | "test"

export interface ErasedPerson {
  id: string
  deleted: true
  erasureId: string
}

export interface Erasure {
  id: string
  /** While it is `running`, the address is still being removed from texts that mention it. */
  status: "running" | "completed"
  at: string
  completedAt: string | null
  actor: AuditActor
  /** A keyed hash of the address, in hexadecimal. Without the key of this installation it matches no address. */
  subjectHash: string
  /** By table: rows that were deleted, or from which the person was removed. */
  removed: Record<string, number>
  kept: KeptData[]
  /** A signature of this installation. Null while it is running. */
  seal: string | null
  /** Whether the stored record still agrees with its seal. Null while it is running. */
  intact: boolean | null
}

export interface ErasureList {
  results: Erasure[]
  pagination: Pagination
  nextCursor: string | null
}

export type Event = CampaignCreatedEvent | CampaignStartedEvent | CampaignPausedEvent | CampaignResumedEvent | CampaignCompletedEvent | CampaignDeletedEvent | LeadAddedEvent | LeadStatusChangedEvent | LeadInterestChangedEvent | LeadUnsubscribedEvent | LeadHandedOverEvent | BranchDecidedEvent | MessageSentEvent | MessageOpenedEvent | MessageClickedEvent | MessageDeferredEvent | MessageBouncedEvent | MessageReturnedEvent | MessageFailedEvent | MessageUncertainEvent | MessageManualSentEvent | MessageSetAsideEvent | ConversationNotedEvent | ReplyReceivedEvent | ReplyAutoReceivedEvent | ReplyClassifiedEvent | ReplyDraftedEvent | MeetingBookedEvent | MeetingRescheduledEvent | MeetingCanceledEvent | MeetingCompletedEvent | TaskCreatedEvent | TaskCompletedEvent | TaskSkippedEvent | TaskCanceledEvent | TaskOverdueEvent | SendingAccountErrorEvent | SendingAccountRecoveredEvent | SendingAccountDeliverabilityChangedEvent | CreditsLowEvent | CreditsExhaustedEvent | ImportCompletedEvent | VerificationCompletedEvent | DomainReportReceivedEvent | PlacementTestCompletedEvent | ReportReadyEvent | SignalReceivedEvent | WebhookDisabledEvent | UserJoinedEvent | UserRoleChangedEvent | UserRemovedEvent | ApiKeyCreatedEvent | ApiKeyRevokedEvent

export interface EventList {
  results: Event[]
  pagination: Pagination
  nextCursor: string | null
}

export type EventType = "campaign.created" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "campaign.deleted" | "lead.added" | "lead.status_changed" | "lead.interest_changed" | "lead.unsubscribed" | "lead.handed_over" | "branch.decided" | "message.sent" | "message.opened" | "message.clicked" | "message.deferred" | "message.bounced" | "message.returned" | "message.failed" | "message.uncertain" | "message.manual_sent" | "message.set_aside" | "conversation.noted" | "reply.received" | "reply.auto_received" | "reply.classified" | "reply.drafted" | "meeting.booked" | "meeting.rescheduled" | "meeting.canceled" | "meeting.completed" | "task.created" | "task.completed" | "task.skipped" | "task.canceled" | "task.overdue" | "sending_account.error" | "sending_account.recovered" | "sending_account.deliverability_changed" | "credits.low" | "credits.exhausted" | "import.completed" | "verification.completed" | "domain.report_received" | "placement_test.completed" | "report.ready" | "signal.received" | "webhook.disabled" | "user.joined" | "user.role_changed" | "user.removed" | "api_key.created" | "api_key.revoked"

export interface ExplainedBranch {
  branchId: string
  label: string
  holds: boolean
  detail: string
}

export interface ExplainedBranching {
  decidesAt: string | null
  branches: ExplainedBranch[]
  /** The step, or `end`, for leads that match no branch. */
  otherwise: string
}

export interface ExplainedDecision {
  at: string
  decision: string
  reason: string | null
  detail: string | null
  messageId: string | null
  actor: AuditActor | null
}

export interface ExplainedEntry {
  campaignId: string
  holds: boolean
  detail: string
}

export interface ExplainedGate {
  gate: BlockedReason
  passed: boolean
  detail: string
  until: string | null
}

export interface ExplainedNext {
  stepId: string
  type: "email" | "branch" | "task"
  position: number
  at: string | null
  sendingAccountId: string | null
  decision: ExplainedBranching | null
}

export interface Explanation {
  leadId: string
  status: LeadStatus
  blockedReason: BlockedReason | null
  next: ExplainedNext | null
  gates: ExplainedGate[]
  /** For each campaign that can take over the person: whether it does, and why. */
  entries: ExplainedEntry[]
  history: ExplainedDecision[]
}

export interface ExportFile {
  table: ExportTable
  /** Rows written so far, without the header of a CSV file. */
  rows: number
  /** The size of the file so far. */
  bytes: number
  /** The SHA-256 of the file in hexadecimal; null until the file is complete. */
  sha256: string | null
  /** The address of the file, which needs the same rights; null until the file is complete. */
  url: string | null
}

export type ExportTable = "campaigns" | "templates" | "sending_accounts" | "tags" | "lists" | "list_members" | "people" | "leads" | "suppressions" | "conversations" | "messages" | "meetings" | "tasks" | "events"

export interface FilterSuggestion {
  value: string
  count: number
}

export interface FilterSuggestionList {
  results: FilterSuggestion[]
}

export interface FollowupStatus {
  campaignId: string
  status: string
  waiting: number
  due: number
  nextSendAt: string | null
  byStep: FollowupStep[]
  blocked: Array<{
    reason: BlockedReason
    count: number
  }>
  lastSentAt: string | null
}

export interface FollowupStep {
  stepId: string
  position: number
  waiting: number
  due: number
  sent: number
}

export interface Forecast {
  days: ForecastDay[]
  finishesOn: string | null
  unscheduled: Array<{
    reason: string
    count: number
  }>
  /** The forecast assumes that no lead opens, clicks, replies or books from now on. Fields and labels stay, and past acts count. */
  assumes: "leads_do_nothing"
  /** How many leads each branch takes from now on. `branchId` is null for leads that match no branch. */
  byBranch: ForecastBranch[]
  /** How many leads branches hand over to other campaigns. */
  handedOver: number
  /** How many leads arrive through branches of other running campaigns. Their messages are counted in `days`. */
  arrivals: number
}

export interface ForecastBranch {
  stepId: string
  branchId: string | null
  count: number
}

export interface ForecastDay {
  date: string
  first: number
  followUp: number
  bySender: Array<{
    sendingAccountId: string
    count: number
  }>
}

export interface ForwardInput {
  messageId: string
  to: string[]
  text?: string
}

export interface ForwardedMessage {
  id: string
  /** The message of the conversation that was forwarded. */
  messageId: string
  author: AuditActor
  to: string[]
  /** The text of the user above the forwarded message. */
  text: string | null
  status: MessageStatus
  refusedRecipients: RefusedRecipient[]
  sentAt: string | null
  createdAt: string
}

export interface FoundServer {
  host: string
  port: number
  security: MailSecurity
  username: string
}

export interface GenerateEmailInput {
  modelId: string
  presetId?: string
  prompt?: string
  lead?: LeadFacts
  campaignId?: string
  leadId?: string
  kind?: "email" | "subject" | "opening"
  subjectCount?: number
  length?: "short" | "medium" | "long"
  tone?: string
  language?: string
}

export interface GeneratePreviewInput {
  modelId: string
  presetId?: string
  prompt?: string
  lead?: LeadFacts
  campaignId?: string
  leadId?: string
  kind?: "email" | "subject" | "opening"
}

export interface GeneratedPreview {
  subject: string
  body: string
  modelId: string
  estimatedCredits: number
}

export interface Generation {
  id: string
  subject: string
  body: string
  subjectOptions: string[]
  modelId: string
  promptTokens: number
  completionTokens: number
  creditsCharged: number
  creditsRemaining: number
}

export interface GenerationRecord {
  id: string
  kind: "email" | "subject" | "opening" | "step" | "triage" | "reply"
  modelId: string
  presetId: string | null
  presetVersion: number | null
  campaignId: string | null
  leadId: string | null
  stepId: string | null
  messageId: string | null
  promptTokens: number
  completionTokens: number
  creditsCharged: number
  createdAt: string
}

export interface GenerationRecordList {
  results: GenerationRecord[]
  pagination: Pagination
  nextCursor: string | null
}

export interface Grant {
  id: string
  clientName: string
  clientHost: string
  environment: Environment
  scopes: GrantScope[]
  userId: string | null
  createdAt: string
  lastUsedAt: string | null
}

export interface GrantList {
  results: Grant[]
  pagination: Pagination
  nextCursor: string | null
}

export type GrantScope = "read" | "write" | "send" | "live"

export interface GroupedAnalytics {
  groupBy: Array<"day" | "week" | "month" | "weekday" | "hour" | "campaign" | "sender" | "step" | "variant">
  timezone: string
  from: string | null
  to: string | null
  groups: AnalyticsGroup[]
  other: Stats
  totals: Stats
}

export interface HealthCheck {
  status: HealthStatus
  records: string[]
  message: string
  put: DnsRecord | null
}

export interface HealthReport {
  sendingAccountId: string
  domain: string
  spf: HealthCheck
  dkim: HealthCheck
  dmarc: HealthCheck
  mx: HealthCheck
  tracking: HealthCheck | null
  /** Reasons why the account may soon stop sending or why its mail may be treated as spam. */
  warnings: SendingAccountWarning[]
  checkedAt: string
}

export type HealthStatus = "pass" | "warning" | "missing" | "invalid" | "unknown"

export interface HealthSummary {
  spf: HealthStatus
  dkim: HealthStatus
  dmarc: HealthStatus
  mx: HealthStatus
  checkedAt: string
}

export interface HeldLeads {
  gate: BlockedReason
  count: number
  /** When the first of them can continue. Null if that does not happen automatically. */
  until: string | null
  /** Explains one of them with its numbers. */
  detail: string
}

export interface Holiday {
  date: string
  /** In English if the data has an English name. */
  name: string
}

export interface HolidayCalendars {
  countries: HolidayCountry[]
  data: HolidayData
}

export interface HolidayCountry {
  calendar: string
  name: string
  regions: HolidayRegion[]
}

export interface HolidayData {
  name: string
  version: string
  license: string
  url: string
}

export interface HolidayRegion {
  calendar: string
  name: string
}

export interface HolidayYear {
  calendar: string
  year: number
  /** By date. A holiday of several days is listed once per day. */
  holidays: Holiday[]
  data: HolidayData
}

export interface IgnoredMail {
  in: "header" | "subject" | "body"
  contains: string
}

export interface ImapPlace {
  host: string
  port: number
  security: MailSecurity
  username: string
}

export interface ImapPlaceInput {
  host: string
  port: number
  security?: MailSecurity
  username?: string
  password: string
}

export interface ImapServer {
  host: string
  port: number
  security: MailSecurity
  username: string | null
  sentFolder: string | null
}

export interface ImapServerInput {
  host: string
  port: number
  security?: MailSecurity
  username?: string | null
  password?: string
  sentFolder?: string | null
}

export interface Import {
  id: string
  campaignId: string
  status: "pending" | "running" | "completed" | "failed"
  /** Rows of the file without the header. */
  rowsTotal: number
  rowsRead: number
  added: number
  updated: number
  skipped: number
  failed: number
  /** The number of skipped rows per reason. */
  skippedReasons: Record<string, number>
  errorsUrl: string | null
  error: string | null
  createdAt: string
  completedAt: string | null
}

export interface ImportCampaignInput {
  document: CampaignDocumentInput
}

export interface ImportCompletedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  importId: string
  added: number
  failed: number
}

export interface ImportCompletedEvent {
  id: string
  type: "import.completed"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: ImportCompletedData
}

export interface ImportList {
  results: Import[]
  pagination: Pagination
  nextCursor: string | null
}

export interface ImportedCampaign {
  campaign: Campaign
  notes: CampaignImportNote[]
}

export interface InspectedColumn {
  title: string
  /** What an import makes of the column by default. */
  target: string | null
  samples: string[]
  /** Rows with a value in this column. */
  filled: number
}

export interface InspectedFile {
  encoding: SpreadsheetEncoding
  /** Set if the letters of the file look like this encoding. Cyrillic and Greek are then read in it (`encoding`); the others only if the import sets them, because a single foreign name in a Western file looks the same. */
  likelyEncoding?: SpreadsheetEncoding
  delimiter: string
  /** The names of the sheets of a workbook in their order, hidden ones included. Empty for other files. */
  sheets: string[]
  /** The sheet that was read. Null for other files than workbooks. */
  sheet: string | null
  columns: InspectedColumn[]
  issues: InspectedIssue[]
}

export interface InspectedIssue {
  /** As in the refused rows of an import, from 1; 0 is the header. */
  row: number
  code: "empty_file" | "no_email_column" | "too_many_columns" | "not_readable" | "null_character" | "invalid_email" | "duplicate" | "uneven_columns" | "invalid_field" | "other_encoding"
  /** The title of the column with the rejected value. */
  column?: string
  /** What is wrong and what to do. */
  message?: string
}

export type Interest = "interested" | "meeting_booked" | "meeting_completed" | "won" | "not_interested" | "wrong_person" | "out_of_office" | "lost" | "no_show"

export interface Invitation {
  id: string
  email: string
  role: Role
  invitedBy: string | null
  createdAt: string
  expiresAt: string
}

export interface InvitationList {
  results: Invitation[]
  pagination: Pagination
  nextCursor: string | null
}

export interface KeptData {
  what: string
  why: string
}

export interface KeptWebhook {
  id: string
  environment: Environment
  url: string
}

export interface LaunchCampaignInput {
  name?: string
  steps?: StepInput[]
  schedule?: ScheduleInput
  sendingAccountIds?: string[]
  settings?: CampaignSettingsInput
  /** Takes over people from other campaigns, as a sub-sequence. Its first message may wait for some time after the event, and may continue the thread that the person knows. */
  entry?: CampaignEntryInput | null
  ownerId?: string | null
  campaignId?: string
  leads?: LeadInput[]
}

export interface LaunchedCampaign {
  id: string
  name: string
  status: CampaignStatus
  statusReason: string | null
  steps: Step[]
  schedule: Schedule
  sendingAccountIds: string[]
  settings: CampaignSettings
  entry: CampaignEntry | null
  /** The user who owns it. Null if it has no owner or the owner was removed. It is only a filter and gives no permission. */
  ownerId: string | null
  /** The tags of this resource, by id. See `POST /v2/tags/:id/assign`. */
  tagIds: string[]
  leadCount: number
  createdAt: string
  updatedAt: string
  launchedAt: string | null
  completedAt: string | null
  leadResults: AddLeadsResults
}

export type LawfulBasis = "consent" | "contract" | "legal_obligation" | "vital_interests" | "public_task" | "legitimate_interests"

export interface Lead {
  id: string
  campaignId: string
  email: string
  firstName: string | null
  lastName: string | null
  jobTitle: string | null
  company: string | null
  companyDomain: string | null
  linkedinUrl: string | null
  mobile: string | null
  country: string | null
  city: string | null
  timezone: string | null
  personId: string | null
  lawfulBasis: LawfulBasis | null
  dataSource: string | null
  basisNote: string | null
  trackingConsent: boolean | null
  customVariables: Record<string, string | number | boolean>
  status: LeadStatus
  blockedReason: BlockedReason | null
  interest: Interest | null
  currentStep: number
  nextSendAt: string | null
  /** When a paused lead is resumed automatically. Null if it stays paused until someone resumes it. */
  resumeAt: string | null
  lastContactedAt: string | null
  sendingAccountId: string | null
  openCount: number
  clickCount: number
  replyCount: number
  stoppedBy: StoppedBy | null
  /** The last result of the address. Null if it was not verified in the last 90 days. */
  verification: LeadVerification | null
  /** The provider that accepts the mail of the address. Null if it was not looked up in the last 30 days: only campaigns with `providerMatching` look it up. */
  recipientProvider: RecipientProvider | null
  /** The lead of another campaign from which this one was taken over. */
  originLeadId: string | null
  createdAt: string
  updatedAt: string
}

export interface LeadAddedEvent {
  id: string
  type: "lead.added"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: PlainEventData
}

export interface LeadFacts {
  email?: string | null
  firstName?: string | null
  lastName?: string | null
  jobTitle?: string | null
  company?: string | null
  companyDomain?: string | null
  linkedinUrl?: string | null
  mobile?: string | null
  country?: string | null
  city?: string | null
  timezone?: string | null
  personId?: string | null
  /** The basis on which the data is processed (GDPR Art. 6(1)), as the customer states it. */
  lawfulBasis?: LawfulBasis | null
  /** Where the data came from, for example the name of a register or a trade fair. */
  dataSource?: string | null
  /** A note about the basis, for example where the assessment is filed. */
  basisNote?: string | null
  /** Whether the person agreed to tracked opens and clicks. Campaigns with `settings.tracking: by_consent` track only leads with `true`. Null if the person was not asked. */
  trackingConsent?: boolean | null
  customVariables?: Record<string, string | number | boolean>
}

export interface LeadFilter {
  status?: LeadStatus
  interest?: Interest
  blockedReason?: BlockedReason
  verification?: "deliverable" | "risky" | "undeliverable" | "unknown" | "none"
  email?: string
  q?: string
  /** Only what has this tag. */
  tagId?: string
}

export interface LeadHandedOverData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  toCampaignId: string
  toLeadId: string
  by: "branch" | "entry"
  evidence: string
}

export interface LeadHandedOverEvent {
  id: string
  type: "lead.handed_over"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: LeadHandedOverData
}

export interface LeadInput {
  email: string
  firstName?: string | null
  lastName?: string | null
  jobTitle?: string | null
  company?: string | null
  companyDomain?: string | null
  linkedinUrl?: string | null
  mobile?: string | null
  country?: string | null
  city?: string | null
  timezone?: string | null
  personId?: string | null
  /** The basis on which the data is processed (GDPR Art. 6(1)), as the customer states it. */
  lawfulBasis?: LawfulBasis | null
  /** Where the data came from, for example the name of a register or a trade fair. */
  dataSource?: string | null
  /** A note about the basis, for example where the assessment is filed. */
  basisNote?: string | null
  /** Whether the person agreed to tracked opens and clicks. Campaigns with `settings.tracking: by_consent` track only leads with `true`. Null if the person was not asked. */
  trackingConsent?: boolean | null
  customVariables?: Record<string, string | number | boolean>
  seniority?: string | null
  companyInfo?: CompanyInfoInput | null
  emailMasked?: string | null
  mobileMasked?: string | null
}

export interface LeadInterestChangedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  from: Interest | null
  to: Interest | null
  source: "person" | "machine" | "system"
  unique?: boolean
}

export interface LeadInterestChangedEvent {
  id: string
  type: "lead.interest_changed"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: LeadInterestChangedData
}

/** The fields of a lead: `email` is required, except with `reveal`. */
export interface LeadItem {
  email?: string
  firstName?: string | null
  lastName?: string | null
  jobTitle?: string | null
  company?: string | null
  companyDomain?: string | null
  linkedinUrl?: string | null
  mobile?: string | null
  country?: string | null
  city?: string | null
  timezone?: string | null
  personId?: string | null
  /** The basis on which the data is processed (GDPR Art. 6(1)), as the customer states it. */
  lawfulBasis?: LawfulBasis | null
  /** Where the data came from, for example the name of a register or a trade fair. */
  dataSource?: string | null
  /** A note about the basis, for example where the assessment is filed. */
  basisNote?: string | null
  /** Whether the person agreed to tracked opens and clicks. Campaigns with `settings.tracking: by_consent` track only leads with `true`. Null if the person was not asked. */
  trackingConsent?: boolean | null
  customVariables?: Record<string, string | number | boolean>
  seniority?: string | null
  companyInfo?: CompanyInfoInput | null
  emailMasked?: string | null
  mobileMasked?: string | null
}

export interface LeadList {
  results: Lead[]
  pagination: Pagination
  nextCursor: string | null
}

export interface LeadOnPath {
  id: string
  campaignId: string
  email: string
  firstName: string | null
  lastName: string | null
  jobTitle: string | null
  company: string | null
  companyDomain: string | null
  linkedinUrl: string | null
  mobile: string | null
  country: string | null
  city: string | null
  timezone: string | null
  personId: string | null
  lawfulBasis: LawfulBasis | null
  dataSource: string | null
  basisNote: string | null
  trackingConsent: boolean | null
  customVariables: Record<string, string | number | boolean>
  status: LeadStatus
  blockedReason: BlockedReason | null
  interest: Interest | null
  currentStep: number
  nextSendAt: string | null
  /** When a paused lead is resumed automatically. Null if it stays paused until someone resumes it. */
  resumeAt: string | null
  lastContactedAt: string | null
  sendingAccountId: string | null
  openCount: number
  clickCount: number
  replyCount: number
  stoppedBy: StoppedBy | null
  /** The last result of the address. Null if it was not verified in the last 90 days. */
  verification: LeadVerification | null
  /** The provider that accepts the mail of the address. Null if it was not looked up in the last 30 days: only campaigns with `providerMatching` look it up. */
  recipientProvider: RecipientProvider | null
  /** The lead of another campaign from which this one was taken over. */
  originLeadId: string | null
  createdAt: string
  updatedAt: string
  /** The past of the lead in order: messages with `sent`, `bounced` or `uncertain`, and decisions with the step they led to, `end`, or the campaign that took over the person. */
  path: PathStep[]
}

export interface LeadPlace {
  status: LeadStatus
  /** The next step. Null if there is none. */
  nextStepId: string | null
  /** When its wait is over. Null if there is no wait. */
  dueAt: string | null
}

export type LeadStatus = "pending" | "active" | "completed" | "paused" | "replied" | "bounced" | "unsubscribed" | "stopped" | "failed"

export interface LeadStatusChangedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  from: LeadStatus
  to: LeadStatus
  reason: string
  signal?: string
}

export interface LeadStatusChangedEvent {
  id: string
  type: "lead.status_changed"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: LeadStatusChangedData
}

export interface LeadThread {
  leadId: string
  campaignId: string
  messages: Message[]
}

export interface LeadUnsubscribedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  source: string
}

export interface LeadUnsubscribedEvent {
  id: string
  type: "lead.unsubscribed"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: LeadUnsubscribedData
}

export interface LeadVerification {
  result: VerificationResult
  reasons: VerificationReason[]
  checkedAt: string
}

export interface LedgerEntry {
  id: string
  type: LedgerEntryType
  amount: number
  balanceAfter: number
  reason: string
  reference: string | null
  createdAt: string
}

export interface LedgerEntryList {
  results: LedgerEntry[]
  pagination: Pagination
  nextCursor: string | null
}

export type LedgerEntryType = "grant" | "purchase" | "charge" | "refund" | "expiry"

export interface LeftOutLead {
  id: string
  email: string
  /** Variables without a value and a default. */
  missingVariables: string[]
}

export interface LeftOutLeads {
  reason: BlockedReason
  count: number
  /** The first 10 of them. */
  leads: LeftOutLead[]
}

export interface Lever {
  change: LeverChange
  finishesOn: string
  /** Null where the campaign would not finish without it. */
  daysSooner: number | null
}

export interface LeverChange {
  /** The changed field of the campaign (`settings.dailyLimit`, `schedule.windows`, `sendingAccountIds`) or of a sending account (`sendingAccounts.snd_1.dailyLimit`). */
  path: string
  from: number | string | string[] | ScheduleWindow[] | null
  to: number | string | string[] | ScheduleWindow[] | null
}

export interface LinkDescription {
  kind: "setup" | "invitation" | "password"
  email: string | null
  role: Role | null
  accountName: string
  invitedBy: string | null
  expiresAt: string
}

export interface ListFollower {
  campaignId: string
  campaignName: string
  /** Members that became leads of the campaign. */
  added: number
  /** Members that are suppressed or were leads of the campaign already. */
  skipped: number
  /** Whether the campaign has taken every member. */
  upToDate: boolean
}

export interface ListImport {
  id: string
  listId: string
  status: "pending" | "running" | "completed" | "failed"
  /** Rows of the file without the header. */
  rowsTotal: number
  rowsRead: number
  added: number
  /** Rows of members that the list had already, or that are in the file twice. */
  updated: number
  failed: number
  errorsUrl: string | null
  error: string | null
  createdAt: string
  completedAt: string | null
}

export interface ListMember {
  email: string
  firstName: string | null
  lastName: string | null
  jobTitle: string | null
  company: string | null
  companyDomain: string | null
  linkedinUrl: string | null
  mobile: string | null
  country: string | null
  city: string | null
  timezone: string | null
  personId: string | null
  lawfulBasis: LawfulBasis | null
  dataSource: string | null
  basisNote: string | null
  trackingConsent: boolean | null
  customVariables: Record<string, string | number | boolean>
  addedAt: string
  updatedAt: string
}

export interface ListMemberList {
  results: ListMember[]
  pagination: Pagination
  nextCursor: string | null
}

export interface ListOfPeople {
  id: string
  name: string
  description: string
  memberCount: number
  /** The campaigns that follow the list (`settings.followsListId`). */
  followers: ListFollower[]
  createdAt: string
  updatedAt: string
}

export interface ListOfPeopleList {
  results: ListOfPeople[]
  pagination: Pagination
  nextCursor: string | null
}

export interface LoginInput {
  email: string
  password: string
  code?: string
  accountId?: string
}

export interface MailAddress {
  email: string
  name: string | null
}

export type MailSecurity = "tls" | "starttls" | "none"

export interface Me {
  id: string
  email: string
  name: string
  role: Role
  status: "active" | "disabled"
  methods: SignInMethod[]
  totp: boolean
  lastSeenAt: string | null
  createdAt: string
  account: MyAccount
  preferences: Preferences
  sessionId: string | null
}

export interface Meeting {
  id: string
  leadId: string | null
  campaignId: string | null
  status: MeetingStatus
  source: MeetingSource
  title: string
  startAt: string
  endAt: string
  timezone: string
  joinUrl: string | null
  attendees: Attendee[]
  createdAt: string
  updatedAt: string
}

export interface MeetingBookedEvent {
  id: string
  type: "meeting.booked"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: MeetingEventData
}

export interface MeetingCanceledEvent {
  id: string
  type: "meeting.canceled"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: MeetingEventData
}

export interface MeetingCompletedEvent {
  id: string
  type: "meeting.completed"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: MeetingEventData
}

export interface MeetingEventData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  meetingId: string
  source: MeetingSource
  status: MeetingStatus
  startAt: string
  endAt: string
}

export interface MeetingIntegration {
  configured: boolean
  hookUrl: string
}

export interface MeetingList {
  results: Meeting[]
  pagination: Pagination
  nextCursor: string | null
}

export interface MeetingRescheduledEvent {
  id: string
  type: "meeting.rescheduled"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: MeetingEventData
}

export type MeetingSource = "booking_page" | "calendar_invite" | "cal_com" | "calendly" | "manual"

export type MeetingStatus = "booked" | "rescheduled" | "completed" | "canceled" | "no_show"

export interface Message {
  id: string
  threadId: string | null
  direction: "outbound" | "inbound"
  kind: MessageKind
  stepId: string | null
  variantId: string | null
  from: MailAddress | null
  to: MailAddress[]
  cc: MailAddress[]
  subject: string
  text: string | null
  quotedText: string | null
  /** The first lines of `quotedText`, if the writer signed with them. */
  signature: string | null
  html: string | null
  messageId: string | null
  /** The `Message-ID` header as it was written: the same as `messageId`. */
  rfcMessageId: string | null
  /** The `Message-ID` that the recipient saw, if the mail server is known to have replaced ours. Replies name this id. */
  deliveredMessageId: string | null
  inReplyTo: string | null
  status: MessageStatus
  /** Why the provider refused the message because of its sender; null if it did not. */
  returnedBecause: ReturnedBecause | null
  /** When a scheduled reply is sent; null for other messages. */
  sendAt: string | null
  /** When the lead wrote, so that a scheduled reply waits for a decision; else null. */
  heldAt: string | null
  sentAt: string | null
  receivedAt: string | null
  openedAt: string | null
  /** Recipients who did not get a message that others got: the mail server refused them, or they are suppressed (`code` is null). */
  refusedRecipients: RefusedRecipient[]
  /** The result of the rules and, in `triage`, that of the model that reads replies. `proof`: why the writer or the report is believed. With `none` a report has no effect, and any other mail only stops or delays mail to the lead. `replyTo`: the addresses of a reply, if they are not those in `from`. `calendar`: the invitation, response or cancellation in the message. */
  classification: {
    proof?: "message_id" | "authentication" | "none"
    replyTo?: MailAddress[]
    triage?: Triage
    calendar?: MessageCalendar
    [field: string]: unknown
  } | null
  attachments: Attachment[]
}

export interface MessageBouncedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  type: "hard" | "soft" | "block"
  code: string | null
  reason: string | null
  unique: boolean
  /** The last verification of the address said deliverable. */
  verified?: true
}

export interface MessageBouncedEvent {
  id: string
  type: "message.bounced"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: MessageBouncedData
}

export interface MessageCalendar {
  method: "request" | "reply" | "cancel"
  /** Null if its time zone is unknown. Nothing is booked then. */
  startAt: string | null
  endAt: string | null
}

export interface MessageClickedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  machine: boolean
  reason: string
  unique: boolean
  userAgent: string
  url: string
}

export interface MessageClickedEvent {
  id: string
  type: "message.clicked"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: MessageClickedData
}

export interface MessageDeferredData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  kind: MessageKind
  reason: string | null
  attempts: number
  retryAt: string
}

export interface MessageDeferredEvent {
  id: string
  type: "message.deferred"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: MessageDeferredData
}

export interface MessageFailedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  reason: string
}

export interface MessageFailedEvent {
  id: string
  type: "message.failed"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: MessageFailedData
}

export type MessageKind = "campaign" | "reply" | "manual" | "auto_reply" | "bounce" | "unsubscribe" | "other"

export interface MessageManualSentData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  rfcMessageId: string | null
  sentAt: string
}

export interface MessageManualSentEvent {
  id: string
  type: "message.manual_sent"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: MessageManualSentData
}

export interface MessageOpenedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  machine: boolean
  reason: string
  unique: boolean
  userAgent: string
}

export interface MessageOpenedEvent {
  id: string
  type: "message.opened"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: MessageOpenedData
}

export interface MessagePreview {
  stepId: string
  variantId: string
  sendingAccountId: string | null
  subject: string
  text: string
  html: string | null
  headers: Record<string, string>
}

export interface MessageReturnedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  because: ReturnedBecause
  code: string | null
  reason: string | null
  kind: string
  bouncedBefore?: true
}

export interface MessageReturnedEvent {
  id: string
  type: "message.returned"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: MessageReturnedData
}

export interface MessageSentData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  kind: MessageKind
  first: boolean
  rfcMessageId?: string | null
  deliveredMessageId?: string | null
  settledBy?: string
  refusedRecipients?: RefusedRecipient[]
}

export interface MessageSentEvent {
  id: string
  type: "message.sent"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: MessageSentData
}

export interface MessageSetAsideData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  reason: string
  folder: string
  uid: number
  sizeBytes: number | null
}

export interface MessageSetAsideEvent {
  id: string
  type: "message.set_aside"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: MessageSetAsideData
}

export type MessageStatus = "queued" | "sending" | "sent" | "bounced" | "failed" | "uncertain" | "received" | "returned"

export interface MessageUncertainData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  reason: string | null
}

export interface MessageUncertainEvent {
  id: string
  type: "message.uncertain"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: MessageUncertainData
}

export interface MetricDefinition {
  name: string
  kind: "count" | "rate"
  definition: string
  numerator: string
  denominator: string | null
  excludes: string[]
}

export interface MetricDefinitionList {
  results: MetricDefinition[]
}

export interface Model {
  id: string
  name: string
  provider: string
  creditsPerGeneration: number
  contextWindow: number
  available: boolean
  unavailableReason: string | null
}

export interface ModelList {
  results: Model[]
  pagination: Pagination
  nextCursor: string | null
}

export interface MovedLead {
  leadId: string
  before: LeadPlace
  after: LeadPlace
}

export interface MovedLeads {
  /** The step that came next; null: nothing did. */
  fromStepId: string | null
  /** The next step. Null if there is none. */
  toStepId: string | null
  count: number
}

export interface MyAccount {
  id: string
  name: string
}

export interface OAuthAvailability {
  available: boolean
  reason: string | null
}

export type OAuthProvider = "google" | "microsoft"

export interface Pagination {
  currentPage: number
  totalPages: number
  /** Exact, except that a search by `q` and the event log count only to 10,000. */
  totalCount: number
}

export interface PasswordResetRequested {
  accepted: true
}

export interface PathAnalytics {
  stepId: string
  /** Null if no branch matched. */
  branchId: string | null
  /** Null if no branch matched or the branch was removed. */
  label: string | null
  leads: number
  contacted: number
  sent: number
  delivered: number
  opened: number
  uniqueOpened: number
  machineOpened: number
  clicked: number
  uniqueClicked: number
  machineClicked: number
  replied: number
  uniqueReplied: number
  autoReplied: number
  bounced: number
  verifiedBounced: number
  unsubscribed: number
  interested: number
  meetingsBooked: number
  handedOver: number
  failed: number
  uncertain: number
  returned: number
  notSent: Record<string, number>
  rates: Rates
}

export interface PathStep {
  stepId: string
  type: "email" | "branch" | "task"
  outcome: string
  branchId: string | null
  at: string
}

export interface Person {
  id: string
  email: string
  firstName: string | null
  lastName: string | null
  jobTitle: string | null
  company: string | null
  companyDomain: string | null
  linkedinUrl: string | null
  mobile: string | null
  country: string | null
  city: string | null
  timezone: string | null
  personId: string | null
  lawfulBasis: LawfulBasis | null
  dataSource: string | null
  basisNote: string | null
  trackingConsent: boolean | null
  customVariables: Record<string, string | number | boolean>
  suppressed: boolean
  /** The tags of this resource, by id. See `POST /v2/tags/:id/assign`. */
  tagIds: string[]
  campaigns: PersonCampaign[]
  lastContactedAt: string | null
  createdAt: string
  updatedAt: string
}

export interface PersonCampaign {
  campaignId: string
  campaignName: string
  leadId: string
  status: LeadStatus
  interest: Interest | null
  currentStep: number
  lastContactedAt: string | null
  replyCount: number
}

export interface PersonExport {
  exportedAt: string
  person: Person
  leads: Array<Record<string, unknown>>
  messages: Array<Record<string, unknown>>
  meetings: Array<Record<string, unknown>>
  suppressions: Array<Record<string, unknown>>
  drafts: Array<Record<string, unknown>>
  decisions: Array<Record<string, unknown>>
  tasks: Array<Record<string, unknown>>
  generations: Array<Record<string, unknown>>
  reveals: Array<Record<string, unknown>>
  importRows: Array<Record<string, unknown>>
  signals: Array<Record<string, unknown>>
  addressChecks: Array<Record<string, unknown>>
  notes: Array<Record<string, unknown>>
  lists: Array<Record<string, unknown>>
  tags: Array<Record<string, unknown>>
  replyDrafts: Array<Record<string, unknown>>
  history: Activity[]
}

export interface PersonList {
  results: Person[]
  pagination: Pagination
  nextCursor: string | null
}

export interface PersonSearchResult {
  personId: string
  firstName: string
  lastName: string
  jobTitle: string
  seniority: string
  linkedinUrl: string
  country: string
  city: string
  company: string
  companyInfo: CompanyInfo
  emailMasked: string
  mobileMasked: string
}

export interface PersonSearchResultPage {
  results: PersonSearchResult[]
  pagination: Pagination
}

export interface PersonWithHistory {
  id: string
  email: string
  firstName: string | null
  lastName: string | null
  jobTitle: string | null
  company: string | null
  companyDomain: string | null
  linkedinUrl: string | null
  mobile: string | null
  country: string | null
  city: string | null
  timezone: string | null
  personId: string | null
  lawfulBasis: LawfulBasis | null
  dataSource: string | null
  basisNote: string | null
  trackingConsent: boolean | null
  customVariables: Record<string, string | number | boolean>
  suppressed: boolean
  /** The tags of this resource, by id. See `POST /v2/tags/:id/assign`. */
  tagIds: string[]
  campaigns: PersonCampaign[]
  lastContactedAt: string | null
  createdAt: string
  updatedAt: string
  history: Activity[]
}

export type Placement = "pending" | "inbox" | "tab" | "spam" | "missing"

export interface PlacementCounts {
  inbox: number
  tab: number
  spam: number
  missing: number
}

export interface PlacementDay {
  date: string
  inbox: number
  tab: number
  spam: number
  missing: number
}

export type PlacementProblem = "not_sent" | "seed_unreadable" | "seed_deleted"

export type PlacementRepeat = "none" | "weekly"

export type PlacementRepeatEnd = "user" | "sender_deleted" | "seeds_deleted" | "text_deleted" | "text_not_written"

export interface PlacementResult {
  /** The id of the message. */
  id: string
  sendingAccountId: string
  from: string
  seedMailboxId: string
  to: string
  placement: Placement
  /** Why the result says nothing about the sender. */
  problem: PlacementProblem | null
  folder: string | null
  spf: AuthenticationResult | null
  dkim: AuthenticationResult | null
  dmarc: AuthenticationResult | null
  /** Whether a DKIM signature that the receiver accepted covers List-Unsubscribe and List-Unsubscribe-Post (RFC 8058, section 4). Null if the receiver wrote no results. */
  optOutSigned: boolean | null
  /** The Message-ID of the message as it arrived. */
  receivedMessageId: string | null
  sentAt: string | null
  /** From sending to arrival. */
  seconds: number | null
}

export interface PlacementResultList {
  results: PlacementResult[]
  pagination: Pagination
  nextCursor: string | null
}

export interface PlacementTest {
  id: string
  status: PlacementTestStatus
  campaignId: string | null
  stepId: string | null
  variantId: string | null
  templateId: string | null
  /** The lead whose values the text has. */
  leadId: string | null
  sendingAccountIds: string[]
  seedMailboxIds: string[]
  repeat: PlacementRepeat
  /** When the test is repeated, as a new test. Null: not again. */
  nextRunAt: string | null
  repeatEndedBecause: PlacementRepeatEnd | null
  counts: PlacementTestCounts
  createdAt: string
  completedAt: string | null
}

export interface PlacementTestCompletedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  placementTestId: string
  inbox: number
  tab: number
  spam: number
  missing: number
  unknown: number
}

export interface PlacementTestCompletedEvent {
  id: string
  type: "placement_test.completed"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: PlacementTestCompletedData
}

export interface PlacementTestCounts {
  pending: number
  inbox: number
  /** In another category of Gmail, or in another folder than Inbox and spam. */
  tab: number
  spam: number
  /** Not found 30 minutes after the message was sent. */
  missing: number
  /** Results with a `problem`. They are in none of the other counts. */
  unknown: number
}

export interface PlacementTestList {
  results: PlacementTest[]
  pagination: Pagination
  nextCursor: string | null
}

export type PlacementTestStatus = "running" | "completed"

export interface PlainEventData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
}

export interface Plan {
  id: PlanId
  credits: number
  interval: "month" | "once"
  trialDays: number | null
  leadCreditCap: number | null
  priceCents: number | null
  currency: string
  current: boolean
}

export type PlanId = "trial" | "starter" | "growth" | "scale" | "self_hosted"

export interface PlanList {
  results: Plan[]
}

export interface Preferences {
  theme: "system" | "light" | "dark"
  density: "comfortable" | "compact"
  singleKeys: boolean
  locale: string | null
}

export interface PreferencesInput {
  theme?: "system" | "light" | "dark"
  density?: "comfortable" | "compact"
  singleKeys?: boolean
  locale?: string | null
}

export interface Preflight {
  ready: boolean
  blockers: Blocker[]
  warnings: PreflightWarning[]
  recipients: PreflightRecipients
  /** Messages that the sending accounts could send on the day with the longest sending window, within their limits and gaps and the limit of the campaign. */
  capacityPerDay: number
  /** As in the forecast. */
  finishesOn: string | null
}

export interface PreflightRecipients {
  /** Leads that get at least one message. A lead that only a limit or a sending window holds is counted. */
  count: number
  /** When the forecast sends the first message. */
  firstMessageAt: string | null
  leftOut: LeftOutLeads[]
  /** Whether the campaign has more leads than the forecast reads. */
  partial: boolean
}

export interface PreflightWarning {
  code: "missing_variable" | "unknown_variable" | "sender_not_healthy" | "authentication" | "replies_not_read" | "overlap" | "step_never_reached" | "contact_policy" | "address_check" | "opt_out_header_only" | "tracking_consent" | "privacy_notice" | "other_spelling" | "task_without_assignee" | "task_without_phone" | "task_never_expires" | "password_login_ends" | "onmicrosoft_domain" | "client_secret_expires" | "client_secret_refused" | "login_unencrypted"
  message: string
  /** A variable, the gate of the contact policy, a country (ISO 3166), a missing field of a privacy notice, or the id of a sending account, a step or another campaign. */
  ref: string | null
  /** How many leads it is about; null where it is about none. */
  count: number | null
}

export interface PreviewMessageInput {
  leadId: string
  stepId?: string
  variantId?: string
}

export interface PreviewTemplateInput {
  leadId?: string
  lead?: TemplateLead
}

export interface Prices {
  currency: string
  search: SearchPrices
  reveal: {
    email: number
    mobile: number
  }
  packs: CreditPack[]
}

/** The notice about the data of a person (GDPR Art. 14) in the first message. Leads in the European Economic Area, the United Kingdom or Switzerland get it, and leads whose country is unknown. `link` names the source of the data and `privacyUrl` of the account. `text` also names purpose, basis, rights and `privacyContact`. */
export type PrivacyNoticeForm = "off" | "link" | "text"

export interface PromptPreset {
  id: string
  name: string
  description: string | null
  category: string | null
  prompt: string
  modelId: string | null
  variables: string[]
  version: number
  createdAt: string
  updatedAt: string
}

export interface PromptPresetList {
  results: PromptPreset[]
  pagination: Pagination
  nextCursor: string | null
}

export interface ProviderBounces {
  provider: RecipientProvider
  sent: number
  bounced: number
}

export interface RampUp {
  enabled: boolean
  startPerDay: number
  incrementPerDay: number
  /** `fixed` grows every day. `adaptive` grows after days on which half of the allowance was used, and slows down by evidence. */
  mode?: "fixed" | "adaptive"
  /** Messages per day at most under an adaptive ramp. Null: the daily limit. */
  ceiling?: number | null
}

export interface Rates {
  open: number
  click: number
  reply: number
  bounce: number
  unsubscribe: number
  positiveReply: number
}

export type RecipientProvider = "google" | "microsoft" | "yahoo" | "apple" | "gateway" | "other" | "unknown"

export interface RecoveryCodes {
  recoveryCodes?: string[]
}

export interface RefusedRecipient {
  email: string
  code: string | null
  reason: string
}

export interface RemoveListMembersInput {
  emails: string[]
}

export interface RemoveListMembersResults {
  removed: number
  /** Addresses that the list does not have. */
  notFound: string[]
  /** The campaigns that follow the list, with the number of removed members that are still their leads. They stay leads; stop them in the campaign. */
  stillLeads: StillLeads[]
}

export interface ReplyAutoReceivedEvent {
  id: string
  type: "reply.auto_received"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: AutoReplyReceivedData
}

export interface ReplyClassifiedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  status: "done" | "skipped"
  interest: "interested" | "not_interested" | "wrong_person" | "out_of_office" | "unclear" | null
  intent: "meeting_request" | "question" | "information_request" | "referral" | "objection" | "not_now" | "decline" | "opt_out" | "other" | null
  /** 0 to 1, as reported by the model. */
  confidence: number | null
  modelId: string
  applied: boolean
  reason: "unclear" | "low_confidence" | "labelled_by_person" | "opted_out" | "further_along" | "newer_reply" | "unproven" | "insufficient_credits" | "model_not_offered" | "model_unavailable" | null
  generationId: string | null
  creditsCharged: number
  proven?: false
}

export interface ReplyClassifiedEvent {
  id: string
  type: "reply.classified"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: ReplyClassifiedData
}

export interface ReplyDraft {
  id: string
  conversationId: string
  /** The message of the lead that the draft answers. */
  messageId: string
  modelId: string
  /** `requested` is being written, `ready` can be sent by a person, `failed` has an `error`, `dismissed` was dismissed, `sent` was sent by a person. `outdated`: the lead wrote again or opted out, or a person replied. */
  status: "requested" | "ready" | "failed" | "dismissed" | "sent" | "outdated"
  /** Null until the text was written. */
  text: string | null
  /** SHA-256 of the text, in hexadecimal. Send it as `draftDigest` with a reply. Null if there is no text. */
  textDigest: string | null
  error: string | null
  createdAt: string
  updatedAt: string
}

export interface ReplyDraftedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  conversationId: string
  draftId: string
  modelId: string
  creditsCharged: number
}

export interface ReplyDraftedEvent {
  id: string
  type: "reply.drafted"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: ReplyDraftedData
}

export interface ReplyInput {
  text?: string
  html?: string
  cc?: string[]
  bcc?: string[]
  replyToMessageId?: string
  /** The reply is sent after this delay and can be withdrawn until then. */
  delaySeconds?: number
  /** When the reply is sent, up to 90 days ahead. It can be changed and withdrawn until then. A message of the lead that arrives before holds it. */
  sendAt?: string
  /** The newest message that the writer saw. The response is 409 if a person has replied after it. */
  seenMessageId?: string
  attachments?: AttachmentInput[]
}

export interface ReplyReceivedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  unique: boolean
  kind: "reply"
  rule: string
  proven?: false
}

export interface ReplyReceivedEvent {
  id: string
  type: "reply.received"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: ReplyReceivedData
}

export interface Report {
  id: string
  name: string
  active: boolean
  query: ReportQuery
  every: "day" | "week" | "month"
  on: number | null
  at: string
  timezone: string
  recipients: string[]
  /** Null for a paused report. */
  nextRunAt: string | null
  lastRun: ReportRun | null
  createdAt: string
}

export interface ReportList {
  results: Report[]
  pagination: Pagination
  nextCursor: string | null
}

export interface ReportQuery {
  groupBy: string
  from?: string
  to?: string
  timezone?: string
  campaignId?: string
  sendingAccountId?: string
  tagId?: string
}

export interface ReportQueryInput {
  groupBy: string
  from?: string
  to?: string
  timezone?: string
  campaignId?: string
  sendingAccountId?: string
  /** Counts only campaigns and sending accounts with this tag. */
  tagId?: string
}

export interface ReportReadyData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  reportId: string
  name: string
  groupBy: string
  from: string
  to: string
  timezone: string
  recipients: string[]
  url: string
}

export interface ReportReadyEvent {
  id: string
  type: "report.ready"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: ReportReadyData
}

export interface ReportRun {
  at: string
  /** `sent`: by mail to `deliveredTo`. `announced`: by the event `report.ready`. `failed`: no recipient got it; see `error`. */
  status: "running" | "sent" | "announced" | "failed"
  /** The first day of the numbers, or their first moment. */
  from: string
  /** The last day of the numbers, or the moment at which they end. */
  to: string
  /** The users whose mail was accepted by the mail server. */
  deliveredTo: string[]
  /** `mail_uncertain`: the mail may have been sent, so it is not sent again. */
  skipped: SkippedReportRecipient[]
  error: string | null
}

export interface ReportedSums {
  /** Messages in the reports of receivers. */
  messages: number
  spfAligned: number
  dkimAligned: number
  /** Messages that were aligned by SPF or DKIM, so DMARC passed. */
  passed: number
}

export interface RequestPasswordResetInput {
  email: string
}

export interface ResolveDeliveryInput {
  outcome: "sent" | "not_sent"
}

export interface ResolveReturnedInput {
  action: "send_again" | "skip"
  leadIds?: string[]
  all?: true
}

export interface ResolveReturnedResult {
  /** How many leads no longer wait for this decision. */
  resolved: number
  /** Reasons why leads were not changed, each with the number of leads: `not_returned`. */
  skipped: Record<string, number>
  /** The call reached its limit, and more leads may wait. Send the same request again. */
  more: boolean
}

export type ReturnedBecause = "sender_limit" | "sender_blocked" | "sender_authentication" | "sender_mailbox"

export interface ReturnedCampaign {
  campaignId: string
  name: string
  leads: number
}

export interface RevealFieldInput {
  personId: string
  field: RevealableField
}

export type RevealableField = "email" | "mobile"

export interface RevealedField {
  personId: string
  field: RevealableField
  found: boolean
  value: string | null
  creditsCharged: number
  alreadyRevealed: boolean
}

export type Role = "viewer" | "member" | "admin" | "owner"

export interface SandboxAdvance {
  now: string
  frozen: boolean
  from: string
  to: string
  sent: number
  delivered: number
  opened: number
  clicked: number
  replied: number
  interested: number
  autoReplied: number
  bounced: number
  unsubscribed: number
  meetingsBooked: number
  byDay: SandboxDay[]
}

export interface SandboxClock {
  now: string
  frozen: boolean
}

export interface SandboxDay {
  date: string
  sent: number
  delivered: number
  opened: number
  clicked: number
  replied: number
  interested: number
  autoReplied: number
  bounced: number
  unsubscribed: number
  meetingsBooked: number
}

export interface SandboxInbound {
  id: string
  leadId: string
  kind: "reply" | "auto_reply" | "bounce" | "unsubscribe" | "open" | "click" | "meeting" | "manual_mail"
  receivedAt: string
}

export interface SandboxMessage {
  id: string
  direction: "to_prospect" | "from_prospect"
  messageId: string | null
  campaignId: string | null
  leadId: string | null
  stepId: string | null
  sendingAccountId: string
  from: string
  to: string[]
  subject: string
  sizeBytes: number
  at: string
}

export interface SandboxMessageDetail {
  id: string
  direction: "to_prospect" | "from_prospect"
  messageId: string | null
  campaignId: string | null
  leadId: string | null
  stepId: string | null
  sendingAccountId: string
  from: string
  to: string[]
  subject: string
  sizeBytes: number
  at: string
  headers: Array<{
    name: string
    value: string
  }>
  text: string
  html: string | null
  raw: string
}

export interface SandboxMessageList {
  results: SandboxMessage[]
  pagination: Pagination
  nextCursor: string | null
}

export interface SandboxTasks {
  completeAfter: string | null
  outcome: TaskOutcome
}

export interface Schedule {
  timezone: string
  useLeadTimezone: boolean
  windows: ScheduleWindow[]
  startDate: string | null
  endDate: string | null
  blackoutDates: string[]
  /** A calendar whose public holidays have no sending window and are no business days. Null for none, as in campaigns that are older than this field. */
  holidays: ScheduleHolidays | null
}

export interface ScheduleHolidays {
  /** A country (`DE`), a region (`DE-BY`), or `lead` for the country of each lead. A lead whose country is unknown has no holidays. */
  calendar: string
}

export interface ScheduleInput {
  timezone?: string
  useLeadTimezone?: boolean
  windows?: ScheduleWindow[]
  startDate?: string | null
  endDate?: string | null
  blackoutDates?: string[]
  /** A calendar whose public holidays have no sending window and are no business days. Null for none, as in campaigns that are older than this field. */
  holidays?: ScheduleHolidays | null
}

export interface ScheduleWindow {
  days: Weekday[]
  from: string
  to: string
}

export type ScheduledReply = "waiting" | "held"

export type Scope = "read" | "write" | "admin"

export interface SearchCompaniesInput {
  domain?: string
  companyName?: string
  industry?: string[]
  /** Closed vocabulary: 1-10, 11-20, 21-50, 51-100, 101-200, 201-500, 501-1000, 1001-2000, 2001-5000, 5001-10000, 10000+. */
  headcountRange?: string[]
  location?: string[]
  page?: number
}

export interface SearchPeopleInput {
  domain?: string
  companyName?: string
  jobTitle?: string
  /** Closed vocabulary: c_suite, director, entry, founder_owner, head, intern, manager, partner, senior, vp. */
  seniority?: string[]
  /** Closed vocabulary: c_suite, consulting, design, education_coaching, engineering_technical, finance, human_resources, information_technology, legal, marketing, medical_health, operations, product, sales. */
  department?: string[]
  personLocation?: string[]
  industry?: string[]
  /** Closed vocabulary: 1-10, 11-20, 21-50, 51-100, 101-200, 201-500, 501-1000, 1001-2000, 2001-5000, 5001-10000, 10000+. */
  headcountRange?: string[]
  companyLocation?: string[]
  technology?: string[]
  minYearsExperience?: number
  maxYearsExperience?: number
  /** US dollars, or one of: <100K, 100K, 500K, 1M, 5M, 10M, 25M, 50M, 100M, 250M, 500M, 1B, 5B, 10B+. */
  minRevenue?: number | string
  /** US dollars, or one of: <100K, 100K, 500K, 1M, 5M, 10M, 25M, 50M, 100M, 250M, 500M, 1B, 5B, 10B+. */
  maxRevenue?: number | string
  /** Closed vocabulary: angel, convertible_note, corporate_round, debt_financing, equity_crowdfunding, grant, initial_coin_offering, non_equity_assistance, post_ipo_debt, post_ipo_equity, post_ipo_secondary, pre_seed, private_equity, product_crowdfunding, secondary_market, seed, series_a, series_b, series_c, series_d, series_e_j, series_unknown, undisclosed. */
  fundingStages?: string[]
  jobChangeRecent?: boolean | 30 | 60 | 90 | 180 | 270 | 365
  hiringForTitles?: string[]
  minJobPostings?: number
  maxJobPostings?: number
  minTimeInRole?: number
  maxTimeInRole?: number
  minTimeInCompany?: number
  maxTimeInCompany?: number
  page?: number
}

export interface SearchPrices {
  creditsPerPage: number
  resultsPerPage: number
  repeatFreeHours: number
}

export interface SeedMailbox {
  id: string
  email: string
  /** Null for a simulated mailbox of the test environment. */
  imap: ImapPlace | null
  /** `failing` if it could not be read the last time. */
  status: SeedMailboxStatus
  lastError: string | null
  /** When it was last opened. */
  checkedAt: string | null
  createdAt: string
  updatedAt: string
}

export interface SeedMailboxList {
  results: SeedMailbox[]
  pagination: Pagination
  nextCursor: string | null
}

export type SeedMailboxStatus = "unverified" | "working" | "failing"

export interface SeedMailboxVerification {
  ok: boolean
  message: string
  /** The folder for spam. Null if the server names none. */
  spamFolder: string | null
}

export interface SendSignalsInput {
  signals: SignalInput[]
}

export interface SendSignalsResults {
  accepted: number
  duplicates: number
  /** Signals that match no lead. They are not stored. */
  unknown: number
  invalid: number
  results: SignalResult[]
}

export interface SendTestMessageInput {
  leadId: string
  stepId: string
  variantId?: string
  to: string
}

export interface SenderForecastDay {
  sendingAccountId: string
  count: number
  /** The limit of that day, ramp-up included. */
  capacity: number
}

export interface SendingAccount {
  id: string
  email: string
  fromName: string
  provider: SendingAccountProvider
  smtp: SmtpServer | null
  imap: ImapServer | null
  status: SendingAccountStatus
  /** The reason for the status, such as `user`, `login_refused`, `provider_limit`, `provider_blocked`, `bounce_rate` or `complaint_rate`; `bounce_rate_warning` for an active account that keeps sending although many messages bounce; `ask_operator` if the provider refuses the client secret of this installation, which only its operator can change. */
  statusReason: string | null
  /** How to fix `lastError`, in one or two sentences; null if the provider names no known reason. */
  statusAdvice: string | null
  lastError: string | null
  dailyLimit: number
  /** Messages per day that another tool sends from this mailbox. They are subtracted from `dailyLimit`. */
  reservedPerDay: number
  sentToday: number
  minGapSeconds: number
  maxGapSeconds: number
  timezone: string
  signature: string | null
  replyTo: string | null
  trackingDomain: string | null
  rampUp: RampUp | null
  /** Mail of another tool in this mailbox. It becomes `other`, without a conversation and without being counted. */
  ignoreMail: IgnoredMail[]
  health: HealthSummary | null
  /** Whether SPF or DMARC that was wrong for 72 hours pauses the account. */
  requireAuthentication: boolean
  deliverability: Deliverability
  /** The tenant connection through which the account logs in; null if it has its own login. */
  tenantConnectionId: string | null
  /** The tags of this resource, by id. See `POST /v2/tags/:id/assign`. */
  tagIds: string[]
  createdAt: string
  updatedAt: string
}

export interface SendingAccountAnalytics {
  sendingAccountId: string
  email: string | null
  leads: number
  contacted: number
  sent: number
  delivered: number
  opened: number
  uniqueOpened: number
  machineOpened: number
  clicked: number
  uniqueClicked: number
  machineClicked: number
  replied: number
  uniqueReplied: number
  autoReplied: number
  bounced: number
  verifiedBounced: number
  unsubscribed: number
  interested: number
  meetingsBooked: number
  handedOver: number
  failed: number
  uncertain: number
  returned: number
  notSent: Record<string, number>
  rates: Rates
}

export interface SendingAccountAuthorization {
  authorizeUrl: string
  expiresAt: string
}

export interface SendingAccountDeliverabilityChangedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  from: DeliverabilityState
  to: DeliverabilityState
  reasons: DeliverabilityReason[]
}

export interface SendingAccountDeliverabilityChangedEvent {
  id: string
  type: "sending_account.deliverability_changed"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: SendingAccountDeliverabilityChangedData
}

export interface SendingAccountDiscovery {
  email: string
  provider: SendingAccountProvider
  source: DiscoverySource
  smtp: FoundServer | null
  imap: FoundServer | null
  oauth: OAuthAvailability
  hint: string | null
}

export interface SendingAccountErrorData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  status: string
  error: string | null
  sent?: number
  bounced?: number
}

export interface SendingAccountErrorEvent {
  id: string
  type: "sending_account.error"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: SendingAccountErrorData
}

export interface SendingAccountList {
  results: SendingAccount[]
  pagination: Pagination
  nextCursor: string | null
}

export type SendingAccountProvider = "smtp" | "google" | "microsoft" | "sandbox"

export interface SendingAccountRecoveredData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  from: string
}

export interface SendingAccountRecoveredEvent {
  id: string
  type: "sending_account.recovered"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: SendingAccountRecoveredData
}

export type SendingAccountStatus = "active" | "paused" | "connection_error" | "auth_required" | "blocked"

export interface SendingAccountWarning {
  code: "password_login_ends" | "onmicrosoft_domain" | "client_secret_expires" | "client_secret_refused" | "login_unencrypted"
  message: string
}

export interface Session {
  id: string
  current: boolean
  method: SignInMethod
  ip: string | null
  userAgent: string | null
  createdAt: string
  lastSeenAt: string
  expiresAt: string
}

export interface SessionList {
  results: Session[]
  pagination: Pagination
  nextCursor: string | null
}

export interface SetSandboxClockInput {
  frozen: boolean
}

export interface SetSandboxTasksInput {
  /** Such as `2h` or `3d`, counted from the opening of a task. Null: tasks stay open. */
  completeAfter: string | null
  /** The outcome of calls. The default is `connected`. Other tasks are `done`. */
  outcome?: TaskOutcome
}

export type SignInMethod = "password" | "oidc"

export interface SignInState {
  signedIn: boolean
  setupRequired: boolean
  methods: SignInMethod[]
  passwordReset: boolean
  version: string
}

export interface Signal {
  id: string
  name: string
  email: string | null
  domain: string | null
  leadId: string | null
  value: string | number | boolean | null
  occurredAt: string
  dedupeKey: string | null
  createdAt: string
}

export interface SignalInput {
  name: string
  /** A person, in all campaigns. */
  email?: string
  /** A company. The signal is about all of its leads. */
  domain?: string
  /** One lead of one campaign. */
  leadId?: string
  value?: string | number | boolean
  /** When it happened. The default is now. */
  occurredAt?: string
  /** A signal with an existing key is a duplicate. */
  dedupeKey?: string
}

export interface SignalList {
  results: Signal[]
  pagination: Pagination
  nextCursor: string | null
}

export type SignalOutcome = "accepted" | "duplicate" | "unknown" | "invalid"

export interface SignalReceivedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  signalId: string
  signal: string
  domain: string | null
  value?: string | number | boolean
  signaledAt: string
  matchedLeads: number
}

export interface SignalReceivedEvent {
  id: string
  type: "signal.received"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: SignalReceivedData
}

export interface SignalResult {
  index: number
  outcome: SignalOutcome
  /** Why an item is invalid. */
  message: string | null
  /** The id of an accepted signal. */
  id: string | null
  /** Leads that the signal is about, 10,000 at most. */
  matchedLeads: number
}

export interface SignedOut {
  signedIn: false
}

export interface SkipTaskInput {
  note?: string
}

export interface SkippedReportRecipient {
  userId: string
  reason: "disabled" | "removed" | "role" | "mail_failed" | "mail_uncertain"
}

export interface SmtpServer {
  host: string
  port: number
  security: MailSecurity
  username: string | null
}

export interface SmtpServerInput {
  host: string
  port: number
  security?: MailSecurity
  username?: string | null
  password?: string
}

export interface SnoozeTaskInput {
  until: string
}

export type SpreadsheetEncoding = "utf-8" | "utf-16" | "windows-1252" | "windows-1250" | "windows-1251" | "windows-1253" | "windows-1254" | "windows-1257" | "iso-8859-2" | "koi8-r" | "macintosh" | "x-mac-cyrillic" | "shift_jis" | "gb18030"

export interface Stats {
  leads: number
  contacted: number
  sent: number
  delivered: number
  opened: number
  uniqueOpened: number
  machineOpened: number
  clicked: number
  uniqueClicked: number
  machineClicked: number
  replied: number
  uniqueReplied: number
  autoReplied: number
  bounced: number
  verifiedBounced: number
  unsubscribed: number
  interested: number
  meetingsBooked: number
  handedOver: number
  failed: number
  uncertain: number
  returned: number
  notSent: Record<string, number>
  rates: Rates
}

export interface Step {
  id: string
  position: number
  type: StepType
  key: string | null
  waitBefore: Wait
  then: string | null
  sameThread: boolean
  variantSelection: VariantSelection
  variants: Variant[]
  branches: Branch[]
  /** The kind of task. Required for a task step, null for others. */
  channel: TaskStepChannel | null
  /** A template, as the texts of messages. A task step needs one. */
  title: string | null
  /** A template for the person who does the task. */
  instructions: string | null
  /** The user who does the task. Null means the owner of the campaign. */
  assigneeId: string | null
  /** When the task is due, counted from its opening. The default is a day. */
  dueIn: Wait | null
  /** Whether the lead waits until the task is closed. The default is true. */
  blocks: boolean | null
  /** When an open task is skipped, counted from its opening. Null means never. */
  expiresIn: Wait | null
  /** An email step whose text a person reads, changes and approves as a task. */
  byHand: boolean
}

export interface StepAnalytics {
  stepId: string
  position: number | null
  /** Null if the step was removed. */
  type: "email" | "branch" | "task" | null
  /** Leads that passed the step or wait for it now, independent of the range. */
  reached: number
  /** Leads that wait for the step now. The range changes nothing. */
  waiting: number
  /** The tasks of the step in the range. Null for a step without tasks. */
  tasks: TaskCounts | null
  leads: number
  contacted: number
  sent: number
  delivered: number
  opened: number
  uniqueOpened: number
  machineOpened: number
  clicked: number
  uniqueClicked: number
  machineClicked: number
  replied: number
  uniqueReplied: number
  autoReplied: number
  bounced: number
  verifiedBounced: number
  unsubscribed: number
  interested: number
  meetingsBooked: number
  handedOver: number
  failed: number
  uncertain: number
  returned: number
  notSent: Record<string, number>
  rates: Rates
}

export interface StepInput {
  id?: string
  position?: number
  type?: StepType
  /** A key that is unique in the campaign, for steps that have no id yet. The body can refer to steps by it. */
  key?: string | null
  waitBefore?: Wait
  /** Where leads go next: the id or key of a later step, or `end`. Null means the next step. For a branch: where leads go if no branch matches. */
  then?: string | null
  sameThread?: boolean
  variantSelection?: VariantSelection
  /** An email step has at least one. */
  variants?: VariantInput[]
  /** A branch step has at least one. The first branch that matches decides. */
  branches?: BranchInput[]
  /** The kind of task. Required for a task step, null for others. */
  channel?: TaskStepChannel | null
  /** A template, as the texts of messages. A task step needs one. */
  title?: string | null
  /** A template for the person who does the task. */
  instructions?: string | null
  /** The user who does the task. Null means the owner of the campaign. */
  assigneeId?: string | null
  /** When the task is due, counted from its opening. The default is a day. */
  dueIn?: Wait | null
  /** Whether the lead waits until the task is closed. The default is true. */
  blocks?: boolean | null
  /** When an open task is skipped, counted from its opening. Null means never. */
  expiresIn?: Wait | null
  /** An email step whose text a person reads, changes and approves as a task. */
  byHand?: boolean
}

/** `email` sends a message; `branch` decides which step each lead gets next; `task` is done by a person. Fixed once the step is stored. */
export type StepType = "email" | "branch" | "task"

export interface StillLeads {
  campaignId: string
  campaignName: string
  leads: number
}

export interface StoppedBy {
  rule: string
  leadId: string | null
  email: string | null
}

export type SuggestField = "industry" | "technology" | "jobTitle" | "location" | "companyName"

export interface Summary {
  campaigns: {
    total: number
    byStatus: Record<string, number>
  }
  leads: {
    total: number
    byStatus: Record<string, number>
  }
  today: {
    sent: number
    capacity: number
  }
  totals: Stats
  credits: {
    balance: number
  }
  returned: ReturnedCampaign[]
  missingValues: CampaignMissingValues[]
}

export interface Suppression {
  id: string
  email: string | null
  domain: string | null
  /** The SHA-256 of the lower-case address in hexadecimal, if the address itself is not known. */
  sha256: string | null
  /** The suppression list with this entry, or null. */
  list: string | null
  source: SuppressionSource
  reason: string | null
  /** When the suppression ends, or null if it never ends. */
  expiresAt: string | null
  createdAt: string
}

export interface SuppressionImport {
  id: string
  list: string
  mode: "add" | "replace"
  status: "pending" | "running" | "completed" | "failed"
  /** Rows of the file without the header. */
  rowsTotal: number
  rowsRead: number
  /** Entries that the list did not have. */
  added: number
  /** Rows whose entry the list had already, or that are in the file twice. */
  updated: number
  /** Entries that `replace` removed. */
  removed: number
  failed: number
  errorsUrl: string | null
  error: string | null
  createdAt: string
  completedAt: string | null
}

export interface SuppressionList {
  results: Suppression[]
  pagination: Pagination
  nextCursor: string | null
}

export interface SuppressionListSummary {
  name: string
  /** Entries of the list, including those that have run out. */
  entries: number
}

export interface SuppressionListSummaryList {
  results: SuppressionListSummary[]
  pagination: Pagination
  nextCursor: string | null
}

export type SuppressionSource = "recipient" | "bounce" | "complaint" | "manual" | "customer" | "import" | "unproven"

export interface Tag {
  id: string
  name: string
  createdAt: string
}

export interface TagList {
  results: Tag[]
  pagination: Pagination
  nextCursor: string | null
}

export interface TagResult {
  id: string
  outcome: "changed" | "unchanged" | "not_found"
}

export interface TagResults {
  results: TagResult[]
}

export interface TaggedIds {
  /** Ids of campaigns, people and sending accounts. The id of a campaign lead, or an address, stands for its person. */
  ids: string[]
}

export interface Task {
  id: string
  campaignId: string | null
  leadId: string | null
  /** The step that opened it. Null for a task that a person created. */
  stepId: string | null
  /** With `channel: email`: the text that waits for approval. */
  approvalId: string | null
  channel: TaskChannel
  title: string
  instructions: string
  status: TaskStatus
  outcome: TaskOutcome | null
  note: string | null
  /** The user who does the task. Null if there is none or the user was removed. */
  assigneeId: string | null
  dueAt: string
  snoozedUntil: string | null
  createdAt: string
  closedAt: string | null
  /** The user or the API key that closed it. Null if it is open, expired or canceled. */
  closedBy: string | null
}

export interface TaskCanceledData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  taskId: string
  channel: "call" | "linkedin_visit" | "linkedin_connect" | "linkedin_message" | "other" | "email"
  assigneeId: string | null
  dueAt: string
  reason: string
}

export interface TaskCanceledEvent {
  id: string
  type: "task.canceled"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: TaskCanceledData
}

export type TaskChannel = "call" | "linkedin_visit" | "linkedin_connect" | "linkedin_message" | "other" | "email"

export interface TaskCompletedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  taskId: string
  channel: "call" | "linkedin_visit" | "linkedin_connect" | "linkedin_message" | "other" | "email"
  assigneeId: string | null
  dueAt: string
  outcome: "connected" | "no_answer" | "voicemail" | "wrong_number" | "not_interested" | "done"
}

export interface TaskCompletedEvent {
  id: string
  type: "task.completed"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: TaskCompletedData
}

export interface TaskCounts {
  created: number
  done: number
  skipped: number
  overdue: number
  /** The number of completed tasks by outcome. */
  outcomes: Record<string, number>
}

export interface TaskCreatedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  taskId: string
  channel: "call" | "linkedin_visit" | "linkedin_connect" | "linkedin_message" | "other" | "email"
  assigneeId: string | null
  dueAt: string
}

export interface TaskCreatedEvent {
  id: string
  type: "task.created"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: TaskCreatedData
}

export interface TaskList {
  results: Task[]
  pagination: Pagination
  nextCursor: string | null
}

export type TaskOutcome = "connected" | "no_answer" | "voicemail" | "wrong_number" | "not_interested" | "done"

export interface TaskOverdueData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  taskId: string
  channel: "call" | "linkedin_visit" | "linkedin_connect" | "linkedin_message" | "other" | "email"
  assigneeId: string | null
  dueAt: string
}

export interface TaskOverdueEvent {
  id: string
  type: "task.overdue"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: TaskOverdueData
}

export interface TaskSkippedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  taskId: string
  channel: "call" | "linkedin_visit" | "linkedin_connect" | "linkedin_message" | "other" | "email"
  assigneeId: string | null
  dueAt: string
  reason: "user" | "expired" | "rejected"
}

export interface TaskSkippedEvent {
  id: string
  type: "task.skipped"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: TaskSkippedData
}

export type TaskStatus = "open" | "done" | "skipped" | "canceled"

export type TaskStepChannel = "call" | "linkedin_visit" | "linkedin_connect" | "linkedin_message" | "other"

export interface Template {
  id: string
  name: string
  subject: string
  body: string
  tags: string[]
  createdAt: string
  updatedAt: string
}

export interface TemplateLead {
  firstName?: string | null
  lastName?: string | null
  jobTitle?: string | null
  company?: string | null
  companyDomain?: string | null
  linkedinUrl?: string | null
  mobile?: string | null
  country?: string | null
  city?: string | null
  timezone?: string | null
  personId?: string | null
  /** The basis on which the data is processed (GDPR Art. 6(1)), as the customer states it. */
  lawfulBasis?: LawfulBasis | null
  /** Where the data came from, for example the name of a register or a trade fair. */
  dataSource?: string | null
  /** A note about the basis, for example where the assessment is filed. */
  basisNote?: string | null
  /** Whether the person agreed to tracked opens and clicks. Campaigns with `settings.tracking: by_consent` track only leads with `true`. Null if the person was not asked. */
  trackingConsent?: boolean | null
  customVariables?: Record<string, string | number | boolean>
  email?: string
}

export interface TemplateList {
  results: Template[]
  pagination: Pagination
  nextCursor: string | null
}

export interface TemplatePreview {
  subject: string
  text: string
  html: string | null
}

export type TenantAccess = "consent" | "application"

export interface TenantConnection {
  id: string
  provider: OAuthProvider
  /** `consent`: an administrator allowed the people of the organization to connect their own mailboxes. `application`: sending accounts log in through the connection. */
  access: TenantAccess
  /** The id of the organization at Microsoft. */
  tenantId: string | null
  /** A domain of the organization; null if none is known. */
  domain: string | null
  /** With `application`: the id of the application at Microsoft, or of the service account at Google. */
  clientId: string | null
  /** The administrator at Google. */
  adminEmail: string | null
  /** How many sending accounts log in through the connection. */
  sendingAccounts: number
  /** Recipients per day in UTC that the sending accounts share. Every recipient counts, those of the own organization included. Null: no shared limit. */
  dailyExternalRecipients: number | null
  /** Microsoft's limit of external recipients per day, 500 × licences^0.7 + 9,500, with one licence per sending account at Microsoft 365. The organization may have more licences; a trial has 5,000 recipients. Null without such an account. */
  suggestedDailyExternalRecipients: number | null
  createdAt: string
  updatedAt: string
}

export interface TenantConnectionList {
  results: TenantConnection[]
  pagination: Pagination
  nextCursor: string | null
}

export interface TenantMailboxInput {
  email: string
  fromName?: string
  dailyLimit?: number
  signature?: string | null
}

export type TenantMailboxOutcome = "connected" | "duplicate" | "invalid"

export interface TenantMailboxResult {
  index: number
  email: string | null
  outcome: TenantMailboxOutcome
  /** The new sending account. For a duplicate: the account that has the address. */
  sendingAccountId: string | null
  /** The field that makes an item invalid. */
  field: string | null
  /** Why the mailbox was not connected. */
  message: string | null
}

export interface TenantMailboxResults {
  connected: number
  duplicates: number
  invalid: number
  results: TenantMailboxResult[]
}

export interface TestMessage {
  id: string
  campaignId: string
  leadId: string
  stepId: string
  variantId: string
  sendingAccountId: string
  to: string
  subject: string
  status: MessageStatus
  sentAt: string | null
  createdAt: string
}

export interface TestMessageList {
  results: TestMessage[]
  pagination: Pagination
  nextCursor: string | null
}

export interface TestWebhookInput {
  type?: EventType
}

export interface TextHint {
  code: "spam_word" | "length" | "links" | "short_link" | "capitals" | "no_variable" | "long_subject" | "false_re" | "unknown_variable" | "other_spelling"
  severity: "info" | "warning"
  field: "subject" | "body"
  message: string
  /** From and to, in UTF-16 units of the field; null where it is about all of it. */
  at: number[] | null
  /** The text that is proposed for this place, if there is one. */
  replacement: string | null
}

export interface TextIssue {
  field: "subject" | "body"
  line: number
  column: number
  message: string
}

export interface TextPreview {
  leadId: string
  subject: string | null
  text: string | null
  html: string | null
  missing: string[]
  /** Why nothing could be sent to this lead, where it could not. */
  problem: string | null
}

export interface TextVariable {
  name: string
  /** Leads that could not get the message because they have no such value. */
  missing: number
  /** The active leads of the campaign. */
  of: number
}

export interface TotpOff {
  totp: false
}

export interface TotpSecret {
  secret?: string
  url?: string
}

/** Which leads `openTracking` and `linkTracking` apply to: `on` all leads, `by_consent` only leads with `trackingConsent: true`, `off` no lead. Opens and clicks of other leads are not recorded, also from messages that were sent before. */
export type TrackingMode = "off" | "on" | "by_consent"

export interface Triage {
  status: "done" | "skipped"
  interest: "interested" | "not_interested" | "wrong_person" | "out_of_office" | "unclear" | null
  intent: "meeting_request" | "question" | "information_request" | "referral" | "objection" | "not_now" | "decline" | "opt_out" | "other" | null
  /** 0 to 1, as reported by the model. */
  confidence: number | null
  modelId: string
  applied: boolean
  reason: "unclear" | "low_confidence" | "labelled_by_person" | "opted_out" | "further_along" | "newer_reply" | "unproven" | "insufficient_credits" | "model_not_offered" | "model_unavailable" | null
  generationId: string | null
  creditsCharged: number
  at: string
}

export interface Trial {
  endsAt: string
  leadCreditCap: number
  leadCreditsUsed: number
}

export interface UpdateAccountInput {
  name?: string
  defaultTimezone?: string
  postalAddress?: string | null
  privacyContact?: string | null
  privacyUrl?: string | null
  replyKnowledge?: string | null
  id?: string
  plan?: PlanId
  environment?: Environment
  linksReachRecipients?: boolean
  apiAccessEnabled?: boolean
  limits?: AccountLimits
  usage?: AccountUsage
  credits?: {
    balance: number
  }
  trial?: Trial | null
  createdAt?: string
}

export interface UpdateAvailabilityInput {
  enabled?: boolean
  title?: string
  timezone?: string
  windows?: ScheduleWindow[]
  durationMinutes?: number
  slotStepMinutes?: number
  bufferMinutes?: number
  minNoticeMinutes?: number
  maxDaysAhead?: number
  blackoutDates?: string[]
  hostName?: string | null
  hostEmail?: string | null
  joinUrl?: string | null
  reminderMinutes?: number[]
  slug?: string
  calComSecret?: string | null
  calendlySigningKey?: string | null
  calendarUrl?: string | null
  bookingUrl?: string
  calCom?: MeetingIntegration
  calendly?: MeetingIntegration
  busyCalendar?: BusyCalendar
  updatedAt?: string | null
}

export interface UpdateCampaignInput {
  name?: string
  steps?: StepInput[]
  schedule?: ScheduleInput
  sendingAccountIds?: string[]
  settings?: CampaignSettingsInput
  /** Takes over people from other campaigns, as a sub-sequence. Its first message may wait for some time after the event, and may continue the thread that the person knows. */
  entry?: CampaignEntryInput | null
  ownerId?: string | null
  id?: string
  status?: string
  statusReason?: string | null
  tagIds?: string[]
  leadCount?: number
  createdAt?: string
  updatedAt?: string
  launchedAt?: string | null
  completedAt?: string | null
}

export interface UpdateContactPolicyInput {
  /** The most messages of campaigns that a person gets in this many days. */
  perPerson?: ContactLimitPerPerson | null
  /** The most people of a company that get their first message in this many days. */
  perCompany?: ContactLimitPerCompany | null
  /** The campaign that wrote to a person first keeps the person until that lead ends. */
  oneCampaignAtATime?: boolean
  /** After a reply to any campaign, no campaign writes to the person for this many days. */
  quietAfterReplyDays?: number | null
  /** No campaign writes to a person, or to a company, that exchanged mail outside of campaigns with a connected mailbox within this many days. */
  conversation?: ContactConversation | null
  /** Stops a lead when a person writes to it from a sending account's mailbox. */
  stopOnManualMail?: boolean
}

export interface UpdateConversationInput {
  read?: boolean
  unread?: boolean
  interest?: Interest | null
  archived?: boolean
  snoozedUntil?: string | null
  ownerId?: string | null
  id?: string
  leadId?: string | null
  campaignId?: string | null
  sendingAccountId?: string
  lead?: unknown
  subject?: string
  snippet?: string
  awaiting?: boolean
  scheduled?: string | null
  lastMessageAt?: string
  createdAt?: string
  messages?: unknown[]
  notes?: unknown[]
  forwards?: unknown[]
  draft?: unknown
}

export interface UpdateDeliverabilityDomainInput {
  /** Recipients per day in UTC that the sending accounts share. Every recipient counts, those of the own organization included. Null: no shared limit. */
  dailyExternalRecipients: number | null
}

export interface UpdateLeadInput {
  firstName?: string | null
  lastName?: string | null
  jobTitle?: string | null
  company?: string | null
  companyDomain?: string | null
  linkedinUrl?: string | null
  mobile?: string | null
  country?: string | null
  city?: string | null
  timezone?: string | null
  personId?: string | null
  /** The basis on which the data is processed (GDPR Art. 6(1)), as the customer states it. */
  lawfulBasis?: LawfulBasis | null
  /** Where the data came from, for example the name of a register or a trade fair. */
  dataSource?: string | null
  /** A note about the basis, for example where the assessment is filed. */
  basisNote?: string | null
  /** Whether the person agreed to tracked opens and clicks. Campaigns with `settings.tracking: by_consent` track only leads with `true`. Null if the person was not asked. */
  trackingConsent?: boolean | null
  customVariables?: Record<string, string | number | boolean>
  interest?: Interest | null
  status?: LeadStatus
  /** Only with `status: paused` or for a paused lead. */
  resumeAt?: string | null
  id?: string
  campaignId?: string
  email?: string
  blockedReason?: string | null
  currentStep?: number
  path?: unknown
  nextSendAt?: string | null
  lastContactedAt?: string | null
  sendingAccountId?: string | null
  openCount?: number
  clickCount?: number
  replyCount?: number
  stoppedBy?: unknown
  verification?: unknown
  recipientProvider?: unknown
  originLeadId?: string | null
  createdAt?: string
  updatedAt?: string
}

export interface UpdateListInput {
  name?: string
  description?: string
  id?: string
  memberCount?: number
  followers?: unknown[]
  createdAt?: string
  updatedAt?: string
}

export interface UpdateMeInput {
  name?: string
  preferences?: PreferencesInput
  id?: string
  email?: string
  role?: Role
  status?: "active" | "disabled"
  methods?: SignInMethod[]
  totp?: boolean
  lastSeenAt?: string | null
  createdAt?: string
  account?: MyAccount
  sessionId?: string | null
}

export interface UpdateMeetingInput {
  title?: string
  startAt?: string
  endAt?: string
  timezone?: string
  joinUrl?: string | null
  attendees?: AttendeeInput[]
  status?: MeetingStatus
  id?: string
  leadId?: string | null
  campaignId?: string | null
  source?: string
  createdAt?: string
  updatedAt?: string
}

export interface UpdatePersonInput {
  firstName?: string | null
  lastName?: string | null
  jobTitle?: string | null
  company?: string | null
  companyDomain?: string | null
  linkedinUrl?: string | null
  mobile?: string | null
  country?: string | null
  city?: string | null
  timezone?: string | null
  personId?: string | null
  /** The basis on which the data is processed (GDPR Art. 6(1)), as the customer states it. */
  lawfulBasis?: LawfulBasis | null
  /** Where the data came from, for example the name of a register or a trade fair. */
  dataSource?: string | null
  /** A note about the basis, for example where the assessment is filed. */
  basisNote?: string | null
  /** Whether the person agreed to tracked opens and clicks. Campaigns with `settings.tracking: by_consent` track only leads with `true`. Null if the person was not asked. */
  trackingConsent?: boolean | null
  customVariables?: Record<string, string | number | boolean>
  id?: string
  email?: string
  suppressed?: boolean
  tagIds?: string[]
  campaigns?: unknown[]
  history?: unknown[]
  lastContactedAt?: string | null
  createdAt?: string
  updatedAt?: string
}

export interface UpdatePlacementTestInput {
  repeat: "none"
}

export interface UpdatePromptPresetInput {
  name?: string
  description?: string | null
  category?: string | null
  prompt?: string
  modelId?: string | null
  variables?: string[]
  id?: string
  version?: number
  createdAt?: string
  updatedAt?: string
}

export interface UpdateReplyInput {
  text?: string
  html?: string
  sendAt?: string
  /** Lets a held reply be sent at its time, or now if that is over. */
  held?: false
}

export interface UpdateReportInput {
  name?: string
  /** False pauses the report. The default is true. */
  active?: boolean
  query?: ReportQueryInput
  every?: "day" | "week" | "month"
  /** For `week` the day from 1 (Monday) to 7. For `month` the day from 1 to 31; a shorter month has its last day. The default is 1. Null for `day`. */
  on?: number | null
  /** The time of day in the zone. The default is 08:00. */
  at?: string
  /** The default is the time zone of the account. */
  timezone?: string
  /** Ids of active users of the account. Without recipients, only the event `report.ready` is written. */
  recipients?: string[]
  id?: string
  nextRunAt?: string | null
  lastRun?: unknown
  createdAt?: string
}

export interface UpdateSeedMailboxInput {
  email?: string
  imap?: {
    host?: string
    port?: number
    security?: MailSecurity
    username?: string
    password?: string
  }
}

export interface UpdateSendingAccountInput {
  fromName?: string
  dailyLimit?: number
  reservedPerDay?: number
  ignoreMail?: IgnoredMail[]
  requireAuthentication?: boolean
  minGapSeconds?: number
  maxGapSeconds?: number
  timezone?: string
  signature?: string | null
  replyTo?: string | null
  trackingDomain?: string | null
  oauth?: {
    refreshToken: string
  }
  confirm?: Confirmation
  email?: string
  smtp?: {
    host?: string
    port?: number
    security?: MailSecurity
    username?: string | null
    password?: string
  } | null
  imap?: {
    host?: string
    port?: number
    security?: MailSecurity
    username?: string | null
    password?: string
    sentFolder?: string | null
  } | null
  rampUp?: {
    enabled?: boolean
    startPerDay?: number
    incrementPerDay?: number
    /** `fixed` grows every day. `adaptive` grows after days on which half of the allowance was used, and slows down by evidence. */
    mode?: "fixed" | "adaptive"
    /** Messages per day at most under an adaptive ramp. Null: the daily limit. */
    ceiling?: number | null
  } | null
  id?: string
  provider?: string
  status?: string
  statusReason?: string | null
  statusAdvice?: string | null
  lastError?: string | null
  sentToday?: number
  health?: unknown
  deliverability?: unknown
  tenantConnectionId?: string | null
  tagIds?: string[]
  createdAt?: string
  updatedAt?: string
}

export interface UpdateTagInput {
  name?: string
  id?: string
  createdAt?: string
}

export interface UpdateTaskInput {
  title?: string
  instructions?: string
  note?: string | null
  assigneeId?: string | null
  dueAt?: string
  id?: string
  campaignId?: string | null
  leadId?: string | null
  stepId?: string | null
  approvalId?: string | null
  channel?: string
  status?: string
  outcome?: string | null
  snoozedUntil?: string | null
  createdAt?: string
  closedAt?: string | null
  closedBy?: string | null
}

export interface UpdateTemplateInput {
  name?: string
  subject?: string
  body?: string
  tags?: string[]
  id?: string
  createdAt?: string
  updatedAt?: string
}

export interface UpdateTenantConnectionInput {
  /** Recipients per day in UTC that the sending accounts share. Every recipient counts, those of the own organization included. Null: no shared limit. */
  dailyExternalRecipients: number | null
}

export interface UpdateUserInput {
  role?: Role
  status?: "active" | "disabled"
  id?: string
  email?: string
  name?: string
  methods?: SignInMethod[]
  totp?: boolean
  lastSeenAt?: string | null
  createdAt?: string
  keptWebhooks?: KeptWebhook[]
  confirm?: Confirmation
}

export interface UpdateWebhookInput {
  url?: string
  events?: Array<EventType | "*">
  /** The campaigns whose events are sent. Empty means all events of the environment. */
  campaignIds?: string[]
  enabled?: boolean
  id?: string
  status?: string
  statusReason?: string | null
  failingSince?: string | null
  warning?: string | null
  createdAt?: string
  updatedAt?: string
}

export interface User {
  id: string
  email: string
  name: string
  role: Role
  status: "active" | "disabled"
  methods: SignInMethod[]
  totp: boolean
  lastSeenAt: string | null
  createdAt: string
}

export interface UserJoinedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  userId: string
  role: Role
}

export interface UserJoinedEvent {
  id: string
  type: "user.joined"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: UserJoinedData
}

export interface UserList {
  results: User[]
  pagination: Pagination
  nextCursor: string | null
}

export interface UserRemovedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  userId: string
  reason: "disabled" | "deleted"
}

export interface UserRemovedEvent {
  id: string
  type: "user.removed"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: UserRemovedData
}

export interface UserRoleChangedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  userId: string
  role: Role
  previousRole: Role
}

export interface UserRoleChangedEvent {
  id: string
  type: "user.role_changed"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: UserRoleChangedData
}

export interface Variant {
  id: string
  label: string
  subject: string
  body: string
  weight: number
  enabled: boolean
  ai: VariantAi | null
}

export interface VariantAi {
  presetId: string
  modelId: string
}

export interface VariantAnalytics {
  stepId: string
  variantId: string
  label: string | null
  replyInterval: {
    low: number
    high: number
  } | null
  /** The share of the step's next leads that gets this variant, by weight or, with `auto`, by replies. Null for a removed variant. */
  nextShare: number | null
  leads: number
  contacted: number
  sent: number
  delivered: number
  opened: number
  uniqueOpened: number
  machineOpened: number
  clicked: number
  uniqueClicked: number
  machineClicked: number
  replied: number
  uniqueReplied: number
  autoReplied: number
  bounced: number
  verifiedBounced: number
  unsubscribed: number
  interested: number
  meetingsBooked: number
  handedOver: number
  failed: number
  uncertain: number
  returned: number
  notSent: Record<string, number>
  rates: Rates
}

export interface VariantComparison {
  stepId: string
  verdict: "not_enough_data" | "no_clear_difference" | "winner"
  winnerVariantId: string | null
  detail: string
}

export interface VariantInput {
  id?: string
  label?: string
  subject?: string
  body?: string
  weight?: number
  enabled?: boolean
  ai?: VariantAi | null
  /** The template from which subject and body are copied, unless the request has them. Later changes of the template have no effect. */
  templateId?: string
}

/** How a lead's variant is chosen: `weighted` uses the weights of the variants, `auto` their replies (Thompson sampling). `auto` uses the weights until each variant has been delivered 50 times. */
export type VariantSelection = "weighted" | "auto"

export interface Verification {
  ok: boolean
  checks: VerifyCheck[]
}

export interface VerificationCompletedData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  verificationId: string
  total: number
  deliverable: number
  risky: number
  undeliverable: number
  unknown: number
  creditsCharged: number
}

export interface VerificationCompletedEvent {
  id: string
  type: "verification.completed"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: VerificationCompletedData
}

export type VerificationReason = "syntax" | "no_mx" | "null_mx" | "disposable" | "role" | "free_mail" | "catch_all" | "mailbox_not_found" | "mailbox_full" | "bounced_before" | "replied_before" | "typo"

export type VerificationResult = "deliverable" | "risky" | "undeliverable" | "unknown"

export interface VerificationSettings {
  /** The addresses that the campaign does not write to: none, those that are undeliverable, also risky ones, or all that are not known to be deliverable. */
  mode: "off" | "block_undeliverable" | "block_risky" | "require"
  /** Whether the campaign writes to role addresses, such as `info@`. */
  roleAddresses: "allow" | "block"
}

export type VerificationSource = "rules" | "history" | "zerobounce" | "neverbounce" | "bouncer" | "simulation"

export interface VerifiedAddress {
  email: string
  result: VerificationResult | null
  reasons: VerificationReason[]
  /** The address that was probably meant, if the domain has a typing error. */
  suggestion: string | null
  source: VerificationSource | null
  checkedAt: string | null
  creditsCharged: number
}

export interface VerifiedAddressList {
  results: VerifiedAddress[]
  pagination: Pagination
  nextCursor: string | null
}

export interface VerifyCheck {
  name: "smtp_connect" | "smtp_auth" | "imap_connect" | "imap_auth" | "imap_sent_folder"
  ok: boolean
  message: string
  /** The setting at the provider that rejects the login, if its response names it: `consent`, `security_defaults`, `tenant_smtp_auth` and `mailbox_smtp_auth` of Microsoft 365, `imap_disabled`, `password_login` (passwords are off), `app_password`, `web_login`, or `installation` (the client secret of this server). */
  gate: VerifyGate | null
  /** One sentence on how to fix it. */
  advice: string | null
}

export type VerifyGate = "consent" | "security_defaults" | "tenant_smtp_auth" | "mailbox_smtp_auth" | "imap_disabled" | "password_login" | "app_password" | "web_login" | "installation"

export interface VerifyTenantConnectionInput {
  email: string
}

export interface Wait {
  value: number
  unit: WaitUnit
}

export type WaitUnit = "minutes" | "hours" | "days" | "business_days"

export interface Webhook {
  id: string
  url: string
  events: string[]
  campaignIds: string[]
  enabled: boolean
  status: WebhookStatus
  statusReason: string | null
  failingSince: string | null
  /** Why the URL is unsafe, in one sentence. Null if it is safe. */
  warning: string | null
  createdAt: string
  updatedAt: string
}

export interface WebhookAttempt {
  at: string
  responseStatus: number | null
  durationMs: number
  error: string | null
}

export interface WebhookDelivery {
  id: string
  webhookId: string
  eventId: string
  eventType: string
  status: "pending" | "succeeded" | "failed"
  attempts: number
  nextAttemptAt: string | null
  lastAttemptAt: string | null
  deliveredAt: string | null
  responseStatus: number | null
  responseExcerpt: string | null
  error: string | null
  durationMs: number | null
  attemptLog: WebhookAttempt[]
  createdAt: string
}

export interface WebhookDeliveryList {
  results: WebhookDelivery[]
  pagination: Pagination
  nextCursor: string | null
}

export interface WebhookDisabledData {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  test?: true
  webhookId: string
  url: string
  reason: string
}

export interface WebhookDisabledEvent {
  id: string
  type: "webhook.disabled"
  occurredAt: string
  environment: Environment
  actor: AuditActor | null
  data: WebhookDisabledData
}

export interface WebhookList {
  results: Webhook[]
  pagination: Pagination
  nextCursor: string | null
}

export type WebhookStatus = "active" | "failing" | "disabled"

export interface WebhookWithSecret {
  id: string
  url: string
  events: string[]
  campaignIds: string[]
  enabled: boolean
  status: WebhookStatus
  statusReason: string | null
  failingSince: string | null
  /** Why the URL is unsafe, in one sentence. Null if it is safe. */
  warning: string | null
  createdAt: string
  updatedAt: string
  secret?: string
}

export type Weekday = "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun"
