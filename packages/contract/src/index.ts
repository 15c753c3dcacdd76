/** The parts of the public API that clients need: its operations, tables, codes and types. Runs in browsers. */
export { allEndpoints, endpoints } from './all-endpoints.ts'
export type { Deprecation, Endpoint, Environment, Method, PathParams, Scope } from './endpoint.ts'
export {
  AppError,
  errorStatus,
  type Blocker,
  type ErrorCode,
  type ErrorDetails,
  type ValidationIssue,
} from './errors.ts'
export { eventPayloads, type EventDetails } from './events/event-payloads.ts'
export { eventSamples } from './events/event-samples.ts'
export { eventTypes, type EventType } from './events/events.ts'
export type { Activity, Event } from './events/events-endpoints.ts'
export type { Account, AccountLimits } from './accounts/account.ts'
export type { ApiKey } from './accounts/api-keys.ts'
export { grantScopes, type Grant, type GrantScope } from './accounts/grants.ts'
export { creditPrices, plans, type PlanId } from './accounts/credits.ts'
export type { Generation, GenerationRecord, Model, Preset } from './ai/ai.ts'
export type { Approval, DraftStatus } from './ai/approvals.ts'
export { counterNames, type Analytics, type Stats, type Summary } from './analytics/analytics.ts'
export { metricDefinitions } from './analytics/metric-definitions.ts'
export {
  campaignActions,
  defaultSettings,
  structureEditableIn,
  type Campaign,
  type CampaignAction,
  type CampaignStatus,
  type Schedule,
  type Settings,
  type Step,
  type Variant,
  type Wait,
} from './campaigns/campaigns.ts'
export type { AddLeadResult, AddLeadsOutput, LeadInput, LeadItem } from './campaigns/lead-fields.ts'
export {
  blockedReasons,
  leadStatusMoves,
  type BlockedReason,
  type Interest,
  type Lead,
  type LeadStatus,
} from './campaigns/leads.ts'
export type { ImportJob } from './campaigns/imports.ts'
export type { Message, Preview } from './delivery/delivery.ts'
export type { ReplyInput } from './delivery/reply.ts'
export type { Conversation } from './inbox/conversations.ts'
export type {
  CompanySearchInput,
  CompanySearchResult,
  PersonSearchInput,
  PersonSearchResult,
} from './lead-finder/lead-finder.ts'
export { departments, fundingStages, headcountRanges, seniorities } from './lead-finder/lead-finder-vocabulary.ts'
export { meetingStatusMoves, type Meeting, type MeetingStatus } from './meetings/meetings.ts'
export type { Person } from './people/people.ts'
export type { HealthReport } from './sending-accounts/domain-health.ts'
export {
  senderActions,
  type SenderAction,
  type SenderStatus,
  type SendingAccount,
} from './sending-accounts/sending-accounts.ts'
export type { Suppression, SuppressionSource } from './suppressions/suppressions.ts'
export type { Template } from './templates/templates.ts'
export type { Webhook, WebhookDelivery, WebhookStatus } from './webhooks/webhooks.ts'
export type { AuditEntry } from './team/audit.ts'
export { defaultPreferences, type Me, type Preferences, type Session } from './team/me.ts'
export { hasRole, requiredRole, roles, type Role } from './team/roles.ts'
export { passwordLengthMax, passwordLengthMin, type SignInState } from './team/sign-in.ts'
export type { Invitation, SignInMethod, User, UserStatus } from './team/users.ts'
