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
comment on table prompt_presets is 'ai: A stored instruction for a model.';

-- Every call of a model that was charged, of any kind. The reference in the credit ledger is its id.
create table generations (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  model_id text not null,
  preset_id text collate "C",
  preset_version integer,
  campaign_id text collate "C",
  lead_id text collate "C",
  kind text not null check (kind in ('email', 'subject', 'opening', 'step', 'triage', 'reply')),
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
comment on table generations is 'ai: A text that a model wrote, and its price.';
-- Rows are deleted by age.
create index generations_age on generations (created_at);
-- Lists by campaign, and the erasure of a lead.
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
  -- Null for a text of a step by hand, which is rendered from its variant: no model writes it.
  preset_id text collate "C",
  model_id text,
  status text not null check (status in ('requested', 'waiting', 'approved', 'rejected', 'failed')),
  subject text,
  body text,
  error text,
  edited boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The sources of the text. If the lead or the preset changes, the text is written again.
  preset_version integer,
  facts_digest text,
  revision integer not null default 0,
  generation_id text collate "C",
  -- Sent, as far as is known. The number of unspent texts of first steps bounds how many more are written.
  spent boolean not null default false,
  primary key (account_id, environment, id)
);
comment on table step_drafts is 'ai: A text of an AI step for one lead, written ahead, with a person''s decision about it.';
-- One text per lead, step and variant (insertDraftRequest).
create unique index step_drafts_step on step_drafts (account_id, environment, campaign_id, lead_id, step_id, variant_id);
-- The number of unspent texts (listUnsentTexts).
create index step_drafts_unspent on step_drafts (account_id, environment, campaign_id, step_id) where not spent;
-- Texts that wait for approval.
create index step_drafts_waiting on step_drafts (account_id, environment, campaign_id, id) where status = 'waiting';

-- Replies that a model drafts for a person.
create table reply_drafts (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  -- A conversation has one draft. A draft of a newer message, or a new one of the same message, replaces it and has its own id, so a
  -- person can't send a text that was replaced while it was read.
  thread_id text collate "C" not null,
  id text collate "C" not null,
  campaign_id text collate "C" not null,
  lead_id text collate "C" not null,
  -- The message that the draft answers.
  message_id text collate "C" not null,
  model_id text not null,
  status text not null check (status in ('requested', 'ready', 'failed', 'dismissed', 'sent')),
  text text,
  error text,
  -- The reply that was sent from the draft, so that withdrawing it gives the draft back.
  reply_id text collate "C",
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, thread_id),
  -- A draft is erased with the person that the conversation is with.
  foreign key (account_id, environment, thread_id) references threads on delete cascade
);
comment on table reply_drafts is 'ai: The reply to a conversation that a model drafted. It is never sent without a person.';
-- The job that writes a draft knows its id.
create unique index reply_drafts_id on reply_drafts (account_id, environment, id);
