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
  -- The gate that holds the whole campaign back now. The planner writes it, so that lists of leads show it without a plan per lead.
  hold_reason text check (hold_reason in
    ('suppressed', 'delivery_uncertain', 'returned', 'in_conversation', 'missing_variable', 'address_check', 'awaiting_approval',
      'waiting_for_task', 'campaign_not_active', 'sender_unavailable', 'inbox_not_read', 'provider_mismatch', 'wait_not_over',
      'outside_window', 'other_campaign',
      'person_limit', 'company_limit', 'daily_limit', 'new_lead_limit', 'sender_daily_limit', 'recipient_domain_limit', 'sender_gap')),
  hold_until timestamptz,
  -- The user whose campaign it is. Null if there is none or the user was deleted.
  owner_id text collate "C",
  -- {from: 'any' | [campaign ids], when}: takes people over from other campaigns (docs/branches.md). Null: takes over no people.
  entry jsonb,
  -- Counts the replacements of the sequence. Ids of new steps, branches and variants are made from this number. So a dry run and the update
  -- after it give the same ids, and with them the same draws at branches by chance.
  sequence_version integer not null default 0,
  primary key (account_id, environment, id)
);
comment on table campaigns is 'campaigns: A sequence of messages to a list of leads, with its schedule and settings.';
-- Running campaigns, and lists by status.
create index campaigns_active on campaigns (account_id, environment, status) where deleted_at is null;
-- Read whenever something happens to a lead (listEntries).
create index campaigns_entry on campaigns (account_id, environment) where entry is not null and deleted_at is null;
-- The campaigns of a user.
create index campaigns_owner on campaigns (account_id, owner_id) where owner_id is not null;

create table steps (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  campaign_id text collate "C" not null,
  id text collate "C" not null,
  position integer not null,
  wait_value integer not null,
  wait_unit text not null check (wait_unit in ('minutes', 'hours', 'days', 'business_days')),
  same_thread boolean not null,
  -- auto: variants are chosen by the replies that each of them got.
  variant_selection text not null default 'weighted' check (variant_selection in ('weighted', 'auto')),
  -- branch: the step sends nothing and decides with which step each lead continues. task: a person does it.
  type text not null default 'email' check (type in ('email', 'branch', 'task')),
  key text,
  -- The id of a later step, or `end`. Null: the next step.
  leads_to text collate "C",
  -- [{id, label, when, goTo, immediately}]. Null for an email.
  branches jsonb,
  -- The parts of a step that a person does: {channel, title, instructions, assigneeId, dueIn, blocks, expiresIn}. Null for other steps.
  task jsonb,
  -- A person reads, changes and approves each text of this email step before it is sent.
  by_hand boolean not null default false,
  primary key (account_id, environment, campaign_id, id),
  foreign key (account_id, environment, campaign_id) references campaigns on delete cascade
);
comment on table steps is 'campaigns: A step of a sequence: an email, a branch or a task, after a wait.';

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
comment on table variants is 'campaigns: A text of a step, with its weight.';

-- A lead has two rows: its data here, and its place in the sequence in `lead_progress`. Neither has a foreign key to the campaign, because
-- a bulk load would pay for a check per row. The leads of a campaign are deleted before it (deleteCampaignRemains).
create table lead_profiles (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  campaign_id text collate "C" not null,
  id text collate "C" not null,
  -- Normalised: lower case, with the domain in ASCII.
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
  lawful_basis text check (lawful_basis in
    ('consent', 'contract', 'legal_obligation', 'vital_interests', 'public_task', 'legitimate_interests')),
  data_source text,
  basis_note text,
  -- Null: the person was not asked.
  tracking_consent boolean,
  -- Other fields of a person that the lead finder found (seniority, companyInfo and more), unchanged.
  extra jsonb,
  custom_variables jsonb not null default '{}',
  interest text check (interest in
    ('interested', 'meeting_booked', 'meeting_completed', 'won', 'not_interested', 'wrong_person', 'out_of_office', 'lost', 'no_show')),
  -- A label by a person wins over a label by a machine. Both are stored.
  interest_source text check (interest_source in ('person', 'machine', 'system')),
  machine_interest text check (machine_interest in
    ('interested', 'meeting_booked', 'meeting_completed', 'won', 'not_interested', 'wrong_person', 'out_of_office', 'lost', 'no_show')),
  open_count integer not null default 0,
  click_count integer not null default 0,
  reply_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Ids arrive in order, so the pages of the key are filled. Rows keep some room on their page for updates of the counts.
  primary key (account_id, environment, campaign_id, id) with (fillfactor = 98)
) with (fillfactor = 95);
comment on table lead_profiles is 'campaigns: The data of a lead. It is written when data about the lead arrives.';
-- A lead by its id alone (findPerson, listCandidatesById). An id belongs to one account, so the index needs no account.
create index lead_profiles_by_id on lead_profiles (id) with (fillfactor = 98);
-- The leads of an address in all campaigns. A campaign has an address once (insertLeads).
create unique index lead_profiles_email on lead_profiles (account_id, environment, email, campaign_id);
-- The leads of a company that a signal names. Leads without a company domain count by the domain of their address.
create index lead_profiles_company on lead_profiles (account_id, environment, (coalesce(company_domain, email_domain)));

create table lead_progress (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  campaign_id text collate "C" not null,
  lead_id text collate "C" not null,
  status text not null check (status in
    ('pending', 'active', 'completed', 'paused', 'replied', 'bounced', 'unsubscribed', 'stopped', 'failed')),
  -- The planner writes it. An explanation checks all gates again.
  blocked_reason text check (blocked_reason in
    ('suppressed', 'delivery_uncertain', 'returned', 'in_conversation', 'missing_variable', 'address_check', 'awaiting_approval',
      'waiting_for_task', 'campaign_not_active', 'sender_unavailable', 'inbox_not_read', 'provider_mismatch', 'wait_not_over',
      'outside_window', 'other_campaign',
      'person_limit', 'company_limit', 'daily_limit', 'new_lead_limit', 'sender_daily_limit', 'recipient_domain_limit', 'sender_gap')),
  -- The position of the last sent step, 0 before the first.
  current_step integer not null default 0,
  current_step_id text collate "C",
  -- The end of the wait before the next step. Null if there is no next step.
  due_at timestamptz,
  -- When the planner checks the lead again: `due_at`, or later if a gate of the lead itself holds it. Null: not before something
  -- changes, for example because the lead is finished, lacks a variable, or has an uncertain message.
  attempt_at timestamptz,
  -- The expected time of the next message.
  next_send_at timestamptz,
  last_contacted_at timestamptz,
  sending_account_id text collate "C",
  thread_id text collate "C",
  stopped_by jsonb,
  ooo_until timestamptz,
  updated_at timestamptz not null,
  -- The values before the last record, for the event log. The statement that updates a row returns only the new values.
  status_before text check (status_before in
    ('pending', 'active', 'completed', 'paused', 'replied', 'bounced', 'unsubscribed', 'stopped', 'failed')),
  contacted_before boolean,
  -- When a paused lead is resumed. It has a meaning only while the lead is paused.
  resume_at timestamptz,
  -- The position of the next step, if it is not the one after `current_step`.
  next_step integer,
  -- The next step sends nothing: it is a branch or a task.
  deciding boolean not null default false,
  -- The lead of another campaign from which this person was taken over.
  origin_campaign_id text collate "C",
  origin_lead_id text collate "C",
  -- The lead of another campaign that has taken this person over. It never changes, because two leads would write to the person twice.
  handed_to_campaign_id text collate "C",
  handed_to_lead_id text collate "C",
  -- The paused campaign that takes the person over when it is resumed, and the time of the event that caused it.
  enters_campaign_id text collate "C",
  enters_at timestamptz,
  primary key (account_id, environment, campaign_id, lead_id)
  -- PostgreSQL reads an index without the table only for vacuumed pages. Leads arrive in thousands and then don't change. With the default,
  -- the leads of a campaign would wait for a million others, because they are a small part of the table.
  -- A new version of a row needs new index entries anyway, so more room on its page would save nothing.
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 5000, fillfactor = 95);
comment on table lead_progress is
  'campaigns: The place of a lead in its sequence. The row is narrow, because each message writes it twice.';
-- The next leads of each sender, and of leads without a sender (listCandidates, listWaitingSenders, findNextAttempt).
create index lead_progress_due on lead_progress (campaign_id, sending_account_id, attempt_at, lead_id)
  where status in ('pending', 'active') and attempt_at is not null;
-- Leads at a branch (listDecidingCandidates). They have their own index, because many leads that wait for a message may be due for days.
create index lead_progress_deciding on lead_progress (account_id, environment, campaign_id, attempt_at, lead_id)
  where deciding and status in ('pending', 'active') and attempt_at is not null;
-- Leads that wait for a paused campaign (lockWaitingEntries).
create index lead_progress_enters on lead_progress (account_id, environment, enters_campaign_id, lead_id)
  where enters_campaign_id is not null;
-- Whether a campaign is finished (lockFinishedCampaigns). A lead that is suppressed, lacks a variable or has an address that the campaign
-- does not write to does not keep it open.
create index lead_progress_open on lead_progress (account_id, environment, campaign_id)
  where status in ('pending', 'active', 'paused')
    and coalesce(blocked_reason, '') not in ('missing_variable', 'suppressed', 'address_check');
-- Campaigns with leads that wait for a decision about a returned message, without a scan of all open leads.
create index lead_progress_returned on lead_progress (account_id, environment, campaign_id) where blocked_reason = 'returned';
-- Campaigns with leads that wait for the value of a variable (listCampaignsMissingValues).
create index lead_progress_missing_variable on lead_progress (account_id, environment, campaign_id)
  where blocked_reason = 'missing_variable';
-- Looks again at leads when the rules of their campaign for addresses change (updateAddressHolds).
create index lead_progress_address_check on lead_progress (account_id, environment, campaign_id) where blocked_reason = 'address_check';
-- Looks again at suppressed leads when entries of suppression lists end (listSuppressedLeads).
create index lead_progress_suppressed on lead_progress (account_id, environment, campaign_id, lead_id)
  where blocked_reason = 'suppressed';
-- Looks again at the leads that the contact policy holds when it changes (updatePolicyHolds).
create index lead_progress_policy_holds on lead_progress (account_id, environment)
  where blocked_reason in ('in_conversation', 'other_campaign', 'person_limit', 'company_limit');
-- Counts leads without a message by the gate that holds them, without reading their rows. In a campaign of 10,000 leads these rows were
-- 600 pages. PostgreSQL stores equal entries together, so a lead takes some eight bytes. The first message removes its entry.
create index lead_progress_unsent on lead_progress (account_id, environment, campaign_id, status, blocked_reason, attempt_at)
  where current_step = 0;

-- A statement that locks this view locks the progress first, which is the lock of a lead.
create view leads with (security_invoker = true) as
select p.account_id, p.environment, p.campaign_id, p.lead_id as id, l.email, l.email_given, l.email_domain, l.first_name, l.last_name,
  l.job_title, l.company, l.company_domain, l.linkedin_url, l.mobile, l.country, l.city, l.timezone, l.person_id, l.extra,
  l.custom_variables, p.status, p.blocked_reason, l.interest, l.interest_source, l.machine_interest, p.current_step,
  p.current_step_id, p.due_at, p.attempt_at, p.next_send_at, p.last_contacted_at, p.sending_account_id, p.thread_id,
  l.open_count, l.click_count, l.reply_count, p.stopped_by, p.ooo_until, l.created_at,
  greatest(p.updated_at, l.updated_at) as updated_at, p.resume_at, p.next_step, p.deciding, p.origin_lead_id,
  l.lawful_basis, l.data_source, l.basis_note, l.tracking_consent
from lead_progress p
join lead_profiles l on l.account_id = p.account_id and l.environment = p.environment and l.campaign_id = p.campaign_id
  and l.id = p.lead_id;
comment on view leads is 'campaigns: A lead for readers: its profile and its progress.';

create table decisions (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  campaign_id text collate "C" not null,
  lead_id text collate "C" not null,
  step_id text collate "C" not null,
  -- Null: no branch was true.
  branch_id text collate "C",
  -- A step, or `end`. Null: no step followed.
  goes_to text collate "C",
  evidence text not null,
  decided_at timestamptz not null,
  -- One decision per lead and step, like a message. The type of a step never changes, so no step has both.
  primary key (account_id, environment, campaign_id, lead_id, step_id)
);
comment on table decisions is 'campaigns: The decision for a lead at a branch. It is made once.';
