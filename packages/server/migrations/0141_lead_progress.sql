-- A lead in two rows. Its profile is written when somebody tells us something about it; its place in the sequence is
-- written twice per message, so it lies in a narrow row of its own with the few indexes that the planner needs.
alter table leads rename to lead_profiles;

create table lead_progress (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  lead_id text collate "C" not null,
  status text not null constraint lead_progress_status_check check (status in
    ('pending', 'active', 'completed', 'paused', 'replied', 'bounced', 'unsubscribed', 'stopped', 'failed')),
  blocked_reason text,
  current_step integer not null default 0,
  current_step_id text collate "C",
  -- When the wait before the next step is over; when the planner looks at the lead next (null: not by itself); and
  -- when it is expected to go out.
  due_at timestamptz,
  attempt_at timestamptz,
  next_send_at timestamptz,
  last_contacted_at timestamptz,
  sending_account_id text collate "C",
  thread_id text collate "C",
  stopped_by jsonb,
  ooo_until timestamptz,
  updated_at timestamptz not null,
  primary key (account_id, environment, campaign_id, lead_id)
) with (fillfactor = 80);

insert into lead_progress
select account_id, environment, campaign_id, id, status, blocked_reason, current_step, current_step_id, due_at, attempt_at,
  next_send_at, last_contacted_at, sending_account_id, thread_id, stopped_by, ooo_until, updated_at from lead_profiles;

alter table lead_profiles
  drop column status, drop column blocked_reason, drop column current_step, drop column current_step_id, drop column due_at,
  drop column attempt_at, drop column next_send_at, drop column last_contacted_at, drop column sending_account_id,
  drop column thread_id, drop column stopped_by, drop column ooo_until,
  -- A check per row that a bulk load pays for; a campaign's leads are taken out before it (deleteCampaignRemains).
  drop constraint leads_account_id_environment_campaign_id_fkey,
  -- Opens, clicks and replies are counted on the page that the row lies on.
  set (fillfactor = 95);

-- The leads of an address in any campaign, and that a campaign has an address once (insertLeads).
drop index leads_by_address, leads_email;
create unique index lead_profiles_email on lead_profiles (account_id, environment, email, campaign_id);
-- A lead by its id alone (findPerson, listCandidatesById).
alter index leads_by_id rename to lead_profiles_by_id;
alter index leads_pkey rename to lead_profiles_pkey;

-- Whose turn is next, of each sender and of those without one (listCandidates, listWaitingSenders, findNextAttempt).
create index lead_progress_due on lead_progress (account_id, environment, campaign_id, sending_account_id, attempt_at, lead_id)
  where status in ('pending', 'active') and attempt_at is not null;
-- Whether a campaign has anything left to do (lockFinishedCampaigns). A lead without a value, or suppressed, keeps none open.
create index lead_progress_open on lead_progress (account_id, environment, campaign_id)
  where status in ('pending', 'active', 'paused') and coalesce(blocked_reason, '') not in ('missing_variable', 'suppressed');

-- Both together, for whoever reads. Locking it takes the progress first, which is what locks a lead.
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
