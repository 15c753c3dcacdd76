create table sending_accounts (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  email text not null,
  from_name text not null,
  provider text not null check (provider in ('smtp', 'google', 'microsoft', 'sandbox')),
  smtp jsonb,
  imap jsonb,
  -- Sealed (AES-256-GCM): {smtpPassword, imapPassword, refreshToken, accessToken, accessTokenExpiresAt}.
  secrets bytea,
  -- blocked: the provider refuses mail of this sender until a person acts.
  status text not null check (status in ('active', 'paused', 'connection_error', 'auth_required', 'blocked')),
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
  -- The state of deliverability and the allowance of a day (packages/planner/src/deliverability/pace.ts). Null: no bad signal came yet.
  pace jsonb,
  -- Whether SPF or DMARC that is wrong for three days pauses the account, and since when it is wrong.
  require_authentication boolean not null default false,
  authentication_wrong_since timestamptz,
  health jsonb,
  -- The pacing state. The planner writes it under the lease of its row in `planning`.
  next_send_at timestamptz,
  send_sequence bigint not null default 0,
  -- A limit of the provider holds the sender back until then. Its leads are not held.
  held_until timestamptz,
  hold_count integer not null default 0,
  -- After a connection error: when the connection is tried again, and how often it was tried.
  retry_at timestamptz,
  retry_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Counts the changes of servers and logins. A connection that was opened under an older count is not used again.
  connection_version integer not null default 0,
  -- A sentence for the owner of the sender: what to do about its status.
  status_advice text,
  -- The organization's connection through which this sender logs in. No foreign key: the commands lock the connection, and a
  -- connection in use is never deleted.
  tenant_connection_id text collate "C",
  -- The organization of the mailbox at its provider, as its own login named it: the tenant id at Microsoft.
  organization text,
  -- When the servers first accepted the login in a check.
  connected_at timestamptz,
  -- Messages per day that another tool sends from the mailbox. The planner subtracts them from the daily limit.
  reserved_per_day integer not null default 0,
  -- [{in, contains}]: mail of another tool, which the inbox does not take for a reply.
  ignore_mail jsonb not null default '[]',
  primary key (account_id, environment, id)
);
comment on table sending_accounts is 'sending-accounts: A mailbox that sends, with its servers, limits, state and sealed secrets.';
-- A mailbox is connected once.
create unique index sending_accounts_email on sending_accounts (account_id, environment, lower(email));
-- Senders whose connection is to be tried again, in any account.
create index sending_accounts_retry on sending_accounts (retry_at) where status = 'connection_error';
-- The senders of an organization's connection.
create index sending_accounts_tenant_connection on sending_accounts (account_id, environment, tenant_connection_id)
  where tenant_connection_id is not null;

-- A link that returns from a provider connects a mailbox once. The row is kept until the link has expired.
create table oauth_states_used (
  account_id text collate "C" not null,
  nonce text not null,
  expires_at timestamptz not null,
  primary key (account_id, nonce)
);
comment on table oauth_states_used is 'sending-accounts: A link from a provider that has connected a mailbox.';

create table tenant_connections (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  provider text not null check (provider in ('google', 'microsoft')),
  -- consent: people of the organization may connect their own mailboxes. application: senders log in through this connection.
  access text not null check (access in ('consent', 'application')),
  -- The organization's name at its provider: the tenant id at Microsoft.
  organization text not null,
  domain text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The application at Microsoft or the service account at Google. Empty for a consent.
  client_id text not null default '',
  admin_email text,
  -- The sealed login of an application. Null for a consent.
  secrets bytea,
  -- Counts the changes after which earlier access tokens are not used again.
  version integer not null default 0,
  primary key (account_id, environment, id)
);
comment on table tenant_connections is
  'sending-accounts: An organization at Google or Microsoft that its administrator connected as a whole.';
-- A second consent of an organization renews the first. An organization can have several applications, so that one can replace
-- another without a gap.
create unique index tenant_connections_organization
  on tenant_connections (account_id, environment, provider, access, organization, client_id);
