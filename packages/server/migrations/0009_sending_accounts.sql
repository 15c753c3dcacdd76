create table sending_accounts (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  email text not null,
  from_name text not null,
  provider text not null check (provider in ('smtp', 'google', 'microsoft', 'sandbox')),
  smtp jsonb,
  imap jsonb,
  -- AES-256-GCM, {smtpPassword, imapPassword, refreshToken, accessToken, accessTokenExpiresAt}
  secrets bytea,
  status text not null check (status in ('active', 'paused', 'connection_error', 'auth_required')),
  status_reason text,
  last_error text,
  daily_limit integer not null,
  min_gap_seconds integer not null,
  max_gap_seconds integer not null,
  timezone text not null,
  signature text,
  reply_to text,
  tracking_domain text,
  ramp_up jsonb,
  ramp_started_at timestamptz,
  health jsonb,
  -- Pacing state, written by the planner under the planning row's lease.
  next_send_at timestamptz,
  send_sequence bigint not null default 0,
  -- A provider's own limit holds the mailbox, not the lead.
  held_until timestamptz,
  hold_count integer not null default 0,
  -- connection_error: when to try again, and how often it was tried.
  retry_at timestamptz,
  retry_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Counts the changes of a sender's servers and logins: a connection made under an older count is not used again.
  connection_version integer not null default 0,
  primary key (account_id, environment, id)
);
comment on table sending_accounts is 'sending-accounts: Mailboxes that send: servers, limits, state, sealed secrets.';
-- A mailbox is connected once.
create unique index sending_accounts_email on sending_accounts (account_id, environment, lower(email));
-- Whose connection is to be tried again, in any account.
create index sending_accounts_retry on sending_accounts (retry_at) where status = 'connection_error';
