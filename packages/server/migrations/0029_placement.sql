-- Senders of an organization at Microsoft or of a domain share the number of recipients that their provider allows in a day.

create table recipient_budgets (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  -- `organization:` with the organization at the provider, or `domain:` with the domain (listSenderDays).
  id text collate "C" not null,
  -- The organization or the domain, as people know it.
  name text not null,
  daily_external_recipients integer not null check (daily_external_recipients > 0),
  primary key (account_id, environment, id)
);
comment on table recipient_budgets is 'sending-accounts: The number of recipients per day that several sending accounts share.';

create table budget_days (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  budget_id text collate "C" not null,
  -- In UTC, because the senders may be in several zones.
  day date not null,
  claimed integer not null,
  primary key (account_id, environment, budget_id, day)
);
comment on table budget_days is 'sending-accounts: The number of recipients that a budget had on a day. A claim that is given up is subtracted.';

-- The budgets that count the claim, once per recipient. Null: its sender shares none.
alter table claims add column budgets text[];
