-- A worker renews only its own row here, however many mailboxes it reads. When the row is deleted, its mailboxes become free.
create table inbox_workers (
  token uuid primary key,
  lease_until timestamptz not null,
  -- The worker claims no more mailboxes and closes the ones that it has. They stay its own until that is done.
  leaving boolean not null default false
);
comment on table inbox_workers is 'inbox: A worker that reads mailboxes now. Each takes its share of them.';
create index inbox_workers_lease on inbox_workers (lease_until);

create table mailboxes (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  sending_account_id text collate "C" not null,
  -- The first reading begins here.
  since timestamptz not null,
  lease_token uuid references inbox_workers on delete set null,
  retry_at timestamptz,
  retry_count integer not null default 0,
  -- When all of it was last read. A sender whose mailbox is not read does not send.
  read_at timestamptz,
  primary key (account_id, environment, sending_account_id),
  foreign key (account_id, environment, sending_account_id) references sending_accounts on delete cascade
);
comment on table mailboxes is 'inbox: The mailbox of a sending account, and the worker that reads it.';
-- Mailboxes without a worker (claimMailboxes).
create index mailboxes_free on mailboxes (retry_at nulls first) where lease_token is null;
-- The mailboxes of a worker (listHeldMailboxesAcrossAccounts).
create index mailboxes_held on mailboxes (lease_token) where lease_token is not null;

create table mailbox_folders (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  sending_account_id text collate "C" not null,
  folder text not null,
  -- UIDs have no meaning under another value. Messages that are then read again are recognized by Message-ID and hash.
  uid_validity text,
  last_uid bigint not null default 0,
  -- The message that is being read. It is written before the reading, so that a message that ends its process is known.
  trying_uid bigint,
  -- The number of its unfinished tries, and of those during which the connection or the database failed.
  tries smallint not null default 0,
  breaks smallint not null default 0,
  primary key (account_id, environment, sending_account_id, folder),
  foreign key (account_id, environment, sending_account_id) references mailboxes on delete cascade
);
comment on table mailbox_folders is 'inbox: A folder of a mailbox, and how far it was read.';

create table set_aside_messages (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  sending_account_id text collate "C" not null,
  folder text not null,
  uid_validity text not null,
  uid bigint not null,
  id text collate "C" not null,
  reason text not null,
  size_bytes bigint,
  set_aside_at timestamptz not null,
  tries smallint not null default 1,
  -- When a user asked for another try.
  retry_asked_at timestamptz,
  primary key (account_id, environment, sending_account_id, folder, uid_validity, uid),
  unique (account_id, id),
  foreign key (account_id, environment, sending_account_id) references mailboxes on delete cascade
);
comment on table set_aside_messages is 'inbox: A message that was skipped, with the reason. Its content stays in the mailbox.';
-- Rows are deleted by age.
create index set_aside_messages_age on set_aside_messages (set_aside_at);
create index set_aside_messages_retry on set_aside_messages (sending_account_id) where retry_asked_at is not null;

-- One worker counts when it is time (claimMailboxCount), and all workers read the counts.
create table mailbox_counts (
  only_row boolean primary key default true check (only_row),
  mailboxes integer not null default 0,
  -- Mailboxes that were not read for long.
  unread integer not null default 0,
  next_count_at timestamptz not null
);
comment on table mailbox_counts is 'inbox: The number of mailboxes, and of those that were not read for long.';

create table conversation_notes (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  thread_id text collate "C" not null,
  author_type text not null check (author_type in ('user', 'key')),
  author_id text collate "C",
  -- The name at the time of writing, because users and keys are deleted.
  author_name text,
  text text not null,
  mentions text[] not null default '{}',
  created_at timestamptz not null,
  primary key (account_id, environment, id),
  -- Notes are erased with the person that the conversation is with.
  foreign key (account_id, environment, thread_id) references threads on delete cascade
);
comment on table conversation_notes is 'inbox: What a user wrote for colleagues in a conversation. It is never sent.';
-- The notes of a conversation (listNotes).
create index conversation_notes_thread on conversation_notes (account_id, environment, thread_id, created_at, id);
