create table campaigns (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  name text not null,
  status text not null check (status in ('draft', 'scheduled', 'active', 'paused', 'completed')),
  status_reason text,
  schedule jsonb not null,
  settings jsonb not null,
  sending_account_ids text[] not null,
  lead_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  launched_at timestamptz,
  completed_at timestamptz,
  deleted_at timestamptz,
  -- What holds a whole campaign back just now, written by the planner: lead lists tell it without planning each lead.
  hold_reason text check (hold_reason in
    ('suppressed', 'delivery_uncertain', 'missing_variable', 'awaiting_approval', 'campaign_not_active', 'sender_unavailable',
      'inbox_not_read', 'wait_not_over', 'outside_window', 'daily_limit', 'new_lead_limit', 'sender_daily_limit',
      'recipient_domain_limit', 'sender_gap')),
  hold_until timestamptz,
  primary key (account_id, environment, id)
);
comment on table campaigns is 'campaigns: Who is written to, when and in which limits.';
-- What runs, and lists by status.
create index campaigns_active on campaigns (account_id, environment, status) where deleted_at is null;

create table steps (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  campaign_id text collate "C" not null,
  id text collate "C" not null,
  position integer not null,
  wait_value integer not null,
  wait_unit text not null check (wait_unit in ('minutes', 'hours', 'days', 'business_days')),
  same_thread boolean not null,
  -- How a step's variants are chosen: by their weights, or by the replies that each has brought.
  variant_selection text not null default 'weighted' check (variant_selection in ('weighted', 'auto')),
  primary key (account_id, environment, campaign_id, id),
  foreign key (account_id, environment, campaign_id) references campaigns on delete cascade
);
comment on table steps is 'campaigns: The sequence: what follows on what, after which wait.';

create table variants (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
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
comment on table variants is 'campaigns: The words of a step, with their weights.';

-- A lead in two rows: what is known of it, and its place in the sequence. No foreign key to the campaign: a check per row that
-- a bulk load pays for; a campaign's leads are taken out before it (deleteCampaignRemains).
create table lead_profiles (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  campaign_id text collate "C" not null,
  id text collate "C" not null,
  -- Normalised (lower case, domain in ASCII), and as it was given.
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
  person_id text collate "C",
  -- Other fields of a people-search result (seniority, companyInfo ...), kept as they came.
  extra jsonb,
  custom_variables jsonb not null default '{}',
  interest text check (interest in
    ('interested', 'meeting_booked', 'meeting_completed', 'won', 'not_interested', 'wrong_person', 'out_of_office', 'lost', 'no_show')),
  -- A person's label beats a machine's, and both are kept.
  interest_source text check (interest_source in ('person', 'machine', 'system')),
  machine_interest text check (machine_interest in
    ('interested', 'meeting_booked', 'meeting_completed', 'won', 'not_interested', 'wrong_person', 'out_of_office', 'lost', 'no_show')),
  -- Counted on the page that the row lies on.
  open_count integer not null default 0,
  click_count integer not null default 0,
  reply_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, campaign_id, id)
) with (fillfactor = 95);
comment on table lead_profiles is 'campaigns: What is known of a lead: written when somebody tells us something about it.';
-- A lead by its id alone (findPerson, listCandidatesById).
create index lead_profiles_by_id on lead_profiles (account_id, environment, id);
-- The leads of an address in any campaign, and that a campaign has an address once (insertLeads).
create unique index lead_profiles_email on lead_profiles (account_id, environment, email, campaign_id);

create table lead_progress (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  campaign_id text collate "C" not null,
  lead_id text collate "C" not null,
  status text not null check (status in
    ('pending', 'active', 'completed', 'paused', 'replied', 'bounced', 'unsubscribed', 'stopped', 'failed')),
  -- Set by the planner; an explanation asks all gates afresh.
  blocked_reason text check (blocked_reason in
    ('suppressed', 'delivery_uncertain', 'missing_variable', 'awaiting_approval', 'campaign_not_active', 'sender_unavailable',
      'inbox_not_read', 'wait_not_over', 'outside_window', 'daily_limit', 'new_lead_limit', 'sender_daily_limit',
      'recipient_domain_limit', 'sender_gap')),
  -- Position of the last step that was sent, 0 before the first.
  current_step integer not null default 0,
  current_step_id text collate "C",
  -- When the wait before the next step is over; null when nothing is next.
  due_at timestamptz,
  -- When the planner looks at the lead again: due_at, or later when a gate of the lead's own holds it. Null: not until
  -- something changes (finished, blocked by a missing variable, uncertain).
  attempt_at timestamptz,
  -- When it is expected to go out.
  next_send_at timestamptz,
  last_contacted_at timestamptz,
  sending_account_id text collate "C",
  thread_id text collate "C",
  stopped_by jsonb,
  ooo_until timestamptz,
  updated_at timestamptz not null,
  -- What the last record found, for the log: the statement that changes a row tells only what it has become.
  status_before text check (status_before in
    ('pending', 'active', 'completed', 'paused', 'replied', 'bounced', 'unsubscribed', 'stopped', 'failed')),
  contacted_before boolean,
  primary key (account_id, environment, campaign_id, lead_id)
) with (fillfactor = 80);
comment on table lead_progress is 'campaigns: A lead''s place in its sequence: narrow, for it is written twice per message.';
-- Whose turn is next, of each sender and of those without one (listCandidates, listWaitingSenders, findNextAttempt).
create index lead_progress_due on lead_progress (account_id, environment, campaign_id, sending_account_id, attempt_at, lead_id)
  where status in ('pending', 'active') and attempt_at is not null;
-- Whether a campaign has anything left to do (lockFinishedCampaigns). A lead without a value, or suppressed, keeps none open.
create index lead_progress_open on lead_progress (account_id, environment, campaign_id)
  where status in ('pending', 'active', 'paused') and coalesce(blocked_reason, '') not in ('missing_variable', 'suppressed');

-- Locking it takes the progress first, which is what locks a lead.
create view leads with (security_invoker = true) as
select p.account_id, p.environment, p.campaign_id, p.lead_id as id, l.email, l.email_given, l.email_domain, l.first_name, l.last_name,
  l.job_title, l.company, l.company_domain, l.linkedin_url, l.mobile, l.country, l.city, l.timezone, l.person_id, l.extra,
  l.custom_variables, p.status, p.blocked_reason, l.interest, l.interest_source, l.machine_interest, p.current_step,
  p.current_step_id, p.due_at, p.attempt_at, p.next_send_at, p.last_contacted_at, p.sending_account_id, p.thread_id,
  l.open_count, l.click_count, l.reply_count, p.stopped_by, p.ooo_until, l.created_at,
  greatest(p.updated_at, l.updated_at) as updated_at
from lead_progress p
join lead_profiles l on l.account_id = p.account_id and l.environment = p.environment and l.campaign_id = p.campaign_id
  and l.id = p.lead_id;
comment on view leads is 'campaigns: A lead as its readers see it: profile and progress.';

create table imports (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  campaign_id text collate "C" not null,
  on_duplicate text not null check (on_duplicate in ('skip', 'update')),
  header text[] not null,
  -- What each column becomes, where its sender said so.
  columns text[],
  status text not null check (status in ('uploading', 'abandoned', 'pending', 'running', 'completed', 'failed')),
  rows_total integer not null default 0,
  rows_read integer not null default 0,
  added integer not null default 0,
  updated integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  -- {reason: number of rows}
  skipped_reasons jsonb not null default '{}',
  error text,
  created_at timestamptz not null,
  completed_at timestamptz,
  -- An upload that is still coming in, or was given up: no import yet. One at a time for a key, under a lease.
  upload_key_id text collate "C",
  upload_until timestamptz,
  primary key (account_id, environment, id)
);
comment on table imports is 'campaigns: Uploads of leads and how far they have come.';
-- The latest first (listImports).
create index imports_recent on imports (account_id, environment, id desc);
-- One at a time (insertUpload).
create unique index imports_uploading on imports (account_id, upload_key_id) where status = 'uploading';

create table import_rows (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  import_id text collate "C" not null,
  row_number integer not null,
  fields text[] not null,
  reason text,
  primary key (account_id, environment, import_id, row_number)
);
comment on table import_rows is
  'campaigns: Rows of an upload that wait to be taken over, and those that were refused, with the reason.';
