-- What came back from a provider and connected a mailbox, kept until it would have expired: it does so once.
create table oauth_states_used (
  account_id text collate "C" not null,
  nonce text not null,
  expires_at timestamptz not null,
  primary key (account_id, nonce)
);
comment on table oauth_states_used is 'sending-accounts: Links of providers that have connected a mailbox.';
