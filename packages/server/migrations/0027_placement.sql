-- Senders of an organization at Microsoft or of a domain share the number of recipients that their provider allows in a day.

create table recipient_budgets (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  -- `organization:` with the organization at the provider, or `domain:` with the domain (listSenderDays).
  id text collate "C" not null,
  -- The organization or the domain, as people know it.
  name text not null,
  daily_external_recipients integer not null check (daily_external_recipients > 0),
  primary key (account_id, environment, id)
);
comment on table recipient_budgets is 'sending-accounts: The number of recipients per day that several sending accounts share.';

create table budget_days (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  budget_id text collate "C" not null,
  -- In UTC, because the senders may be in several zones.
  day date not null,
  claimed integer not null,
  primary key (account_id, environment, budget_id, day)
);
comment on table budget_days is 'sending-accounts: The number of recipients that a budget had on a day. A claim that is given up is subtracted.';

-- Placement tests: texts that are sent to the user's own seed mailboxes, and where they arrived.

create table seed_mailboxes (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  email text not null,
  -- {host, port, security, username}. Null: a simulated mailbox.
  imap jsonb,
  -- The password, sealed. Without it nothing can be read.
  secrets bytea,
  status text not null check (status in ('unverified', 'working', 'failing')),
  last_error text,
  checked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id)
);
comment on table seed_mailboxes is 'placement: A mailbox of the user that receives placement tests and is only read.';
create unique index seed_mailboxes_email on seed_mailboxes (account_id, environment, lower(email));

create table placement_tests (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  status text not null check (status in ('running', 'completed')),
  campaign_id text collate "C",
  step_id text collate "C",
  variant_id text collate "C",
  template_id text collate "C",
  lead_id text collate "C",
  sending_account_ids text[] not null,
  seed_mailbox_ids text[] not null,
  repeat text not null check (repeat in ('none', 'weekly')),
  next_run_at timestamptz,
  repeat_ended_because text check (repeat_ended_because in
    ('user', 'sender_deleted', 'seeds_deleted', 'text_deleted', 'text_not_written')),
  created_at timestamptz not null,
  completed_at timestamptz,
  -- Rows are deleted by age. Real time, because a test clock may be years ahead.
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, id)
);
comment on table placement_tests is 'placement: A text that is sent to seed mailboxes, once or weekly.';
create index placement_tests_campaign on placement_tests (account_id, environment, campaign_id, id) where campaign_id is not null;
create index placement_tests_created on placement_tests (account_id, environment, created_at);
create index placement_tests_age on placement_tests using brin (recorded_at) with (autosummarize = on);

create table placement_results (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  -- The id of the message.
  id text collate "C" not null,
  placement_test_id text collate "C" not null,
  sending_account_id text collate "C" not null,
  from_email text not null,
  seed_mailbox_id text collate "C" not null,
  to_email text not null,
  -- The token in X-Overture-Ref, by which the message is found.
  ref text not null,
  placement text not null check (placement in ('pending', 'inbox', 'tab', 'spam', 'missing')),
  -- Why the result says nothing about the sender. It is then `missing` and not counted.
  problem text check (problem in ('not_sent', 'seed_unreadable', 'seed_deleted')),
  folder text,
  spf text,
  dkim text,
  dmarc text,
  opt_out_signed boolean,
  received_message_id text,
  sent_at timestamptz,
  seconds integer,
  decided_at timestamptz,
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, id)
);
comment on table placement_results is 'placement: A message of a placement test, and where it arrived.';
create index placement_results_test on placement_results (account_id, environment, placement_test_id, id);
-- The signal of a sender, and the results of a domain (countSeedPlacements, listPlacementDays).
create index placement_results_sender on placement_results (account_id, environment, sending_account_id, decided_at);
create index placement_results_age on placement_results using brin (recorded_at) with (autosummarize = on);
