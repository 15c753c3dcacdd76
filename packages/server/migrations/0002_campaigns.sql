-- Sending accounts, campaigns, leads, messages, suppressions.

create table sending_accounts (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null,
  id text collate "C" not null,
  email text not null,
  from_name text not null,
  provider text not null check (provider in ('smtp', 'google', 'microsoft', 'sandbox')),
  smtp jsonb,
  imap jsonb,
  -- AES-256-GCM, {smtpPassword, imapPassword, refreshToken, accessToken, accessTokenExpiresAt}
  secrets bytea,
  status text not null check (status in ('active', 'paused', 'connection_error', 'auth_required')),
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
  ramp_started_at timestamptz,
  health jsonb,
  -- Pacing state, written by the planner under the planning row's lease.
  next_send_at timestamptz,
  send_sequence bigint not null default 0,
  -- A provider's own limit holds the mailbox, not the lead.
  held_until timestamptz,
  hold_count integer not null default 0,
  -- connection_error: when to try again, and how often it was tried.
  retry_at timestamptz,
  retry_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id)
);
create unique index sending_accounts_email on sending_accounts (account_id, environment, lower(email));

-- Claims of a day of the sender's zone; a released claim is subtracted again.
create table sender_days (
  account_id text collate "C" not null,
  environment text not null,
  sending_account_id text collate "C" not null,
  day date not null,
  claimed integer not null,
  primary key (account_id, environment, sending_account_id, day)
);

create table campaigns (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null,
  id text collate "C" not null,
  name text not null,
  status text not null check (status in ('draft', 'scheduled', 'active', 'paused', 'completed')),
  status_reason text,
  schedule jsonb not null,
  settings jsonb not null,
  sending_account_ids text[] not null,
  lead_count integer not null default 0,
  -- Leads that still have something to send; zero completes the campaign. Kept by the statements that move leads.
  open_lead_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  launched_at timestamptz,
  completed_at timestamptz,
  deleted_at timestamptz,
  primary key (account_id, environment, id)
);
create index campaigns_active on campaigns (account_id, environment, status) where deleted_at is null;

create table steps (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  id text collate "C" not null,
  position integer not null,
  wait_value integer not null,
  wait_unit text not null,
  same_thread boolean not null,
  primary key (account_id, environment, campaign_id, id),
  foreign key (account_id, environment, campaign_id) references campaigns on delete cascade
);

create table variants (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  step_id text collate "C" not null,
  id text collate "C" not null,
  position integer not null,
  label text not null,
  subject text not null,
  body text not null,
  weight integer not null,
  enabled boolean not null,
  ai jsonb,
  primary key (account_id, environment, campaign_id, step_id, id),
  foreign key (account_id, environment, campaign_id, step_id) references steps on delete cascade
);

create table campaign_days (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  day date not null,
  claimed integer not null,
  claimed_first integer not null,
  primary key (account_id, environment, campaign_id, day)
);

create table campaign_domain_days (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  day date not null,
  domain text not null,
  claimed integer not null,
  primary key (account_id, environment, campaign_id, day, domain)
);

-- One person across campaigns, by normalised address.
create table people (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null,
  id text collate "C" not null,
  email text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id)
);
create unique index people_email on people (account_id, environment, email);

create table leads (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  id text collate "C" not null,
  -- email: normalised (lower case, domain in ASCII); email_given: as it was sent to us.
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
  -- Other fields of a people-search result (seniority, companyInfo ...), kept as they came.
  extra jsonb,
  custom_variables jsonb not null default '{}',
  status text not null check (status in
    ('pending', 'active', 'completed', 'paused', 'replied', 'bounced', 'unsubscribed', 'stopped', 'failed')),
  -- Set by the planner; explain computes all gates afresh.
  blocked_reason text,
  interest text,
  -- person | machine | system: a person's label beats a machine's, both are kept (machine_interest).
  interest_source text,
  machine_interest text,
  -- Position of the last step sent; 0 before the first.
  current_step integer not null default 0,
  current_step_id text,
  -- When the wait before the next step is over; null when nothing is next.
  due_at timestamptz,
  -- When the planner should look at this lead again: due_at, or later when a gate of the lead's own holds it.
  -- Null: not until something changes (finished, blocked by a missing variable, uncertain, in flight).
  attempt_at timestamptz,
  next_send_at timestamptz,
  last_contacted_at timestamptz,
  sending_account_id text collate "C",
  thread_id text collate "C",
  open_count integer not null default 0,
  click_count integer not null default 0,
  reply_count integer not null default 0,
  stopped_by jsonb,
  ooo_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, campaign_id, id),
  foreign key (account_id, environment, campaign_id) references campaigns on delete cascade
);
create unique index leads_email on leads (account_id, environment, campaign_id, email);
create index leads_by_id on leads (account_id, environment, id);
create index leads_by_address on leads (account_id, environment, email);
-- What the planner reads: leads with something next, by the sender they stay with (null: none yet).
create index leads_due on leads (account_id, environment, campaign_id, sending_account_id, attempt_at, id)
  where status in ('pending', 'active') and attempt_at is not null;

create table threads (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  campaign_id text collate "C",
  lead_id text collate "C",
  sending_account_id text collate "C" not null,
  subject text not null,
  snippet text not null default '',
  unread boolean not null default false,
  archived boolean not null default false,
  has_inbound boolean not null default false,
  last_message_at timestamptz not null,
  created_at timestamptz not null,
  primary key (account_id, environment, id)
);
create index threads_lead on threads (account_id, environment, campaign_id, lead_id);
create index threads_recent on threads (account_id, environment, last_message_at desc, id) where has_inbound;

create table messages (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  campaign_id text collate "C",
  lead_id text collate "C",
  step_id text collate "C",
  variant_id text collate "C",
  thread_id text collate "C",
  sending_account_id text collate "C" not null,
  direction text not null check (direction in ('outbound', 'inbound')),
  kind text not null check (kind in
    ('campaign', 'reply', 'manual', 'auto_reply', 'bounce', 'unsubscribe', 'other', 'notification')),
  -- queued with a lease is claimed; sending means that the gate was passed.
  status text not null check (status in ('queued', 'sending', 'sent', 'bounced', 'failed', 'uncertain', 'received')),
  lease_token uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  first_attempt_at timestamptz,
  -- Manual messages: when to try (again). Campaign messages come back through their lead's attempt_at.
  attempt_at timestamptz,
  -- What was counted at claim, to be subtracted on release: {senderDay, campaignDay, first, domain}; null when nothing is.
  counted jsonb,
  rfc_message_id text,
  in_reply_to text,
  refs text[] not null default '{}',
  from_address jsonb,
  to_addresses jsonb not null default '[]',
  cc_addresses jsonb not null default '[]',
  bcc_addresses jsonb not null default '[]',
  subject text not null default '',
  text text,
  quoted_text text,
  html text,
  raw bytea,
  raw_sha256 bytea,
  queued_at timestamptz not null,
  gated_at timestamptz,
  sent_at timestamptz,
  received_at timestamptz,
  opened_at timestamptz,
  classification jsonb,
  smtp_answer text,
  failure jsonb,
  settle_at timestamptz,
  primary key (account_id, environment, id)
);
create unique index messages_step on messages (account_id, environment, campaign_id, lead_id, step_id)
  where step_id is not null and direction = 'outbound';
create unique index messages_rfc on messages (account_id, environment, sending_account_id, direction, rfc_message_id);
create index messages_lead on messages (account_id, environment, lead_id, queued_at);
create index messages_thread on messages (account_id, environment, thread_id);
create index messages_lease on messages (lease_until) where lease_until is not null;
create index messages_manual_due on messages (attempt_at) where attempt_at is not null;
create index messages_settle on messages (settle_at) where settle_at is not null;

create table suppressions (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null,
  id text collate "C" not null,
  email text,
  domain text,
  -- SHA-256 of the normalised address (erased people keep only this), null for a domain.
  email_hash bytea,
  source text not null check (source in ('recipient', 'bounce', 'complaint', 'manual', 'import')),
  reason text,
  expires_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, environment, id)
);
create unique index suppressions_email on suppressions (account_id, environment, email_hash) where email_hash is not null;
create unique index suppressions_domain on suppressions (account_id, environment, domain) where domain is not null;

-- One row a tenant that has anything to plan. The lease makes one planner at a time; advance holds it in the test environment.
create table planning (
  account_id text collate "C" not null,
  environment text not null,
  -- In the tenant's time; null: nothing to do until something changes.
  next_plan_at timestamptz,
  lease_token uuid,
  lease_until timestamptz,
  primary key (account_id, environment)
);
create index planning_due on planning (next_plan_at) where next_plan_at is not null;
