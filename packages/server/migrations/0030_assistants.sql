create table assistant_grants (
  account_id text collate "C" not null,
  id text collate "C" not null,
  -- The grant ends with its key.
  key_id text collate "C" not null,
  sealed_key bytea not null,
  client_id text not null,
  client_name text not null,
  client_host text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, key_id) references api_keys on delete cascade
);
comment on table assistant_grants is 'assistants: What a user allowed an assistant to do at /mcp.';
-- The grant of a token, read before the account is known (findTokenGrantAcrossAccounts).
create unique index assistant_grants_id on assistant_grants (id);
-- The grants of a client (existsGrantOfClientAcrossAccounts).
create index assistant_grants_client on assistant_grants (client_id);
-- The grant that ends with a key.
create index assistant_grants_key on assistant_grants (account_id, key_id);

create table assistant_records (
  kind text not null,
  -- The SHA-256 of the token or id, which itself is not stored.
  digest bytea not null,
  -- The grant with which the record ends. Null: a request that no user has allowed yet, or a registered client.
  grant_id text collate "C",
  payload jsonb not null,
  expires_at timestamptz not null,
  -- The first use of what can be used once.
  consumed_at timestamptz,
  primary key (kind, digest)
);
comment on table assistant_records is 'assistants: Tokens, codes, requests and registered clients of the authorization server.';
-- The records of a grant (deleteRecordsOfGrant, listUnusableGrantsAcrossAccounts).
create index assistant_records_grant on assistant_records (grant_id) where grant_id is not null;
-- The records that are over (deleteOldRecordsAcrossAccounts), and the clients without a grant (deleteOldestUnusedClients).
create index assistant_records_expiry on assistant_records (expires_at);
