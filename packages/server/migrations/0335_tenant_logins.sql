-- Sending accounts that log in through the connection of their organization.
alter table tenant_connections
  -- The application at Microsoft or the service account at Google; empty for a consent.
  add column client_id text not null default '',
  add column admin_email text,
  -- The login of an application: sealed, and null for a consent.
  add column secrets bytea,
  -- Counts the changes after which access tokens of before are not used again.
  add column version integer not null default 0;
-- An organization can have several applications, so that one replaces another without a gap.
drop index tenant_connections_organization;
create unique index tenant_connections_organization
  on tenant_connections (account_id, environment, provider, access, organization, client_id);

-- No foreign key: the commands lock the connection, and a connection in use is never deleted.
alter table sending_accounts add column tenant_connection_id text collate "C";
create index sending_accounts_tenant_connection on sending_accounts (account_id, environment, tenant_connection_id)
  where tenant_connection_id is not null;
