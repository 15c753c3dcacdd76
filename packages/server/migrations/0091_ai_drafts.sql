-- The text that an AI step will send to one lead, written ahead of its time.
create table step_drafts (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null,
  id text collate "C" not null,
  campaign_id text collate "C" not null,
  lead_id text collate "C" not null,
  step_id text collate "C" not null,
  variant_id text collate "C" not null,
  preset_id text collate "C" not null,
  model_id text not null,
  status text not null check (status in ('requested', 'waiting', 'approved', 'rejected', 'failed')),
  subject text,
  body text,
  error text,
  edited boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id)
);
create unique index step_drafts_step on step_drafts (account_id, environment, campaign_id, lead_id, step_id, variant_id);
create index step_drafts_waiting on step_drafts (account_id, environment, campaign_id, id) where status = 'waiting';
