create table suppressions (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  -- Null for a domain, and after the person was erased, which keeps only the hash.
  email text,
  domain text,
  -- A keyed hash of the SHA-256 of the address, because a list of addresses undoes a hash without a key. Null for a domain.
  address_hash bytea,
  -- The SHA-256 in hexadecimal as a customer's list names it, while the address is unknown. address_hash is derived from it.
  sha256 text collate "C",
  -- The suppression list with this entry. Null for opt-outs, bounces, complaints and entries that a user adds to no list.
  list text collate "C",
  -- The last import that contained the entry. Null if a request added it to the list. `replace` removes the older entries.
  import_id text collate "C",
  -- unproven: an opt-out without a proof that its writer owns the address. It holds mail back, and an admin can remove it.
  source text not null check (source in ('recipient', 'bounce', 'complaint', 'manual', 'customer', 'import', 'unproven')),
  reason text,
  expires_at timestamptz,
  created_at timestamptz not null,
  -- The last request to suppress. A person may reply to a message that the recipient wrote after that time.
  asked_at timestamptz not null default now(),
  primary key (account_id, environment, id)
  -- Each import of a list updates its entries. With room in the page an update changes no index.
) with (fillfactor = 50);
comment on table suppressions is 'suppressions: An address or a domain that gets no mail.';
-- One entry per list for each domain and each address. Both indexes also find the suppressions of an address (listSuppressed).
create unique index suppressions_domain on suppressions (account_id, environment, domain, list) nulls not distinct
  where domain is not null;
create unique index suppressions_email on suppressions (account_id, environment, address_hash, list) nulls not distinct
  where address_hash is not null;
-- The entries of a list (listSuppressions, deleteOlderEntries).
create index suppressions_list on suppressions (account_id, environment, list, id) where list is not null;
-- The next entry that ends (findNextExpiry).
create index suppressions_expiry on suppressions (account_id, environment, expires_at) where expires_at is not null;

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
