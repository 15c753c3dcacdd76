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
  AccountForecast,
  Activity,
  ActivityList,
  AddLeadsInput,
  AddLeadsResults,
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
  Campaign,
  CampaignDryRun,
  CampaignList,
  CampaignStats,
  CampaignStatus,
  ChangePasswordInput,
  ChangedUser,
  CheckTextsInput,
  CheckedTexts,
  Checkout,
  CompanySearchResultPage,
  ConfirmTotpInput,
  ConnectTenantInput,
  ConnectTenantMailboxesInput,
  Conversation,
  ConversationCounts,
  ConversationList,
  ConversationWithMessages,
  ConvertSendingAccountInput,
  CopyCampaignInput,
  CreateApiKeyInput,
  CreateCampaignInput,
  CreateCheckoutInput,
  CreateInvitationInput,
  CreateMeetingInput,
  CreatePromptPresetInput,
  CreateSandboxInboundInput,
  CreateSendingAccountInput,
  CreateSuppressionInput,
  CreateTemplateInput,
  CreateWebhookInput,
  CreatedApiKey,
  CreatedInvitation,
  DeleteUserInput,
  Deleted,
  DeletedUser,
  Diagnosis,
  DiscoverSendingAccountInput,
  EditApprovalInput,
  EndTotpInput,
  Event,
  EventList,
  EventType,
  Explanation,
  FilterSuggestionList,
  FollowupStatus,
  Forecast,
  GenerateEmailInput,
  GeneratePreviewInput,
  GeneratedPreview,
  Generation,
  GenerationRecord,
  GenerationRecordList,
  GroupedAnalytics,
  HealthReport,
  Import,
  ImportList,
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
  PlanList,
  Preflight,
  PreviewMessageInput,
  PreviewTemplateInput,
  Prices,
  PromptPreset,
  PromptPresetList,
  RecoveryCodes,
  ReplyInput,
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
  SearchCompaniesInput,
  SearchPeopleInput,
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
  SignInState,
  Signal,
  SignalList,
  SignedOut,
  SpreadsheetEncoding,
  SuggestField,
  Summary,
  Suppression,
  SuppressionList,
  SuppressionSource,
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
  UpdateConversationInput,
  UpdateLeadInput,
  UpdateMeInput,
  UpdateMeetingInput,
  UpdatePersonInput,
  UpdatePromptPresetInput,
  UpdateSendingAccountInput,
  UpdateTemplateInput,
  UpdateUserInput,
  UpdateWebhookInput,
  User,
  UserList,
  Verification,
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
  email?: string
  q?: string
}

export interface ImportCampaignLeadsQuery {
  onDuplicate?: "skip" | "update"
  /** What each column becomes, as a JSON array: `["email",null,"customVariables.plan"]`. */
  columns?: string
  /** How the file is encoded. Without it UTF-8 and UTF-16 are recognised, Cyrillic and Greek files by their letters, and all else is Windows-1252. */
  encoding?: SpreadsheetEncoding
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

export interface InspectImportQuery {
  /** How the file is encoded. Without it UTF-8 and UTF-16 are recognised, Cyrillic and Greek files by their letters, and all else is Windows-1252. */
  encoding?: SpreadsheetEncoding
}

export interface ListImportsQuery {
  page?: number
  limit?: number
  cursor?: string
  campaignId?: string
}

export interface ListConversationsQuery {
  page?: number
  limit?: number
  cursor?: string
  unread?: boolean
  awaiting?: boolean
  archived?: boolean
  interest?: Interest
  campaignId?: string
  sendingAccountId?: string
  ownerId?: string
  q?: string
}

export interface GetGroupedAnalyticsQuery {
  groupBy: string
  from?: string
  to?: string
  timezone?: string
  campaignId?: string
  sendingAccountId?: string
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

export interface ListSuppressionsQuery {
  page?: number
  limit?: number
  cursor?: string
  q?: string
  source?: SuppressionSource
}

export interface ListSignalsQuery {
  page?: number
  limit?: number
  cursor?: string
  name?: string
  email?: string
  domain?: string
  /** All that speak of this lead: by its id, its address or its company. */
  leadId?: string
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
}

export interface ListTemplatesQuery {
  page?: number
  limit?: number
  cursor?: string
  q?: string
  tag?: string
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

export interface ListSandboxMessagesQuery {
  page?: number
  limit?: number
  cursor?: string
  campaignId?: string
  leadId?: string
  sendingAccountId?: string
  direction?: "to_prospect" | "from_prospect"
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
  kind?: "email" | "subject" | "opening" | "step" | "triage"
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
   * List API keys. The keys of the account in both environments, newest first; revoked and expired ones included. A key of test lists the keys of test.
   *
   * `GET /v2/account/api-keys`
   */
  list(query?: ListApiKeysQuery, options?: CallOptions): PagePromise<ApiKey, ApiKeyList> {
    return this.caller.list('GET', '/v2/account/api-keys', { query, options })
  }

  /**
   * Create an API key. Makes a key in the environment of the key or session that asks, with scopes that it has; anything else is 403. It belongs to the person who asks: it can do what its scopes and, at that moment, their role allow, and ends with them. It ends with the key that made it, too: no later, and when that is revoked. The key itself is shown once. For a live key with the scope `admin`: a person who is signed in sends `confirm` with their password or a code of their authenticator; without it, or with a wrong one, the answer is 400. A key sends none. With `write`: a person who signed in more than ten minutes ago sends `confirm` with their password or a code of their authenticator; without it, or with a wrong one, the answer is 400. A key sends none. With as many active keys as `limits.maxApiKeys`, 409: revoke one first.
   *
   * `POST /v2/account/api-keys`
   */
  create(body: CreateApiKeyInput, options?: CallOptions): ApiPromise<CreatedApiKey> {
    return this.caller.call('POST', '/v2/account/api-keys', { body, options })
  }

  /**
   * Revoke an API key. The key, and every key that was made with it, stops working everywhere within a second; it stays in the list as `revoked`. Members revoke their own, admins all.
   *
   * `DELETE /v2/account/api-keys/:id`
   */
  revoke(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/account/api-keys/${part(id)}`, { options })
  }
}

export class AccountResource extends Resource {
  readonly apiKeys: AccountApiKeysResource = new AccountApiKeysResource(this.caller)

  /**
   * Get the account. The account of the key, with its actual limits and what is used of them, this request included.
   *
   * `GET /v2/account`
   */
  get(options?: CallOptions): ApiPromise<Account> {
    return this.caller.call('GET', '/v2/account', { options })
  }

  /**
   * Update the account. Changes the fields that are sent. Read-only fields may be sent back as they are. `postalAddress` stands in live mail, so only a live key changes it; any other gets 403.
   *
   * `PUT /v2/account`
   */
  update(body: UpdateAccountInput, options?: CallOptions): ApiPromise<Account> {
    return this.caller.call('PUT', '/v2/account', { body, options })
  }

  /**
   * Get account summary. Campaigns and leads by status, what was sent today and could be, the counts of all campaigns together, and credits. `returned` lists at most 20 campaigns whose leads wait for a decision about a returned message.
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
   * List campaign leads. Oldest first. `blockedReason` is the first gate that holds a lead now.
   *
   * `GET /v2/campaigns/:id/leads`
   */
  list(id: string, query?: ListCampaignLeadsQuery, options?: CallOptions): PagePromise<Lead, LeadList> {
    return this.caller.list('GET', `/v2/campaigns/${part(id)}/leads`, { query, options })
  }

  /**
   * Add campaign leads. Answers per item; one bad item never fails the call.
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
   * Update campaign lead. Changes the fields that are sent. `status` pauses, resumes or stops; a move that its status does not allow is 409. With `status: paused` and `resumeAt` the lead goes on by itself at that time; in the campaign as it then is.
   *
   * `PUT /v2/campaigns/:id/leads/:leadId`
   */
  update(id: string, leadId: string, body: UpdateLeadInput, options?: CallOptions): ApiPromise<Lead> {
    return this.caller.call('PUT', `/v2/campaigns/${part(id)}/leads/${part(leadId)}`, { body, options })
  }

  /**
   * Pause, resume, stop or label many leads. Each lead as `PUT` of one lead would change it; one whose status does not allow the move is skipped and counted. At most 1,000 leads are changed by a call.
   *
   * `POST /v2/campaigns/:id/leads/bulk`
   */
  bulkUpdate(id: string, body: BulkLeadsInput, options?: CallOptions): ApiPromise<BulkLeadsResult> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/leads/bulk`, { body, options })
  }

  /**
   * Import campaign leads from CSV. Streamed, up to 1,000,000 rows and 256 MiB (a server may be set to take more or less), one file at a time per key: a second one is 409. The header names lead fields; other columns become custom variables: `Deal size` is `DealSize`, `Città` is `Citta`, a title without a Latin letter or a digit is `column` and its number, and of two that would be the same the second is `DealSize2`. Columns stand between commas, semicolons, tabs or bars; UTF-8, UTF-16, Windows-1251, 1252, 1253 and KOI8-R are told apart, other encodings are named by `encoding`. Rows without a value are not counted. A row with another number of cells than the header, with a quote in the wrong place or with a null character is refused, and no other row with it. A quote that is never closed refuses the file, by the line in which it opens. `columns` says what each column becomes instead.
   *
   * `POST /v2/campaigns/:id/leads/import`
   */
  import(id: string, body: TextBody, query?: ImportCampaignLeadsQuery, options?: CallOptions): ApiPromise<Import> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/leads/import`, { body, type: 'text/csv', query, options })
  }

  /**
   * Explain what a lead waits for. Every gate between the lead and its next message, open or closed, with its numbers; when it opens by itself; and what happened so far, by whose request.
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
   * Send reply. From the thread's own sending account, in the thread; stops the sequence.
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
   * Get lead meeting. The lead's latest meeting; 404 when there is none.
   *
   * `GET /v2/campaigns/:id/leads/:leadId/meeting`
   */
  meeting(id: string, leadId: string, options?: CallOptions): ApiPromise<Meeting> {
    return this.caller.call('GET', `/v2/campaigns/${part(id)}/leads/${part(leadId)}/meeting`, { options })
  }

  /** Adds any number of leads, a thousand a call; with a `runKey` a run can be begun again. */
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
   * Resolve returned messages. Decides about messages that came back because of their sender. `send_again` makes the step due again; `skip` continues with the next step. At most 1,000 leads per call. `send_again` opens a completed campaign again.
   *
   * `POST /v2/campaigns/:id/returned/resolve`
   */
  resolve(id: string, body: ResolveReturnedInput, options?: CallOptions): ApiPromise<ResolveReturnedResult> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/returned/resolve`, { body, options })
  }
}

export class CampaignsApprovalsResource extends Resource {
  /**
   * List texts of AI steps. Those that wait, unless `status` says otherwise.
   *
   * `GET /v2/campaigns/:id/approvals`
   */
  list(id: string, query?: ListApprovalsQuery, options?: CallOptions): PagePromise<Approval, ApprovalList> {
    return this.caller.list('GET', `/v2/campaigns/${part(id)}/approvals`, { query, options })
  }

  /**
   * Approve a text. It is sent when its time has come, to the letter. With `textDigest` the approval is for the text that was read: if the text has changed, nothing is approved (409).
   *
   * `POST /v2/campaigns/:id/approvals/:approvalId/approve`
   */
  approve(id: string, approvalId: string, body: ApproveTextInput, options?: CallOptions): ApiPromise<Approval> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/approvals/${part(approvalId)}/approve`, { body, options })
  }

  /**
   * Reject a text. It is not sent, and its lead gets nothing more of the campaign.
   *
   * `POST /v2/campaigns/:id/approvals/:approvalId/reject`
   */
  reject(id: string, approvalId: string, options?: CallOptions): ApiPromise<Approval> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/approvals/${part(approvalId)}/reject`, { options })
  }

  /**
   * Edit a text before it is sent. What a person wrote stays, whatever changes about the lead or the preset. A placeholder or markup in it is 400.
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
   * Create a campaign. Makes a draft. Creating never sends.
   *
   * `POST /v2/campaigns`
   */
  create(body: CreateCampaignInput, options?: CallOptions): ApiPromise<Campaign> {
    return this.caller.call('POST', '/v2/campaigns', { body, options })
  }

  /**
   * Launch a campaign. Creates (or takes a draft), adds leads and starts, all or nothing. 200 with `campaignId`.
   *
   * `POST /v2/campaigns/launch`
   */
  launch(body: LaunchCampaignInput, options?: CallOptions): ApiPromise<LaunchedCampaign> {
    return this.caller.call('POST', '/v2/campaigns/launch', { body, options })
  }

  /**
   * List campaigns. Newest first, without those that were deleted.
   *
   * `GET /v2/campaigns`
   */
  list(query?: ListCampaignsQuery, options?: CallOptions): PagePromise<Campaign, CampaignList> {
    return this.caller.list('GET', '/v2/campaigns', { query, options })
  }

  /**
   * Get campaign. With its sequence, schedule and settings, as an update takes them back.
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
   * Tell what an update of a campaign would do. Refused as the update would be, but for what can only change while a campaign is paused: that is told for every status. Nothing is stored, nothing is sent.
   *
   * `PUT /v2/campaigns/:id?dryRun=true`
   */
  dryRun(id: string, body: UpdateCampaignInput, options?: CallOptions): ApiPromise<CampaignDryRun> {
    return this.caller.call('PUT', `/v2/campaigns/${part(id)}`, { body, query: {"dryRun":true}, options })
  }

  /**
   * Copy a campaign. Makes a draft with the same sequence, schedule, settings and sending accounts. Dates of the schedule that are over are left out. With `withLeads` its leads come along as an import would take them: with their fields, without anything that was sent or answered, and without those who are suppressed. The first thousand are there at once, the others soon after: see `leadCount`.
   *
   * `POST /v2/campaigns/:id/copy`
   */
  copy(id: string, body: CopyCampaignInput, options?: CallOptions): ApiPromise<Campaign> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/copy`, { body, options })
  }

  /**
   * Start campaign. From `draft`: `active`, or `scheduled` until the first day of its schedule. What stands in the way is reported all at once (409, `details.blockers`).
   *
   * `POST /v2/campaigns/:id/start`
   */
  start(id: string, options?: CallOptions): ApiPromise<Campaign> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/start`, { options })
  }

  /**
   * Pause campaign. Nothing more leaves, what was being prepared included; a message whose delivery has begun is finished.
   *
   * `POST /v2/campaigns/:id/pause`
   */
  pause(id: string, options?: CallOptions): ApiPromise<Campaign> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/pause`, { options })
  }

  /**
   * Resume campaign. From `paused`, with the blockers of a start. What fell due meanwhile is spaced again, never sent in a burst.
   *
   * `POST /v2/campaigns/:id/resume`
   */
  resume(id: string, options?: CallOptions): ApiPromise<Campaign> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/resume`, { options })
  }

  /**
   * Delete campaign. With its leads and what waits to be sent, in `draft`, `paused` or `completed`; else 409. Opt-outs and bounces stay on the suppression list, and links in mail that left go on working.
   *
   * `DELETE /v2/campaigns/:id`
   */
  delete(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/campaigns/${part(id)}`, { options })
  }

  /**
   * Bulk delete campaigns. Answers for each: one that is not there, or runs, fails none of the others.
   *
   * `POST /v2/campaigns/bulk-delete`
   */
  bulkDelete(body: BulkDeleteInput, options?: CallOptions): ApiPromise<BulkDeleteResults> {
    return this.caller.call('POST', '/v2/campaigns/bulk-delete', { body, options })
  }

  /**
   * Preview a message. What will be sent to this lead, to the letter. A missing variable is a conflict that names it.
   *
   * `POST /v2/campaigns/:id/preview`
   */
  preview(id: string, body: PreviewMessageInput, options?: CallOptions): ApiPromise<MessagePreview> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/preview`, { body, options })
  }

  /**
   * Forecast a campaign. The planner that sends, run ahead on a copy, for leads that do nothing.
   *
   * `GET /v2/campaigns/:id/forecast`
   */
  forecast(id: string, options?: CallOptions): ApiPromise<Forecast> {
    return this.caller.call('GET', `/v2/campaigns/${part(id)}/forecast`, { options })
  }

  /**
   * Get follow-up status. How many leads wait and are due, step by step, by what they are held, and when something leaves next.
   *
   * `GET /v2/campaigns/:id/followup-status`
   */
  followupStatus(id: string, options?: CallOptions): ApiPromise<FollowupStatus> {
    return this.caller.call('GET', `/v2/campaigns/${part(id)}/followup-status`, { options })
  }

  /**
   * Send yourself what a lead would get. Written and sent as to the lead, by the sending account that would write to them, but to an address of your own: a user's or a sending account's. It is in no statistic and changes nothing about the lead, whose step is still sent once. Its opt-out link leads nowhere, and nothing is tracked. A missing variable is a conflict that names it. At most 20 per hour and 100 per day. Simulated in the test environment.
   *
   * `POST /v2/campaigns/:id/test-message`
   */
  testMessage(id: string, body: SendTestMessageInput, options?: CallOptions): ApiPromise<TestMessage> {
    return this.caller.call('POST', `/v2/campaigns/${part(id)}/test-message`, { body, options })
  }

  /**
   * List test messages. Newest first, with what became of each.
   *
   * `GET /v2/campaigns/:id/test-messages`
   */
  testMessages(id: string, query?: ListTestMessagesQuery, options?: CallOptions): PagePromise<TestMessage, TestMessageList> {
    return this.caller.list('GET', `/v2/campaigns/${part(id)}/test-messages`, { query, options })
  }

  /**
   * Look over a campaign before its start. What a start would be refused for, all of it at once, and what does not keep it from starting but ought to be known: missing values, sending accounts whose mail may not be trusted or whose replies nobody reads, leads that another campaign writes to, steps that nobody gets to. Changes nothing, in every status.
   *
   * `GET /v2/campaigns/:id/preflight`
   */
  preflight(id: string, options?: CallOptions): ApiPromise<Preflight> {
    return this.caller.call('GET', `/v2/campaigns/${part(id)}/preflight`, { options })
  }

  /**
   * Tell what holds a campaign back. What its leads wait for now, and what would bring the end nearer: the forecast run again with one thing changed, a sending account more, a limit a fifth higher, windows two hours longer. Nothing is changed.
   *
   * `GET /v2/campaigns/:id/diagnose`
   */
  diagnose(id: string, options?: CallOptions): ApiPromise<Diagnosis> {
    return this.caller.call('GET', `/v2/campaigns/${part(id)}/diagnose`, { options })
  }

  /**
   * Forecast all campaigns. What every active and scheduled campaign sends, per day, by sending account and by campaign, beside what each sending account could send.
   *
   * `GET /v2/forecast`
   */
  forecastAll(query?: GetAccountForecastQuery, options?: CallOptions): ApiPromise<AccountForecast> {
    return this.caller.call('GET', '/v2/forecast', { query, options })
  }

  /**
   * Get campaign stats. Counts since the beginning, up to this moment. What each name means: `GET /v2/analytics/definitions`.
   *
   * `GET /v2/campaigns/:id/stats`
   */
  stats(id: string, options?: CallOptions): ApiPromise<CampaignStats> {
    return this.caller.call('GET', `/v2/campaigns/${part(id)}/stats`, { options })
  }

  /**
   * Get campaign analytics. The counts of stats over time, by step, variant and sender. `from` and `to` take a date of the zone (`to` included) or a time (`to` excluded); by default from the launch until now. Weeks begin on Monday. `paths` count of each branch the leads that took it in the range, and what they did after that; those of a step add up to all that were decided for. A variant's `nextShare` is the part of the next leads that gets it, as things stand now.
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

export class ImportsResource extends Resource {
  /**
   * Look at a CSV file. Takes the first mebibyte of a file and stores nothing: how it is written, what each column would become, and what would be refused with its row and column, a hundred issues at most. A last row that is cut off is left out.
   *
   * `POST /v2/imports/inspect`
   */
  inspect(body: TextBody, query?: InspectImportQuery, options?: CallOptions): ApiPromise<InspectedFile> {
    return this.caller.call('POST', '/v2/imports/inspect', { body, type: 'text/csv', query, options })
  }

  /**
   * List imports. The latest first.
   *
   * `GET /v2/imports`
   */
  list(query?: ListImportsQuery, options?: CallOptions): PagePromise<Import, ImportList> {
    return this.caller.list('GET', '/v2/imports', { query, options })
  }

  /**
   * Get an import. How far it is; `completed` and `failed` are ends. Refused rows are had as a file.
   *
   * `GET /v2/imports/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<Import> {
    return this.caller.call('GET', `/v2/imports/${part(id)}`, { options })
  }

  /**
   * Get the refused rows of an import. The rows as they came, as CSV, with their number and the reason in front. A cell that a spreadsheet would run as a formula (`=1+1`, `+1`, `-1`, `@x`) has an apostrophe before it; an import takes the apostrophe and the two columns away again, so that the file can be mended and uploaded as it is.
   *
   * `GET /v2/imports/:id/errors`
   */
  errors(id: string, options?: CallOptions): ApiPromise<string> {
    return this.caller.text('GET', `/v2/imports/${part(id)}/errors`, { options })
  }
}

export class ConversationsResource extends Resource {
  /**
   * List conversations. Conversations in which somebody answered, newest first. `q` searches subjects, texts and people; `awaiting` are those whose last word is a reply that nobody has answered. Archived ones only with `archived=true`.
   *
   * `GET /v2/conversations`
   */
  list(query?: ListConversationsQuery, options?: CallOptions): PagePromise<Conversation, ConversationList> {
    return this.caller.list('GET', '/v2/conversations', { query, options })
  }

  /**
   * Count conversations. What the list of conversations that are not archived would count with each filter: the names of what has none are left out.
   *
   * `GET /v2/conversations/counts`
   */
  counts(options?: CallOptions): ApiPromise<ConversationCounts> {
    return this.caller.call('GET', '/v2/conversations/counts', { options })
  }

  /**
   * Mark, archive or label many conversations. Changes what is sent of each, and answers for each: one that is not there fails none of the others.
   *
   * `POST /v2/conversations/bulk`
   */
  bulkUpdate(body: BulkConversationsInput, options?: CallOptions): ApiPromise<BulkConversationsResults> {
    return this.caller.call('POST', '/v2/conversations/bulk', { body, options })
  }

  /**
   * Get a conversation with its messages. Oldest first. Reading it changes nothing: `read` marks it.
   *
   * `GET /v2/conversations/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<ConversationWithMessages> {
    return this.caller.call('GET', `/v2/conversations/${part(id)}`, { options })
  }

  /**
   * Reply in a conversation. Goes out from the thread's own sending account, in the thread, and stops the lead's sequence.
   *
   * `POST /v2/conversations/:id/reply`
   */
  reply(id: string, body: ReplyInput, options?: CallOptions): ApiPromise<Message> {
    return this.caller.call('POST', `/v2/conversations/${part(id)}/reply`, { body, options })
  }

  /**
   * Withdraw a reply. Takes back a reply that has not begun to leave: send it with `delaySeconds` to have the time. Any other message is 409. The sequence of the lead stays ended.
   *
   * `DELETE /v2/conversations/:id/messages/:messageId`
   */
  withdraw(id: string, messageId: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/conversations/${part(id)}/messages/${part(messageId)}`, { options })
  }

  /**
   * Mark a conversation as read, label its lead, or archive it. Changes the fields that are sent. `interest` is that of the lead.
   *
   * `PUT /v2/conversations/:id`
   */
  update(id: string, body: UpdateConversationInput, options?: CallOptions): ApiPromise<Conversation> {
    return this.caller.call('PUT', `/v2/conversations/${part(id)}`, { body, options })
  }
}

export class MessagesResource extends Resource {
  /**
   * Download an attachment. The bytes of one file of a message, to be saved: they come as `application/octet-stream`, but for PDF, plain text, CSV and common images, with a cleaned name in `Content-Disposition`. Nobody has looked at what is in them. 409 for a file whose `size` is null.
   *
   * `GET /v2/messages/:id/attachments/:n`
   */
  attachment(id: string, n: string, options?: CallOptions): ApiPromise<Uint8Array> {
    return this.caller.bytes('GET', `/v2/messages/${part(id)}/attachments/${part(n)}`, { options })
  }
}

export class AnalyticsResource extends Resource {
  /**
   * Get analytics by group. The counts of stats by one or two dimensions, each at the time it happened, in a zone. Groups, `other` and `totals` add up: the 1000 groups with the most messages are there, the rest is `other`. Every hour and weekday is there, of the other dimensions what was counted. `from` and `to` take a date of the zone (`to` included) or a time on a quarter of an hour (`to` excluded); by default all there is. `notSent` is empty: it tells of leads as they stand now.
   *
   * `GET /v2/analytics`
   */
  grouped(query: GetGroupedAnalyticsQuery, options?: CallOptions): ApiPromise<GroupedAnalytics> {
    return this.caller.call('GET', '/v2/analytics', { query, options })
  }

  /**
   * List metric definitions. What each number counts, and what not; for a rate, which number over which.
   *
   * `GET /v2/analytics/definitions`
   */
  definitions(options?: CallOptions): ApiPromise<MetricDefinitionList> {
    return this.caller.call('GET', '/v2/analytics/definitions', { options })
  }
}

export class EventsResource extends Resource {
  /**
   * List events. The log of everything that happened, oldest first. Walk it with `cursor`: events written at the same moment never leave a gap behind a cursor. At the end `nextCursor` is null; go on later with `after`, the id of the last event read.
   *
   * `GET /v2/events`
   */
  list(query?: ListEventsQuery, options?: CallOptions): PagePromise<Event, EventList> {
    return this.caller.list('GET', '/v2/events', { query, options })
  }

  /**
   * Get an event. One event of the log: what a webhook was sent, whose `webhook-id` is its id.
   *
   * `GET /v2/events/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<Event> {
    return this.caller.call('GET', `/v2/events/${part(id)}`, { options })
  }

  /** What happens, as it happens and for ever: streamed where the server can, else asked for. */
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
   * Connect a sending account. `smtp` needs a server; leave `imap` out and replies are not read. `google` and `microsoft` are connected by OAuth. `sandbox` is a simulated mailbox of the test environment.
   *
   * `POST /v2/sending-accounts`
   */
  create(body: CreateSendingAccountInput, options?: CallOptions): ApiPromise<SendingAccount> {
    return this.caller.call('POST', '/v2/sending-accounts', { body, options })
  }

  /**
   * Get a sending account. With its status and why it is so, its limits, and what it sent today. Never with its password.
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
   * Delete a sending account. Refused while an unfinished campaign or an open conversation uses it, unless `replaceWith` names another.
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
   * Resume a sending account. It sends again, within its limits.
   *
   * `POST /v2/sending-accounts/:id/resume`
   */
  resume(id: string, options?: CallOptions): ApiPromise<SendingAccount> {
    return this.caller.call('POST', `/v2/sending-accounts/${part(id)}/resume`, { options })
  }

  /**
   * Check the sending domain's DNS. SPF, DKIM, DMARC, MX and the tracking domain as DNS answers now, each with what to put where it falls short.
   *
   * `GET /v2/sending-accounts/:id/health`
   */
  health(id: string, options?: CallOptions): ApiPromise<HealthReport> {
    return this.caller.call('GET', `/v2/sending-accounts/${part(id)}/health`, { options })
  }

  /**
   * Find an address's mail servers. By a list of known providers, the domain's MX and SRV records (RFC 6186), its own configuration (autoconfig, over https) and the usual names, in 6 seconds at most. Nothing is stored and no login is tried; connect with what was found, or with what you know better. The test environment asks nobody but the list.
   *
   * `POST /v2/sending-accounts/discover`
   */
  discover(body: DiscoverSendingAccountInput, options?: CallOptions): ApiPromise<SendingAccountDiscovery> {
    return this.caller.call('POST', '/v2/sending-accounts/discover', { body, options })
  }

  /**
   * Start connecting a Google or Microsoft mailbox. Answers the address to send the mailbox's owner to: asked for with a key, a page that names the account before the provider asks. When they agree, the sending account is there and active.
   *
   * `POST /v2/sending-accounts/oauth/authorize`
   */
  authorize(body: AuthorizeSendingAccountInput, options?: CallOptions): ApiPromise<SendingAccountAuthorization> {
    return this.caller.call('POST', '/v2/sending-accounts/oauth/authorize', { body, options })
  }

  /**
   * Start logging in without a password. Turns an account that logs in with a password into one of Google or Microsoft with the same address. Its id, limits, conversations and statistics stay. The password is used until its owner agreed and both servers accepted the new login. An account of Google or Microsoft is connected again.
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
   * Connect a whole organization. Sending accounts then log in without a click per mailbox. Microsoft 365: an application with the permissions `SMTP.SendAsApp` and `IMAP.AccessAsApp`. Google Workspace: a service account with domain-wide delegation for `https://mail.google.com/`. The provider has to accept the login now, else the answer is 400 with its words. Secrets are write-only. The same application or service account renews its connection: 200 instead of 201.
   *
   * `POST /v2/tenant-connections`
   */
  create(body: ConnectTenantInput, options?: CallOptions): ApiPromise<TenantConnection> {
    return this.caller.call('POST', '/v2/tenant-connections', { body, options })
  }

  /**
   * Verify a tenant connection. Logs in to one mailbox of the organization by SMTP and IMAP and names the gate that is closed. If the login works, sending accounts of the connection whose login was refused are tried again.
   *
   * `POST /v2/tenant-connections/:id/verify`
   */
  verify(id: string, body: VerifyTenantConnectionInput, options?: CallOptions): ApiPromise<Verification> {
    return this.caller.call('POST', `/v2/tenant-connections/${part(id)}/verify`, { body, options })
  }

  /**
   * Add mailboxes of an organization. Creates a sending account per mailbox, up to 1,000 at once. Results are per item; one bad item never fails the call. In the live environment a person who is signed in sends `confirm` with their password or a code of their authenticator; without it, or with a wrong one, the answer is 400. A key sends none.
   *
   * `POST /v2/tenant-connections/:id/mailboxes`
   */
  addMailboxes(id: string, body: ConnectTenantMailboxesInput, options?: CallOptions): ApiPromise<TenantMailboxResults> {
    return this.caller.call('POST', `/v2/tenant-connections/${part(id)}/mailboxes`, { body, options })
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
   * Delete a tenant connection. Deletes our record and its secrets. The consent at the provider remains: an administrator revokes it in Entra, under Enterprise applications, or in the Google Admin console. 409 while sending accounts log in through the connection, unless `replaceWith` names another connection of the same organization, which then serves them.
   *
   * `DELETE /v2/tenant-connections/:id`
   */
  delete(id: string, query?: DeleteTenantConnectionQuery, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/tenant-connections/${part(id)}`, { query, options })
  }
}

export class SuppressionsResource extends Resource {
  /**
   * List suppressed addresses and domains. Newest first. `q` finds a part of the address or domain. Suppressions that have run out are not listed.
   *
   * `GET /v2/suppressions`
   */
  list(query?: ListSuppressionsQuery, options?: CallOptions): PagePromise<Suppression, SuppressionList> {
    return this.caller.list('GET', '/v2/suppressions', { query, options })
  }

  /**
   * Suppress an address or a whole domain. Checked when a lead is added and again at the moment of sending. One that is suppressed already is answered as it stands. A domain stands for every address at exactly that domain; a subdomain is suppressed by an entry of its own.
   *
   * `POST /v2/suppressions`
   */
  create(body: CreateSuppressionInput, options?: CallOptions): ApiPromise<Suppression> {
    return this.caller.call('POST', '/v2/suppressions', { body, options })
  }

  /**
   * Lift a suppression. A recipient's own opt-out can't be lifted: 409.
   *
   * `DELETE /v2/suppressions/:id`
   */
  delete(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/suppressions/${part(id)}`, { options })
  }
}

export class SignalsResource extends Resource {
  /**
   * Tell what happened elsewhere. What a CRM, a product or a workflow knows of leads: they became customers, asked for a trial, opened a ticket. Campaigns with the name in `settings.stopOnSignals` stop at once for the leads that a signal speaks of, also with a message already on its way. Answers per item; one bad item never fails the call.
   *
   * `POST /v2/signals`
   */
  send(body: SendSignalsInput, options?: CallOptions): ApiPromise<SendSignalsResults> {
    return this.caller.call('POST', '/v2/signals', { body, options })
  }

  /**
   * List signals. Newest first. They are kept for 400 days, and go with the person they are of.
   *
   * `GET /v2/signals`
   */
  list(query?: ListSignalsQuery, options?: CallOptions): PagePromise<Signal, SignalList> {
    return this.caller.list('GET', '/v2/signals', { query, options })
  }
}

export class LeadsResource extends Resource {
  /**
   * List people across campaigns. Newest first.
   *
   * `GET /v2/leads`
   */
  list(query?: ListPeopleQuery, options?: CallOptions): PagePromise<Person, PersonList> {
    return this.caller.list('GET', '/v2/leads', { query, options })
  }

  /**
   * Get a person with history. The id of a campaign lead names its person too.
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
   * Erase a person. Removes the person, its leads, messages and meetings, and its address from the log; a hash of the address stays on the suppression list, so that nobody writes to it again. Counts stay.
   *
   * `DELETE /v2/leads/:id`
   */
  erase(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/leads/${part(id)}`, { options })
  }

  /**
   * Export all that is stored about a person. Leads, messages, conversations, meetings and events, in one answer. It stands in the audit log.
   *
   * `GET /v2/leads/:id/export`
   */
  export(id: string, options?: CallOptions): ApiPromise<PersonExport> {
    return this.caller.call('GET', `/v2/leads/${part(id)}/export`, { options })
  }
}

export class MeetingsAvailabilityResource extends Resource {
  /**
   * Get availability. `updatedAt` is null until it is set; until then only leads with a link of their own have the booking page.
   *
   * `GET /v2/meetings/availability`
   */
  get(options?: CallOptions): ApiPromise<Availability> {
    return this.caller.call('GET', '/v2/meetings/availability', { options })
  }

  /**
   * Update availability. Once set, and unless `enabled` is false, anyone finds the booking page under `slug`, which is unique over all accounts. Who comes without a link of their own confirms their address by mail before anything is booked.
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
   * Update a meeting. Another start or end reschedules it; `status` may become `completed`, `canceled` or `no_show`.
   *
   * `PUT /v2/meetings/:id`
   */
  update(id: string, body: UpdateMeetingInput, options?: CallOptions): ApiPromise<Meeting> {
    return this.caller.call('PUT', `/v2/meetings/${part(id)}`, { body, options })
  }

  /**
   * Delete a meeting. One that lies ahead is canceled first, and its attendees are notified.
   *
   * `DELETE /v2/meetings/:id`
   */
  delete(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/meetings/${part(id)}`, { options })
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
   * Create a template. HTML or plain text with Liquid variables and spintax, as in a step. What does not parse is refused.
   *
   * `POST /v2/templates`
   */
  create(body: CreateTemplateInput, options?: CallOptions): ApiPromise<Template> {
    return this.caller.call('POST', '/v2/templates', { body, options })
  }

  /**
   * Get a template. With its variables.
   *
   * `GET /v2/templates/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<Template> {
    return this.caller.call('GET', `/v2/templates/${part(id)}`, { options })
  }

  /**
   * Update a template. Changes the fields that are sent. Steps that took it over stay as they are.
   *
   * `PUT /v2/templates/:id`
   */
  update(id: string, body: UpdateTemplateInput, options?: CallOptions): ApiPromise<Template> {
    return this.caller.call('PUT', `/v2/templates/${part(id)}`, { body, options })
  }

  /**
   * Delete a template. Steps that took it over stay as they are.
   *
   * `DELETE /v2/templates/:id`
   */
  delete(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/templates/${part(id)}`, { options })
  }

  /**
   * Preview a template. For a campaign lead, or for the fields of one that exists nowhere.
   *
   * `POST /v2/templates/:id/preview`
   */
  preview(id: string, body: PreviewTemplateInput, options?: CallOptions): ApiPromise<TemplatePreview> {
    return this.caller.call('POST', `/v2/templates/${part(id)}/preview`, { body, options })
  }

  /**
   * Check a text that is being written. Stores nothing. `issues` would refuse the text; `hints` block nothing. With a campaign, `variables` tell how many of its leads lack a value, and `previews` are what would be sent to the leads named, made by the code that sends.
   *
   * `POST /v2/templates/check`
   */
  check(body: CheckTextsInput, options?: CallOptions): ApiPromise<CheckedTexts> {
    return this.caller.call('POST', '/v2/templates/check', { body, options })
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
   * Deliver again. The same event with the same `webhook-id`, now, with the whole schedule of retries.
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
   * List webhooks. Oldest first, without their secrets.
   *
   * `GET /v2/webhooks`
   */
  list(query?: ListWebhooksQuery, options?: CallOptions): PagePromise<Webhook, WebhookList> {
    return this.caller.list('GET', '/v2/webhooks', { query, options })
  }

  /**
   * Create a webhook. Deliveries are signed by Standard Webhooks; `secret` is shown in this answer alone. Private and loopback targets are refused unless the operator allows them.
   *
   * `POST /v2/webhooks`
   */
  create(body: CreateWebhookInput, options?: CallOptions): ApiPromise<WebhookWithSecret> {
    return this.caller.call('POST', '/v2/webhooks', { body, options })
  }

  /**
   * Get a webhook. Without its secret, which was shown when it was made.
   *
   * `GET /v2/webhooks/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<Webhook> {
    return this.caller.call('GET', `/v2/webhooks/${part(id)}`, { options })
  }

  /**
   * Update a webhook. `enabled: true` takes a disabled endpoint up again.
   *
   * `PUT /v2/webhooks/:id`
   */
  update(id: string, body: UpdateWebhookInput, options?: CallOptions): ApiPromise<Webhook> {
    return this.caller.call('PUT', `/v2/webhooks/${part(id)}`, { body, options })
  }

  /**
   * Delete a webhook. Nothing more is posted to it.
   *
   * `DELETE /v2/webhooks/:id`
   */
  delete(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/webhooks/${part(id)}`, { options })
  }

  /**
   * Send a test event. Queues a signed sample event whose `data` has `test: true`; what became of it is in the deliveries.
   *
   * `POST /v2/webhooks/:id/test`
   */
  test(id: string, body?: TestWebhookInput, options?: CallOptions): ApiPromise<WebhookDelivery> {
    return this.caller.call('POST', `/v2/webhooks/${part(id)}/test`, { body, options })
  }

  /**
   * Rotate the secret. For 24 hours the old secret signs too.
   *
   * `POST /v2/webhooks/:id/rotate-secret`
   */
  rotateSecret(id: string, options?: CallOptions): ApiPromise<WebhookWithSecret> {
    return this.caller.call('POST', `/v2/webhooks/${part(id)}/rotate-secret`, { options })
  }
}

export class SandboxClockResource extends Resource {
  /**
   * Read the test environment's clock. Where it stands, and whether it ticks.
   *
   * `GET /v2/sandbox/clock`
   */
  get(options?: CallOptions): ApiPromise<SandboxClock> {
    return this.caller.call('GET', '/v2/sandbox/clock', { options })
  }

  /**
   * Stop the test environment's clock or let it tick. `frozen` stops it where it stands; it is moved by `advance` alone.
   *
   * `POST /v2/sandbox/clock`
   */
  set(body: SetSandboxClockInput, options?: CallOptions): ApiPromise<SandboxClock> {
    return this.caller.call('POST', '/v2/sandbox/clock', { body, options })
  }

  /**
   * Let time pass. Runs everything that falls due, in order, in virtual time, and answers with what happened. One at a time: 409 while another runs.
   *
   * `POST /v2/sandbox/clock/advance`
   */
  advance(body: AdvanceSandboxClockInput, options?: CallOptions): ApiPromise<SandboxAdvance> {
    return this.caller.call('POST', '/v2/sandbox/clock/advance', { body, options })
  }
}

export class SandboxMessagesResource extends Resource {
  /**
   * Look into the simulated mailboxes. What the simulated people were sent and what they sent, newest first.
   *
   * `GET /v2/sandbox/messages`
   */
  list(query?: ListSandboxMessagesQuery, options?: CallOptions): PagePromise<SandboxMessage, SandboxMessageList> {
    return this.caller.list('GET', '/v2/sandbox/messages', { query, options })
  }

  /**
   * Get one simulated message, raw and rendered. With its source, its headers and its parts.
   *
   * `GET /v2/sandbox/messages/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<SandboxMessageDetail> {
    return this.caller.call('GET', `/v2/sandbox/messages/${part(id)}`, { options })
  }
}

export class SandboxResource extends Resource {
  readonly clock: SandboxClockResource = new SandboxClockResource(this.caller)

  readonly messages: SandboxMessagesResource = new SandboxMessagesResource(this.caller)

  /**
   * Let a lead answer. To the last message that it got. An answer is a real message, read as if it had come over IMAP; `open` and `click` fetch the pixel and the link as a program of a person does, `meeting` books the first free time. 409 where no message has gone to the lead, or nothing in it is tracked.
   *
   * `POST /v2/sandbox/inbound`
   */
  inbound(body: CreateSandboxInboundInput, options?: CallOptions): ApiPromise<SandboxInbound> {
    return this.caller.call('POST', '/v2/sandbox/inbound', { body, options })
  }
}

export class AiModelsResource extends Resource {
  /**
   * List models. `available` tells the truth: the key is set, the server answers, the model is there.
   *
   * `GET /v2/ai/models`
   */
  list(query?: ListModelsQuery, options?: CallOptions): PagePromise<Model, ModelList> {
    return this.caller.list('GET', '/v2/ai/models', { query, options })
  }
}

export class AiGenerationsResource extends Resource {
  /**
   * List generations. Every text and classification that a model has made, newest first, without the texts. `ai` in the statistics of a campaign is their sum; each is the `reference` of its entry in the ledger.
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
   * Create prompt preset. What a model is told for a kind of text; variants of steps name it.
   *
   * `POST /v2/campaigns/ai-prompts`
   */
  create(body: CreatePromptPresetInput, options?: CallOptions): ApiPromise<PromptPreset> {
    return this.caller.call('POST', '/v2/campaigns/ai-prompts', { body, options })
  }

  /**
   * Get prompt preset. With its version, which grows with each change.
   *
   * `GET /v2/campaigns/ai-prompts/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<PromptPreset> {
    return this.caller.call('GET', `/v2/campaigns/ai-prompts/${part(id)}`, { options })
  }

  /**
   * Update prompt preset. Changes the fields that are sent. Texts that have not left yet are written anew, but for those that a person edited.
   *
   * `PUT /v2/campaigns/ai-prompts/:id`
   */
  update(id: string, body: UpdatePromptPresetInput, options?: CallOptions): ApiPromise<PromptPreset> {
    return this.caller.call('PUT', `/v2/campaigns/ai-prompts/${part(id)}`, { body, options })
  }

  /**
   * Delete prompt preset. 409 while a campaign writes with it; `details.blockers` names them.
   *
   * `DELETE /v2/campaigns/ai-prompts/:id`
   */
  delete(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/campaigns/ai-prompts/${part(id)}`, { options })
  }

  /**
   * Bulk delete prompt presets. Answers for each: one that is not there, or in use, fails none of the others.
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
   * Generate preview. Short and free; nothing is stored.
   *
   * `POST /v2/ai/generate-preview`
   */
  generatePreview(body: GeneratePreviewInput, options?: CallOptions): ApiPromise<GeneratedPreview> {
    return this.caller.call('POST', '/v2/ai/generate-preview', { body, options })
  }

  /**
   * Generate email. The text is checked before it is answered: no leftover placeholder, no link or number that nobody gave, length, language, no false "Re:". A text that fails is asked for once more. Only a text that passed is charged. With `Accept: text/event-stream` the text is streamed while it is written.
   *
   * `POST /v2/ai/generate-email`
   */
  readonly generateEmail: StreamedOperation<GenerateEmailInput, Generation> = streaming(this.caller, '/v2/ai/generate-email')
}

export class LeadFinderResource extends Resource {
  /**
   * Search people. Searches the licensed people database; e-mail and mobile values are masked. Every 200 carries `X-Credits-Charged` and `X-Credits-Remaining`. 1 credit per page that is not empty; the same search and page again within 24 hours is free. Where the service searches its own people, `X-Search-State` is the same on all pages that were read from one state of them.
   *
   * `POST /v2/campaigns/lead-finder/search`
   */
  searchPeople(body: SearchPeopleInput, options?: CallOptions): ApiPromise<PersonSearchResultPage> {
    return this.caller.call('POST', '/v2/campaigns/lead-finder/search', { body, options })
  }

  /**
   * Search companies. Every 200 carries `X-Credits-Charged` and `X-Credits-Remaining`. 1 credit per page that is not empty; the same search and page again within 24 hours is free. Where the service searches its own people, `X-Search-State` is the same on all pages that were read from one state of them.
   *
   * `POST /v2/campaigns/lead-finder/search-company`
   */
  searchCompanies(body: SearchCompaniesInput, options?: CallOptions): ApiPromise<CompanySearchResultPage> {
    return this.caller.call('POST', '/v2/campaigns/lead-finder/search-company', { body, options })
  }

  /**
   * Reveal a field. Unmasks one value of one person: 1 credit per e-mail address, 10 per mobile number, 0 when there is none or it was revealed before.
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
   * Get plan, balance and period. Of the environment of the key.
   *
   * `GET /v2/billing`
   */
  get(options?: CallOptions): ApiPromise<Billing> {
    return this.caller.call('GET', '/v2/billing', { options })
  }

  /**
   * Get prices. What search and reveal cost in credits, and the packs that credits are bought in.
   *
   * `GET /v2/billing/prices`
   */
  prices(options?: CallOptions): ApiPromise<Prices> {
    return this.caller.call('GET', '/v2/billing/prices', { options })
  }

  /**
   * List plans. With the limits that each brings.
   *
   * `GET /v2/billing/plans`
   */
  plans(options?: CallOptions): ApiPromise<PlanList> {
    return this.caller.call('GET', '/v2/billing/plans', { options })
  }

  /**
   * Start a checkout. A page of Stripe Checkout for a pack of credits or a plan; credits arrive when Stripe confirms payment.
   *
   * `POST /v2/billing/checkout`
   */
  checkout(body: CreateCheckoutInput, options?: CallOptions): ApiPromise<Checkout> {
    return this.caller.call('POST', '/v2/billing/checkout', { body, options })
  }
}

export class AuthResource extends Resource {
  /**
   * Get the ways to sign in. Whether the cookie that came along is a session, and by what one can sign in.
   *
   * `GET /v2/auth/state`
   */
  state(options?: CallOptions): ApiPromise<SignInState> {
    return this.caller.call('GET', '/v2/auth/state', { options })
  }

  /**
   * Sign in with a password. Sets the cookie of a session. An unknown address and a wrong password read the same and take as long. With `totp`, `code` is a code of the authenticator or a recovery code; without it the answer is 401 with `details.reason: code_required`. Five failures of an address in 15 minutes, or twenty from one IP, are 429. `accountId` chooses where an address is in several accounts; else it is one whose password it is, rather that where it was last seen.
   *
   * `POST /v2/auth/login`
   */
  login(body: LoginInput, options?: CallOptions): ApiPromise<Me> {
    return this.caller.call('POST', '/v2/auth/login', { body, once: true, options })
  }

  /**
   * Sign out. Ends the session of the cookie, and takes the cookie back. Without one it changes nothing.
   *
   * `POST /v2/auth/logout`
   */
  logout(options?: CallOptions): ApiPromise<SignedOut> {
    return this.caller.call('POST', '/v2/auth/logout', { once: true, options })
  }

  /**
   * Become a user by a link. The token of an invitation, or of the link that the server prints while nobody can sign in. That one makes the first owner, and needs `email`. A link works once; one that was used or is too old is 401.
   *
   * `POST /v2/auth/accept`
   */
  accept(body: AcceptLinkInput, options?: CallOptions): ApiPromise<Me> {
    return this.caller.call('POST', '/v2/auth/accept', { body, once: true, options })
  }

  /**
   * Ask for a new password. Mails a link for another password to a user who has one. An address that nobody has reads the same and takes as long. Three in 15 minutes per address, more are 429. 503 where the server has no mail of its own (`passwordReset` of `/v2/auth/state`).
   *
   * `POST /v2/auth/password/reset`
   */
  requestPasswordReset(body: RequestPasswordResetInput, options?: CallOptions): ApiPromise<PasswordResetRequested> {
    return this.caller.call('POST', '/v2/auth/password/reset', { body, once: true, options })
  }

  /**
   * Change a password. With the token of a link for that, or, signed in, with `currentPassword`. Every other session of the user ends; the answer has the cookie of a new one. With `totp` a link takes `code`, as signing in does.
   *
   * `POST /v2/auth/password`
   */
  changePassword(body: ChangePasswordInput, options?: CallOptions): ApiPromise<Me> {
    return this.caller.call('POST', '/v2/auth/password', { body, once: true, options })
  }
}

export class MeSessionsResource extends Resource {
  /**
   * List where one is signed in. The sessions that still work, newest first.
   *
   * `GET /v2/me/sessions`
   */
  list(query?: ListMySessionsQuery, options?: CallOptions): PagePromise<Session, SessionList> {
    return this.caller.list('GET', '/v2/me/sessions', { query, options })
  }

  /**
   * End a session. It stops working at once, on every node; `current` names the one that asks.
   *
   * `DELETE /v2/me/sessions/:id`
   */
  end(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/me/sessions/${part(id)}`, { options })
  }
}

export class MeTotpResource extends Resource {
  /**
   * Begin to use an authenticator. A secret for an app that shows codes, shown once; it counts when `confirm` was told a code of it. With one in use, 409. For people who are signed in: a person who signed in more than ten minutes ago sends `confirm` with their password or a code of their authenticator; without it, or with a wrong one, the answer is 400. A key sends none.
   *
   * `POST /v2/me/totp`
   */
  begin(body: BeginTotpInput, options?: CallOptions): ApiPromise<TotpSecret> {
    return this.caller.call('POST', '/v2/me/totp', { body, options })
  }

  /**
   * Use the authenticator from now on. Answers ten codes for the day that the authenticator is lost, each good once, shown once.
   *
   * `POST /v2/me/totp/confirm`
   */
  confirm(body: ConfirmTotpInput, options?: CallOptions): ApiPromise<RecoveryCodes> {
    return this.caller.call('POST', '/v2/me/totp/confirm', { body, options })
  }

  /**
   * Use no authenticator any more. The recovery codes end with it. For that, a person who is signed in sends `confirm` with their password or a code of their authenticator; without it, or with a wrong one, the answer is 400. A key sends none. The user is notified by system mail, if it is configured.
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
   * Get the person who asks. The person who is signed in, or whom the key belongs to. A key that belongs to nobody gets 404.
   *
   * `GET /v2/me`
   */
  get(options?: CallOptions): ApiPromise<Me> {
    return this.caller.call('GET', '/v2/me', { options })
  }

  /**
   * Change name and preferences. Changes the fields that are sent, of the preferences too. Read-only fields may be sent back as they are.
   *
   * `PUT /v2/me`
   */
  update(body: UpdateMeInput, options?: CallOptions): ApiPromise<Me> {
    return this.caller.call('PUT', '/v2/me', { body, options })
  }
}

export class UsersResource extends Resource {
  /**
   * List users. The people of the account, newest first, the disabled ones too.
   *
   * `GET /v2/users`
   */
  list(query?: ListUsersQuery, options?: CallOptions): PagePromise<User, UserList> {
    return this.caller.list('GET', '/v2/users', { query, options })
  }

  /**
   * Get a user. One person of the account.
   *
   * `GET /v2/users/:id`
   */
  get(id: string, options?: CallOptions): ApiPromise<User> {
    return this.caller.call('GET', `/v2/users/${part(id)}`, { options })
  }

  /**
   * Change a user's role or status. Nobody changes somebody above them, or makes somebody so (403). The last active owner stays one (409). Another role signs the user out; being disabled ends sessions and revokes keys, everywhere within a second. Invitations that the user made end, also with a lower role. `keptWebhooks` are webhooks that the user made and that keep posting. To make an owner, or to change one: a person who is signed in sends `confirm` with their password or a code of their authenticator; without it, or with a wrong one, the answer is 400. A key sends none.
   *
   * `PUT /v2/users/:id`
   */
  update(id: string, body: UpdateUserInput, options?: CallOptions): ApiPromise<ChangedUser> {
    return this.caller.call('PUT', `/v2/users/${part(id)}`, { body, options })
  }

  /**
   * Delete a user. As disabling does, permanently; what they did stays on record. The last active owner stays (409). To delete an owner: a person who is signed in sends `confirm` with their password or a code of their authenticator; without it, or with a wrong one, the answer is 400. A key sends none.
   *
   * `DELETE /v2/users/:id`
   */
  delete(id: string, body: DeleteUserInput, options?: CallOptions): ApiPromise<DeletedUser> {
    return this.caller.call('DELETE', `/v2/users/${part(id)}`, { body, options })
  }
}

export class InvitationsResource extends Resource {
  /**
   * List invitations. Those that can still be accepted, newest first.
   *
   * `GET /v2/invitations`
   */
  list(query?: ListInvitationsQuery, options?: CallOptions): PagePromise<Invitation, InvitationList> {
    return this.caller.list('GET', '/v2/invitations', { query, options })
  }

  /**
   * Invite somebody. Answers a link to hand over, shown once and good for 7 days; an earlier one for the same address ends. Nobody invites somebody above them (403). An address that is a user already is 409. To invite an owner: a person who is signed in sends `confirm` with their password or a code of their authenticator; without it, or with a wrong one, the answer is 400. A key sends none.
   *
   * `POST /v2/invitations`
   */
  create(body: CreateInvitationInput, options?: CallOptions): ApiPromise<CreatedInvitation> {
    return this.caller.call('POST', '/v2/invitations', { body, options })
  }

  /**
   * Take an invitation back. Its link stops working.
   *
   * `DELETE /v2/invitations/:id`
   */
  delete(id: string, options?: CallOptions): ApiPromise<Deleted> {
    return this.caller.call('DELETE', `/v2/invitations/${part(id)}`, { options })
  }
}

export class AuditLogResource extends Resource {
  /**
   * List the audit log. Every write, sign-in, refusal for want of rights, and export of both environments, newest first. `action` is an operation such as `pauseCampaign`; `to` is exclusive.
   *
   * `GET /v2/audit-log`
   */
  list(query?: ListAuditLogQuery, options?: CallOptions): PagePromise<AuditEntry, AuditEntryList> {
    return this.caller.list('GET', '/v2/audit-log', { query, options })
  }

  /**
   * Export the audit log. Every write, sign-in, refusal for want of rights, and export of both environments, newest first. `action` is an operation such as `pauseCampaign`; `to` is exclusive. All of it, streamed; as CSV, or with `format=ndjson` an entry per line.
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
  readonly imports: ImportsResource = new ImportsResource(this)
  readonly conversations: ConversationsResource = new ConversationsResource(this)
  readonly messages: MessagesResource = new MessagesResource(this)
  readonly analytics: AnalyticsResource = new AnalyticsResource(this)
  readonly events: EventsResource = new EventsResource(this)
  readonly sendingAccounts: SendingAccountsResource = new SendingAccountsResource(this)
  readonly tenantConnections: TenantConnectionsResource = new TenantConnectionsResource(this)
  readonly suppressions: SuppressionsResource = new SuppressionsResource(this)
  readonly signals: SignalsResource = new SignalsResource(this)
  readonly leads: LeadsResource = new LeadsResource(this)
  readonly meetings: MeetingsResource = new MeetingsResource(this)
  readonly templates: TemplatesResource = new TemplatesResource(this)
  readonly webhooks: WebhooksResource = new WebhooksResource(this)
  readonly sandbox: SandboxResource = new SandboxResource(this)
  readonly ai: AiResource = new AiResource(this)
  readonly leadFinder: LeadFinderResource = new LeadFinderResource(this)
  readonly billing: BillingResource = new BillingResource(this)
  readonly auth: AuthResource = new AuthResource(this)
  readonly me: MeResource = new MeResource(this)
  readonly users: UsersResource = new UsersResource(this)
  readonly invitations: InvitationsResource = new InvitationsResource(this)
  readonly auditLog: AuditLogResource = new AuditLogResource(this)
}
