-- To whom messages went that were deleted since, with their campaign or their person: whoever answers one of them with
-- "unsubscribe", or returns it, is still understood. Hashes alone, some 200 bytes a message; kept as long as the account.
create table former_messages (
  account_id text collate "C" not null,
  environment text not null,
  rfc_message_id text not null,
  address_hash bytea not null,
  primary key (account_id, environment, rfc_message_id)
);
create index former_messages_address on former_messages (account_id, environment, address_hash);
