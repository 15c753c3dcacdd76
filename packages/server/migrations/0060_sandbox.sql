-- The simulated network of the test environment: what arrived in which mailbox, and a clock that is being moved.

create table sandbox_messages (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null,
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
  rfc_message_id text,
  raw bytea not null,
  at timestamptz not null,
  primary key (account_id, environment, id)
);
create index sandbox_messages_lead on sandbox_messages (account_id, environment, lead_id, position);
create index sandbox_messages_rfc on sandbox_messages (account_id, environment, rfc_message_id);

-- One row while the clock is being moved. Whoever holds the lease (real time) moves it; a later holder goes on.
create table sandbox_runs (
  account_id text collate "C" primary key references accounts on delete cascade,
  from_at timestamptz not null,
  target_at timestamptz not null,
  was_frozen boolean not null,
  events_after bigint not null,
  lease_token uuid not null,
  lease_until timestamptz not null
);
