-- Organizations at Microsoft and Google that an administrator connected as a whole.
create table tenant_connections (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  provider text not null check (provider in ('google', 'microsoft')),
  -- consent: people of the organization may connect their own mailboxes. application: senders log in through the connection.
  access text not null check (access in ('consent', 'application')),
  -- The organization as its provider names it: the tenant id at Microsoft.
  organization text not null,
  domain text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id)
);
comment on table tenant_connections is 'sending-accounts: Organizations that are connected as a whole.';
-- A second consent of an organization renews the first.
create unique index tenant_connections_organization
  on tenant_connections (account_id, environment, provider, access, organization);
