create table verifications (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  status text not null check (status in ('running', 'completed')),
  campaign_id text collate "C",
  -- The last lead of the campaign whose address was added. Null if there are no more.
  listed_after text collate "C",
  total integer not null,
  deliverable integer not null default 0,
  risky integer not null default 0,
  undeliverable integer not null default 0,
  unknown integer not null default 0,
  credits_charged integer not null default 0,
  created_at timestamptz not null,
  completed_at timestamptz,
  -- Rows are deleted by age. Real time, because a test clock may be years ahead.
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, id)
);
comment on table verifications is 'verification: A request to verify addresses, with the counts of its results.';
create index verifications_age on verifications using brin (recorded_at) with (autosummarize = on);

create table verification_addresses (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  verification_id text collate "C" not null,
  -- Normalised. A text that is not an address is stored as it was sent.
  email text not null,
  result text check (result in ('deliverable', 'risky', 'undeliverable', 'unknown')),
  reasons text[] not null default '{}',
  suggestion text,
  source text check (source in ('rules', 'history', 'zerobounce', 'neverbounce', 'bouncer', 'simulation')),
  checked_at timestamptz,
  credits_charged integer not null default 0,
  -- Tries without a reply of a name server or a provider.
  attempts integer not null default 0,
  due_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, verification_id, email)
);
comment on table verification_addresses is 'verification: An address of a verification, and its result.';
-- The addresses that still need a result (listUnchecked, findNextDue).
create index verification_addresses_due on verification_addresses (account_id, environment, verification_id, due_at)
  where result is null;
-- Erasing a person (deletePersonVerifications).
create index verification_addresses_email on verification_addresses (account_id, environment, email);
create index verification_addresses_age on verification_addresses using brin (recorded_at) with (autosummarize = on);

create table address_checks (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  email text not null,
  result text not null check (result in ('deliverable', 'risky', 'undeliverable', 'unknown')),
  reasons text[] not null,
  suggestion text,
  source text not null check (source in ('rules', 'history', 'zerobounce', 'neverbounce', 'bouncer', 'simulation')),
  checked_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, email)
);
comment on table address_checks is 'verification: The last result of an address. A result of a provider is not paid for again.';
create index address_checks_age on address_checks using brin (recorded_at) with (autosummarize = on);
