create table mailboxes (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  sending_account_id text collate "C" not null,
  -- The first reading starts here.
  since timestamptz not null,
  lease_token uuid,
  lease_until timestamptz,
  retry_at timestamptz,
  retry_count integer not null default 0,
  -- When everything in it was last read: what nobody reads, nobody sends from.
  read_at timestamptz,
  primary key (account_id, environment, sending_account_id),
  foreign key (account_id, environment, sending_account_id) references sending_accounts on delete cascade
);
comment on table mailboxes is 'inbox: Which worker reads a sending account''s mailbox, and how far.';
-- Which are to be taken (claimMailboxesAcrossAccounts).
create index mailboxes_free on mailboxes (lease_until nulls first, retry_at nulls first);

create table mailbox_folders (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  sending_account_id text collate "C" not null,
  folder text not null,
  -- UIDs mean nothing under another; what is read again then is known by Message-ID and hash.
  uid_validity text,
  last_uid bigint not null default 0,
  -- Which message is being read: written before, so that one that ends its process is known by it.
  trying_uid bigint,
  tries smallint not null default 0,
  breaks smallint not null default 0,
  primary key (account_id, environment, sending_account_id, folder),
  foreign key (account_id, environment, sending_account_id) references mailboxes on delete cascade
);
comment on table mailbox_folders is 'inbox: How far each folder was read.';

-- Each takes its share of the mailboxes and hands back what is above it.
create unlogged table inbox_workers (
  token uuid primary key,
  lease_until timestamptz not null
);
comment on table inbox_workers is 'inbox: Workers that watch mailboxes now.';

create table set_aside_messages (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  sending_account_id text collate "C" not null,
  folder text not null,
  uid_validity text not null,
  uid bigint not null,
  id text collate "C" not null unique,
  reason text not null,
  size_bytes bigint,
  set_aside_at timestamptz not null,
  tries smallint not null default 1,
  -- Somebody asked for another try.
  retry_asked_at timestamptz,
  primary key (account_id, environment, sending_account_id, folder, uid_validity, uid),
  foreign key (account_id, environment, sending_account_id) references mailboxes on delete cascade
);
comment on table set_aside_messages is
  'inbox: Messages in mailboxes that were passed over, and why. What they hold stays in the mailbox.';
-- What may be forgotten, and what somebody asked for again.
create index set_aside_messages_age on set_aside_messages (set_aside_at);
create index set_aside_messages_retry on set_aside_messages (sending_account_id) where retry_asked_at is not null;
