-- Which message of a folder is being read: written before, so that one that ends its process is known by it.
alter table mailbox_folders
  add column trying_uid bigint,
  add column tries smallint not null default 0,
  add column breaks smallint not null default 0;

-- Messages in mailboxes that were passed over, and why. What they hold stays in the mailbox alone.
create table set_aside_messages (
  account_id text collate "C" not null,
  environment text not null,
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
create index set_aside_messages_retry on set_aside_messages (sending_account_id) where retry_asked_at is not null;
create index set_aside_messages_age on set_aside_messages (set_aside_at);
