create table prompt_presets (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null,
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

create table generations (
  account_id text collate "C" not null references accounts on delete cascade,
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
  created_at timestamptz not null,
  primary key (account_id, environment, id)
);
create index generations_campaign on generations (account_id, environment, campaign_id);
