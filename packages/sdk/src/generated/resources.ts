// Written by `npm run openapi` from packages/contract. Change the contract, not this file.

import { ApiPromise, PagePromise } from '../answers.ts'
import type { CallOptions, TextBody } from '../call.ts'
import { Caller, part, Resource } from '../caller.ts'
import { streaming, type StreamedOperation } from '../streams.ts'
import { addAll, type AddAllOptions, type AddAllResult } from '../add-all.ts'
import { follow, type FollowOptions } from '../follow.ts'
import type { UnknownEvent } from '../unknown-event.ts'
import type {
  AcceptLinkInput,
  Account,
  AccountExport,
  AccountExportList,
  AccountForecast,
  Activity,
  ActivityList,
  AddLeadsInput,
  AddLeadsResults,
  AddListMembersInput,
  AddListMembersResults,
  AddressVerification,
  AdminConsent,
  AdvanceSandboxClockInput,
  Analytics,
  ApiKey,
  ApiKeyList,
  Approval,
  ApprovalList,
  ApprovalStatus,
  ApproveTextInput,
  AuditEntry,
  AuditEntryList,
  AuthorizeSendingAccountInput,
  Availability,
  BeginTotpInput,
  Billing,
  BlockedReason,
  BulkConversationsInput,
  BulkConversationsResults,
  BulkDeleteInput,
  BulkDeleteResults,
  BulkLeadsInput,
  BulkLeadsResult,
  BulkTasksInput,
  BulkTasksResults,
  Campaign,
  CampaignDocument,
  CampaignDryRun,
  CampaignList,
  CampaignStats,
  CampaignStatus,
  ChangePasswordInput,
  ChangedUser,
  CheckTextsInput,
  CheckedTexts,
  Checkout,
  CompanyLeadsInput,
  CompanySearchResultPage,
  CompleteTaskInput,
  ConfirmTotpInput,
  ConnectTenantInput,
  ConnectTenantMailboxesInput,
  ContactPolicy,
  ContactPolicyPreview,
  Conversation,
  ConversationCounts,
  ConversationList,
  ConversationNote,
  ConversationReplyInput,
  ConversationWithMessages,
  ConvertSendingAccountInput,
  CopyCampaignInput,
  CreateApiKeyInput,
  CreateCampaignInput,
  CreateCheckoutInput,
  CreateExportInput,
  CreateInvitationInput,
  CreateListInput,
  CreateMeetingInput,
  CreateNoteInput,
  CreatePlacementTestInput,
  CreatePromptPresetInput,
  CreateReportInput,
  CreateSandboxInboundInput,
  CreateSeedMailboxInput,
  CreateSendingAccountInput,
  CreateSuppressionInput,
  CreateTagInput,
  CreateTaskInput,
  CreateTemplateInput,
  CreateVerificationInput,
  CreateWebhookInput,
  CreatedApiKey,
  CreatedInvitation,
  DataFlows,
  DeleteUserInput,
  Deleted,
  DeletedUser,
  DeliverabilityDomain,
  DeliverabilityDomainDetail,
  DeliverabilityDomainList,
  DescribeLinkInput,
  Diagnosis,
  DiscoverSendingAccountInput,
  DmarcReport,
  EditApprovalInput,
  EndTotpInput,
  Environment,
  ErasedPerson,
  Erasure,
  ErasureList,
  Event,
  EventList,
  EventType,
  Explanation,
  FilterSuggestionList,
  FollowupStatus,
  Forecast,
  ForwardInput,
  ForwardedMessage,
  GenerateEmailInput,
  GeneratePreviewInput,
  GeneratedPreview,
  Generation,
  GenerationRecord,
  GenerationRecordList,
  Grant,
  GrantList,
  GroupedAnalytics,
  HealthReport,
  HolidayCalendars,
  HolidayYear,
  Import,
  ImportCampaignInput,
  ImportList,
  ImportedCampaign,
  InspectedFile,
  Interest,
  Invitation,
  InvitationList,
  LaunchCampaignInput,
  LaunchedCampaign,
  Lead,
  LeadItem,
  LeadList,
  LeadOnPath,
  LeadStatus,
  LeadThread,
  LedgerEntry,
  LedgerEntryList,
  LinkDescription,
  ListImport,
  ListMember,
  ListMemberList,
  ListOfPeople,
  ListOfPeopleList,
  LoginInput,
  Me,
  Meeting,
  MeetingList,
  MeetingSource,
  MeetingStatus,
  Message,
  MessagePreview,
  MetricDefinitionList,
  Model,
  ModelList,
  PasswordResetRequested,
  Person,
  PersonExport,
  PersonList,
  PersonSearchResultPage,
  PersonWithHistory,
  PlacementResult,
  PlacementResultList,
  PlacementTest,
  PlacementTestList,
  PlanList,
  Preflight,
  PreviewMessageInput,
  PreviewTemplateInput,
  Prices,
  PromptPreset,
  PromptPresetList,
  RecoveryCodes,
  RemoveListMembersInput,
  RemoveListMembersResults,
  ReplyDraft,
  ReplyInput,
  Report,
  ReportList,
  RequestPasswordResetInput,
  ResolveDeliveryInput,
  ResolveReturnedInput,
  ResolveReturnedResult,
  RevealFieldInput,
  RevealedField,
  SandboxAdvance,
  SandboxClock,
  SandboxInbound,
  SandboxMessage,
  SandboxMessageDetail,
  SandboxMessageList,
  SandboxTasks,
  SearchCompaniesInput,
  SearchPeopleInput,
  SeedMailbox,
  SeedMailboxList,
  SeedMailboxVerification,
  SendSignalsInput,
  SendSignalsResults,
  SendTestMessageInput,
  SendingAccount,
  SendingAccountAuthorization,
  SendingAccountDiscovery,
  SendingAccountList,
  SendingAccountProvider,
  SendingAccountStatus,
  Session,
  SessionList,
  SetSandboxClockInput,
  SetSandboxTasksInput,
  SignInState,
  Signal,
  SignalList,
  SignedOut,
  SkipTaskInput,
  SnoozeTaskInput,
  SpreadsheetEncoding,
  SuggestField,
  Summary,
  Suppression,
  SuppressionImport,
  SuppressionList,
  SuppressionListSummary,
  SuppressionListSummaryList,
  SuppressionSource,
  Tag,
  TagList,
  TagResults,
  TaggedIds,
  Task,
  TaskChannel,
  TaskList,
  TaskStatus,
  Template,
  TemplateList,
  TemplatePreview,
  TenantConnection,
  TenantConnectionList,
  TenantMailboxResults,
  TestMessage,
  TestMessageList,
  TestWebhookInput,
  TotpOff,
  TotpSecret,
  UpdateAccountInput,
  UpdateAvailabilityInput,
  UpdateCampaignInput,
  UpdateContactPolicyInput,
  UpdateConversationInput,
  UpdateDeliverabilityDomainInput,
  UpdateLeadInput,
  UpdateListInput,
  UpdateMeInput,
  UpdateMeetingInput,
  UpdatePersonInput,
  UpdatePlacementTestInput,
  UpdatePromptPresetInput,
  UpdateReplyInput,
  UpdateReportInput,
  UpdateSeedMailboxInput,
  UpdateSendingAccountInput,
  UpdateTagInput,
  UpdateTaskInput,
  UpdateTemplateInput,
  UpdateTenantConnectionInput,
  UpdateUserInput,
  UpdateWebhookInput,
  User,
  UserList,
  Verification,
  VerificationResult,
  VerifiedAddress,
  VerifiedAddressList,
  VerifyTenantConnectionInput,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
  WebhookWithSecret,
} from './types.ts'

export interface ListApiKeysQuery {
  page?: number
  limit?: number
  cursor?: string
}

export interface ListGrantsQuery {
  page?: number
  limit?: number
  cursor?: string
}

export interface GetAccountActivityQuery {
  page?: number
  limit?: number
  cursor?: string
  type?: EventType
  leadId?: string
  from?: string
  to?: string
  order?: "asc" | "desc"
  campaignId?: string
}

export interface ListCampaignLeadsQuery {
  page?: number
  limit?: number
  cursor?: string
  status?: LeadStatus
  interest?: Interest
  blockedReason?: BlockedReason
  verification?: "deliverable" | "risky" | "undeliverable" | "unknown" | "none"
  email?: string
  q?: string
  /** Only what has this tag. */
  tagId?: string
}

export interface ImportCampaignLeadsQuery {
  onDuplicate?: "skip" | "update"
  /** `true` skips people who are a lead of another campaign. `skippedReasons.in_other_campaign` counts them. */
  skipIfInOtherCampaign?: boolean
  /** The field that each column becomes, as a JSON array: `["email",null,"customVariables.plan"]`. */
  columns?: string
  /** The encoding of the file. Without it UTF-8 and UTF-16 are recognized, Cyrillic and Greek by their letters, and every other file is read as Windows-1252. */
  encoding?: SpreadsheetEncoding
  /** The sheet of a workbook. Without it the first visible one is read. */
  sheet?: string
  /** `true` verifies the addresses of the campaign when the import is completed. */
  verify?: boolean
}

export interface ListApprovalsQuery {
  page?: number
  limit?: number
  cursor?: string
  status?: ApprovalStatus
}

export interface ListCampaignsQuery {
  page?: number
  limit?: number
  cursor?: string
  status?: CampaignStatus
  ownerId?: string
  q?: string
  /** Only what has this tag. */
  tagId?: string
}

export interface ListTestMessagesQuery {
  page?: number
  limit?: number
  cursor?: string
}

export interface GetAccountForecastQuery {
  days?: number
}

export interface GetCampaignAnalyticsQuery {
  from?: string
  to?: string
  interval?: "day" | "week" | "month"
  timezone?: string
}

export interface GetCampaignActivityQuery {
  page?: number
  limit?: number
  cursor?: string
  type?: EventType
  leadId?: string
  from?: string
  to?: string
  order?: "asc" | "desc"
}

export interface ListPeopleQuery {
  page?: number
  limit?: number
  cursor?: string
  q?: string
  email?: string
  campaignId?: string
  status?: LeadStatus
  interest?: Interest
  /** Only what has this tag. */
  tagId?: string
}

export interface InspectImportQuery {
  /** The encoding of the file. Without it UTF-8 and UTF-16 are recognized, Cyrillic and Greek by their letters, and every other file is read as Windows-1252. */
  encoding?: SpreadsheetEncoding
  /** The sheet of a workbook. Without it the first visible one is read. */
  sheet?: string
}

export interface ListImportsQuery {
  page?: number
  limit?: number
  cursor?: string
  campaignId?: string
}

export interface GetImportErrorsQuery {
  /** The first rows only. The default is all. */
  limit?: number
}

export interface ListConversationsQuery {
  page?: number
  limit?: number
  cursor?: string
  unread?: boolean
  awaiting?: boolean
  archived?: boolean
  snoozed?: boolean
  scheduled?: boolean
  interest?: Interest
  campaignId?: string
  sendingAccountId?: string
  ownerId?: string
  /** Only conversations whose campaign, sending account or person has this tag. */
  tagId?: string
  q?: string
}

export interface GetGroupedAnalyticsQuery {
  groupBy: string
  from?: string
  to?: string
  timezone?: string
  campaignId?: string
  sendingAccountId?: string
  /** Counts only campaigns and sending accounts with this tag. */
  tagId?: string
}

export interface ListEventsQuery {
  page?: number
  limit?: number
  cursor?: string
  order?: "asc" | "desc"
  type?: EventType
  after?: string
}

export interface ListSendingAccountsQuery {
  page?: number
  limit?: number
  cursor?: string
  status?: SendingAccountStatus
  provider?: SendingAccountProvider
  q?: string
  /** Only what has this tag. */
  tagId?: string
}

export interface DeleteSendingAccountQuery {
  replaceWith?: string
}

export interface StartAdminConsentQuery {
  provider: "microsoft"
  domain: string
}

export interface ListTenantConnectionsQuery {
  page?: number
  limit?: number
  cursor?: string
}

export interface DeleteTenantConnectionQuery {
  replaceWith?: string
}

export interface GetHolidaysQuery {
  /** A country (`DE`) or a region (`DE-BY`). */
  calendar: string
  year: number
}

export interface ListSuppressionsQuery {
  page?: number
  limit?: number
  cursor?: string
  q?: string
  source?: SuppressionSource
  list?: string
}

export interface ImportSuppressionsQuery {
  list: string
  mode?: "add" | "replace"
  /** The encoding of the file. Without it UTF-8 and UTF-16 are recognized, Cyrillic and Greek by their letters, and every other file is read as Windows-1252. */
  encoding?: SpreadsheetEncoding
  /** The sheet of a workbook. Without it the first visible one is read. */
  sheet?: string
}

export interface ExportSuppressionsQuery {
  list?: string
  source?: SuppressionSource
}

export interface ListSuppressionListsQuery {
  page?: number
  limit?: number
  cursor?: string
}

export interface ListSignalsQuery {
  page?: number
  limit?: number
  cursor?: string
  name?: string
  email?: string
  domain?: string
  /** All signals about this lead, by its id, its address or its company. */
  leadId?: string
}

export interface ListVerificationResultsQuery {
  page?: number
  limit?: number
  cursor?: string
  result?: VerificationResult
}

export interface ListDeliverabilityDomainsQuery {
  page?: number
  limit?: number
  cursor?: string
}

export interface GetDeliverabilityDomainQuery {
  from?: string
  to?: string
}

export interface ListSeedMailboxesQuery {
  page?: number
  limit?: number
  cursor?: string
}

export interface ListPlacementTestsQuery {
  page?: number
  limit?: number
  cursor?: string
  campaignId?: string
}

export interface ListPlacementResultsQuery {
  page?: number
  limit?: number
  cursor?: string
}

export interface ListErasuresQuery {
  page?: number
  limit?: number
  cursor?: string
}

export interface ListListMembersQuery {
  page?: number
  limit?: number
  cursor?: string
  q?: string
}

export interface ListListsQuery {
  page?: number
  limit?: number
  cursor?: string
  q?: string
}

export interface ImportListMembersQuery {
  /** The field that each column becomes, as a JSON array: `["email",null,"customVariables.plan"]`. */
  columns?: string
  /** The encoding of the file. Without it UTF-8 and UTF-16 are recognized, Cyrillic and Greek by their letters, and every other file is read as Windows-1252. */
  encoding?: SpreadsheetEncoding
  /** The sheet of a workbook. Without it the first visible one is read. */
  sheet?: string
}

export interface ListTagsQuery {
  page?: number
  limit?: number
  cursor?: string
}

export interface ListMeetingsQuery {
  page?: number
  limit?: number
  cursor?: string
  status?: MeetingStatus
  source?: MeetingSource
  campaignId?: string
  leadId?: string
  from?: string
  to?: string
  /** Only meetings whose campaign, sending account, lead or attendee has this tag. */
  tagId?: string
}

export interface ListTasksQuery {
  page?: number
  limit?: number
  cursor?: string
  status?: TaskStatus
  assigneeId?: string
  channel?: TaskChannel
  /** Tasks that are due before this time, without those that are snoozed until then. */
  dueBefore?: string
  campaignId?: string
  leadId?: string
  /** Only tasks whose campaign or person has this tag. */
  tagId?: string
}

export interface ListSandboxMessagesQuery {
  page?: number
  limit?: number
  cursor?: string
  campaignId?: string
  leadId?: string
  sendingAccountId?: string
  direction?: "to_prospect" | "from_prospect"
}

export interface ListTemplatesQuery {
  page?: number
  limit?: number
  cursor?: string
  q?: string
  tag?: string
}

export interface ListExportsQuery {
  page?: number
  limit?: number
  cursor?: string
}

export interface DownloadExportFileQuery {
  /** For a session that downloads the file through a link, which can’t send headers. */
  environment?: Environment
}

export interface ListReportsQuery {
  page?: number
  limit?: number
  cursor?: string
}

export interface ListWebhookDeliveriesQuery {
  page?: number
  limit?: number
  cursor?: string
  status?: "pending" | "succeeded" | "failed"
  eventId?: string
}

export interface ListWebhooksQuery {
  page?: number
  limit?: number
  cursor?: string
}

export interface ListModelsQuery {
  page?: number
  limit?: number
  cursor?: string
}

export interface ListGenerationsQuery {
  page?: number
  limit?: number
  cursor?: string
  campaignId?: string
  leadId?: string
  kind?: "email" | "subject" | "opening" | "step" | "triage" | "reply"
}

export interface ListPromptPresetsQuery {
  page?: number
  limit?: number
  cursor?: string
  category?: string
  q?: string
}

export interface SuggestFilterValuesQuery {
  field: SuggestField
  q?: string
}

export interface ListLedgerEntriesQuery {
  page?: number
  limit?: number
  cursor?: string
}

export interface ListMySessionsQuery {
  page?: number
  limit?: number
  cursor?: string
}

export interface ListUsersQuery {
  page?: number
  limit?: number
  cursor?: string
}

export interface ListInvitationsQuery {
  page?: number
  limit?: number
  cursor?: string
}

export interface ListAuditLogQuery {
  page?: number
  limit?: number
  cursor?: string
  actorId?: string
  action?: string
  targetId?: string
  from?: string
  to?: string
}

export interface ExportAuditLogQuery {
  actorId?: string
  action?: string
  targetId?: string
  from?: string
  to?: string
  format?: "csv" | "ndjson"
}

export class AccountApiKeysResource extends Resource {
  /**
   * List API keys. Lists the keys of both environments, newest first, with revoked and expired ones. A test key lists only test keys.
   *
   * `GET /v2/account/api-keys`
   */
  list(query?: ListApiKeysQuery, options?: CallOptions): PagePromise<ApiKey, ApiKeyList> {
    return this.caller.list('GET', '/v2/account/api-keys', { query, options })
  }

  /**
   * Create an API key. Creates a key in the environment of the calling key or session, with scopes that the caller has. Anything else is 403. The key belongs to the calling user. It can do what its scopes and the present role of the user allow, and it ends with the user. It also expires and is revoked with the key that created it. The key itself is shown once. For a live key with the scope `admin`, a signed-in user sends `confirm` with their password or a code from their authenticator. Without it, or with a wrong one, the response is 400. A key sends none. With `write`, a user who signed in more than ten minutes ago sends `confirm` with their password or a code from their authenticator. Without it, or with a wrong one, the response is 400. A key sends none. The response is 409 if the account already has `limits.maxApiKeys` active keys. Revoke one first.
   *
   * `POST /v2/account/api-keys`
   */
  create(body: CreateApiKeyInput, options?: CallOptions): ApiPromise<CreatedApiKey> {
    return this.caller.call('POST', '/v2/account/api-keys', { body, options })
  }

  /**
   * Revoke an API key. The key and every key that was created with it stop working everywhere within a second. They stay in the list as `revoked`. Members can revoke their own keys, admins all keys.
   *
   * `DELETE /v2/account/api-keys/:id`
   */
  revoke(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/account/api-keys/${part(id)}`, { options })
  }
}

export class AccountGrantsResource extends Resource {
  /**
   * List assistants with access. Lists the assistants that users connected to `/mcp` without a key, newest first. A test key lists only grants of the test environment.
   *
   * `GET /v2/account/grants`
   */
  list(query?: ListGrantsQuery, options?: CallOptions): PagePromise<Grant, GrantList> {
    return this.caller.list('GET', '/v2/account/grants', { query, options })
  }

  /**
   * Revoke an assistant's access. The assistant is refused at its next request, and its tokens end. Users can revoke their own grants, admins all grants.
   *
   * `DELETE /v2/account/grants/:id`
   */
  revoke(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/account/grants/${part(id)}`, { options })
  }
}

export class AccountContactPolicyResource extends Resource {
  /**
   * Get the contact policy. Returns the limits that hold over all campaigns of the environment. Null means that there is no limit.
   *
   * `GET /v2/account/contact-policy`
   */
  get(options?: CallOptions): ApiPromise<ContactPolicy> {
    return this.caller.call('GET', '/v2/account/contact-policy', { options })
  }

  /**
   * Update the contact policy. Changes the fields that are sent. Days are whole days of the time zone of the account, including today. The policy applies to every message of a campaign that is sent from now on, also to those sent with "send now". Messages sent before count.
   *
   * `PUT /v2/account/contact-policy`
   */
  update(body: UpdateContactPolicyInput, options?: CallOptions): ApiPromise<ContactPolicy> {
    return this.caller.call('PUT', '/v2/account/contact-policy', { body, options })
  }

  /**
   * Preview a contact policy. Returns how many leads of running campaigns the policy would hold back today. Fields that are not sent keep their stored values. Nothing is changed.
   *
   * `POST /v2/account/contact-policy/preview`
   */
  preview(body: UpdateContactPolicyInput, options?: CallOptions): ApiPromise<ContactPolicyPreview> {
    return this.caller.call('POST', '/v2/account/contact-policy/preview', { body, options })
  }
}

export class AccountResource extends Resource {
  readonly apiKeys: AccountApiKeysResource = new AccountApiKeysResource(this.caller)

  readonly grants: AccountGrantsResource = new AccountGrantsResource(this.caller)

  readonly contactPolicy: AccountContactPolicyResource = new AccountContactPolicyResource(this.caller)

  /**
   * Get the account. Returns the account of the key with its actual limits and their usage, this request included.
   *
   * `GET /v2/account`
   */
  get(options?: CallOptions): ApiPromise<Account> {
    return this.caller.call('GET', '/v2/account', { options })
  }

  /**
   * Update the account. Changes the fields that are sent. Read-only fields may be sent back unchanged. `postalAddress` and the fields of privacy notices appear in mail, so only a live key can change them. Other keys get 403.
   *
   * `PUT /v2/account`
   */
  update(body: UpdateAccountInput, options?: CallOptions): ApiPromise<Account> {
    return this.caller.call('PUT', '/v2/account', { body, options })
  }

  /**
   * List the receivers of data. Every host that the account or the operator has configured, with the fields that it gets and how often it was called. The test environment sends data to no one, so it lists none.
   *
   * `GET /v2/account/data-flows`
   */
  dataFlows(options?: CallOptions): ApiPromise<DataFlows> {
    return this.caller.call('GET', '/v2/account/data-flows', { options })
  }

  /**
   * Get account summary. Campaigns and leads by status, messages sent today and today's capacity, the counts of all campaigns together, and credits. `returned` lists at most 20 campaigns whose leads wait for a decision about a returned message. `missingValues` lists at most as many campaigns with leads that a variable without a value holds.
   *
   * `GET /v2/campaigns/summary`
   */
  summary(options?: CallOptions): ApiPromise<Summary> {
    return this.caller.call('GET', '/v2/campaigns/summary', { options })
  }

  /**
   * Get account activity. Newest first; `order=asc` reverses it. `from` and `to` take a date (the whole day, UTC) or a time (`to` exclusive).
   *
   * `GET /v2/campaigns/activity`
   */
  activity(query?: GetAccountActivityQuery, options?: CallOptions): PagePromise<Activity, ActivityList> {
    return this.caller.list('GET', '/v2/campaigns/activity', { query, options })
  }
}

export class CampaignsLeadsResource extends Resource {
  /**
   * List campaign leads. Oldest first. `blockedReason` is the first gate that blocks a lead now.
   *
   * `GET /v2/campaigns/:id/leads`
   */
  list(id: string, query?: ListCampaignLeadsQuery, options?: CallOptions): PagePromise<Lead, LeadList> {
    return this.caller.list('GET', `/v2/campaigns/${part(id)}/leads`, { query, options })
  }

  /**
   * Add campaign leads. Returns a result per item. One bad item never fails the call.
   *
   * `POST /v2/campaigns/:id/leads`
   */
  add(id: string, body: AddLeadsInput, options?: CallOptions): ApiPromise<AddLeadsResults> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/leads`, { body, options })
  }

  /**
   * Get campaign lead. With where it stands, the path that it came, what comes next, and what holds it.
   *
   * `GET /v2/campaigns/:id/leads/:leadId`
   */
  get(id: string, leadId: string, options?: CallOptions): ApiPromise<LeadOnPath> {
    return this.caller.call('GET', `/v2/campaigns/${part(id)}/leads/${part(leadId)}`, { options })
  }

  /**
   * Update campaign lead. Changes the fields that are sent. `status` pauses, resumes or stops the lead. A change that the present status does not allow is 409. With `status: paused` and `resumeAt` the lead is resumed automatically at that time.
   *
   * `PUT /v2/campaigns/:id/leads/:leadId`
   */
  update(id: string, leadId: string, body: UpdateLeadInput, options?: CallOptions): ApiPromise<Lead> {
    return this.caller.call('PUT', `/v2/campaigns/${part(id)}/leads/${part(leadId)}`, { body, options })
  }

  /**
   * Pause, resume, stop or label many leads. Changes each lead as `PUT` of one lead does. A lead whose status does not allow the change is skipped and counted. At most 1,000 leads are changed per call.
   *
   * `POST /v2/campaigns/:id/leads/bulk`
   */
  bulkUpdate(id: string, body: BulkLeadsInput, options?: CallOptions): ApiPromise<BulkLeadsResult> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/leads/bulk`, { body, options })
  }

  /**
   * Import campaign leads from a file. Streams a file with up to 1,000,000 rows and 256 MiB (the operator can change the limits). One file at a time per key; a second one is 409. The header names lead fields. Other columns become custom variables: `Deal size` becomes `DealSize`, `Città` becomes `Citta`, and a title without a Latin letter or digit becomes `column` and its number. A second column of the same name becomes `DealSize2`. Columns are separated by commas, semicolons, tabs or vertical bars. UTF-8, UTF-16, Windows-1251, 1252, 1253 and KOI8-R are recognized, other encodings need `encoding`. Empty rows are not counted. A row is rejected if it has another number of cells than the header, a quote in the wrong place or a null character. Other rows are not affected. A quote that is never closed rejects the file, and the error names the line where it opens. `columns` sets the field of each column instead. An .xlsx workbook of up to 32 MiB is read as well: the values of one sheet, dates as `2026-11-29`, and a row with an error or a formula without a value is rejected. The content of the file says whether it is a workbook. Each accepted media type is fine: `text/csv`, `text/tab-separated-values`, the types of Excel, `application/zip` and `application/octet-stream`.
   *
   * `POST /v2/campaigns/:id/leads/import`
   */
  import(id: string, body: TextBody, query?: ImportCampaignLeadsQuery, options?: CallOptions): ApiPromise<Import> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/leads/import`, { body, type: 'text/csv', query, options })
  }

  /**
   * Explain a lead. Every gate between the lead and its next message, open or closed, with its numbers and the time when it opens. Also contains the history of the lead, with the request that caused each entry.
   *
   * `GET /v2/campaigns/:id/leads/:leadId/explain`
   */
  explain(id: string, leadId: string, options?: CallOptions): ApiPromise<Explanation> {
    return this.caller.call('GET', `/v2/campaigns/${part(id)}/leads/${part(leadId)}/explain`, { options })
  }

  /**
   * Get lead thread. Everything that was sent to the lead and came from it, oldest first, by when each was sent or received.
   *
   * `GET /v2/campaigns/:id/leads/:leadId/thread`
   */
  thread(id: string, leadId: string, options?: CallOptions): ApiPromise<LeadThread> {
    return this.caller.call('GET', `/v2/campaigns/${part(id)}/leads/${part(leadId)}/thread`, { options })
  }

  /**
   * Send now. Skips waiting time and window, never suppression, a stop rule or the daily cap of the sending account.
   *
   * `POST /v2/campaigns/:id/leads/:leadId/send-now`
   */
  sendNow(id: string, leadId: string, options?: CallOptions): ApiPromise<Message> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/leads/${part(leadId)}/send-now`, { options })
  }

  /**
   * Send reply. Replies in the thread from the thread's own sending account, and stops the sequence.
   *
   * `POST /v2/campaigns/:id/leads/:leadId/reply`
   */
  reply(id: string, leadId: string, body: ReplyInput, options?: CallOptions): ApiPromise<Message> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/leads/${part(leadId)}/reply`, { body, options })
  }

  /**
   * Resolve an uncertain delivery. `not_sent` makes the step due again.
   *
   * `POST /v2/campaigns/:id/leads/:leadId/resolve`
   */
  resolve(id: string, leadId: string, body: ResolveDeliveryInput, options?: CallOptions): ApiPromise<Lead> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/leads/${part(leadId)}/resolve`, { body, options })
  }

  /**
   * Get lead meeting. Returns the latest meeting of the lead, or 404 if it has none.
   *
   * `GET /v2/campaigns/:id/leads/:leadId/meeting`
   */
  meeting(id: string, leadId: string, options?: CallOptions): ApiPromise<Meeting> {
    return this.caller.call('GET', `/v2/campaigns/${part(id)}/leads/${part(leadId)}/meeting`, { options })
  }

  /** Adds any number of leads, a thousand per call. With a `runKey` an interrupted run can be repeated. */
  addAll(
    id: string,
    leads: Iterable<LeadItem> | AsyncIterable<LeadItem>,
    options?: AddAllOptions,
  ): Promise<AddAllResult> {
    return addAll(this.caller, id, leads, options)
  }
}

export class CampaignsReturnedResource extends Resource {
  /**
   * Resolve returned messages. Decides about messages that were returned because of their sender. `send_again` makes the step due again; `skip` continues with the next step. At most 1,000 leads per call. `send_again` opens a completed campaign again.
   *
   * `POST /v2/campaigns/:id/returned/resolve`
   */
  resolve(id: string, body: ResolveReturnedInput, options?: CallOptions): ApiPromise<ResolveReturnedResult> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/returned/resolve`, { body, options })
  }
}

export class CampaignsApprovalsResource extends Resource {
  /**
   * List texts of AI steps. Lists waiting texts, unless `status` selects others.
   *
   * `GET /v2/campaigns/:id/approvals`
   */
  list(id: string, query?: ListApprovalsQuery, options?: CallOptions): PagePromise<Approval, ApprovalList> {
    return this.caller.list('GET', `/v2/campaigns/${part(id)}/approvals`, { query, options })
  }

  /**
   * Get a text of an AI step. Returns a text in any status, also that of a step by hand.
   *
   * `GET /v2/campaigns/:id/approvals/:approvalId`
   */
  get(id: string, approvalId: string, options?: CallOptions): ApiPromise<Approval> {
    return this.caller.call('GET', `/v2/campaigns/${part(id)}/approvals/${part(approvalId)}`, { options })
  }

  /**
   * Approve a text. The text is sent unchanged when it is due. With `textDigest` the approval is for exactly the text that was read. If the text has changed, nothing is approved (409).
   *
   * `POST /v2/campaigns/:id/approvals/:approvalId/approve`
   */
  approve(id: string, approvalId: string, body: ApproveTextInput, options?: CallOptions): ApiPromise<Approval> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/approvals/${part(approvalId)}/approve`, { body, options })
  }

  /**
   * Reject a text. The text is not sent, and its lead gets no more messages of the campaign. In a step by hand the lead continues with the next step.
   *
   * `POST /v2/campaigns/:id/approvals/:approvalId/reject`
   */
  reject(id: string, approvalId: string, options?: CallOptions): ApiPromise<Approval> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/approvals/${part(approvalId)}/reject`, { options })
  }

  /**
   * Edit a text before it is sent. An edited text is kept even if the lead or the preset changes. A placeholder or markup in it is 400.
   *
   * `PUT /v2/campaigns/:id/approvals/:approvalId`
   */
  edit(id: string, approvalId: string, body: EditApprovalInput, options?: CallOptions): ApiPromise<Approval> {
    return this.caller.call('PUT', `/v2/campaigns/${part(id)}/approvals/${part(approvalId)}`, { body, options })
  }
}

export class CampaignsResource extends Resource {
  readonly leads: CampaignsLeadsResource = new CampaignsLeadsResource(this.caller)

  readonly returned: CampaignsReturnedResource = new CampaignsReturnedResource(this.caller)

  readonly approvals: CampaignsApprovalsResource = new CampaignsApprovalsResource(this.caller)

  /**
   * Create a campaign. Creates a draft. Creating a campaign never sends.
   *
   * `POST /v2/campaigns`
   */
  create(body: CreateCampaignInput, options?: CallOptions): ApiPromise<Campaign> {
    return this.caller.call('POST', '/v2/campaigns', { body, options })
  }

  /**
   * Launch a campaign. Creates a campaign (or uses a draft), adds leads and starts it, all or nothing. The status is 200 with `campaignId`.
   *
   * `POST /v2/campaigns/launch`
   */
  launch(body: LaunchCampaignInput, options?: CallOptions): ApiPromise<LaunchedCampaign> {
    return this.caller.call('POST', '/v2/campaigns/launch', { body, options })
  }

  /**
   * List campaigns. Newest first, without deleted campaigns.
   *
   * `GET /v2/campaigns`
   */
  list(query?: ListCampaignsQuery, options?: CallOptions): PagePromise<Campaign, CampaignList> {
    return this.caller.list('GET', '/v2/campaigns', { query, options })
  }

  /**
   * Get campaign. Returns the campaign with its sequence, schedule and settings, in the form that an update accepts.
   *
   * `GET /v2/campaigns/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<Campaign> {
    return this.caller.call('GET', `/v2/campaigns/${part(id)}`, { options })
  }

  /**
   * Update a campaign. Changes the fields that are sent; `schedule` and `settings` merge one level deep, arrays are replaced.
   *
   * `PUT /v2/campaigns/:id`
   */
  update(id: string, body: UpdateCampaignInput, options?: CallOptions): ApiPromise<Campaign> {
    return this.caller.call('PUT', `/v2/campaigns/${part(id)}`, { body, options })
  }

  /**
   * Dry-run an update of a campaign. Returns the errors that the update would return. Changes that need a paused campaign are accepted in every status. Nothing is stored or sent.
   *
   * `PUT /v2/campaigns/:id?dryRun=true`
   */
  dryRun(id: string, body: UpdateCampaignInput, options?: CallOptions): ApiPromise<CampaignDryRun> {
    return this.caller.call('PUT', `/v2/campaigns/${part(id)}`, { body, query: {"dryRun":true}, options })
  }

  /**
   * Copy a campaign. Creates a draft with the same sequence, schedule, settings and sending accounts. Past dates of the schedule are left out. With `withLeads` the leads are copied as an import would add them: with their fields, without sent messages and replies, and without suppressed people. The first thousand leads are copied at once, the rest by a job. See `GET /v2/imports`.
   *
   * `POST /v2/campaigns/:id/copy`
   */
  copy(id: string, body: CopyCampaignInput, options?: CallOptions): ApiPromise<Campaign> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/copy`, { body, options })
  }

  /**
   * Start campaign. From `draft`: `active`, or `scheduled` until the first day of its schedule. All blockers are reported all at once (409, `details.blockers`).
   *
   * `POST /v2/campaigns/:id/start`
   */
  start(id: string, options?: CallOptions): ApiPromise<Campaign> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/start`, { options })
  }

  /**
   * Pause campaign. No more messages are sent, prepared messages included. A message whose delivery has begun is finished.
   *
   * `POST /v2/campaigns/:id/pause`
   */
  pause(id: string, options?: CallOptions): ApiPromise<Campaign> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/pause`, { options })
  }

  /**
   * Resume campaign. Possible from `paused`, with the same blockers as a start. Overdue messages are spaced again and never sent in a burst.
   *
   * `POST /v2/campaigns/:id/resume`
   */
  resume(id: string, options?: CallOptions): ApiPromise<Campaign> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/resume`, { options })
  }

  /**
   * Delete campaign. Deletes the campaign with its leads and unsent messages. Possible in `draft`, `paused` or `completed`, otherwise 409. Opt-outs and bounces stay on the suppression list, and links in sent mail keep working.
   *
   * `DELETE /v2/campaigns/:id`
   */
  delete(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/campaigns/${part(id)}`, { options })
  }

  /**
   * Bulk delete campaigns. Returns a result per campaign. A campaign that is missing or running does not fail the others.
   *
   * `POST /v2/campaigns/bulk-delete`
   */
  bulkDelete(body: BulkDeleteInput, options?: CallOptions): ApiPromise<BulkDeleteResults> {
    return this.caller.call('POST', '/v2/campaigns/bulk-delete', { body, options })
  }

  /**
   * Export a campaign as a document. Returns the sequence, the schedule, the settings, the names of the tags and the addresses of the sending accounts, without secrets and leads. Import it here, in another account or on another server.
   *
   * `GET /v2/campaigns/:id/export`
   */
  export(id: string, options?: CallOptions): ApiPromise<CampaignDocument> {
    return this.caller.call('GET', `/v2/campaigns/${part(id)}/export`, { options })
  }

  /**
   * Import a campaign from a document. Creates a draft from an exported campaign, and the tags that this account lacks. Everything else that the document names and this account lacks is left out, and `notes` says so for each.
   *
   * `POST /v2/campaigns/import`
   */
  import(body: ImportCampaignInput, options?: CallOptions): ApiPromise<ImportedCampaign> {
    return this.caller.call('POST', '/v2/campaigns/import', { body, options })
  }

  /**
   * Preview a message. Returns exactly the message that will be sent to this lead. A missing variable is a conflict that names it.
   *
   * `POST /v2/campaigns/:id/preview`
   */
  preview(id: string, body: PreviewMessageInput, options?: CallOptions): ApiPromise<MessagePreview> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/preview`, { body, options })
  }

  /**
   * Forecast a campaign. Runs the planner that sends ahead on a copy. It assumes that leads do nothing.
   *
   * `GET /v2/campaigns/:id/forecast`
   */
  forecast(id: string, options?: CallOptions): ApiPromise<Forecast> {
    return this.caller.call('GET', `/v2/campaigns/${part(id)}/forecast`, { options })
  }

  /**
   * Get follow-up status. How many leads are waiting and due per step, what blocks them, and when the next message is sent. Suppressed leads and leads that lack a value for a variable are only in `blocked`.
   *
   * `GET /v2/campaigns/:id/followup-status`
   */
  followupStatus(id: string, options?: CallOptions): ApiPromise<FollowupStatus> {
    return this.caller.call('GET', `/v2/campaigns/${part(id)}/followup-status`, { options })
  }

  /**
   * Send a test message. Writes and sends the message of the lead through the lead's sending account, but to an address of a user or sending account of this account. The message is in no statistic and changes nothing about the lead, whose step is still sent once. Its opt-out link does nothing, and nothing is tracked. A missing variable is a conflict that names it. At most 20 per hour and 100 per day. Simulated in the test environment.
   *
   * `POST /v2/campaigns/:id/test-message`
   */
  testMessage(id: string, body: SendTestMessageInput, options?: CallOptions): ApiPromise<TestMessage> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/test-message`, { body, options })
  }

  /**
   * List test messages. Newest first, with the outcome of each.
   *
   * `GET /v2/campaigns/:id/test-messages`
   */
  testMessages(id: string, query?: ListTestMessagesQuery, options?: CallOptions): PagePromise<TestMessage, TestMessageList> {
    return this.caller.list('GET', `/v2/campaigns/${part(id)}/test-messages`, { query, options })
  }

  /**
   * Run preflight checks. Lists all blockers of a start and all warnings: missing values, variables that no lead has, sending accounts whose mail may be treated as spam or whose replies are not read, leads that are also in another campaign, and steps that no lead reaches. `recipients` counts the leads that get a message, and names those that get none. Works in every status and changes nothing.
   *
   * `GET /v2/campaigns/:id/preflight`
   */
  preflight(id: string, options?: CallOptions): ApiPromise<Preflight> {
    return this.caller.call('GET', `/v2/campaigns/${part(id)}/preflight`, { options })
  }

  /**
   * Diagnose a campaign. What the leads wait for now, and which changes would finish the campaign sooner. The forecast runs again with one thing changed at a time: one more sending account, a limit raised by a fifth, or windows that are two hours longer. Nothing is changed.
   *
   * `GET /v2/campaigns/:id/diagnose`
   */
  diagnose(id: string, options?: CallOptions): ApiPromise<Diagnosis> {
    return this.caller.call('GET', `/v2/campaigns/${part(id)}/diagnose`, { options })
  }

  /**
   * Forecast all campaigns. What every active and scheduled campaign sends per day, by sending account and by campaign, with the capacity of each sending account.
   *
   * `GET /v2/forecast`
   */
  forecastAll(query?: GetAccountForecastQuery, options?: CallOptions): ApiPromise<AccountForecast> {
    return this.caller.call('GET', '/v2/forecast', { query, options })
  }

  /**
   * Get campaign stats. Counts from the launch until now. `GET /v2/analytics/definitions` explains each name.
   *
   * `GET /v2/campaigns/:id/stats`
   */
  stats(id: string, options?: CallOptions): ApiPromise<CampaignStats> {
    return this.caller.call('GET', `/v2/campaigns/${part(id)}/stats`, { options })
  }

  /**
   * Get campaign analytics. The counts of stats over time, by step, variant and sender. `from` and `to` are dates in the zone (`to` included) or times (`to` excluded). The default range is from the launch until now. Weeks begin on Monday. `paths` counts, per branch, the leads that took it in the range and what they did after that. The counts of a step add up to all its decisions. A variant's `nextShare` is its share of the next leads.
   *
   * `GET /v2/campaigns/:id/analytics`
   */
  analytics(id: string, query?: GetCampaignAnalyticsQuery, options?: CallOptions): ApiPromise<Analytics> {
    return this.caller.call('GET', `/v2/campaigns/${part(id)}/analytics`, { query, options })
  }

  /**
   * Get campaign activity. Newest first; `order=asc` reverses it. `from` and `to` take a date (the whole day, UTC) or a time (`to` exclusive).
   *
   * `GET /v2/campaigns/:id/activity`
   */
  activity(id: string, query?: GetCampaignActivityQuery, options?: CallOptions): PagePromise<Activity, ActivityList> {
    return this.caller.list('GET', `/v2/campaigns/${part(id)}/activity`, { query, options })
  }
}

export class LeadsResource extends Resource {
  /**
   * Pause or resume the leads of a company. In all campaigns. Each lead changes as by `PUT` of one lead. A lead whose status does not allow the change is skipped and counted. Leads that are added later are not paused. At most 1,000 leads are changed per call.
   *
   * `POST /v2/leads/company`
   */
  updateCompany(body: CompanyLeadsInput, options?: CallOptions): ApiPromise<BulkLeadsResult> {
    return this.caller.call('POST', '/v2/leads/company', { body, options })
  }

  /**
   * List people across campaigns. Newest first.
   *
   * `GET /v2/leads`
   */
  list(query?: ListPeopleQuery, options?: CallOptions): PagePromise<Person, PersonList> {
    return this.caller.list('GET', '/v2/leads', { query, options })
  }

  /**
   * Get a person with history. The id of a campaign lead is accepted as the id of its person.
   *
   * `GET /v2/leads/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<PersonWithHistory> {
    return this.caller.call('GET', `/v2/leads/${part(id)}`, { options })
  }

  /**
   * Update a person in every campaign. Changes the fields that are sent, on the person and on each of its leads.
   *
   * `PUT /v2/leads/:id`
   */
  update(id: string, body: UpdatePersonInput, options?: CallOptions): ApiPromise<Person> {
    return this.caller.call('PUT', `/v2/leads/${part(id)}`, { body, options })
  }

  /**
   * Erase a person. Deletes the person with its leads, messages and meetings, and its address in the log. A hash of the address stays on the suppression list, so that nothing is sent to it again. Counts are kept. `erasureId` is the id of the proof (`GET /v2/erasures/:id`).
   *
   * `DELETE /v2/leads/:id`
   */
  erase(id: string, options?: CallOptions): ApiPromise<ErasedPerson> {
    return this.caller.call('DELETE', `/v2/leads/${part(id)}`, { options })
  }

  /**
   * Export all that is stored about a person. Returns leads, messages, conversations, meetings and events in one response. The export is recorded in the audit log.
   *
   * `GET /v2/leads/:id/export`
   */
  export(id: string, options?: CallOptions): ApiPromise<PersonExport> {
    return this.caller.call('GET', `/v2/leads/${part(id)}/export`, { options })
  }
}

export class ImportsResource extends Resource {
  /**
   * Inspect a file. Reads the first mebibyte of a CSV file, or a whole workbook, and stores nothing. Returns the format, the field of each column, and the cells that would be rejected with row and column, a hundred issues at most. A last row that is cut off is ignored.
   *
   * `POST /v2/imports/inspect`
   */
  inspect(body: TextBody, query?: InspectImportQuery, options?: CallOptions): ApiPromise<InspectedFile> {
    return this.caller.call('POST', '/v2/imports/inspect', { body, type: 'text/csv', query, options })
  }

  /**
   * List imports. Newest first.
   *
   * `GET /v2/imports`
   */
  list(query?: ListImportsQuery, options?: CallOptions): PagePromise<Import, ImportList> {
    return this.caller.list('GET', '/v2/imports', { query, options })
  }

  /**
   * Get an import. Returns the progress. `completed` and `failed` are final. Rejected rows can be downloaded as a file.
   *
   * `GET /v2/imports/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<Import> {
    return this.caller.call('GET', `/v2/imports/${part(id)}`, { options })
  }

  /**
   * Get the rejected rows of an import. The original rows as CSV, with their number and the reason in the first two columns. A cell that a spreadsheet would run as a formula (`=1+1`, `+1`, `-1`, `@x`) gets an apostrophe in front. An import removes the apostrophe and the two columns again, so you can fix the file and upload it as it is.
   *
   * `GET /v2/imports/:id/errors`
   */
  errors(id: string, query?: GetImportErrorsQuery, options?: CallOptions): ApiPromise<string> {
    return this.caller.text('GET', `/v2/imports/${part(id)}/errors`, { query, options })
  }
}

export class ConversationsResource extends Resource {
  /**
   * List conversations. Conversations with at least one reply or one message of a person, newest first. `q` searches subjects, people, and the texts that people wrote, your own included. `awaiting` selects conversations whose last message is an unanswered reply and that are not snoozed. Archived conversations are listed only with `archived=true`.
   *
   * `GET /v2/conversations`
   */
  list(query?: ListConversationsQuery, options?: CallOptions): PagePromise<Conversation, ConversationList> {
    return this.caller.list('GET', '/v2/conversations', { query, options })
  }

  /**
   * Count conversations. How many conversations that are not archived match each filter. Values without conversations are left out.
   *
   * `GET /v2/conversations/counts`
   */
  counts(options?: CallOptions): ApiPromise<ConversationCounts> {
    return this.caller.call('GET', '/v2/conversations/counts', { options })
  }

  /**
   * Update many conversations. Changes the fields that are sent on each conversation and returns a result per conversation. A missing conversation does not fail the others.
   *
   * `POST /v2/conversations/bulk`
   */
  bulkUpdate(body: BulkConversationsInput, options?: CallOptions): ApiPromise<BulkConversationsResults> {
    return this.caller.call('POST', '/v2/conversations/bulk', { body, options })
  }

  /**
   * Get a conversation with its messages. Messages are oldest first. Reading a conversation changes nothing. Set `read` to mark it.
   *
   * `GET /v2/conversations/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<ConversationWithMessages> {
    return this.caller.call('GET', `/v2/conversations/${part(id)}`, { options })
  }

  /**
   * Reply in a conversation. Goes out from the thread's own sending account, in the thread, and stops the lead's sequence. With `draftId` and `draftDigest` the reply is made from a draft, and is refused (409) if the draft is not the one that was read.
   *
   * `POST /v2/conversations/:id/reply`
   */
  reply(id: string, body: ConversationReplyInput, options?: CallOptions): ApiPromise<Message> {
    return this.caller.call('POST', `/v2/conversations/${part(id)}/reply`, { body, options })
  }

  /**
   * Change a scheduled reply. Changes the text or the time of a scheduled reply that is not being sent yet. `held: false` lets a reply be sent that a message of the lead held. Any other message is 409.
   *
   * `PUT /v2/conversations/:id/messages/:messageId`
   */
  updateReply(id: string, messageId: string, body: UpdateReplyInput, options?: CallOptions): ApiPromise<Message> {
    return this.caller.call('PUT', `/v2/conversations/${part(id)}/messages/${part(messageId)}`, { body, options })
  }

  /**
   * Withdraw a reply. Withdraws a queued reply. Send the reply with `delaySeconds` to have time for this. Any other message is 409. The sequence of the lead stays ended.
   *
   * `DELETE /v2/conversations/:id/messages/:messageId`
   */
  withdraw(id: string, messageId: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/conversations/${part(id)}/messages/${part(messageId)}`, { options })
  }

  /**
   * Update a conversation. Changes the fields that are sent. `interest` is the label of the lead. `snoozedUntil` is at most a year ahead; null ends the snooze.
   *
   * `PUT /v2/conversations/:id`
   */
  update(id: string, body: UpdateConversationInput, options?: CallOptions): ApiPromise<Conversation> {
    return this.caller.call('PUT', `/v2/conversations/${part(id)}`, { body, options })
  }

  /**
   * Add a note. Adds a note for colleagues. Notes are never sent or quoted. The event `conversation.noted` has the ids of the mentioned users. A conversation has at most 500 notes (409).
   *
   * `POST /v2/conversations/:id/notes`
   */
  addNote(id: string, body: CreateNoteInput, options?: CallOptions): ApiPromise<ConversationNote> {
    return this.caller.call('POST', `/v2/conversations/${part(id)}/notes`, { body, options })
  }

  /**
   * Delete a note. Only the author and admins can delete a note. It is 403 for others.
   *
   * `DELETE /v2/conversations/:id/notes/:noteId`
   */
  deleteNote(id: string, noteId: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/conversations/${part(id)}/notes/${part(noteId)}`, { options })
  }

  /**
   * Get the drafted reply. The draft of the conversation, whatever its status. A conversation without a draft is 404.
   *
   * `GET /v2/conversations/:id/draft`
   */
  draft(id: string, options?: CallOptions): ApiPromise<ReplyDraft> {
    return this.caller.call('GET', `/v2/conversations/${part(id)}/draft`, { options })
  }

  /**
   * Draft a reply. Requests a draft, or a new one in place of the current one, and costs a generation. A draft that is being written is returned as it is. It is 409 if the campaign has no `replyDrafts`, or the last message is not an unanswered reply of the lead.
   *
   * `POST /v2/conversations/:id/draft`
   */
  writeDraft(id: string, options?: CallOptions): ApiPromise<ReplyDraft> {
    return this.caller.call('POST', `/v2/conversations/${part(id)}/draft`, { options })
  }

  /**
   * Dismiss the drafted reply. Nothing is drafted for the same message again unless it is requested. A draft that was sent is 409.
   *
   * `DELETE /v2/conversations/:id/draft`
   */
  dismissDraft(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/conversations/${part(id)}/draft`, { options })
  }

  /**
   * Forward a message. Sends a message of the conversation with its files to other people, from the thread's sending account. Our links are removed from it. A forward is in no statistic, and changes neither the lead nor the conversation, which lists it in `forwards`. The files can have 16 MiB together at most. A suppressed address is refused.
   *
   * `POST /v2/conversations/:id/forward`
   */
  forward(id: string, body: ForwardInput, options?: CallOptions): ApiPromise<ForwardedMessage> {
    return this.caller.call('POST', `/v2/conversations/${part(id)}/forward`, { body, options })
  }
}

export class MessagesResource extends Resource {
  /**
   * Download an attachment. Returns the bytes of one file of a message. The type is `application/octet-stream`, except for PDF, plain text, CSV and common images, with a cleaned name in `Content-Disposition`. The content is not scanned. The response is 409 for a file whose `size` is null.
   *
   * `GET /v2/messages/:id/attachments/:n`
   */
  attachment(id: string, n: string, options?: CallOptions): ApiPromise<Uint8Array> {
    return this.caller.bytes('GET', `/v2/messages/${part(id)}/attachments/${part(n)}`, { options })
  }
}

export class AnalyticsResource extends Resource {
  /**
   * Get grouped analytics. The counts of stats by one or two dimensions, each at the time of its event in the zone. Groups and `other` add up to `totals`. The 1000 groups with the most messages are listed, the rest is in `other`. Every hour and weekday is listed. Other dimensions list only values with counts. `from` and `to` are dates in the zone (`to` included) or times on a quarter of an hour (`to` excluded). The default range is all time. `notSent` is empty, because it describes the present state of leads.
   *
   * `GET /v2/analytics`
   */
  grouped(query: GetGroupedAnalyticsQuery, options?: CallOptions): ApiPromise<GroupedAnalytics> {
    return this.caller.call('GET', '/v2/analytics', { query, options })
  }

  /**
   * List metric definitions. Explains what each number counts and what it excludes, and for a rate which number is divided by which.
   *
   * `GET /v2/analytics/definitions`
   */
  definitions(options?: CallOptions): ApiPromise<MetricDefinitionList> {
    return this.caller.call('GET', '/v2/analytics/definitions', { options })
  }
}

export class EventsResource extends Resource {
  /**
   * List events. The log of everything that happened, oldest first. Page through it with `cursor`. A cursor never skips events that were written at the same moment. At the end `nextCursor` is null. Continue later with `after`, the id of the last event read.
   *
   * `GET /v2/events`
   */
  list(query?: ListEventsQuery, options?: CallOptions): PagePromise<Event, EventList> {
    return this.caller.list('GET', '/v2/events', { query, options })
  }

  /**
   * Get an event. Returns one event of the log. A webhook delivers the event with this id as `webhook-id`.
   *
   * `GET /v2/events/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<Event> {
    return this.caller.call('GET', `/v2/events/${part(id)}`, { options })
  }

  /** Yields events as they happen, without an end. Uses the event stream if the server has one, else polls. */
  follow(options?: FollowOptions): AsyncGenerator<Event | UnknownEvent, void, undefined> {
    return follow(this.caller, options)
  }
}

export class SendingAccountsResource extends Resource {
  /**
   * List sending accounts. Newest first. `q` finds a part of the address or name.
   *
   * `GET /v2/sending-accounts`
   */
  list(query?: ListSendingAccountsQuery, options?: CallOptions): PagePromise<SendingAccount, SendingAccountList> {
    return this.caller.list('GET', '/v2/sending-accounts', { query, options })
  }

  /**
   * Connect a sending account. `smtp` needs a server. Without `imap` replies are not read. `google` and `microsoft` are connected by OAuth. `sandbox` is a simulated mailbox of the test environment.
   *
   * `POST /v2/sending-accounts`
   */
  create(body: CreateSendingAccountInput, options?: CallOptions): ApiPromise<SendingAccount> {
    return this.caller.call('POST', '/v2/sending-accounts', { body, options })
  }

  /**
   * Get a sending account. Returns the account with its status and the reason for it, its limits, and the number of messages sent today. Never contains the password.
   *
   * `GET /v2/sending-accounts/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<SendingAccount> {
    return this.caller.call('GET', `/v2/sending-accounts/${part(id)}`, { options })
  }

  /**
   * Update a sending account. Changes the fields that are sent; `smtp`, `imap` and `rampUp` merge one level deep. A password that is not sent is kept.
   *
   * `PUT /v2/sending-accounts/:id`
   */
  update(id: string, body: UpdateSendingAccountInput, options?: CallOptions): ApiPromise<SendingAccount> {
    return this.caller.call('PUT', `/v2/sending-accounts/${part(id)}`, { body, options })
  }

  /**
   * Delete a sending account. The response is 409 while an unfinished campaign or an open conversation uses the account, unless `replaceWith` names another one.
   *
   * `DELETE /v2/sending-accounts/:id`
   */
  delete(id: string, query?: DeleteSendingAccountQuery, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/sending-accounts/${part(id)}`, { query, options })
  }

  /**
   * Log in to the mail servers. Connects and logs in to SMTP and IMAP. Success makes a failed account active again. Simulated in the test environment.
   *
   * `POST /v2/sending-accounts/:id/verify`
   */
  verify(id: string, options?: CallOptions): ApiPromise<Verification> {
    return this.caller.call('POST', `/v2/sending-accounts/${part(id)}/verify`, { options })
  }

  /**
   * Pause a sending account. Nothing leaves from it until it is resumed. Leads that were written to wait for it; new ones go to the others.
   *
   * `POST /v2/sending-accounts/:id/pause`
   */
  pause(id: string, options?: CallOptions): ApiPromise<SendingAccount> {
    return this.caller.call('POST', `/v2/sending-accounts/${part(id)}/pause`, { options })
  }

  /**
   * Resume a sending account. The account sends again within its limits.
   *
   * `POST /v2/sending-accounts/:id/resume`
   */
  resume(id: string, options?: CallOptions): ApiPromise<SendingAccount> {
    return this.caller.call('POST', `/v2/sending-accounts/${part(id)}/resume`, { options })
  }

  /**
   * Check the sending domain's DNS. Looks up SPF, DKIM, DMARC, MX and the tracking domain now. Each result has the record to publish if something is missing.
   *
   * `GET /v2/sending-accounts/:id/health`
   */
  health(id: string, options?: CallOptions): ApiPromise<HealthReport> {
    return this.caller.call('GET', `/v2/sending-accounts/${part(id)}/health`, { options })
  }

  /**
   * Find the mail servers of an address. Uses a list of known providers, the domain's MX and SRV records (RFC 6186), its autoconfig (https only) and the usual host names, in 6 seconds at most. Nothing is stored and no login is tried. Connect with the result or with other servers. The test environment uses only the list.
   *
   * `POST /v2/sending-accounts/discover`
   */
  discover(body: DiscoverSendingAccountInput, options?: CallOptions): ApiPromise<SendingAccountDiscovery> {
    return this.caller.call('POST', '/v2/sending-accounts/discover', { body, options })
  }

  /**
   * Start connecting a Google or Microsoft mailbox. Returns the URL to which you send the mailbox's owner. If a key requests it, the URL is a page that names the account before the provider asks. When the owner agrees, the sending account exists and is active.
   *
   * `POST /v2/sending-accounts/oauth/authorize`
   */
  authorize(body: AuthorizeSendingAccountInput, options?: CallOptions): ApiPromise<SendingAccountAuthorization> {
    return this.caller.call('POST', '/v2/sending-accounts/oauth/authorize', { body, options })
  }

  /**
   * Start logging in without a password. Converts an account with a password to a Google or Microsoft account with the same address. Its id, limits, conversations and statistics are kept. The password is used until the owner agrees and both servers accept the new login. A Google or Microsoft account is reconnected.
   *
   * `POST /v2/sending-accounts/:id/oauth/authorize`
   */
  convert(id: string, body: ConvertSendingAccountInput, options?: CallOptions): ApiPromise<SendingAccountAuthorization> {
    return this.caller.call('POST', `/v2/sending-accounts/${part(id)}/oauth/authorize`, { body, options })
  }

  /**
   * Get a link for an administrator of Microsoft 365. An administrator who opens the link allows everyone in the organization of `domain` to connect their own mailbox. The redirect back stores the organization as a tenant connection. The link works once and for seven days.
   *
   * `GET /v2/sending-accounts/oauth/admin-consent`
   */
  adminConsent(query: StartAdminConsentQuery, options?: CallOptions): ApiPromise<AdminConsent> {
    return this.caller.call('GET', '/v2/sending-accounts/oauth/admin-consent', { query, options })
  }
}

export class TenantConnectionsResource extends Resource {
  /**
   * List tenant connections. Organizations at Microsoft and Google that are connected as a whole, newest first.
   *
   * `GET /v2/tenant-connections`
   */
  list(query?: ListTenantConnectionsQuery, options?: CallOptions): PagePromise<TenantConnection, TenantConnectionList> {
    return this.caller.list('GET', '/v2/tenant-connections', { query, options })
  }

  /**
   * Connect a whole organization. Sending accounts then log in without a click per mailbox. Microsoft 365: an application with the permissions `SMTP.SendAsApp` and `IMAP.AccessAsApp`. Google Workspace: a service account with domain-wide delegation for `https://mail.google.com/`. The provider must accept the login now, otherwise the response is 400 with the words of the provider. Secrets are write-only. The same application or service account renews its connection: 200 instead of 201.
   *
   * `POST /v2/tenant-connections`
   */
  create(body: ConnectTenantInput, options?: CallOptions): ApiPromise<TenantConnection> {
    return this.caller.call('POST', '/v2/tenant-connections', { body, options })
  }

  /**
   * Verify a tenant connection. Logs in to one mailbox of the organization by SMTP and IMAP and names the setting that prevents it. If the login works, sending accounts of the connection whose login was refused are tried again.
   *
   * `POST /v2/tenant-connections/:id/verify`
   */
  verify(id: string, body: VerifyTenantConnectionInput, options?: CallOptions): ApiPromise<Verification> {
    return this.caller.call('POST', `/v2/tenant-connections/${part(id)}/verify`, { body, options })
  }

  /**
   * Add mailboxes of an organization. Creates a sending account per mailbox, up to 1,000 at once. Results are per item; one bad item never fails the call. In the live environment a signed-in user sends `confirm` with their password or a code from their authenticator. Without it, or with a wrong one, the response is 400. A key sends none.
   *
   * `POST /v2/tenant-connections/:id/mailboxes`
   */
  addMailboxes(id: string, body: ConnectTenantMailboxesInput, options?: CallOptions): ApiPromise<TenantMailboxResults> {
    return this.caller.call('POST', `/v2/tenant-connections/${part(id)}/mailboxes`, { body, options })
  }

  /**
   * Add mailboxes of an organization. Sends the items of `mailboxes` as a CSV file. The first row contains the column names: `email`, `fromName`, `dailyLimit`, `signature`. Creates a sending account per mailbox, up to 1,000 at once. Results are per item; one bad item never fails the call. In the live environment a signed-in user sends `confirm` with their password or a code from their authenticator. Without it, or with a wrong one, the response is 400. A key sends none.
   *
   * `POST /v2/tenant-connections/:id/mailboxes`
   */
  addMailboxesFromCsv(id: string, body: TextBody, options?: CallOptions): ApiPromise<TenantMailboxResults> {
    return this.caller.call('POST', `/v2/tenant-connections/${part(id)}/mailboxes`, { body, type: 'text/csv', options })
  }

  /**
   * Get a tenant connection. Returns the organization and how it is connected, without secrets.
   *
   * `GET /v2/tenant-connections/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<TenantConnection> {
    return this.caller.call('GET', `/v2/tenant-connections/${part(id)}`, { options })
  }

  /**
   * Set the recipients per day of an organization. All sending accounts of the organization share `dailyExternalRecipients`, also those that log in without the connection. Campaign messages wait behind the gate `sender_daily_limit` when it is used up. Replies that people write count, and do not wait. All connections of an organization have the same value.
   *
   * `PUT /v2/tenant-connections/:id`
   */
  update(id: string, body: UpdateTenantConnectionInput, options?: CallOptions): ApiPromise<TenantConnection> {
    return this.caller.call('PUT', `/v2/tenant-connections/${part(id)}`, { body, options })
  }

  /**
   * Delete a tenant connection. Deletes our record and its secrets. The consent at the provider remains: an administrator revokes it in Entra, under Enterprise applications, or in the Google Admin console. 409 while sending accounts log in through the connection, unless `replaceWith` names another connection of the same organization, which then serves them.
   *
   * `DELETE /v2/tenant-connections/:id`
   */
  delete(id: string, query?: DeleteTenantConnectionQuery, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/tenant-connections/${part(id)}`, { query, options })
  }
}

export class HolidaysResource extends Resource {
  /**
   * Get the public holidays of a year. Returns the public holidays on which a campaign with this calendar sends nothing. The calendar of a region also contains the holidays of its country. Holidays that begin during a day, such as at noon, are not included.
   *
   * `GET /v2/holidays`
   */
  get(query: GetHolidaysQuery, options?: CallOptions): ApiPromise<HolidayYear> {
    return this.caller.call('GET', '/v2/holidays', { query, options })
  }

  /**
   * List the calendars of holidays. Returns every country that has public holidays in the data, with its regions, by name.
   *
   * `GET /v2/holidays/calendars`
   */
  calendars(options?: CallOptions): ApiPromise<HolidayCalendars> {
    return this.caller.call('GET', '/v2/holidays/calendars', { options })
  }
}

export class SuppressionsImportsResource extends Resource {
  /**
   * Get an import of a suppression list. Returns the progress. `completed` and `failed` are final. Rejected rows can be downloaded as a file.
   *
   * `GET /v2/suppressions/imports/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<SuppressionImport> {
    return this.caller.call('GET', `/v2/suppressions/imports/${part(id)}`, { options })
  }

  /**
   * Get the rejected rows of an import of a suppression list. The original rows as CSV, with their number and the reason in the first two columns. An import ignores these two columns, so you can fix the file and upload it with `mode=add`.
   *
   * `GET /v2/suppressions/imports/:id/errors`
   */
  errors(id: string, options?: CallOptions): ApiPromise<string> {
    return this.caller.text('GET', `/v2/suppressions/imports/${part(id)}/errors`, { options })
  }
}

export class SuppressionsResource extends Resource {
  readonly imports: SuppressionsImportsResource = new SuppressionsImportsResource(this.caller)

  /**
   * List suppressed addresses and domains. Newest first. `q` finds a part of the address or domain. Suppressions that have run out are not listed. An address in several suppression lists has an entry per list.
   *
   * `GET /v2/suppressions`
   */
  list(query?: ListSuppressionsQuery, options?: CallOptions): PagePromise<Suppression, SuppressionList> {
    return this.caller.list('GET', '/v2/suppressions', { query, options })
  }

  /**
   * Suppress an address or a whole domain. The list is checked when a lead is added and again at the moment of sending. If the address or domain is already suppressed, the existing entry is returned. A domain suppresses every address at exactly that domain. A subdomain needs its own entry. With `list` the entry belongs to that list and has the source `customer`.
   *
   * `POST /v2/suppressions`
   */
  create(body: CreateSuppressionInput, options?: CallOptions): ApiPromise<Suppression> {
    return this.caller.call('POST', '/v2/suppressions', { body, options })
  }

  /**
   * Remove a suppression. A recipient's own opt-out can't be removed: 409.
   *
   * `DELETE /v2/suppressions/:id`
   */
  delete(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/suppressions/${part(id)}`, { options })
  }

  /**
   * Import a suppression list from CSV. Streams a file with up to 1,000,000 rows and 256 MiB (the operator can change the limits) into the list `list`. One file at a time per key; a second one is 409. The header names the columns `email`, `domain`, `sha256`, `reason` and `expiresAt`; other columns are ignored. Each row has exactly one of `email`, `domain` and `sha256`, which is the SHA-256 of the lower-case address in hexadecimal. `expiresAt` is a time in ISO 8601, or a date, which includes that day in UTC. An entry that the list has already gets the reason and the end of its row. `mode=replace` also removes the entries of this list that are not in the file. It removes no entry of another list, and none without a list such as the opt-out of a recipient. Delimiters and encodings are those of an import of leads.
   *
   * `POST /v2/suppressions/import`
   */
  import(body: TextBody, query: ImportSuppressionsQuery, options?: CallOptions): ApiPromise<SuppressionImport> {
    return this.caller.call('POST', '/v2/suppressions/import', { body, type: 'text/csv', query, options })
  }

  /**
   * Export suppressions as CSV. Streams the entries, newest first, with the columns `email`, `domain`, `sha256`, `list`, `source`, `reason`, `expiresAt` and `createdAt`. The file can be imported. Entries that have run out and erased people are not in it.
   *
   * `GET /v2/suppressions/export`
   */
  export(query?: ExportSuppressionsQuery, options?: CallOptions): ApiPromise<string> {
    return this.caller.text('GET', '/v2/suppressions/export', { query, options })
  }

  /**
   * List suppression lists. By name. A list exists while it has entries.
   *
   * `GET /v2/suppressions/lists`
   */
  lists(query?: ListSuppressionListsQuery, options?: CallOptions): PagePromise<SuppressionListSummary, SuppressionListSummaryList> {
    return this.caller.list('GET', '/v2/suppressions/lists', { query, options })
  }
}

export class SignalsResource extends Resource {
  /**
   * Record signals. Records what a CRM, a product or a workflow knows about leads: they became customers, asked for a trial, opened a ticket. Campaigns with the name in `settings.stopOnSignals` immediately stop the leads that a signal is about, even if a message is already queued. Returns a result per item. One bad item never fails the call.
   *
   * `POST /v2/signals`
   */
  send(body: SendSignalsInput, options?: CallOptions): ApiPromise<SendSignalsResults> {
    return this.caller.call('POST', '/v2/signals', { body, options })
  }

  /**
   * List signals. Newest first. Signals are kept for 400 days, or until their person is erased.
   *
   * `GET /v2/signals`
   */
  list(query?: ListSignalsQuery, options?: CallOptions): PagePromise<Signal, SignalList> {
    return this.caller.list('GET', '/v2/signals', { query, options })
  }
}

export class VerificationsResource extends Resource {
  /**
   * Verify addresses. Checks up to 1,000 addresses, or the leads of a campaign, and returns at once. Read the progress with `GET /v2/verifications/:id`, or wait for the event `verification.completed`. An address that is listed twice is checked once. An invalid address is not an error: its result is `undeliverable` with the reason `syntax`. No mail server of a recipient is contacted.
   *
   * `POST /v2/verifications`
   */
  create(body: CreateVerificationInput, options?: CallOptions): ApiPromise<AddressVerification> {
    return this.caller.call('POST', '/v2/verifications', { body, options })
  }

  /**
   * Get a verification. Returns the progress. Verifications are kept for 90 days.
   *
   * `GET /v2/verifications/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<AddressVerification> {
    return this.caller.call('GET', `/v2/verifications/${part(id)}`, { options })
  }

  /**
   * List the results of a verification. By address. `result` is null while the address is not checked. `unknown` means that nothing is proven. `role` and `free_mail` are facts that change no result. One credit is charged for each definite result of a provider, and none for the rules, for your own history and for results that are stored.
   *
   * `GET /v2/verifications/:id/results`
   */
  results(id: string, query?: ListVerificationResultsQuery, options?: CallOptions): PagePromise<VerifiedAddress, VerifiedAddressList> {
    return this.caller.list('GET', `/v2/verifications/${part(id)}/results`, { query, options })
  }
}

export class DeliverabilityDomainsResource extends Resource {
  /**
   * List the domains that send. The domains of the sending accounts and the tracking domains, by name.
   *
   * `GET /v2/deliverability/domains`
   */
  list(query?: ListDeliverabilityDomainsQuery, options?: CallOptions): PagePromise<DeliverabilityDomain, DeliverabilityDomainList> {
    return this.caller.list('GET', '/v2/deliverability/domains', { query, options })
  }

  /**
   * Get a domain that sends. The DNS records of a domain, what receivers reported about it, and the results of its sending accounts. `from` and `to` are days in UTC, both included; the default is the last 30 days. The records are looked up by this request. The test environment looks up none.
   *
   * `GET /v2/deliverability/domains/:domain`
   */
  get(domain: string, query?: GetDeliverabilityDomainQuery, options?: CallOptions): ApiPromise<DeliverabilityDomainDetail> {
    return this.caller.call('GET', `/v2/deliverability/domains/${part(domain)}`, { query, options })
  }

  /**
   * Set the recipients per day of a domain. All sending accounts with an address at the domain share `dailyExternalRecipients`. Campaign messages wait behind the gate `sender_daily_limit` when it is used up. Replies that people write count, and do not wait.
   *
   * `PUT /v2/deliverability/domains/:domain`
   */
  update(domain: string, body: UpdateDeliverabilityDomainInput, options?: CallOptions): ApiPromise<DeliverabilityDomain> {
    return this.caller.call('PUT', `/v2/deliverability/domains/${part(domain)}`, { body, options })
  }
}

export class DeliverabilityResource extends Resource {
  readonly domains: DeliverabilityDomainsResource = new DeliverabilityDomainsResource(this.caller)

  /**
   * Upload a DMARC report. Reads an aggregate report of RFC 9990 or RFC 7489: XML, gzip, or a ZIP with one file, up to 10 MiB and 100 MiB unpacked. Reports that arrive in a connected mailbox are read as well. The report must be about a domain of a sending account or a tracking domain. A report is stored once per receiver, report id and domain: uploading it again returns 200 with the same id. A file with a DTD, entities, impossible times or too many rows is 400, and the refusal names the element.
   *
   * `POST /v2/deliverability/dmarc-reports`
   */
  uploadReport(body: TextBody, options?: CallOptions): ApiPromise<DmarcReport> {
    return this.caller.call('POST', '/v2/deliverability/dmarc-reports', { body, type: 'application/octet-stream', options })
  }
}

export class SeedMailboxesResource extends Resource {
  /**
   * Add a seed mailbox. A mailbox of your own that receives placement tests. It is only read: no message is moved, marked or answered. `imap` is required in the live environment. Simulated mailboxes of the test environment have an address such as `anna+spam@seeds.test`, with `+inbox`, `+tab`, `+spam` or `+missing`. The password is write-only. A change of the server or of the username needs the password again, so that it is sent to no other server than the one that it was given for. At most 200.
   *
   * `POST /v2/seed-mailboxes`
   */
  create(body: CreateSeedMailboxInput, options?: CallOptions): ApiPromise<SeedMailbox> {
    return this.caller.call('POST', '/v2/seed-mailboxes', { body, options })
  }

  /**
   * List seed mailboxes. Newest first.
   *
   * `GET /v2/seed-mailboxes`
   */
  list(query?: ListSeedMailboxesQuery, options?: CallOptions): PagePromise<SeedMailbox, SeedMailboxList> {
    return this.caller.list('GET', '/v2/seed-mailboxes', { query, options })
  }

  /**
   * Get a seed mailbox. Returns the mailbox without its password.
   *
   * `GET /v2/seed-mailboxes/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<SeedMailbox> {
    return this.caller.call('GET', `/v2/seed-mailboxes/${part(id)}`, { options })
  }

  /**
   * Update a seed mailbox. The password is write-only. A change of the server or of the username needs the password again, so that it is sent to no other server than the one that it was given for.
   *
   * `PUT /v2/seed-mailboxes/:id`
   */
  update(id: string, body: UpdateSeedMailboxInput, options?: CallOptions): ApiPromise<SeedMailbox> {
    return this.caller.call('PUT', `/v2/seed-mailboxes/${part(id)}`, { body, options })
  }

  /**
   * Delete a seed mailbox. Results of earlier tests are kept. A result that is still pending ends with the problem `seed_deleted`.
   *
   * `DELETE /v2/seed-mailboxes/:id`
   */
  delete(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/seed-mailboxes/${part(id)}`, { options })
  }

  /**
   * Verify a seed mailbox. Logs in over IMAP and looks for the folder for spam. Simulated in the test environment.
   *
   * `POST /v2/seed-mailboxes/:id/verify`
   */
  verify(id: string, options?: CallOptions): ApiPromise<SeedMailboxVerification> {
    return this.caller.call('POST', `/v2/seed-mailboxes/${part(id)}/verify`, { options })
  }
}

export class PlacementTestsResource extends Resource {
  /**
   * Start a placement test. Sends a text from sending accounts to your own seed mailboxes, and finds out where each message arrived. The text is that of a step, with the values of `leadId` or of the first lead of the campaign, or that of a template with sample values. The messages count for the limits of the sending accounts and wait for them; they appear in no statistic, and their links do nothing. Messages to one account are 20 seconds apart. A message that is not found 30 minutes after it was sent is `missing`. One that is not sent within a day has the problem `not_sent`. At most 50 tests per day.
   *
   * `POST /v2/placement-tests`
   */
  create(body: CreatePlacementTestInput, options?: CallOptions): ApiPromise<PlacementTest> {
    return this.caller.call('POST', '/v2/placement-tests', { body, options })
  }

  /**
   * List placement tests. Newest first. Tests are kept for 400 days.
   *
   * `GET /v2/placement-tests`
   */
  list(query?: ListPlacementTestsQuery, options?: CallOptions): PagePromise<PlacementTest, PlacementTestList> {
    return this.caller.list('GET', '/v2/placement-tests', { query, options })
  }

  /**
   * Get a placement test. Returns the progress. The results are a list of their own.
   *
   * `GET /v2/placement-tests/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<PlacementTest> {
    return this.caller.call('GET', `/v2/placement-tests/${part(id)}`, { options })
  }

  /**
   * Stop a weekly placement test. Ends the repetition. The test that is running continues.
   *
   * `PUT /v2/placement-tests/:id`
   */
  update(id: string, body: UpdatePlacementTestInput, options?: CallOptions): ApiPromise<PlacementTest> {
    return this.caller.call('PUT', `/v2/placement-tests/${part(id)}`, { body, options })
  }

  /**
   * List the results of a placement test. One per message. `spf`, `dkim` and `dmarc` are from the Authentication-Results that the receiver itself put above the message, and null if it wrote none.
   *
   * `GET /v2/placement-tests/:id/results`
   */
  results(id: string, query?: ListPlacementResultsQuery, options?: CallOptions): PagePromise<PlacementResult, PlacementResultList> {
    return this.caller.list('GET', `/v2/placement-tests/${part(id)}/results`, { query, options })
  }
}

export class ErasuresResource extends Resource {
  /**
   * List the erasures of people. Newest first.
   *
   * `GET /v2/erasures`
   */
  list(query?: ListErasuresQuery, options?: CallOptions): PagePromise<Erasure, ErasureList> {
    return this.caller.list('GET', '/v2/erasures', { query, options })
  }

  /**
   * Get the proof of an erasure. States what was removed, what is kept and why. It contains no data of the person.
   *
   * `GET /v2/erasures/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<Erasure> {
    return this.caller.call('GET', `/v2/erasures/${part(id)}`, { options })
  }
}

export class ListsMembersResource extends Resource {
  /**
   * List the members of a list. By address. `q` finds addresses that begin with it.
   *
   * `GET /v2/lists/:id/members`
   */
  list(id: string, query?: ListListMembersQuery, options?: CallOptions): PagePromise<ListMember, ListMemberList> {
    return this.caller.list('GET', `/v2/lists/${part(id)}/members`, { query, options })
  }

  /**
   * Add members to a list. Adds up to 1,000 people, such as leads or results of the lead finder whose address is known, and returns the outcome of each. A member that the list has already gets the fields that are sent. Following campaigns take new members as leads, by the rules of an import: suppressed people and duplicates are skipped.
   *
   * `POST /v2/lists/:id/members`
   */
  add(id: string, body: AddListMembersInput, options?: CallOptions): ApiPromise<AddListMembersResults> {
    return this.caller.call('POST', `/v2/lists/${part(id)}/members`, { body, options })
  }

  /**
   * Remove members from a list. Stops no lead: `stillLeads` has the number of removed people who are leads of a following campaign.
   *
   * `POST /v2/lists/:id/members/remove`
   */
  remove(id: string, body: RemoveListMembersInput, options?: CallOptions): ApiPromise<RemoveListMembersResults> {
    return this.caller.call('POST', `/v2/lists/${part(id)}/members/remove`, { body, options })
  }
}

export class ListsImportsResource extends Resource {
  /**
   * Get an import of members. Returns the progress. `completed` and `failed` are final. Rejected rows can be downloaded as a file.
   *
   * `GET /v2/lists/imports/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<ListImport> {
    return this.caller.call('GET', `/v2/lists/imports/${part(id)}`, { options })
  }

  /**
   * Get the rejected rows of an import of members. The original rows as CSV, with their number and the reason in the first two columns. An import ignores these two columns, so you can fix the file and upload it again.
   *
   * `GET /v2/lists/imports/:id/errors`
   */
  errors(id: string, options?: CallOptions): ApiPromise<string> {
    return this.caller.text('GET', `/v2/lists/imports/${part(id)}/errors`, { options })
  }
}

export class ListsResource extends Resource {
  readonly members: ListsMembersResource = new ListsMembersResource(this.caller)

  readonly imports: ListsImportsResource = new ListsImportsResource(this.caller)

  /**
   * List lists of people. Newest first. `q` finds a part of the name.
   *
   * `GET /v2/lists`
   */
  list(query?: ListListsQuery, options?: CallOptions): PagePromise<ListOfPeople, ListOfPeopleList> {
    return this.caller.list('GET', '/v2/lists', { query, options })
  }

  /**
   * Create a list of people. A list has people outside of campaigns. There are 1,000 lists at most.
   *
   * `POST /v2/lists`
   */
  create(body: CreateListInput, options?: CallOptions): ApiPromise<ListOfPeople> {
    return this.caller.call('POST', '/v2/lists', { body, options })
  }

  /**
   * Get a list of people. Returns the number of members, and what each following campaign has taken.
   *
   * `GET /v2/lists/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<ListOfPeople> {
    return this.caller.call('GET', `/v2/lists/${part(id)}`, { options })
  }

  /**
   * Rename a list of people. Changes the fields that are sent.
   *
   * `PUT /v2/lists/:id`
   */
  update(id: string, body: UpdateListInput, options?: CallOptions): ApiPromise<ListOfPeople> {
    return this.caller.call('PUT', `/v2/lists/${part(id)}`, { body, options })
  }

  /**
   * Delete a list of people. Deletes the list with its members. Leads stay. A list that a campaign follows is 409 with the names of the campaigns.
   *
   * `DELETE /v2/lists/:id`
   */
  delete(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/lists/${part(id)}`, { options })
  }

  /**
   * Import members from CSV. Streams a file into the list, with the columns, encodings, limits and refused rows of an import of leads. A member that the list has already gets the fields of its row. One file at a time per key; a second one is 409.
   *
   * `POST /v2/lists/:id/import`
   */
  import(id: string, body: TextBody, query?: ImportListMembersQuery, options?: CallOptions): ApiPromise<ListImport> {
    return this.caller.call('POST', `/v2/lists/${part(id)}/import`, { body, type: 'text/csv', query, options })
  }
}

export class TagsResource extends Resource {
  /**
   * List tags. By name.
   *
   * `GET /v2/tags`
   */
  list(query?: ListTagsQuery, options?: CallOptions): PagePromise<Tag, TagList> {
    return this.caller.list('GET', '/v2/tags', { query, options })
  }

  /**
   * Create a tag. A name is used once, in upper or lower case. There are 1,000 tags at most.
   *
   * `POST /v2/tags`
   */
  create(body: CreateTagInput, options?: CallOptions): ApiPromise<Tag> {
    return this.caller.call('POST', '/v2/tags', { body, options })
  }

  /**
   * Get a tag. Returns the name of a tag. What has the tag is found by the filter `tagId` of each list.
   *
   * `GET /v2/tags/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<Tag> {
    return this.caller.call('GET', `/v2/tags/${part(id)}`, { options })
  }

  /**
   * Rename a tag. Everything that has the tag keeps it.
   *
   * `PUT /v2/tags/:id`
   */
  update(id: string, body: UpdateTagInput, options?: CallOptions): ApiPromise<Tag> {
    return this.caller.call('PUT', `/v2/tags/${part(id)}`, { body, options })
  }

  /**
   * Delete a tag. Removes the tag from everything that has it, and changes nothing else.
   *
   * `DELETE /v2/tags/:id`
   */
  delete(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/tags/${part(id)}`, { options })
  }

  /**
   * Assign a tag. Gives the tag to campaigns, people and sending accounts. Returns a result per id.
   *
   * `POST /v2/tags/:id/assign`
   */
  assign(id: string, body: TaggedIds, options?: CallOptions): ApiPromise<TagResults> {
    return this.caller.call('POST', `/v2/tags/${part(id)}/assign`, { body, options })
  }

  /**
   * Unassign a tag. Takes the tag from campaigns, people and sending accounts. Returns a result per id.
   *
   * `POST /v2/tags/:id/unassign`
   */
  unassign(id: string, body: TaggedIds, options?: CallOptions): ApiPromise<TagResults> {
    return this.caller.call('POST', `/v2/tags/${part(id)}/unassign`, { body, options })
  }
}

export class MeetingsAvailabilityResource extends Resource {
  /**
   * Get availability. `updatedAt` is null until availability is set. Until then only leads with their own link have the booking page.
   *
   * `GET /v2/meetings/availability`
   */
  get(options?: CallOptions): ApiPromise<Availability> {
    return this.caller.call('GET', '/v2/meetings/availability', { options })
  }

  /**
   * Update availability. Once availability is set, and unless `enabled` is false, everyone can open the booking page under `slug`, which is unique across all accounts. Visitors without their own link confirm their address by email before anything is booked. Times at which the calendar of `calendarUrl` is busy are not offered. It is read every ten minutes, in the live environment only.
   *
   * `PUT /v2/meetings/availability`
   */
  update(body: UpdateAvailabilityInput, options?: CallOptions): ApiPromise<Availability> {
    return this.caller.call('PUT', '/v2/meetings/availability', { body, options })
  }
}

export class MeetingsResource extends Resource {
  readonly availability: MeetingsAvailabilityResource = new MeetingsAvailabilityResource(this.caller)

  /**
   * List meetings. Latest start first. `from` and `to` bound the start.
   *
   * `GET /v2/meetings`
   */
  list(query?: ListMeetingsQuery, options?: CallOptions): PagePromise<Meeting, MeetingList> {
    return this.caller.list('GET', '/v2/meetings', { query, options })
  }

  /**
   * Create a meeting. Marks the lead as `meeting_booked` and, where the campaign says so, stops its sequence.
   *
   * `POST /v2/meetings`
   */
  create(body: CreateMeetingInput, options?: CallOptions): ApiPromise<Meeting> {
    return this.caller.call('POST', '/v2/meetings', { body, options })
  }

  /**
   * Get a meeting. With its status and where it came from.
   *
   * `GET /v2/meetings/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<Meeting> {
    return this.caller.call('GET', `/v2/meetings/${part(id)}`, { options })
  }

  /**
   * Update a meeting. Another start or end reschedules the meeting. `status` can become `completed`, `canceled` or `no_show`.
   *
   * `PUT /v2/meetings/:id`
   */
  update(id: string, body: UpdateMeetingInput, options?: CallOptions): ApiPromise<Meeting> {
    return this.caller.call('PUT', `/v2/meetings/${part(id)}`, { body, options })
  }

  /**
   * Delete a meeting. A future meeting is canceled first, and its attendees are notified.
   *
   * `DELETE /v2/meetings/:id`
   */
  delete(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/meetings/${part(id)}`, { options })
  }
}

export class TasksResource extends Resource {
  /**
   * List tasks. The earliest due first.
   *
   * `GET /v2/tasks`
   */
  list(query?: ListTasksQuery, options?: CallOptions): PagePromise<Task, TaskList> {
    return this.caller.list('GET', '/v2/tasks', { query, options })
  }

  /**
   * Create a task. A task that belongs to no step. It holds no lead.
   *
   * `POST /v2/tasks`
   */
  create(body: CreateTaskInput, options?: CallOptions): ApiPromise<Task> {
    return this.caller.call('POST', '/v2/tasks', { body, options })
  }

  /**
   * Get a task. Returns the task with its text, as it was rendered for the lead when the task was opened.
   *
   * `GET /v2/tasks/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<Task> {
    return this.caller.call('GET', `/v2/tasks/${part(id)}`, { options })
  }

  /**
   * Update a task. Changes the fields that are sent. A closed task only changes its note.
   *
   * `PUT /v2/tasks/:id`
   */
  update(id: string, body: UpdateTaskInput, options?: CallOptions): ApiPromise<Task> {
    return this.caller.call('PUT', `/v2/tasks/${part(id)}`, { body, options })
  }

  /**
   * Delete a task. Only a task that a person created. A task of a step can be skipped; deleting it is 409.
   *
   * `DELETE /v2/tasks/:id`
   */
  delete(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/tasks/${part(id)}`, { options })
  }

  /**
   * Complete a task. Closes the task, and its lead continues with the next step. Completing an email by hand approves its text. A task that is closed already is 409.
   *
   * `POST /v2/tasks/:id/complete`
   */
  complete(id: string, body: CompleteTaskInput, options?: CallOptions): ApiPromise<Task> {
    return this.caller.call('POST', `/v2/tasks/${part(id)}/complete`, { body, options })
  }

  /**
   * Skip a task. Closes the task without an outcome, and its lead continues with the next step. Skipping an email by hand rejects its text, which is not sent. A task that is closed already is 409.
   *
   * `POST /v2/tasks/:id/skip`
   */
  skip(id: string, body: SkipTaskInput, options?: CallOptions): ApiPromise<Task> {
    return this.caller.call('POST', `/v2/tasks/${part(id)}/skip`, { body, options })
  }

  /**
   * Snooze a task. Hides an open task from the tasks that are due until the given time. It is not overdue before.
   *
   * `POST /v2/tasks/:id/snooze`
   */
  snooze(id: string, body: SnoozeTaskInput, options?: CallOptions): ApiPromise<Task> {
    return this.caller.call('POST', `/v2/tasks/${part(id)}/snooze`, { body, options })
  }

  /**
   * Reopen a task. Undoes a completed or skipped task while its lead still waits for the next step. Later it is 409.
   *
   * `POST /v2/tasks/:id/reopen`
   */
  reopen(id: string, options?: CallOptions): ApiPromise<Task> {
    return this.caller.call('POST', `/v2/tasks/${part(id)}/reopen`, { options })
  }

  /**
   * Close, snooze, reopen or delete many tasks. Changes each task as the operation for one task does. Returns a result per id.
   *
   * `POST /v2/tasks/bulk`
   */
  bulkUpdate(body: BulkTasksInput, options?: CallOptions): ApiPromise<BulkTasksResults> {
    return this.caller.call('POST', '/v2/tasks/bulk', { body, options })
  }
}

export class SandboxTasksResource extends Resource {
  /**
   * Complete tasks automatically. Tasks that open from now on are completed by the clock of the test environment.
   *
   * `POST /v2/sandbox/tasks`
   */
  set(body: SetSandboxTasksInput, options?: CallOptions): ApiPromise<SandboxTasks> {
    return this.caller.call('POST', '/v2/sandbox/tasks', { body, options })
  }
}

export class SandboxClockResource extends Resource {
  /**
   * Read the test environment's clock. Returns the time of the clock and whether it runs.
   *
   * `GET /v2/sandbox/clock`
   */
  get(options?: CallOptions): ApiPromise<SandboxClock> {
    return this.caller.call('GET', '/v2/sandbox/clock', { options })
  }

  /**
   * Freeze or unfreeze the test environment's clock. With `frozen` the clock stands still, and only `advance` moves it.
   *
   * `POST /v2/sandbox/clock`
   */
  set(body: SetSandboxClockInput, options?: CallOptions): ApiPromise<SandboxClock> {
    return this.caller.call('POST', '/v2/sandbox/clock', { body, options })
  }

  /**
   * Advance the test environment's clock. Runs everything that becomes due, in order, in virtual time, and returns what happened. Only one advance at a time; another one is 409.
   *
   * `POST /v2/sandbox/clock/advance`
   */
  advance(body: AdvanceSandboxClockInput, options?: CallOptions): ApiPromise<SandboxAdvance> {
    return this.caller.call('POST', '/v2/sandbox/clock/advance', { body, options })
  }
}

export class SandboxMessagesResource extends Resource {
  /**
   * List simulated messages. Messages that simulated people received and sent, newest first.
   *
   * `GET /v2/sandbox/messages`
   */
  list(query?: ListSandboxMessagesQuery, options?: CallOptions): PagePromise<SandboxMessage, SandboxMessageList> {
    return this.caller.list('GET', '/v2/sandbox/messages', { query, options })
  }

  /**
   * Get a simulated message. Returns the message with its source, headers and parts.
   *
   * `GET /v2/sandbox/messages/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<SandboxMessageDetail> {
    return this.caller.call('GET', `/v2/sandbox/messages/${part(id)}`, { options })
  }
}

export class SandboxResource extends Resource {
  readonly tasks: SandboxTasksResource = new SandboxTasksResource(this.caller)

  readonly clock: SandboxClockResource = new SandboxClockResource(this.caller)

  readonly messages: SandboxMessagesResource = new SandboxMessagesResource(this.caller)

  /**
   * Simulate an act of a lead. The lead acts on the last message that it got. A reply is a real message that is read as if it came over IMAP. `open` and `click` request the pixel and the link like a person's mail program. `meeting` books the first free time. `manual_mail` is mail outside of campaigns between the lead and the mailbox of the sending account. The response is 409 if no message reached the lead, or if the message does not track the act.
   *
   * `POST /v2/sandbox/inbound`
   */
  inbound(body: CreateSandboxInboundInput, options?: CallOptions): ApiPromise<SandboxInbound> {
    return this.caller.call('POST', '/v2/sandbox/inbound', { body, options })
  }
}

export class TemplatesResource extends Resource {
  /**
   * List templates. Newest first.
   *
   * `GET /v2/templates`
   */
  list(query?: ListTemplatesQuery, options?: CallOptions): PagePromise<Template, TemplateList> {
    return this.caller.list('GET', '/v2/templates', { query, options })
  }

  /**
   * Create a template. HTML or plain text with Liquid variables and spintax, as in a step. A text with a syntax error is rejected.
   *
   * `POST /v2/templates`
   */
  create(body: CreateTemplateInput, options?: CallOptions): ApiPromise<Template> {
    return this.caller.call('POST', '/v2/templates', { body, options })
  }

  /**
   * Get a template. Returns the template with its variables.
   *
   * `GET /v2/templates/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<Template> {
    return this.caller.call('GET', `/v2/templates/${part(id)}`, { options })
  }

  /**
   * Update a template. Changes the fields that are sent. Steps that were created from the template stay as they are.
   *
   * `PUT /v2/templates/:id`
   */
  update(id: string, body: UpdateTemplateInput, options?: CallOptions): ApiPromise<Template> {
    return this.caller.call('PUT', `/v2/templates/${part(id)}`, { body, options })
  }

  /**
   * Delete a template. Steps that were created from the template stay as they are.
   *
   * `DELETE /v2/templates/:id`
   */
  delete(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/templates/${part(id)}`, { options })
  }

  /**
   * Preview a template. Renders the template for a campaign lead, or for fields of a lead that does not exist.
   *
   * `POST /v2/templates/:id/preview`
   */
  preview(id: string, body: PreviewTemplateInput, options?: CallOptions): ApiPromise<TemplatePreview> {
    return this.caller.call('POST', `/v2/templates/${part(id)}/preview`, { body, options })
  }

  /**
   * Check a text. Stores nothing. `issues` are problems that an update would reject. `hints` block nothing. With a campaign, `variables` contains how many of its leads have no value, and `previews` contains exactly what would be sent to the given leads.
   *
   * `POST /v2/templates/check`
   */
  check(body: CheckTextsInput, options?: CallOptions): ApiPromise<CheckedTexts> {
    return this.caller.call('POST', '/v2/templates/check', { body, options })
  }
}

export class ExportsResource extends Resource {
  /**
   * Export data. Writes the rows of the given tables to files, one per table, and returns at once. Read the progress with `GET /v2/exports/:id`. A row is the same as in the list of the API, so no file contains a password or a key. One export runs at a time per environment; another one is 409. Exports are kept for 7 days. When a person is erased, all exports of the environment are removed, because their files may contain the person.
   *
   * `POST /v2/exports`
   */
  create(body: CreateExportInput, options?: CallOptions): ApiPromise<AccountExport> {
    return this.caller.call('POST', '/v2/exports', { body, options })
  }

  /**
   * List exports. Newest first, without those that have expired.
   *
   * `GET /v2/exports`
   */
  list(query?: ListExportsQuery, options?: CallOptions): PagePromise<AccountExport, AccountExportList> {
    return this.caller.list('GET', '/v2/exports', { query, options })
  }

  /**
   * Get an export. Returns the progress. Each file can be downloaded as soon as it is complete.
   *
   * `GET /v2/exports/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<AccountExport> {
    return this.caller.call('GET', `/v2/exports/${part(id)}`, { options })
  }

  /**
   * Download a file of an export. Returns the rows of one table as CSV, or as one JSON object per line. The bytes are always the same, and `sha256` of the export is their hash. A file that is not complete is 409.
   *
   * `GET /v2/exports/:id/files/:table`
   */
  download(id: string, table: string, query?: DownloadExportFileQuery, options?: CallOptions): ApiPromise<Uint8Array> {
    return this.caller.bytes('GET', `/v2/exports/${part(id)}/files/${part(table)}`, { query, options })
  }

  /**
   * Delete an export. Deletes the files. An export that is running ends.
   *
   * `DELETE /v2/exports/:id`
   */
  delete(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/exports/${part(id)}`, { options })
  }
}

export class ReportsResource extends Resource {
  /**
   * List reports. Newest first.
   *
   * `GET /v2/reports`
   */
  list(query?: ListReportsQuery, options?: CallOptions): PagePromise<Report, ReportList> {
    return this.caller.list('GET', '/v2/reports', { query, options })
  }

  /**
   * Schedule a report. Asks a question of `GET /v2/analytics` every day, week or month, and mails the answer to users of the account as a table and a chart. Without `from` and `to` the numbers are those of the whole days since the report before. A server without system mail writes the event `report.ready` instead, and so does the test environment. There are 50 reports at most.
   *
   * `POST /v2/reports`
   */
  create(body: CreateReportInput, options?: CallOptions): ApiPromise<Report> {
    return this.caller.call('POST', '/v2/reports', { body, options })
  }

  /**
   * Get a report. Returns when the report runs next, and what became of its last run.
   *
   * `GET /v2/reports/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<Report> {
    return this.caller.call('GET', `/v2/reports/${part(id)}`, { options })
  }

  /**
   * Update a report. Changes the fields that are sent. After a change of its time the report runs at the next one that is due. The numbers of the same days are not sent twice.
   *
   * `PUT /v2/reports/:id`
   */
  update(id: string, body: UpdateReportInput, options?: CallOptions): ApiPromise<Report> {
    return this.caller.call('PUT', `/v2/reports/${part(id)}`, { body, options })
  }

  /**
   * Delete a report. A run that has begun mails no further recipient.
   *
   * `DELETE /v2/reports/:id`
   */
  delete(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/reports/${part(id)}`, { options })
  }

  /**
   * Run a report now. Starts a run and returns at once, also for a paused report. Read its result in `lastRun`. The schedule stays as it is. While a run is under way, another one is 409.
   *
   * `POST /v2/reports/:id/run`
   */
  run(id: string, options?: CallOptions): ApiPromise<Report> {
    return this.caller.call('POST', `/v2/reports/${part(id)}/run`, { options })
  }
}

export class WebhooksDeliveriesResource extends Resource {
  /**
   * List deliveries. Newest first.
   *
   * `GET /v2/webhooks/:id/deliveries`
   */
  list(id: string, query?: ListWebhookDeliveriesQuery, options?: CallOptions): PagePromise<WebhookDelivery, WebhookDeliveryList> {
    return this.caller.list('GET', `/v2/webhooks/${part(id)}/deliveries`, { query, options })
  }

  /**
   * Redeliver an event. Sends the same event with the same `webhook-id` immediately, with the full retry schedule.
   *
   * `POST /v2/webhooks/:id/deliveries/:deliveryId/redeliver`
   */
  redeliver(id: string, deliveryId: string, options?: CallOptions): ApiPromise<WebhookDelivery> {
    return this.caller.call('POST', `/v2/webhooks/${part(id)}/deliveries/${part(deliveryId)}/redeliver`, { options })
  }
}

export class WebhooksResource extends Resource {
  readonly deliveries: WebhooksDeliveriesResource = new WebhooksDeliveriesResource(this.caller)

  /**
   * List webhooks. Oldest first, without secrets.
   *
   * `GET /v2/webhooks`
   */
  list(query?: ListWebhooksQuery, options?: CallOptions): PagePromise<Webhook, WebhookList> {
    return this.caller.list('GET', '/v2/webhooks', { query, options })
  }

  /**
   * Create a webhook. Deliveries are signed with Standard Webhooks. `secret` is shown only in this response. Private and loopback targets are rejected unless the operator allows them.
   *
   * `POST /v2/webhooks`
   */
  create(body: CreateWebhookInput, options?: CallOptions): ApiPromise<WebhookWithSecret> {
    return this.caller.call('POST', '/v2/webhooks', { body, options })
  }

  /**
   * Get a webhook. Returns the webhook without its secret, which was shown only at creation.
   *
   * `GET /v2/webhooks/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<Webhook> {
    return this.caller.call('GET', `/v2/webhooks/${part(id)}`, { options })
  }

  /**
   * Update a webhook. `enabled: true` enables a disabled webhook.
   *
   * `PUT /v2/webhooks/:id`
   */
  update(id: string, body: UpdateWebhookInput, options?: CallOptions): ApiPromise<Webhook> {
    return this.caller.call('PUT', `/v2/webhooks/${part(id)}`, { body, options })
  }

  /**
   * Delete a webhook. No more events are sent to the webhook.
   *
   * `DELETE /v2/webhooks/:id`
   */
  delete(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/webhooks/${part(id)}`, { options })
  }

  /**
   * Send a test event. Queues a signed sample event whose `data` contains `test: true`. The deliveries show its outcome.
   *
   * `POST /v2/webhooks/:id/test`
   */
  test(id: string, body?: TestWebhookInput, options?: CallOptions): ApiPromise<WebhookDelivery> {
    return this.caller.call('POST', `/v2/webhooks/${part(id)}/test`, { body, options })
  }

  /**
   * Rotate the secret. For 24 hours deliveries are also signed with the old secret.
   *
   * `POST /v2/webhooks/:id/rotate-secret`
   */
  rotateSecret(id: string, options?: CallOptions): ApiPromise<WebhookWithSecret> {
    return this.caller.call('POST', `/v2/webhooks/${part(id)}/rotate-secret`, { options })
  }
}

export class AiModelsResource extends Resource {
  /**
   * List models. `available` is true if the key is set, the server responds and the model exists there.
   *
   * `GET /v2/ai/models`
   */
  list(query?: ListModelsQuery, options?: CallOptions): PagePromise<Model, ModelList> {
    return this.caller.list('GET', '/v2/ai/models', { query, options })
  }
}

export class AiGenerationsResource extends Resource {
  /**
   * List generations. Lists every text and classification that a model made, newest first, without the texts. `ai` in the statistics of a campaign is their sum. Each id is the `reference` of its ledger entry.
   *
   * `GET /v2/ai/generations`
   */
  list(query?: ListGenerationsQuery, options?: CallOptions): PagePromise<GenerationRecord, GenerationRecordList> {
    return this.caller.list('GET', '/v2/ai/generations', { query, options })
  }
}

export class AiPromptsResource extends Resource {
  /**
   * List prompt presets. Newest first.
   *
   * `GET /v2/campaigns/ai-prompts`
   */
  list(query?: ListPromptPresetsQuery, options?: CallOptions): PagePromise<PromptPreset, PromptPresetList> {
    return this.caller.list('GET', '/v2/campaigns/ai-prompts', { query, options })
  }

  /**
   * Create prompt preset. A preset is the prompt for one kind of text. Variants of steps refer to it by id.
   *
   * `POST /v2/campaigns/ai-prompts`
   */
  create(body: CreatePromptPresetInput, options?: CallOptions): ApiPromise<PromptPreset> {
    return this.caller.call('POST', '/v2/campaigns/ai-prompts', { body, options })
  }

  /**
   * Get prompt preset. Returns the preset with its version, which grows with each change.
   *
   * `GET /v2/campaigns/ai-prompts/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<PromptPreset> {
    return this.caller.call('GET', `/v2/campaigns/ai-prompts/${part(id)}`, { options })
  }

  /**
   * Update prompt preset. Changes the fields that are sent. Unsent texts are written again, except those that a user edited.
   *
   * `PUT /v2/campaigns/ai-prompts/:id`
   */
  update(id: string, body: UpdatePromptPresetInput, options?: CallOptions): ApiPromise<PromptPreset> {
    return this.caller.call('PUT', `/v2/campaigns/ai-prompts/${part(id)}`, { body, options })
  }

  /**
   * Delete prompt preset. The response is 409 while a campaign uses the preset. `details.blockers` lists these campaigns.
   *
   * `DELETE /v2/campaigns/ai-prompts/:id`
   */
  delete(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/campaigns/ai-prompts/${part(id)}`, { options })
  }

  /**
   * Bulk delete prompt presets. Returns a result per preset. A preset that is missing or in use does not fail the others.
   *
   * `POST /v2/campaigns/ai-prompts/bulk-delete`
   */
  bulkDelete(body: BulkDeleteInput, options?: CallOptions): ApiPromise<BulkDeleteResults> {
    return this.caller.call('POST', '/v2/campaigns/ai-prompts/bulk-delete', { body, options })
  }
}

export class AiResource extends Resource {
  readonly models: AiModelsResource = new AiModelsResource(this.caller)

  readonly generations: AiGenerationsResource = new AiGenerationsResource(this.caller)

  readonly prompts: AiPromptsResource = new AiPromptsResource(this.caller)

  /**
   * Generate preview. Writes a short text for free. Nothing is stored.
   *
   * `POST /v2/ai/generate-preview`
   */
  generatePreview(body: GeneratePreviewInput, options?: CallOptions): ApiPromise<GeneratedPreview> {
    return this.caller.call('POST', '/v2/ai/generate-preview', { body, options })
  }

  /**
   * Generate email. The text is checked before it is returned: no leftover placeholder, no link or number that is not in the input, length, language and no false "Re:". A text that fails is requested once more. Only a text that passed is charged. With `Accept: text/event-stream` the text is streamed while it is written.
   *
   * `POST /v2/ai/generate-email`
   */
  readonly generateEmail: StreamedOperation<GenerateEmailInput, Generation> = streaming(this.caller, '/v2/ai/generate-email')
}

export class LeadFinderResource extends Resource {
  /**
   * Search people. Searches the licensed people database; e-mail and mobile values are masked. Every 200 has the headers `X-Credits-Charged` and `X-Credits-Remaining`. A page that is not empty costs 1 credit. The same search and page is free for 24 hours. If the service searches its own database, `X-Search-State` is the same on all pages that were read from the same state of it.
   *
   * `POST /v2/campaigns/lead-finder/search`
   */
  searchPeople(body: SearchPeopleInput, options?: CallOptions): ApiPromise<PersonSearchResultPage> {
    return this.caller.call('POST', '/v2/campaigns/lead-finder/search', { body, options })
  }

  /**
   * Search companies. Every 200 has the headers `X-Credits-Charged` and `X-Credits-Remaining`. A page that is not empty costs 1 credit. The same search and page is free for 24 hours. If the service searches its own database, `X-Search-State` is the same on all pages that were read from the same state of it.
   *
   * `POST /v2/campaigns/lead-finder/search-company`
   */
  searchCompanies(body: SearchCompaniesInput, options?: CallOptions): ApiPromise<CompanySearchResultPage> {
    return this.caller.call('POST', '/v2/campaigns/lead-finder/search-company', { body, options })
  }

  /**
   * Reveal a field. Unmasks one value of one person. An email address costs 1 credit, a mobile number 10. A value that does not exist or was revealed before is free.
   *
   * `POST /v2/campaigns/lead-finder/reveal`
   */
  reveal(body: RevealFieldInput, options?: CallOptions): ApiPromise<RevealedField> {
    return this.caller.call('POST', '/v2/campaigns/lead-finder/reveal', { body, options })
  }

  /**
   * Suggest filter values. Completes the open vocabularies with values that the database has; free.
   *
   * `GET /v2/campaigns/lead-finder/suggest`
   */
  suggest(query: SuggestFilterValuesQuery, options?: CallOptions): ApiPromise<FilterSuggestionList> {
    return this.caller.call('GET', '/v2/campaigns/lead-finder/suggest', { query, options })
  }
}

export class BillingLedgerResource extends Resource {
  /**
   * List ledger entries. Newest first. The balance is the sum of the amounts; charges and expiries are negative.
   *
   * `GET /v2/billing/ledger`
   */
  list(query?: ListLedgerEntriesQuery, options?: CallOptions): PagePromise<LedgerEntry, LedgerEntryList> {
    return this.caller.list('GET', '/v2/billing/ledger', { query, options })
  }
}

export class BillingResource extends Resource {
  readonly ledger: BillingLedgerResource = new BillingLedgerResource(this.caller)

  /**
   * Get plan, balance and period. Returns the values of the environment of the key.
   *
   * `GET /v2/billing`
   */
  get(options?: CallOptions): ApiPromise<Billing> {
    return this.caller.call('GET', '/v2/billing', { options })
  }

  /**
   * Get prices. The credit costs of search and reveal, and the credit packs for sale. A server without payment has no packs.
   *
   * `GET /v2/billing/prices`
   */
  prices(options?: CallOptions): ApiPromise<Prices> {
    return this.caller.call('GET', '/v2/billing/prices', { options })
  }

  /**
   * List plans. Returns the plans with their limits.
   *
   * `GET /v2/billing/plans`
   */
  plans(options?: CallOptions): ApiPromise<PlanList> {
    return this.caller.call('GET', '/v2/billing/plans', { options })
  }

  /**
   * Start a checkout. Returns the URL of a Stripe Checkout page for a credit pack or a plan. Credits are added when Stripe confirms the payment.
   *
   * `POST /v2/billing/checkout`
   */
  checkout(body: CreateCheckoutInput, options?: CallOptions): ApiPromise<Checkout> {
    return this.caller.call('POST', '/v2/billing/checkout', { body, options })
  }
}

export class AuthResource extends Resource {
  /**
   * Get the ways to sign in. Returns whether the cookie is a valid session, and the possible ways to sign in.
   *
   * `GET /v2/auth/state`
   */
  state(options?: CallOptions): ApiPromise<SignInState> {
    return this.caller.call('GET', '/v2/auth/state', { options })
  }

  /**
   * Sign in with a password. Sets a session cookie. An unknown address and a wrong password give the same response in the same time. With `totp`, `code` is a code from the authenticator or a recovery code. Without it the response is 401 with `details.reason: code_required`. Five failures per address in 15 minutes, or twenty per IP address, are 429. `accountId` chooses the account if the address is in several. Without it the server uses an account whose password matches, and prefers the one used last.
   *
   * `POST /v2/auth/login`
   */
  login(body: LoginInput, options?: CallOptions): ApiPromise<Me> {
    return this.caller.call('POST', '/v2/auth/login', { body, once: true, options })
  }

  /**
   * Sign out. Ends the session of the cookie and clears the cookie. Without a cookie nothing changes.
   *
   * `POST /v2/auth/logout`
   */
  logout(options?: CallOptions): ApiPromise<SignedOut> {
    return this.caller.call('POST', '/v2/auth/logout', { once: true, options })
  }

  /**
   * Describe a link. Returns what the token of a link is for, so that a person can check it before accepting. The link stays unused. A used or expired link is 401.
   *
   * `POST /v2/auth/link`
   */
  describeLink(body: DescribeLinkInput, options?: CallOptions): ApiPromise<LinkDescription> {
    return this.caller.call('POST', '/v2/auth/link', { body, once: true, options })
  }

  /**
   * Accept a link. Accepts the token of an invitation, or of the link that the server prints while no user exists who can sign in. That link creates the first owner and needs `email`. A link works once. A used or expired link is 401.
   *
   * `POST /v2/auth/accept`
   */
  accept(body: AcceptLinkInput, options?: CallOptions): ApiPromise<Me> {
    return this.caller.call('POST', '/v2/auth/accept', { body, once: true, options })
  }

  /**
   * Request a password reset. Emails a reset link to a user who has a password. The response and its duration are the same for an unknown address. Three requests per address in 15 minutes, more are 429. The response is 503 if the server has no system mail (`passwordReset` of `/v2/auth/state`).
   *
   * `POST /v2/auth/password/reset`
   */
  requestPasswordReset(body: RequestPasswordResetInput, options?: CallOptions): ApiPromise<PasswordResetRequested> {
    return this.caller.call('POST', '/v2/auth/password/reset', { body, once: true, options })
  }

  /**
   * Change a password. Needs the token of a reset link, or `currentPassword` of the signed-in user. Every other session of the user ends, and the response sets the cookie of a new session. A user with `totp` also sends `code` with a link, as at sign-in.
   *
   * `POST /v2/auth/password`
   */
  changePassword(body: ChangePasswordInput, options?: CallOptions): ApiPromise<Me> {
    return this.caller.call('POST', '/v2/auth/password', { body, once: true, options })
  }
}

export class MeSessionsResource extends Resource {
  /**
   * List where one is signed in. Active sessions, newest first.
   *
   * `GET /v2/me/sessions`
   */
  list(query?: ListMySessionsQuery, options?: CallOptions): PagePromise<Session, SessionList> {
    return this.caller.list('GET', '/v2/me/sessions', { query, options })
  }

  /**
   * End a session. The session stops working at once on every node. `current` is the id of the calling session.
   *
   * `DELETE /v2/me/sessions/:id`
   */
  end(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/me/sessions/${part(id)}`, { options })
  }
}

export class MeTotpResource extends Resource {
  /**
   * Set up an authenticator. Returns the secret for an authenticator app, shown only once. The authenticator is active after `confirm` received a code. The response is 409 if one is already active. Only for signed-in users: a user who signed in more than ten minutes ago sends `confirm` with their password or a code from their authenticator. Without it, or with a wrong one, the response is 400. A key sends none.
   *
   * `POST /v2/me/totp`
   */
  begin(body: BeginTotpInput, options?: CallOptions): ApiPromise<TotpSecret> {
    return this.caller.call('POST', '/v2/me/totp', { body, options })
  }

  /**
   * Confirm an authenticator. Activates the authenticator and returns ten recovery codes, shown only once. Each signs the user in once if the authenticator is lost.
   *
   * `POST /v2/me/totp/confirm`
   */
  confirm(body: ConfirmTotpInput, options?: CallOptions): ApiPromise<RecoveryCodes> {
    return this.caller.call('POST', '/v2/me/totp/confirm', { body, options })
  }

  /**
   * Remove the authenticator. The recovery codes stop working, too. For this, a signed-in user sends `confirm` with their password or a code from their authenticator. Without it, or with a wrong one, the response is 400. A key sends none. The user is notified by system mail, if it is configured.
   *
   * `DELETE /v2/me/totp`
   */
  end(body: EndTotpInput, options?: CallOptions): ApiPromise<TotpOff> {
    return this.caller.call('DELETE', '/v2/me/totp', { body, options })
  }
}

export class MeResource extends Resource {
  readonly sessions: MeSessionsResource = new MeSessionsResource(this.caller)

  readonly totp: MeTotpResource = new MeTotpResource(this.caller)

  /**
   * Get the current user. Returns the signed-in user or the user of the key. A key without a user gets 404.
   *
   * `GET /v2/me`
   */
  get(options?: CallOptions): ApiPromise<Me> {
    return this.caller.call('GET', '/v2/me', { options })
  }

  /**
   * Change name and preferences. Changes the fields that are sent, also within the preferences. Read-only fields may be sent back unchanged.
   *
   * `PUT /v2/me`
   */
  update(body: UpdateMeInput, options?: CallOptions): ApiPromise<Me> {
    return this.caller.call('PUT', '/v2/me', { body, options })
  }
}

export class UsersResource extends Resource {
  /**
   * List users. Newest first, with disabled users.
   *
   * `GET /v2/users`
   */
  list(query?: ListUsersQuery, options?: CallOptions): PagePromise<User, UserList> {
    return this.caller.list('GET', '/v2/users', { query, options })
  }

  /**
   * Get a user. Returns one user of the account.
   *
   * `GET /v2/users/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<User> {
    return this.caller.call('GET', `/v2/users/${part(id)}`, { options })
  }

  /**
   * Change a user's role or status. Users can't change or promote a user above their own role (403). The last active owner must stay owner (409). Another role signs the user out. Disabling ends sessions and revokes keys everywhere within a second. Invitations of the user end, also with a lower role. `keptWebhooks` lists webhooks that the user created and that keep sending. To make a user owner or to change an owner, a signed-in user sends `confirm` with their password or a code from their authenticator. Without it, or with a wrong one, the response is 400. A key sends none.
   *
   * `PUT /v2/users/:id`
   */
  update(id: string, body: UpdateUserInput, options?: CallOptions): ApiPromise<ChangedUser> {
    return this.caller.call('PUT', `/v2/users/${part(id)}`, { body, options })
  }

  /**
   * Delete a user. Has the same effects as disabling, permanently. The history of the user's actions is kept. The last active owner can't be deleted (409). To delete an owner, a signed-in user sends `confirm` with their password or a code from their authenticator. Without it, or with a wrong one, the response is 400. A key sends none.
   *
   * `DELETE /v2/users/:id`
   */
  delete(id: string, body: DeleteUserInput, options?: CallOptions): ApiPromise<DeletedUser> {
    return this.caller.call('DELETE', `/v2/users/${part(id)}`, { body, options })
  }
}

export class InvitationsResource extends Resource {
  /**
   * List invitations. Invitations that can still be accepted, newest first.
   *
   * `GET /v2/invitations`
   */
  list(query?: ListInvitationsQuery, options?: CallOptions): PagePromise<Invitation, InvitationList> {
    return this.caller.list('GET', '/v2/invitations', { query, options })
  }

  /**
   * Invite a user. Returns an invitation link, shown only once and valid for 7 days. An earlier link for the same address ends. Users can't invite someone above their own role (403). The address of an existing user is 409. To invite an owner, a signed-in user sends `confirm` with their password or a code from their authenticator. Without it, or with a wrong one, the response is 400. A key sends none.
   *
   * `POST /v2/invitations`
   */
  create(body: CreateInvitationInput, options?: CallOptions): ApiPromise<CreatedInvitation> {
    return this.caller.call('POST', '/v2/invitations', { body, options })
  }

  /**
   * Revoke an invitation. The link of the invitation stops working.
   *
   * `DELETE /v2/invitations/:id`
   */
  delete(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/invitations/${part(id)}`, { options })
  }
}

export class AuditLogResource extends Resource {
  /**
   * List the audit log. Every write, sign-in, request without permission and export of both environments, newest first. `action` is an operation such as `pauseCampaign`; `to` is exclusive.
   *
   * `GET /v2/audit-log`
   */
  list(query?: ListAuditLogQuery, options?: CallOptions): PagePromise<AuditEntry, AuditEntryList> {
    return this.caller.list('GET', '/v2/audit-log', { query, options })
  }

  /**
   * Export the audit log. Every write, sign-in, request without permission and export of both environments, newest first. `action` is an operation such as `pauseCampaign`; `to` is exclusive. Streams all entries as CSV, or with `format=ndjson` as one JSON object per line.
   *
   * `GET /v2/audit-log/export`
   */
  export(query?: ExportAuditLogQuery, options?: CallOptions): ApiPromise<string> {
    return this.caller.text('GET', '/v2/audit-log/export', { query, options })
  }
}

/** Every resource of the API. */
export class Resources extends Caller {
  readonly account: AccountResource = new AccountResource(this)
  readonly campaigns: CampaignsResource = new CampaignsResource(this)
  readonly leads: LeadsResource = new LeadsResource(this)
  readonly imports: ImportsResource = new ImportsResource(this)
  readonly conversations: ConversationsResource = new ConversationsResource(this)
  readonly messages: MessagesResource = new MessagesResource(this)
  readonly analytics: AnalyticsResource = new AnalyticsResource(this)
  readonly events: EventsResource = new EventsResource(this)
  readonly sendingAccounts: SendingAccountsResource = new SendingAccountsResource(this)
  readonly tenantConnections: TenantConnectionsResource = new TenantConnectionsResource(this)
  readonly holidays: HolidaysResource = new HolidaysResource(this)
  readonly suppressions: SuppressionsResource = new SuppressionsResource(this)
  readonly signals: SignalsResource = new SignalsResource(this)
  readonly verifications: VerificationsResource = new VerificationsResource(this)
  readonly deliverability: DeliverabilityResource = new DeliverabilityResource(this)
  readonly seedMailboxes: SeedMailboxesResource = new SeedMailboxesResource(this)
  readonly placementTests: PlacementTestsResource = new PlacementTestsResource(this)
  readonly erasures: ErasuresResource = new ErasuresResource(this)
  readonly lists: ListsResource = new ListsResource(this)
  readonly tags: TagsResource = new TagsResource(this)
  readonly meetings: MeetingsResource = new MeetingsResource(this)
  readonly tasks: TasksResource = new TasksResource(this)
  readonly sandbox: SandboxResource = new SandboxResource(this)
  readonly templates: TemplatesResource = new TemplatesResource(this)
  readonly exports: ExportsResource = new ExportsResource(this)
  readonly reports: ReportsResource = new ReportsResource(this)
  readonly webhooks: WebhooksResource = new WebhooksResource(this)
  readonly ai: AiResource = new AiResource(this)
  readonly leadFinder: LeadFinderResource = new LeadFinderResource(this)
  readonly billing: BillingResource = new BillingResource(this)
  readonly auth: AuthResource = new AuthResource(this)
  readonly me: MeResource = new MeResource(this)
  readonly users: UsersResource = new UsersResource(this)
  readonly invitations: InvitationsResource = new InvitationsResource(this)
  readonly auditLog: AuditLogResource = new AuditLogResource(this)
}
