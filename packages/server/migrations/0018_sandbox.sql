-- The clock shows real time plus the offset, or the frozen time. An account has no row until it moves its clock.
create table sandbox_clocks (
  account_id text collate "C" primary key references accounts on delete cascade,
  offset_ms bigint not null default 0,
  frozen_at timestamptz,
  -- When the test clock completes tasks, such as `2h` after their opening, and with which outcome. Null: tasks stay open.
  tasks_complete_after text,
  tasks_outcome text check (tasks_outcome in ('connected', 'no_answer', 'voicemail', 'wrong_number', 'not_interested', 'done'))
);
comment on table sandbox_clocks is 'sandbox: The clock of an account''s test environment.';

create table sandbox_messages (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  -- The order of arrival. It is the IMAP UID of a message from a prospect.
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
  -- Rows are deleted by age. Real time, because a test clock may be years ahead.
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, id)
);
comment on table sandbox_messages is 'sandbox: A message in the simulated mailbox of a prospect.';
create index sandbox_messages_age on sandbox_messages using brin (recorded_at) with (autosummarize = on);
-- The messages of a lead.
create index sandbox_messages_lead on sandbox_messages (account_id, environment, lead_id, position);
-- A message by its Message-ID.
create index sandbox_messages_rfc on sandbox_messages (account_id, environment, rfc_message_id);

-- The process with the lease (real time) moves the clock. If it ends, the next holder of the lease continues.
create table sandbox_runs (
  account_id text collate "C" primary key references accounts on delete cascade,
  from_at timestamptz not null,
  target_at timestamptz not null,
  was_frozen boolean not null,
  -- The events of the run are above both `events_after` (a position) and `events_tx`, because no index has the order of the position alone.
  events_after bigint not null,
  lease_token uuid not null,
  lease_until timestamptz not null,
  events_tx xid8 not null default event_floor()
);
comment on table sandbox_runs is 'sandbox: A test clock that is being moved.';
