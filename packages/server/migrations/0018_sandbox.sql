-- Real time plus the offset, or the frozen instant; no row until it was moved.
create table sandbox_clocks (
  account_id text collate "C" primary key references accounts on delete cascade,
  offset_ms bigint not null default 0,
  frozen_at timestamptz
);
comment on table sandbox_clocks is 'sandbox: The test environment''s clock of each account.';

create table sandbox_messages (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  -- The order of arrival; the IMAP uid of what comes from a prospect.
  position bigint generated always as identity,
  direction text not null check (direction in ('to_prospect', 'from_prospect')),
  message_id text collate "C",
  campaign_id text collate "C",
  lead_id text collate "C",
  step_id text collate "C",
  sending_account_id text collate "C" not null,
  from_email text not null,
  to_emails text[] not null,
  subject text not null,
  rfc_message_id text collate "C",
  raw bytea not null,
  at timestamptz not null,
  primary key (account_id, environment, id)
);
comment on table sandbox_messages is 'sandbox: Mail in the simulated mailboxes of prospects.';
-- What a lead got, and a message by its Message-ID.
create index sandbox_messages_lead on sandbox_messages (account_id, environment, lead_id, position);
create index sandbox_messages_rfc on sandbox_messages (account_id, environment, rfc_message_id);

-- Whoever holds the lease (real time) moves it; a later holder goes on.
create table sandbox_runs (
  account_id text collate "C" primary key references accounts on delete cascade,
  from_at timestamptz not null,
  target_at timestamptz not null,
  was_frozen boolean not null,
  events_after bigint not null,
  lease_token uuid not null,
  lease_until timestamptz not null,
  -- What a run of the test clock counts lies above both: the position alone is no index's order.
  events_tx xid8 not null default pg_snapshot_xmin(pg_current_snapshot())
);
comment on table sandbox_runs is 'sandbox: A clock that is being moved, and how far it has come.';
