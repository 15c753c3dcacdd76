create table suppressions (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  email text,
  domain text,
  -- Keyed: a hash of an address that nobody keyed is undone by a list of addresses. All that is kept of an erased person;
  -- null for a domain.
  address_hash bytea,
  source text not null check (source in ('recipient', 'bounce', 'complaint', 'manual', 'import')),
  reason text,
  expires_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, environment, id)
);
comment on table suppressions is 'suppressions: Addresses and domains that get nothing.';
-- Once per address and once per domain; and whether somebody is suppressed (listSuppressed).
create unique index suppressions_domain on suppressions (account_id, environment, domain) where domain is not null;
create unique index suppressions_email on suppressions (account_id, environment, address_hash)
  where address_hash is not null;

-- A message is deleted with its campaign or its person: whoever answers it with "unsubscribe", or returns it, is still
-- understood. Hashes alone, some 200 bytes per message; kept as long as the account.
create table former_messages (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  rfc_message_id text collate "C" not null,
  address_hash bytea not null,
  primary key (account_id, environment, rfc_message_id)
);
comment on table former_messages is 'suppressions: To whom messages went that were deleted since.';
-- Whether somebody was written to.
create index former_messages_address on former_messages (account_id, environment, address_hash);
