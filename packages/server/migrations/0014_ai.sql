create table prompt_presets (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  name text not null,
  description text,
  category text,
  prompt text not null,
  model_id text,
  variables text[] not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id)
);
comment on table prompt_presets is 'ai: Instructions to write by.';

-- Every call of a model that was charged, whatever for: the ledger's reference is its id.
create table generations (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  model_id text not null,
  preset_id text collate "C",
  preset_version integer,
  campaign_id text collate "C",
  lead_id text collate "C",
  kind text not null check (kind in ('email', 'subject', 'opening', 'step', 'triage')),
  subject text not null,
  body text not null,
  subject_options text[] not null,
  prompt_tokens integer not null,
  completion_tokens integer not null,
  credits_charged integer not null,
  created_at timestamptz not null,
  step_id text collate "C",
  message_id text collate "C",
  primary key (account_id, environment, id)
);
comment on table generations is 'ai: Texts that a model wrote, and what they cost.';
-- Lists and erasure, by campaign and by lead.
create index generations_of_campaign on generations (account_id, environment, campaign_id, id);
create index generations_of_lead on generations (account_id, environment, lead_id) where lead_id is not null;

create table step_drafts (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
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
  -- From what it was made, so that a changed lead or preset has it made again, and what it cost.
  preset_version integer,
  facts_digest text,
  revision integer not null default 0,
  generation_id text collate "C",
  -- Sent, as far as is known: how many texts of first steps lie ready bounds how many more are written.
  spent boolean not null default false,
  primary key (account_id, environment, id)
);
comment on table step_drafts is
  'ai: Texts of AI steps, written ahead for one lead and step, and what a person said to them.';
-- One text per lead, step and variant (insertDraftRequest).
create unique index step_drafts_step on step_drafts (account_id, environment, campaign_id, lead_id, step_id, variant_id);
-- How many lie ready (listUnsentTexts), and those that a person is to read.
create index step_drafts_unspent on step_drafts (account_id, environment, campaign_id, step_id) where not spent;
create index step_drafts_waiting on step_drafts (account_id, environment, campaign_id, id) where status = 'waiting';
