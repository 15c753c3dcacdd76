-- Campaigns that take people over from others (docs/branches.md).
alter table campaigns
  -- {from: 'any' | [campaign ids], when}; null: leads come by hand alone.
  add column entry jsonb;
-- Asked whenever something happens to a lead (listEntries).
create index campaigns_entry on campaigns (account_id, environment) where entry is not null and deleted_at is null;

alter table lead_progress
  -- The lead of another campaign that this person was before.
  add column origin_campaign_id text collate "C",
  add column origin_lead_id text collate "C",
  -- The lead that this person has become. Once for good: whoever has two masters would be written to twice.
  add column handed_to_campaign_id text collate "C",
  add column handed_to_lead_id text collate "C",
  -- The campaign that takes the person over once it goes on, and when it happened that it does.
  add column enters_campaign_id text collate "C",
  add column enters_at timestamptz;
-- Who waits for a campaign that is paused (lockWaitingEntries).
create index lead_progress_enters on lead_progress (account_id, environment, enters_campaign_id, lead_id)
  where enters_campaign_id is not null;

create or replace view leads with (security_invoker = true) as
select p.account_id, p.environment, p.campaign_id, p.lead_id as id, l.email, l.email_given, l.email_domain, l.first_name, l.last_name,
  l.job_title, l.company, l.company_domain, l.linkedin_url, l.mobile, l.country, l.city, l.timezone, l.person_id, l.extra,
  l.custom_variables, p.status, p.blocked_reason, l.interest, l.interest_source, l.machine_interest, p.current_step,
  p.current_step_id, p.due_at, p.attempt_at, p.next_send_at, p.last_contacted_at, p.sending_account_id, p.thread_id,
  l.open_count, l.click_count, l.reply_count, p.stopped_by, p.ooo_until, l.created_at,
  greatest(p.updated_at, l.updated_at) as updated_at, p.resume_at, p.next_step, p.deciding, p.origin_lead_id
from lead_progress p
join lead_profiles l on l.account_id = p.account_id and l.environment = p.environment and l.campaign_id = p.campaign_id
  and l.id = p.lead_id;

alter table stat_quarter_hours add column handed_over integer not null default 0;
alter table stat_totals add column handed_over bigint not null default 0;
