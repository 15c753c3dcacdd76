create table accounts (
  account_id text collate "C" not null,
  name text not null,
  plan text not null,
  default_timezone text default 'UTC'::text not null,
  postal_address text,
  api_access_enabled boolean default true not null,
  requests_per_minute integer,
  burst_per_second integer,
  monthly_requests integer,
  max_api_keys integer,
  trial_ends_at timestamp with time zone,
  created_at timestamp with time zone not null,
  PRIMARY KEY (account_id)
);

create table api_keys (
  account_id text collate "C" not null,
  id text collate "C" not null,
  environment text not null,
  name text not null,
  prefix text not null,
  digest bytea not null,
  scopes text[] not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  parent_id text collate "C",
  user_id text collate "C",
  PRIMARY KEY (account_id, id),
  constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint api_keys_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
);
CREATE UNIQUE INDEX api_keys_digest ON public.api_keys USING btree (digest);
CREATE INDEX api_keys_parent ON public.api_keys USING btree (account_id, parent_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX api_keys_user ON public.api_keys USING btree (account_id, user_id) WHERE (user_id IS NOT NULL);

create table api_nodes (
  node_id text collate "C" not null,
  seen_at timestamp with time zone not null,
  sole_until timestamp with time zone,
  PRIMARY KEY (node_id)
);

create table billing_customers (
  account_id text collate "C" not null,
  customer_id text not null,
  subscription_id text,
  PRIMARY KEY (account_id),
  constraint billing_customers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX billing_customers_subscription ON public.billing_customers USING btree (subscription_id) WHERE (subscription_id IS NOT NULL);

create table campaign_days (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  day date not null,
  claimed integer not null,
  claimed_first integer not null,
  PRIMARY KEY (account_id, environment, campaign_id, day)
);

create table campaign_domain_days (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  day date not null,
  domain text not null,
  claimed integer not null,
  PRIMARY KEY (account_id, environment, campaign_id, day, domain)
);

create table campaigns (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  name text not null,
  status text not null,
  status_reason text,
  schedule jsonb not null,
  settings jsonb not null,
  sending_account_ids text[] not null,
  lead_count integer default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  launched_at timestamp with time zone,
  completed_at timestamp with time zone,
  deleted_at timestamp with time zone,
  hold_reason text,
  hold_until timestamp with time zone,
  PRIMARY KEY (account_id, environment, id),
  constraint campaigns_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint campaigns_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'scheduled'::text, 'active'::text, 'paused'::text, 'completed'::text])))
);
CREATE INDEX campaigns_active ON public.campaigns USING btree (account_id, environment, status) WHERE (deleted_at IS NULL);

create table claims (
  account_id text collate "C" not null,
  environment text not null,
  message_id text collate "C" not null,
  kind text not null,
  campaign_id text collate "C",
  lead_id text collate "C",
  step_id text collate "C",
  sending_account_id text collate "C" not null,
  lead_email text,
  sender_day date,
  campaign_day date,
  first boolean,
  domain text,
  claimed_at timestamp with time zone not null,
  lease_token uuid not null,
  lease_until timestamp with time zone,
  gated_at timestamp with time zone,
  PRIMARY KEY (account_id, environment, message_id)
);
CREATE UNIQUE INDEX claims_step ON public.claims USING btree (account_id, environment, lead_id, step_id) WHERE (step_id IS NOT NULL);

create table credit_balances (
  account_id text collate "C" not null,
  environment text not null,
  balance bigint not null,
  expiring bigint default 0 not null,
  reserved bigint default 0 not null,
  lead_used bigint default 0 not null,
  lead_reserved bigint default 0 not null,
  period_start timestamp with time zone,
  period_end timestamp with time zone,
  PRIMARY KEY (account_id, environment),
  constraint credit_balances_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint credit_balances_balance_check CHECK ((balance >= 0)),
  constraint credit_balances_check CHECK (((expiring >= 0) AND (expiring <= balance))),
  constraint credit_balances_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint credit_balances_lead_reserved_check CHECK ((lead_reserved >= 0)),
  constraint credit_balances_lead_used_check CHECK ((lead_used >= 0)),
  constraint credit_balances_reserved_check CHECK ((reserved >= 0))
);
CREATE INDEX credit_balances_period ON public.credit_balances USING btree (period_end) WHERE (period_end IS NOT NULL);

create table credit_ledger (
  account_id text collate "C" not null,
  environment text not null,
  "position" bigint generated always as identity not null,
  id text collate "C" not null,
  type text not null,
  amount bigint not null,
  balance_after bigint not null,
  reason text not null,
  reference text,
  lead_credits boolean default false not null,
  created_at timestamp with time zone default now() not null,
  PRIMARY KEY (account_id, environment, "position"),
  constraint credit_ledger_balance_after_check CHECK ((balance_after >= 0)),
  constraint credit_ledger_type_check CHECK ((type = ANY (ARRAY['grant'::text, 'purchase'::text, 'charge'::text, 'refund'::text, 'expiry'::text])))
);
CREATE UNIQUE INDEX credit_ledger_id ON public.credit_ledger USING btree (account_id, environment, id);
CREATE UNIQUE INDEX credit_ledger_purchase ON public.credit_ledger USING btree (account_id, environment, reference) WHERE (type = 'purchase'::text);

create table credit_reservations (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  amount bigint not null,
  lead_credits boolean not null,
  reason text not null,
  reference text,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (account_id, environment, id),
  constraint credit_reservations_account_id_environment_fkey FOREIGN KEY (account_id, environment) REFERENCES credit_balances(account_id, environment) ON DELETE CASCADE,
  constraint credit_reservations_amount_check CHECK ((amount > 0))
);
CREATE INDEX credit_reservations_expiry ON public.credit_reservations USING btree (expires_at);

create table event_cursors (
  name text not null,
  tx_id xid8 default '0'::xid8 not null,
  "position" bigint default 0 not null,
  PRIMARY KEY (name)
);

create table events (
  account_id text collate "C" not null,
  environment text not null,
  "position" bigint default nextval('events_position'::regclass) not null,
  tx_id xid8 default pg_current_xact_id() not null,
  recorded_at timestamp with time zone default now() not null,
  id text collate "C" not null,
  type text not null,
  occurred_at timestamp with time zone not null,
  campaign_id text collate "C",
  lead_id text collate "C",
  lead_email text,
  message_id text collate "C",
  step_id text collate "C",
  variant_id text collate "C",
  sending_account_id text collate "C",
  data jsonb default '{}'::jsonb not null,
  PRIMARY KEY (account_id, environment, tx_id, "position", recorded_at)
);
CREATE INDEX events_campaign ON ONLY public.events USING btree (account_id, environment, campaign_id, tx_id, "position");
CREATE INDEX events_campaign_time ON ONLY public.events USING btree (account_id, environment, campaign_id, occurred_at) WHERE (type <> 'lead.status_changed'::text);
CREATE INDEX events_feed ON ONLY public.events USING btree (tx_id, "position");
CREATE INDEX events_id ON ONLY public.events USING brin (id) WITH (autosummarize='on');
CREATE INDEX events_lead ON ONLY public.events USING btree (account_id, environment, lead_id, "position");

create table finder_companies (
  dataset text not null,
  number integer not null,
  id text collate "C" not null,
  name text not null,
  domain text,
  website text,
  logo_url text,
  industry text,
  employee_count integer,
  country text,
  state text,
  city text,
  linkedin_url text,
  founded integer,
  revenue bigint,
  type text,
  technologies text[] default '{}'::text[] not null,
  funding_stage text,
  job_postings integer,
  hiring_titles text[] default '{}'::text[] not null,
  version bigint not null,
  PRIMARY KEY (dataset, id)
);
CREATE UNIQUE INDEX finder_companies_number ON public.finder_companies USING btree (dataset, number);
CREATE INDEX finder_companies_version ON public.finder_companies USING btree (dataset, version);

create table finder_datasets (
  dataset text not null,
  generation uuid default gen_random_uuid() not null,
  version bigint not null,
  people bigint default 0 not null,
  companies bigint default 0 not null,
  PRIMARY KEY (dataset),
  constraint finder_datasets_dataset_check CHECK ((dataset = ANY (ARRAY['demo'::text, 'live'::text])))
);

create table finder_people (
  dataset text not null,
  number integer not null,
  id text collate "C" not null,
  first_name text,
  last_name text,
  job_title text,
  seniority text,
  department text,
  linkedin_url text,
  country text,
  state text,
  city text,
  company_id text collate "C",
  email text,
  mobile text,
  years_experience real,
  role_started date,
  company_started date,
  rank integer not null,
  version bigint not null,
  erased_at timestamp with time zone,
  PRIMARY KEY (dataset, id)
);
CREATE INDEX finder_people_company ON public.finder_people USING btree (dataset, company_id) WHERE (company_id IS NOT NULL);
CREATE UNIQUE INDEX finder_people_number ON public.finder_people USING btree (dataset, number);
CREATE INDEX finder_people_version ON public.finder_people USING btree (dataset, version);

create table finder_provider_usage (
  provider text not null,
  month date not null,
  units bigint not null,
  PRIMARY KEY (provider, month)
);

create table finder_reveals (
  account_id text collate "C" not null,
  environment text not null,
  person_id text collate "C" not null,
  field text not null,
  value bytea,
  credits_charged integer not null,
  revealed_at timestamp with time zone not null,
  PRIMARY KEY (account_id, environment, person_id, field),
  constraint finder_reveals_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint finder_reveals_field_check CHECK ((field = ANY (ARRAY['email'::text, 'mobile'::text])))
);

create table finder_scroll_tokens (
  provider text not null,
  digest bytea not null,
  page integer not null,
  token text not null,
  created_at timestamp with time zone not null,
  PRIMARY KEY (provider, digest, page)
);

create table finder_searches (
  account_id text collate "C" not null,
  environment text not null,
  digest bytea not null,
  charged_at timestamp with time zone not null,
  PRIMARY KEY (account_id, environment, digest),
  constraint finder_searches_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);
CREATE INDEX finder_searches_age ON public.finder_searches USING btree (charged_at);

create table former_messages (
  account_id text collate "C" not null,
  environment text not null,
  rfc_message_id text not null,
  address_hash bytea not null,
  PRIMARY KEY (account_id, environment, rfc_message_id)
);
CREATE INDEX former_messages_address ON public.former_messages USING btree (account_id, environment, address_hash);

create table generations (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  model_id text not null,
  preset_id text collate "C",
  preset_version integer,
  campaign_id text collate "C",
  lead_id text collate "C",
  kind text not null,
  subject text not null,
  body text not null,
  subject_options text[] not null,
  prompt_tokens integer not null,
  completion_tokens integer not null,
  credits_charged integer not null,
  created_at timestamp with time zone not null,
  step_id text collate "C",
  message_id text collate "C",
  PRIMARY KEY (account_id, environment, id),
  constraint generations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);
CREATE INDEX generations_of_campaign ON public.generations USING btree (account_id, environment, campaign_id, id);
CREATE INDEX generations_of_lead ON public.generations USING btree (account_id, environment, lead_id) WHERE (lead_id IS NOT NULL);

create table idempotency_keys (
  account_id text collate "C" not null,
  environment text not null,
  route text not null,
  key text not null,
  body_digest bytea not null,
  status integer,
  locked_until timestamp with time zone,
  expires_at timestamp with time zone not null,
  sealed_body bytea,
  headers jsonb,
  PRIMARY KEY (account_id, environment, route, key)
);
CREATE INDEX idempotency_keys_expiry ON public.idempotency_keys USING btree (expires_at);

create table import_rows (
  account_id text collate "C" not null,
  environment text not null,
  import_id text collate "C" not null,
  row_number integer not null,
  fields text[] not null,
  reason text,
  PRIMARY KEY (account_id, environment, import_id, row_number)
);

create table imports (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  campaign_id text collate "C" not null,
  on_duplicate text not null,
  header text[] not null,
  status text not null,
  rows_read integer default 0 not null,
  added integer default 0 not null,
  updated integer default 0 not null,
  skipped integer default 0 not null,
  failed integer default 0 not null,
  error text,
  created_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  upload_key_id text,
  upload_until timestamp with time zone,
  PRIMARY KEY (account_id, environment, id),
  constraint imports_status_check CHECK ((status = ANY (ARRAY['uploading'::text, 'abandoned'::text, 'pending'::text, 'running'::text, 'completed'::text, 'failed'::text])))
);
CREATE UNIQUE INDEX imports_uploading ON public.imports USING btree (account_id, upload_key_id) WHERE (status = 'uploading'::text);

create table inbox_workers (
  token uuid not null,
  lease_until timestamp with time zone not null,
  PRIMARY KEY (token)
);

create table jobs (
  account_id text collate "C" not null,
  environment text not null,
  id bigint generated always as identity not null,
  kind text not null,
  key text,
  payload jsonb default '{}'::jsonb not null,
  run_at timestamp with time zone not null,
  clock text default 'tenant'::text not null,
  attempts integer default 0 not null,
  lease_until timestamp with time zone,
  lease_token uuid,
  dead_at timestamp with time zone,
  last_error text,
  again_at timestamp with time zone,
  PRIMARY KEY (account_id, id),
  constraint jobs_clock_check CHECK ((clock = ANY (ARRAY['tenant'::text, 'real'::text])))
);
CREATE INDEX jobs_due ON public.jobs USING btree (kind, run_at) WHERE ((dead_at IS NULL) AND ((environment = 'live'::text) OR (clock = 'real'::text)));
CREATE INDEX jobs_due_tenant ON public.jobs USING btree (account_id, environment, run_at) WHERE (dead_at IS NULL);
CREATE INDEX jobs_due_test ON public.jobs USING btree (kind, run_at) WHERE ((dead_at IS NULL) AND (environment = 'test'::text) AND (clock = 'tenant'::text));
CREATE UNIQUE INDEX jobs_key ON public.jobs USING btree (account_id, environment, kind, key) WHERE ((key IS NOT NULL) AND (dead_at IS NULL));

create table lead_profiles (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  id text collate "C" not null,
  email text not null,
  email_given text not null,
  email_domain text not null,
  first_name text,
  last_name text,
  job_title text,
  company text,
  company_domain text,
  linkedin_url text,
  mobile text,
  country text,
  city text,
  timezone text,
  person_id text,
  extra jsonb,
  custom_variables jsonb default '{}'::jsonb not null,
  interest text,
  interest_source text,
  machine_interest text,
  open_count integer default 0 not null,
  click_count integer default 0 not null,
  reply_count integer default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  PRIMARY KEY (account_id, environment, campaign_id, id)
);
CREATE INDEX lead_profiles_by_id ON public.lead_profiles USING btree (account_id, environment, id);
CREATE UNIQUE INDEX lead_profiles_email ON public.lead_profiles USING btree (account_id, environment, email, campaign_id);

create table lead_progress (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  lead_id text collate "C" not null,
  status text not null,
  blocked_reason text,
  current_step integer default 0 not null,
  current_step_id text collate "C",
  due_at timestamp with time zone,
  attempt_at timestamp with time zone,
  next_send_at timestamp with time zone,
  last_contacted_at timestamp with time zone,
  sending_account_id text collate "C",
  thread_id text collate "C",
  stopped_by jsonb,
  ooo_until timestamp with time zone,
  updated_at timestamp with time zone not null,
  status_before text,
  contacted_before boolean,
  PRIMARY KEY (account_id, environment, campaign_id, lead_id),
  constraint lead_progress_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'completed'::text, 'paused'::text, 'replied'::text, 'bounced'::text, 'unsubscribed'::text, 'stopped'::text, 'failed'::text])))
);
CREATE INDEX lead_progress_due ON public.lead_progress USING btree (account_id, environment, campaign_id, sending_account_id, attempt_at, lead_id) WHERE ((status = ANY (ARRAY['pending'::text, 'active'::text])) AND (attempt_at IS NOT NULL));
CREATE INDEX lead_progress_open ON public.lead_progress USING btree (account_id, environment, campaign_id) WHERE ((status = ANY (ARRAY['pending'::text, 'active'::text, 'paused'::text])) AND (COALESCE(blocked_reason, ''::text) <> ALL (ARRAY['missing_variable'::text, 'suppressed'::text])));

create table mailbox_folders (
  account_id text collate "C" not null,
  environment text not null,
  sending_account_id text collate "C" not null,
  folder text not null,
  uid_validity text,
  last_uid bigint default 0 not null,
  trying_uid bigint,
  tries smallint default 0 not null,
  breaks smallint default 0 not null,
  PRIMARY KEY (account_id, environment, sending_account_id, folder),
  constraint mailbox_folders_account_id_environment_sending_account_id_fkey FOREIGN KEY (account_id, environment, sending_account_id) REFERENCES mailboxes(account_id, environment, sending_account_id) ON DELETE CASCADE
);

create table mailboxes (
  account_id text collate "C" not null,
  environment text not null,
  sending_account_id text collate "C" not null,
  since timestamp with time zone not null,
  lease_token uuid,
  lease_until timestamp with time zone,
  retry_at timestamp with time zone,
  retry_count integer default 0 not null,
  read_at timestamp with time zone,
  PRIMARY KEY (account_id, environment, sending_account_id),
  constraint mailboxes_account_id_environment_sending_account_id_fkey FOREIGN KEY (account_id, environment, sending_account_id) REFERENCES sending_accounts(account_id, environment, id) ON DELETE CASCADE
);
CREATE INDEX mailboxes_free ON public.mailboxes USING btree (lease_until NULLS FIRST, retry_at NULLS FIRST);

create table meeting_availability (
  account_id text collate "C" not null,
  environment text not null,
  slug text not null,
  settings jsonb not null,
  integrations bytea,
  updated_at timestamp with time zone,
  PRIMARY KEY (account_id, environment),
  constraint meeting_availability_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX meeting_availability_slug ON public.meeting_availability USING btree (slug);

create table meeting_notices (
  account_id text collate "C" not null,
  environment text not null,
  key text not null,
  kind text not null,
  address_hash bytea not null,
  queued_at timestamp with time zone not null,
  PRIMARY KEY (account_id, environment, key, address_hash),
  constraint meeting_notices_kind_check CHECK ((kind = ANY (ARRAY['confirmation'::text, 'booked'::text, 'rescheduled'::text, 'canceled'::text, 'reminder'::text])))
);
CREATE INDEX meeting_notices_address ON public.meeting_notices USING btree (account_id, environment, address_hash, queued_at);
CREATE INDEX meeting_notices_age ON public.meeting_notices USING btree (account_id, environment, queued_at);

create table meetings (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  lead_id text collate "C",
  campaign_id text collate "C",
  status text not null,
  source text not null,
  title text not null,
  start_at timestamp with time zone not null,
  end_at timestamp with time zone not null,
  timezone text not null,
  join_url text,
  attendees jsonb default '[]'::jsonb not null,
  calendar_uid text not null,
  calendar_sequence integer default 0 not null,
  invited boolean default false not null,
  sending_account_id text collate "C",
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  page_moves integer default 0 not null,
  PRIMARY KEY (account_id, environment, id),
  constraint meetings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint meetings_check CHECK ((start_at < end_at)),
  constraint meetings_source_check CHECK ((source = ANY (ARRAY['booking_page'::text, 'calendar_invite'::text, 'cal_com'::text, 'calendly'::text, 'manual'::text]))),
  constraint meetings_status_check CHECK ((status = ANY (ARRAY['booked'::text, 'rescheduled'::text, 'completed'::text, 'canceled'::text, 'no_show'::text])))
);
CREATE UNIQUE INDEX meetings_booked_start ON public.meetings USING btree (account_id, environment, start_at) WHERE ((source = 'booking_page'::text) AND (status = ANY (ARRAY['booked'::text, 'rescheduled'::text])));
CREATE UNIQUE INDEX meetings_calendar ON public.meetings USING btree (account_id, environment, calendar_uid);
CREATE INDEX meetings_lead ON public.meetings USING btree (account_id, environment, lead_id, created_at DESC);
CREATE INDEX meetings_start ON public.meetings USING btree (account_id, environment, start_at DESC, id DESC);

create table message_contents (
  account_id text collate "C" not null,
  environment text not null,
  message_id text collate "C" not null,
  raw bytea,
  text text,
  html text,
  quoted_text text,
  attachments jsonb,
  subject text,
  PRIMARY KEY (account_id, environment, message_id)
);
CREATE INDEX message_contents_search ON public.message_contents USING gin (to_tsvector('simple'::regconfig, "left"(((subject || ' '::text) || COALESCE(text, ''::text)), 100000))) WHERE (subject IS NOT NULL);

create table message_heads (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  campaign_id text collate "C",
  lead_id text collate "C",
  step_id text collate "C",
  variant_id text collate "C",
  thread_id text collate "C",
  sending_account_id text collate "C" not null,
  direction text not null,
  kind text not null,
  rfc_message_id text collate "C",
  in_reply_to text,
  refs text[],
  from_address jsonb,
  to_addresses jsonb,
  cc_addresses jsonb,
  bcc_addresses jsonb,
  to_stranger boolean,
  subject text default ''::text not null,
  raw_sha256 bytea,
  queued_at timestamp with time zone not null,
  received_at timestamp with time zone,
  classification jsonb,
  status text not null,
  attempts integer default 0 not null,
  first_attempt_at timestamp with time zone,
  attempt_at timestamp with time zone,
  gated_at timestamp with time zone,
  sent_at timestamp with time zone,
  opened_at timestamp with time zone,
  smtp_answer text,
  failure jsonb,
  PRIMARY KEY (account_id, environment, id),
  constraint message_heads_direction_check CHECK ((direction = ANY (ARRAY['outbound'::text, 'inbound'::text]))),
  constraint message_heads_kind_check CHECK ((kind = ANY (ARRAY['campaign'::text, 'reply'::text, 'manual'::text, 'auto_reply'::text, 'bounce'::text, 'unsubscribe'::text, 'other'::text, 'notification'::text]))),
  constraint message_heads_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sent'::text, 'bounced'::text, 'failed'::text, 'uncertain'::text, 'received'::text])))
);
CREATE INDEX message_heads_direct ON public.message_heads USING btree (account_id, environment, attempt_at) WHERE (attempt_at IS NOT NULL);
CREATE INDEX message_heads_inbound_hash ON public.message_heads USING btree (account_id, environment, sending_account_id, raw_sha256) WHERE (direction = 'inbound'::text);
CREATE UNIQUE INDEX message_heads_inbound_rfc ON public.message_heads USING btree (account_id, environment, rfc_message_id, sending_account_id) WHERE (direction = 'inbound'::text);
CREATE INDEX message_heads_sender ON public.message_heads USING btree (account_id, environment, sending_account_id, queued_at) WHERE (direction = 'outbound'::text);
CREATE UNIQUE INDEX message_heads_step ON public.message_heads USING btree (account_id, environment, campaign_id, lead_id, step_id);
CREATE INDEX message_heads_thread ON public.message_heads USING btree (account_id, environment, thread_id);

create table monthly_usage (
  account_id text collate "C" not null,
  month date not null,
  requests bigint not null,
  PRIMARY KEY (account_id, month)
);

create table people (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  email text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  PRIMARY KEY (account_id, environment, id)
);
CREATE UNIQUE INDEX people_email ON public.people USING btree (account_id, environment, email);

create table planning (
  account_id text collate "C" not null,
  environment text not null,
  next_plan_at timestamp with time zone,
  lease_token uuid,
  lease_until timestamp with time zone,
  PRIMARY KEY (account_id, environment)
);
CREATE INDEX planning_due ON public.planning USING btree (next_plan_at) WHERE (next_plan_at IS NOT NULL);

create table prompt_presets (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  name text not null,
  description text,
  category text,
  prompt text not null,
  model_id text,
  variables text[] default '{}'::text[] not null,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  PRIMARY KEY (account_id, environment, id),
  constraint prompt_presets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);

create table rate_windows (
  account_id text collate "C" not null,
  key_id text collate "C" not null,
  request_log bigint[] not null,
  PRIMARY KEY (account_id, key_id)
);

create table sandbox_clocks (
  account_id text collate "C" not null,
  offset_ms bigint default 0 not null,
  frozen_at timestamp with time zone,
  PRIMARY KEY (account_id),
  constraint sandbox_clocks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);

create table sandbox_messages (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  "position" bigint generated always as identity not null,
  direction text not null,
  message_id text collate "C",
  campaign_id text collate "C",
  lead_id text collate "C",
  step_id text collate "C",
  sending_account_id text collate "C" not null,
  from_email text not null,
  to_emails text[] not null,
  subject text not null,
  rfc_message_id text,
  raw bytea not null,
  at timestamp with time zone not null,
  PRIMARY KEY (account_id, environment, id),
  constraint sandbox_messages_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint sandbox_messages_direction_check CHECK ((direction = ANY (ARRAY['to_prospect'::text, 'from_prospect'::text])))
);
CREATE INDEX sandbox_messages_lead ON public.sandbox_messages USING btree (account_id, environment, lead_id, "position");
CREATE INDEX sandbox_messages_rfc ON public.sandbox_messages USING btree (account_id, environment, rfc_message_id);

create table sandbox_runs (
  account_id text collate "C" not null,
  from_at timestamp with time zone not null,
  target_at timestamp with time zone not null,
  was_frozen boolean not null,
  events_after bigint not null,
  lease_token uuid not null,
  lease_until timestamp with time zone not null,
  events_tx xid8 default pg_snapshot_xmin(pg_current_snapshot()) not null,
  PRIMARY KEY (account_id),
  constraint sandbox_runs_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);

create table sender_days (
  account_id text collate "C" not null,
  environment text not null,
  sending_account_id text collate "C" not null,
  day date not null,
  claimed integer not null,
  PRIMARY KEY (account_id, environment, sending_account_id, day)
);

create table sending_accounts (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  email text not null,
  from_name text not null,
  provider text not null,
  smtp jsonb,
  imap jsonb,
  secrets bytea,
  status text not null,
  status_reason text,
  last_error text,
  daily_limit integer not null,
  min_gap_seconds integer not null,
  max_gap_seconds integer not null,
  timezone text not null,
  signature text,
  reply_to text,
  tracking_domain text,
  ramp_up jsonb,
  ramp_started_at timestamp with time zone,
  health jsonb,
  next_send_at timestamp with time zone,
  send_sequence bigint default 0 not null,
  held_until timestamp with time zone,
  hold_count integer default 0 not null,
  retry_at timestamp with time zone,
  retry_count integer default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  connection_version integer default 0 not null,
  PRIMARY KEY (account_id, environment, id),
  constraint sending_accounts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint sending_accounts_provider_check CHECK ((provider = ANY (ARRAY['smtp'::text, 'google'::text, 'microsoft'::text, 'sandbox'::text]))),
  constraint sending_accounts_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'connection_error'::text, 'auth_required'::text])))
);
CREATE UNIQUE INDEX sending_accounts_email ON public.sending_accounts USING btree (account_id, environment, lower(email));
CREATE INDEX sending_accounts_retry ON public.sending_accounts USING btree (retry_at) WHERE (status = 'connection_error'::text);

create table sessions (
  account_id text collate "C" not null,
  id text collate "C" not null,
  user_id text collate "C" not null,
  digest bytea not null,
  method text not null,
  ip text,
  user_agent text,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (account_id, id),
  constraint sessions_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE,
  constraint sessions_method_check CHECK ((method = ANY (ARRAY['password'::text, 'oidc'::text])))
);
CREATE UNIQUE INDEX sessions_digest ON public.sessions USING btree (digest);
CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_user ON public.sessions USING btree (account_id, user_id);

create table set_aside_messages (
  account_id text collate "C" not null,
  environment text not null,
  sending_account_id text collate "C" not null,
  folder text not null,
  uid_validity text not null,
  uid bigint not null,
  id text collate "C" not null,
  reason text not null,
  size_bytes bigint,
  set_aside_at timestamp with time zone not null,
  tries smallint default 1 not null,
  retry_asked_at timestamp with time zone,
  PRIMARY KEY (account_id, environment, sending_account_id, folder, uid_validity, uid),
  UNIQUE (id),
  constraint set_aside_messages_account_id_environment_sending_account__fkey FOREIGN KEY (account_id, environment, sending_account_id) REFERENCES mailboxes(account_id, environment, sending_account_id) ON DELETE CASCADE
);
CREATE INDEX set_aside_messages_age ON public.set_aside_messages USING btree (set_aside_at);
CREATE INDEX set_aside_messages_retry ON public.set_aside_messages USING btree (sending_account_id) WHERE (retry_asked_at IS NOT NULL);

create table settings (
  name text not null,
  value jsonb not null,
  PRIMARY KEY (name)
);

create table sign_in_attempts (
  id bigint generated always as identity not null,
  address_hash bytea not null,
  ip text not null,
  at timestamp with time zone not null,
  PRIMARY KEY (id)
);
CREATE INDEX sign_in_attempts_address ON public.sign_in_attempts USING btree (address_hash, at);
CREATE INDEX sign_in_attempts_at ON public.sign_in_attempts USING btree (at);
CREATE INDEX sign_in_attempts_ip ON public.sign_in_attempts USING btree (ip, at);

create table stat_quarter_hours (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  quarter timestamp with time zone not null,
  step_id text collate "C" not null,
  variant_id text collate "C" not null,
  sending_account_id text collate "C" not null,
  leads integer not null,
  contacted integer not null,
  sent integer not null,
  opened integer not null,
  unique_opened integer not null,
  machine_opened integer not null,
  clicked integer not null,
  unique_clicked integer not null,
  machine_clicked integer not null,
  replied integer not null,
  unique_replied integer not null,
  auto_replied integer not null,
  bounced integer not null,
  unsubscribed integer not null,
  interested integer not null,
  meetings_booked integer not null,
  failed integer not null,
  uncertain integer not null,
  PRIMARY KEY (account_id, environment, campaign_id, quarter, step_id, variant_id, sending_account_id)
);

create table stat_totals (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  leads bigint not null,
  contacted bigint not null,
  sent bigint not null,
  opened bigint not null,
  unique_opened bigint not null,
  machine_opened bigint not null,
  clicked bigint not null,
  unique_clicked bigint not null,
  machine_clicked bigint not null,
  replied bigint not null,
  unique_replied bigint not null,
  auto_replied bigint not null,
  bounced bigint not null,
  unsubscribed bigint not null,
  interested bigint not null,
  meetings_booked bigint not null,
  failed bigint not null,
  uncertain bigint not null,
  PRIMARY KEY (account_id, environment, campaign_id)
);

create table stat_variants (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  step_id text collate "C" not null,
  variant_id text collate "C" not null,
  sent bigint not null,
  bounced bigint not null,
  unique_replied bigint not null,
  PRIMARY KEY (account_id, environment, campaign_id, step_id, variant_id)
);

create table step_drafts (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  campaign_id text collate "C" not null,
  lead_id text collate "C" not null,
  step_id text collate "C" not null,
  variant_id text collate "C" not null,
  preset_id text collate "C" not null,
  model_id text not null,
  status text not null,
  subject text,
  body text,
  error text,
  edited boolean default false not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  preset_version integer,
  facts_digest text,
  revision integer default 0 not null,
  generation_id text collate "C",
  spent boolean default false not null,
  PRIMARY KEY (account_id, environment, id),
  constraint step_drafts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint step_drafts_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'waiting'::text, 'approved'::text, 'rejected'::text, 'failed'::text])))
);
CREATE UNIQUE INDEX step_drafts_step ON public.step_drafts USING btree (account_id, environment, campaign_id, lead_id, step_id, variant_id);
CREATE INDEX step_drafts_unspent ON public.step_drafts USING btree (account_id, environment, campaign_id, step_id) WHERE (NOT spent);
CREATE INDEX step_drafts_waiting ON public.step_drafts USING btree (account_id, environment, campaign_id, id) WHERE (status = 'waiting'::text);

create table steps (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  id text collate "C" not null,
  "position" integer not null,
  wait_value integer not null,
  wait_unit text not null,
  same_thread boolean not null,
  variant_selection text default 'weighted'::text not null,
  PRIMARY KEY (account_id, environment, campaign_id, id),
  constraint steps_account_id_environment_campaign_id_fkey FOREIGN KEY (account_id, environment, campaign_id) REFERENCES campaigns(account_id, environment, id) ON DELETE CASCADE,
  constraint steps_variant_selection_check CHECK ((variant_selection = ANY (ARRAY['weighted'::text, 'auto'::text])))
);

create table stripe_ended_subscriptions (
  id text collate "C" not null,
  ended_at timestamp with time zone not null,
  PRIMARY KEY (id)
);

create table stripe_events (
  id text collate "C" not null,
  type text not null,
  received_at timestamp with time zone default now() not null,
  PRIMARY KEY (id)
);

create table stripe_sessions (
  id text collate "C" not null,
  account_id text collate "C" not null,
  fulfilled_at timestamp with time zone not null,
  PRIMARY KEY (account_id, id),
  constraint stripe_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);

create table suppressions (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  email text,
  domain text,
  address_hash bytea,
  source text not null,
  reason text,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  PRIMARY KEY (account_id, environment, id),
  constraint suppressions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint suppressions_source_check CHECK ((source = ANY (ARRAY['recipient'::text, 'bounce'::text, 'complaint'::text, 'manual'::text, 'import'::text])))
);
CREATE UNIQUE INDEX suppressions_domain ON public.suppressions USING btree (account_id, environment, domain) WHERE (domain IS NOT NULL);
CREATE UNIQUE INDEX suppressions_email ON public.suppressions USING btree (account_id, environment, address_hash) WHERE (address_hash IS NOT NULL);

create table templates (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  name text not null,
  subject text not null,
  body text not null,
  tags text[] not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  PRIMARY KEY (account_id, environment, id),
  constraint templates_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);

create table threads (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  campaign_id text collate "C",
  lead_id text collate "C",
  sending_account_id text collate "C" not null,
  subject text not null,
  snippet text default ''::text not null,
  unread boolean default false not null,
  archived boolean default false not null,
  has_inbound boolean default false not null,
  last_message_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  awaiting boolean default false not null,
  PRIMARY KEY (account_id, environment, id)
);
CREATE INDEX threads_awaiting ON public.threads USING btree (account_id, environment, last_message_at DESC, id) WHERE (awaiting AND has_inbound);
CREATE INDEX threads_lead ON public.threads USING btree (account_id, environment, campaign_id, lead_id);
CREATE INDEX threads_recent ON public.threads USING btree (account_id, environment, last_message_at DESC, id) WHERE has_inbound;
CREATE INDEX threads_search ON public.threads USING gin (to_tsvector('simple'::regconfig, subject)) WHERE has_inbound;
CREATE INDEX threads_sender ON public.threads USING btree (account_id, environment, sending_account_id) WHERE (has_inbound AND (NOT archived));

create table user_links (
  account_id text collate "C" not null,
  id text collate "C" not null,
  kind text not null,
  digest bytea not null,
  email text collate "C",
  role text,
  user_id text collate "C",
  invited_by text collate "C",
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  PRIMARY KEY (account_id, id),
  constraint user_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint user_links_kind_check CHECK ((kind = ANY (ARRAY['setup'::text, 'invitation'::text, 'password'::text]))),
  constraint user_links_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'member'::text, 'admin'::text, 'owner'::text])))
);
CREATE UNIQUE INDEX user_links_digest ON public.user_links USING btree (digest);
CREATE INDEX user_links_expiry ON public.user_links USING btree (expires_at);

create table users (
  account_id text collate "C" not null,
  id text collate "C" not null,
  email text collate "C" not null,
  name text not null,
  role text not null,
  status text not null,
  password_hash text,
  oidc_issuer text,
  oidc_subject text,
  totp_secret bytea,
  totp_confirmed_at timestamp with time zone,
  totp_last_step bigint,
  recovery_digests bytea[] default '{}'::bytea[] not null,
  preferences jsonb default '{}'::jsonb not null,
  last_seen_at timestamp with time zone,
  created_at timestamp with time zone not null,
  PRIMARY KEY (account_id, id),
  constraint users_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint users_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'member'::text, 'admin'::text, 'owner'::text]))),
  constraint users_status_check CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text])))
);
CREATE INDEX users_by_email ON public.users USING btree (email);
CREATE UNIQUE INDEX users_email ON public.users USING btree (account_id, email);
CREATE UNIQUE INDEX users_oidc ON public.users USING btree (oidc_issuer, oidc_subject, account_id) WHERE (oidc_subject IS NOT NULL);

create table variants (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  step_id text collate "C" not null,
  id text collate "C" not null,
  "position" integer not null,
  label text not null,
  subject text not null,
  body text not null,
  weight integer not null,
  enabled boolean not null,
  ai jsonb,
  PRIMARY KEY (account_id, environment, campaign_id, step_id, id),
  constraint variants_account_id_environment_campaign_id_step_id_fkey FOREIGN KEY (account_id, environment, campaign_id, step_id) REFERENCES steps(account_id, environment, campaign_id, id) ON DELETE CASCADE
);

create table webhook_deliveries (
  account_id text collate "C" not null,
  environment text not null,
  webhook_id text collate "C" not null,
  id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text not null,
  tx_id xid8 not null,
  "position" bigint not null,
  test_body jsonb,
  status text not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone,
  last_attempt_at timestamp with time zone,
  delivered_at timestamp with time zone,
  response_status integer,
  response_excerpt text,
  error text,
  duration_ms integer,
  attempt_log jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone not null,
  PRIMARY KEY (account_id, environment, webhook_id, id),
  constraint webhook_deliveries_account_id_environment_webhook_id_fkey FOREIGN KEY (account_id, environment, webhook_id) REFERENCES webhooks(account_id, environment, id) ON DELETE CASCADE,
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text])))
);
CREATE INDEX webhook_deliveries_age ON public.webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_event ON public.webhook_deliveries USING btree (account_id, environment, event_id);
CREATE INDEX webhook_deliveries_first_retry ON public.webhook_deliveries USING btree (account_id, environment, webhook_id, tx_id, "position") WHERE ((status = 'pending'::text) AND (attempts = 1));
CREATE INDEX webhook_deliveries_pending ON public.webhook_deliveries USING btree (account_id, environment, webhook_id, tx_id, "position") WHERE (status = 'pending'::text);
CREATE INDEX webhook_deliveries_recent ON public.webhook_deliveries USING btree (account_id, environment, webhook_id, created_at DESC, id DESC);

create table webhooks (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  url text not null,
  events text[] not null,
  enabled boolean not null,
  status text not null,
  status_reason text,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamp with time zone,
  failing_since timestamp with time zone,
  since_tx xid8 default pg_current_xact_id() not null,
  next_attempt_at timestamp with time zone,
  lease_token uuid,
  lease_until timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  campaign_ids text[] default '{}'::text[] not null,
  PRIMARY KEY (account_id, environment, id),
  constraint webhooks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint webhooks_status_check CHECK ((status = ANY (ARRAY['active'::text, 'failing'::text, 'disabled'::text])))
);
CREATE INDEX webhooks_due ON public.webhooks USING btree (next_attempt_at) WHERE ((next_attempt_at IS NOT NULL) AND enabled);

create view leads with (security_invoker=true) as
 SELECT p.account_id,
    p.environment,
    p.campaign_id,
    p.lead_id AS id,
    l.email,
    l.email_given,
    l.email_domain,
    l.first_name,
    l.last_name,
    l.job_title,
    l.company,
    l.company_domain,
    l.linkedin_url,
    l.mobile,
    l.country,
    l.city,
    l.timezone,
    l.person_id,
    l.extra,
    l.custom_variables,
    p.status,
    p.blocked_reason,
    l.interest,
    l.interest_source,
    l.machine_interest,
    p.current_step,
    p.current_step_id,
    p.due_at,
    p.attempt_at,
    p.next_send_at,
    p.last_contacted_at,
    p.sending_account_id,
    p.thread_id,
    l.open_count,
    l.click_count,
    l.reply_count,
    p.stopped_by,
    p.ooo_until,
    l.created_at,
    GREATEST(p.updated_at, l.updated_at) AS updated_at
   FROM (lead_progress p
     JOIN lead_profiles l ON (((l.account_id = p.account_id) AND (l.environment = p.environment) AND (l.campaign_id = p.campaign_id) AND (l.id = p.lead_id))));

create view messages with (security_invoker=true) as
 SELECT m.account_id,
    m.environment,
    m.id,
    m.campaign_id,
    m.lead_id,
    m.step_id,
    m.variant_id,
    m.thread_id,
    m.sending_account_id,
    m.direction,
    m.kind,
        CASE
            WHEN ((m.status = 'queued'::text) AND (c.gated_at IS NOT NULL)) THEN 'sending'::text
            ELSE m.status
        END AS status,
    (c.lease_token IS NOT NULL) AS claimed,
    m.attempts,
    m.first_attempt_at,
    m.attempt_at,
    m.rfc_message_id,
    m.in_reply_to,
    COALESCE(m.refs, '{}'::text[]) AS refs,
    m.from_address,
    COALESCE(m.to_addresses, '[]'::jsonb) AS to_addresses,
    COALESCE(m.cc_addresses, '[]'::jsonb) AS cc_addresses,
    COALESCE(m.bcc_addresses, '[]'::jsonb) AS bcc_addresses,
    COALESCE(m.to_stranger, false) AS to_stranger,
    m.subject,
    k.raw,
    k.text,
    k.quoted_text,
    k.html,
    m.queued_at,
    COALESCE(m.gated_at, c.gated_at) AS gated_at,
    m.sent_at,
    m.received_at,
    m.opened_at,
    m.classification,
    m.smtp_answer,
    m.failure
   FROM ((message_heads m
     LEFT JOIN claims c ON (((c.account_id = m.account_id) AND (c.environment = m.environment) AND (c.message_id = m.id))))
     LEFT JOIN message_contents k ON (((k.account_id = m.account_id) AND (k.environment = m.environment) AND (k.message_id = m.id))));

CREATE OR REPLACE FUNCTION public.admit_request(p_digest bytea, p_now timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS TABLE(outcome text, account_id text, key_id text, key_name text, user_id text, role text, environment text, scopes text[], minute_limit integer, remaining integer, retry_after_ms bigint)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  v_key record;
  v_count record;
  v_outcome text := 'admitted';
begin
  select k.account_id, k.id, k.name, k.user_id, k.environment, k.scopes, k.expires_at, u.role, u.status,
    a.api_access_enabled, coalesce(a.requests_per_minute, 60) as per_minute, coalesce(a.burst_per_second, 10) as per_second,
    coalesce(a.monthly_requests, 50000) as per_month
  into v_key
  from api_keys k join accounts a on a.account_id = k.account_id
    left join users u on u.account_id = k.account_id and u.id = k.user_id
  where k.digest = p_digest and k.revoked_at is null;
  if not found or v_key.expires_at <= coalesce(p_now, clock_timestamp())
    or (v_key.user_id is not null and v_key.status is distinct from 'active') then
    return query select 'unknown_key', null::text, null::text, null::text, null::text, null::text, null::text,
      null::text[], 0, 0, 0::bigint;
    return;
  end if;

  select * into v_count from count_request(v_key.account_id, v_key.id, v_key.per_minute, v_key.per_second, p_now);
  if v_count.limited then v_outcome := 'limited'; end if;
  if not v_key.api_access_enabled then v_outcome := 'access_disabled'; end if;
  if v_outcome = 'admitted' then
    if v_key.per_month <= 0 then
      v_outcome := 'over_quota';
    else
      insert into monthly_usage as u (account_id, month, requests)
      values (v_key.account_id,
        date_trunc('month', coalesce(p_now, clock_timestamp()) at time zone 'UTC')::date, 1)
      on conflict (account_id, month) do update set requests = u.requests + 1 where u.requests < v_key.per_month;
      if not found then v_outcome := 'over_quota'; end if;
    end if;
  end if;

  return query select v_outcome, v_key.account_id, v_key.id, v_key.name, v_key.user_id, coalesce(v_key.role, 'owner'),
    v_key.environment, v_key.scopes, v_key.per_minute, v_count.remaining, v_count.retry_after_ms;
end $function$;

CREATE OR REPLACE FUNCTION public.admit_session(p_digest bytea, p_per_minute integer, p_per_second integer, p_now timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS TABLE(outcome text, account_id text, session_id text, user_id text, user_name text, role text, remaining integer, retry_after_ms bigint)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_session record;
  v_count record;
begin
  select s.account_id, s.id, s.user_id, s.last_seen_at, u.name, u.role into v_session
  from sessions s join users u on u.account_id = s.account_id and u.id = s.user_id
  where s.digest = p_digest and s.expires_at > v_now and s.last_seen_at > v_now - interval '12 hours'
    and u.status = 'active';
  if not found then
    return query select 'unknown_session', null::text, null::text, null::text, null::text, null::text, 0, 0::bigint;
    return;
  end if;
  select * into v_count from count_request(v_session.account_id, v_session.id, p_per_minute, p_per_second, p_now);
  if v_session.last_seen_at < v_now - interval '1 minute' then
    update sessions s set last_seen_at = v_now where s.account_id = v_session.account_id and s.id = v_session.id;
    update users u set last_seen_at = v_now where u.account_id = v_session.account_id and u.id = v_session.user_id;
  end if;
  return query select case when v_count.limited then 'limited' else 'admitted' end, v_session.account_id, v_session.id,
    v_session.user_id, v_session.name, v_session.role, v_count.remaining, v_count.retry_after_ms;
end $function$;

CREATE OR REPLACE FUNCTION public.adopt_restored_events()
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  next xid8 := pg_snapshot_xmax(pg_current_snapshot());
  adopted bigint;
begin
  -- What can be seen was committed here below `next`, or elsewhere.
  if not exists (select 1 from events where tx_id >= next) and not exists (select 1 from event_cursors where tx_id >= next) then
    return 0;
  end if;
  lock table events in share row exclusive mode;
  perform 1 from event_cursors for update;
  next := pg_snapshot_xmax(pg_current_snapshot());
  -- Events appended since the restore have their own numbers already, and positions above all that was restored.
  create temporary table adopted_events on commit drop as
    select account_id, environment, id, tx_id, position, (select least(min(position), 0) from events) - 1
      - count(*) over () + row_number() over (order by tx_id, position) as place
    from events
    where tx_id >= next or position <= (select coalesce(max(position), 0) from events where tx_id >= next);
  update event_cursors c set tx_id = '3', position = coalesce(
    (select max(a.place) from adopted_events a where (a.tx_id, a.position) <= (c.tx_id, c.position)),
    (select min(a.place) from adopted_events a) - 1, 0);
  update webhook_deliveries d set tx_id = '3', position = a.place from adopted_events a
    where d.account_id = a.account_id and d.environment = a.environment and d.event_id = a.id;
  update webhooks set since_tx = '0' where since_tx >= next;
  update events e set tx_id = '3', position = a.place from adopted_events a
    where e.account_id = a.account_id and e.environment = a.environment and e.tx_id = a.tx_id and e.position = a.position;
  get diagnostics adopted = row_count;
  drop table adopted_events;
  return adopted;
end $function$;

CREATE OR REPLACE FUNCTION public.count_request(p_account_id text, p_key_id text, p_per_minute integer, p_per_second integer, p_now timestamp with time zone, OUT limited boolean, OUT remaining integer, OUT retry_after_ms bigint)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  v_log bigint[];
  v_length integer;
  v_now_ms bigint;
  v_first integer;
begin
  select w.request_log into v_log from rate_windows w
  where w.account_id = p_account_id and w.key_id = p_key_id for update;
  if not found then
    insert into rate_windows (account_id, key_id, request_log) values (p_account_id, p_key_id, '{}')
    on conflict (account_id, key_id) do nothing;
    select w.request_log into v_log from rate_windows w
    where w.account_id = p_account_id and w.key_id = p_key_id for update;
  end if;
  v_length := cardinality(v_log);
  v_now_ms := floor(extract(epoch from coalesce(p_now, clock_timestamp())) * 1000);
  if v_length > 0 then v_now_ms := greatest(v_now_ms, v_log[v_length]); end if;
  limited := (v_length >= p_per_minute and v_log[v_length - p_per_minute + 1] > v_now_ms - 60000)
    or (v_length >= p_per_second and v_log[v_length - p_per_second + 1] > v_now_ms - 1000);

  v_log := v_log || v_now_ms;
  v_length := v_length + 1;
  v_first := greatest(1, v_length - greatest(p_per_minute, p_per_second, 256) + 1);
  while v_log[v_first] <= v_now_ms - 60000 loop v_first := v_first + 1; end loop;
  if v_first > 1 then v_log := v_log[v_first:]; end if;
  v_length := cardinality(v_log);
  update rate_windows w set request_log = v_log
  where w.account_id = p_account_id and w.key_id = p_key_id;

  retry_after_ms := 0;
  if limited then
    if v_length >= p_per_minute then
      retry_after_ms := v_log[v_length - p_per_minute + 1] + 60000 - v_now_ms;
    end if;
    if v_length >= p_per_second then
      retry_after_ms := greatest(retry_after_ms, v_log[v_length - p_per_second + 1] + 1000 - v_now_ms);
    end if;
  end if;
  remaining := case when retry_after_ms > 0 then 0 else greatest(0, p_per_minute - v_length) end;
end $function$;

CREATE OR REPLACE FUNCTION public.create_events_month(at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  first timestamptz := date_trunc('month', at, 'UTC');
  name text := 'events_' || to_char(first at time zone 'UTC', 'YYYY_MM');
begin
  if to_regclass(name) is not null
    or exists (select 1 from events_rest where recorded_at >= first and recorded_at < first + interval '1 month') then
    return;
  end if;
  execute format('create table %I partition of events for values from (%L) to (%L)', name, first,
    date_trunc('month', first + interval '32 days', 'UTC'));
end $function$;

CREATE OR REPLACE FUNCTION public.events_horizon()
 RETURNS xid8
 LANGUAGE sql
 STABLE
AS $function$
  select least(
    pg_snapshot_xmax(pg_current_snapshot()),
    pg_current_xact_id_if_assigned(),
    (select x from pg_snapshot_xip(pg_current_snapshot()) x
     where not exists (select 1 from pg_stat_get_activity(null) a
       where a.backend_xid = x::xid and a.datid <> (select oid from pg_database where datname = current_database()))
     order by x limit 1))
$function$;

CREATE OR REPLACE FUNCTION public.refuse_ledger_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the credit ledger is append-only';
end $function$;

CREATE OR REPLACE FUNCTION public.reserve_requests(p_account_id text, p_month date, p_block bigint, p_limit bigint)
 RETURNS TABLE(granted bigint, total bigint)
 LANGUAGE plpgsql
AS $function$
declare
  v_requests bigint;
  v_granted bigint;
begin
  insert into monthly_usage (account_id, month, requests) values (p_account_id, p_month, 0)
  on conflict (account_id, month) do nothing;
  select u.requests into v_requests from monthly_usage u
  where u.account_id = p_account_id and u.month = p_month for update;
  v_granted := least(p_block, greatest(1, (p_limit - v_requests) / 10), greatest(0, p_limit - v_requests));
  if v_granted > 0 then
    update monthly_usage u set requests = u.requests + v_granted
    where u.account_id = p_account_id and u.month = p_month;
  end if;
  return query select v_granted, v_requests + v_granted;
end $function$;

CREATE OR REPLACE FUNCTION public.statistics_cursor()
 RETURNS xid8
 LANGUAGE sql
 STABLE
AS $function$
  select tx_id from event_cursors where name = 'statistics'
$function$;

CREATE TRIGGER credit_ledger_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.credit_ledger FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
