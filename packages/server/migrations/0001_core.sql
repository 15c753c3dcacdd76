-- Accounts, keys, limits, idempotency, clocks, events, jobs. Every tenant table's key begins with account_id.

create table accounts (
  account_id text collate "C" primary key,
  name text not null,
  plan text not null,
  default_timezone text not null default 'UTC',
  postal_address text,
  api_access_enabled boolean not null default true,
  requests_per_minute integer,
  burst_per_second integer,
  monthly_requests integer,
  max_api_keys integer,
  trial_ends_at timestamptz,
  created_at timestamptz not null
);

create table api_keys (
  account_id text collate "C" not null references accounts on delete cascade,
  id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  name text not null,
  prefix text not null,
  digest bytea not null,
  scopes text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (account_id, id)
);
create unique index api_keys_digest on api_keys (digest);

create table monthly_usage (
  account_id text collate "C" not null,
  month date not null,
  requests bigint not null,
  primary key (account_id, month)
);

create table idempotency_keys (
  account_id text collate "C" not null,
  environment text not null,
  route text not null,
  key text not null,
  body_digest bytea not null,
  status integer,
  body jsonb,
  locked_until timestamptz,
  expires_at timestamptz not null,
  primary key (account_id, environment, route, key)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);

-- The virtual clock of a test environment: real time plus the offset, or the frozen instant.
create table sandbox_clocks (
  account_id text collate "C" primary key references accounts on delete cascade,
  offset_ms bigint not null default 0,
  frozen_at timestamptz
);

-- tx_id orders readers: a reader sees only events of transactions older than every running one, so a cursor skips none.
create table events (
  account_id text collate "C" not null,
  environment text not null,
  position bigint generated always as identity,
  tx_id xid8 not null default pg_current_xact_id(),
  recorded_at timestamptz not null default now(),
  id text collate "C" not null,
  type text not null,
  occurred_at timestamptz not null,
  campaign_id text collate "C",
  lead_id text collate "C",
  lead_email text,
  message_id text collate "C",
  step_id text collate "C",
  variant_id text collate "C",
  sending_account_id text collate "C",
  data jsonb not null default '{}',
  primary key (account_id, position)
);
create index events_log on events (account_id, environment, tx_id, position);
create index events_campaign on events (account_id, environment, campaign_id, position);
create index events_lead on events (account_id, environment, lead_id, position);

create table jobs (
  account_id text collate "C" not null,
  environment text not null,
  id bigint generated always as identity,
  kind text not null,
  key text,
  payload jsonb not null default '{}',
  run_at timestamptz not null,
  clock text not null default 'tenant' check (clock in ('tenant', 'real')),
  attempts integer not null default 0,
  lease_until timestamptz,
  lease_token uuid,
  again boolean not null default false,
  dead_at timestamptz,
  last_error text,
  primary key (account_id, id)
);
create unique index jobs_key on jobs (account_id, environment, kind, key) where key is not null and dead_at is null;
create index jobs_due on jobs (run_at) where dead_at is null;

create table settings (
  name text primary key,
  value jsonb not null
);
