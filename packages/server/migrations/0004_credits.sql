create table credit_balances (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  balance bigint not null check (balance >= 0),
  -- The part of the balance that ends with the plan's period or the trial; spent first.
  expiring bigint not null default 0 check (expiring between 0 and balance),
  reserved bigint not null default 0 check (reserved >= 0),
  -- Spent and reserved for lead search and reveal: what the trial's cap counts.
  lead_used bigint not null default 0 check (lead_used >= 0),
  lead_reserved bigint not null default 0 check (lead_reserved >= 0),
  -- Of the plan, in the live row alone; null where nothing is renewed or expires.
  period_start timestamptz,
  period_end timestamptz,
  primary key (account_id, environment)
);
comment on table credit_balances is 'credits: What an account has left, per environment: always the sum of its ledger.';
-- Whose period is over.
create index credit_balances_period on credit_balances (period_end) where period_end is not null;

create table credit_ledger (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  -- Assigned under the balance row's lock: the order of an account's entries is the order of their commits.
  position bigint generated always as identity,
  id text collate "C" not null,
  type text not null check (type in ('grant', 'purchase', 'charge', 'refund', 'expiry')),
  amount bigint not null,
  balance_after bigint not null check (balance_after >= 0),
  reason text not null,
  reference text,
  lead_credits boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (account_id, environment, position)
);
comment on table credit_ledger is 'credits: Every movement of credits. Rows are added and never changed.';
-- An entry by its id, which pages of the ledger name.
create unique index credit_ledger_id on credit_ledger (account_id, environment, id);
-- A payment is booked once, however often its webhook comes.
create unique index credit_ledger_purchase on credit_ledger (account_id, environment, reference) where type = 'purchase';

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the credit ledger is append-only';
end $$;
comment on function refuse_ledger_change is 'credits: Keeps the ledger as it is.';
create trigger credit_ledger_append_only before update or delete or truncate on credit_ledger
  for each statement execute function refuse_ledger_change();

create table credit_reservations (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  amount bigint not null check (amount > 0),
  lead_credits boolean not null,
  reason text not null,
  reference text,
  expires_at timestamptz not null,
  primary key (account_id, environment, id),
  foreign key (account_id, environment) references credit_balances on delete cascade
);
comment on table credit_reservations is 'credits: What was set aside for work that is under way.';
-- What was set aside and never settled.
create index credit_reservations_expiry on credit_reservations (expires_at);
