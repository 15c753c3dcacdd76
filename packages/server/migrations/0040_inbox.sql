-- Who watches which mailbox, how far each folder was read, and what makes conversations searchable.

create table mailboxes (
  account_id text collate "C" not null,
  environment text not null,
  sending_account_id text collate "C" not null,
  -- The first reading starts here.
  since timestamptz not null,
  lease_token uuid,
  lease_until timestamptz,
  retry_at timestamptz,
  retry_count integer not null default 0,
  primary key (account_id, environment, sending_account_id),
  foreign key (account_id, environment, sending_account_id) references sending_accounts on delete cascade
);
create index mailboxes_free on mailboxes (lease_until nulls first, retry_at nulls first);

create table mailbox_folders (
  account_id text collate "C" not null,
  environment text not null,
  sending_account_id text collate "C" not null,
  folder text not null,
  -- UIDs mean nothing under another; what is read again then is known by Message-ID and hash.
  uid_validity text,
  last_uid bigint not null default 0,
  primary key (account_id, environment, sending_account_id, folder),
  foreign key (account_id, environment, sending_account_id) references mailboxes on delete cascade
);

create index messages_by_rfc on messages (account_id, environment, rfc_message_id);
create index messages_inbound_hash on messages (account_id, environment, sending_account_id, raw_sha256)
  where direction = 'inbound';
-- Only what arrived is searched by its text: sending pays nothing for it.
create index messages_search on messages using gin (to_tsvector('simple', left(subject || ' ' || coalesce(text, ''), 100000)))
  where direction = 'inbound';
create index threads_search on threads using gin (to_tsvector('simple', subject)) where has_inbound;
