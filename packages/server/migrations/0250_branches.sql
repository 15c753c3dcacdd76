-- Sequences that branch: a step is an e-mail, or decides where each lead goes on (docs/branches.md).
alter table steps
  add column type text not null default 'email' check (type in ('email', 'branch')),
  add column key text,
  -- A later step's id, or `end`; null: the next one.
  add column leads_to text collate "C",
  -- [{id, label, when, goTo, immediately}]; null: it is an e-mail.
  add column branches jsonb;

alter table lead_progress
  -- The place of the step that is next, where it is not the one behind the last.
  add column next_step integer,
  -- It stands before a branch.
  add column deciding boolean not null default false;
-- Leads that are due to be decided for (listDecidingCandidates): apart from those that wait to be sent something, of whom many
-- may be due for days.
create index lead_progress_deciding on lead_progress (account_id, environment, campaign_id, attempt_at, lead_id)
  where deciding and status in ('pending', 'active') and attempt_at is not null;

create or replace view leads with (security_invoker = true) as
select p.account_id, p.environment, p.campaign_id, p.lead_id as id, l.email, l.email_given, l.email_domain, l.first_name, l.last_name,
  l.job_title, l.company, l.company_domain, l.linkedin_url, l.mobile, l.country, l.city, l.timezone, l.person_id, l.extra,
  l.custom_variables, p.status, p.blocked_reason, l.interest, l.interest_source, l.machine_interest, p.current_step,
  p.current_step_id, p.due_at, p.attempt_at, p.next_send_at, p.last_contacted_at, p.sending_account_id, p.thread_id,
  l.open_count, l.click_count, l.reply_count, p.stopped_by, p.ooo_until, l.created_at,
  greatest(p.updated_at, l.updated_at) as updated_at, p.resume_at, p.next_step, p.deciding
from lead_progress p
join lead_profiles l on l.account_id = p.account_id and l.environment = p.environment and l.campaign_id = p.campaign_id
  and l.id = p.lead_id;

create table decisions (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  campaign_id text collate "C" not null,
  lead_id text collate "C" not null,
  step_id text collate "C" not null,
  -- Null: no branch held.
  branch_id text collate "C",
  -- A step, or `end`; null: no step stood behind.
  goes_to text collate "C",
  evidence text not null,
  decided_at timestamptz not null,
  -- Once per lead and step, like a message; the type of a step never changes, so that no step has both.
  primary key (account_id, environment, campaign_id, lead_id, step_id)
);
comment on table decisions is 'campaigns: What was decided for a lead at a branch, once and for good.';
