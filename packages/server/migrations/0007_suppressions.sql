create table suppressions (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  -- Null for a domain, and after the person was erased, which keeps only the hash.
  email text,
  domain text,
  -- A keyed hash, because a list of addresses undoes a hash without a key. Null for a domain.
  address_hash bytea,
  -- unproven: an opt-out without a proof that its writer owns the address. It holds mail back, and an admin can remove it.
  source text not null check (source in ('recipient', 'bounce', 'complaint', 'manual', 'import', 'unproven')),
  reason text,
  expires_at timestamptz,
  created_at timestamptz not null,
  -- The last request to suppress. A person may reply to a message that the recipient wrote after that time.
  asked_at timestamptz not null default now(),
  primary key (account_id, environment, id)
);
comment on table suppressions is 'suppressions: An address or a domain that gets no mail.';
-- One suppression per domain and per address. Both indexes also find the suppression of an address (listSuppressed).
create unique index suppressions_domain on suppressions (account_id, environment, domain) where domain is not null;
create unique index suppressions_email on suppressions (account_id, environment, address_hash)
  where address_hash is not null;

-- Messages are deleted with their campaign or their person. A later opt-out or bounce of such a message still finds its recipient here.
-- A row has some 200 bytes and stays as long as the account.
create table former_messages (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  rfc_message_id text collate "C" not null,
  address_hash bytea not null,
  primary key (account_id, environment, rfc_message_id)
);
comment on table former_messages is 'suppressions: The recipient of a deleted message.';
-- Whether an address ever got a message.
create index former_messages_address on former_messages (account_id, environment, address_hash);
