create table credit_balances (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  balance bigint not null check (balance >= 0),
  -- The part of the balance that expires with the plan's period or the trial. It is spent first.
  expiring bigint not null default 0 check (expiring between 0 and balance),
  reserved bigint not null default 0 check (reserved >= 0),
  -- Credits spent and reserved for lead search and reveal. The cap of the trial counts them.
  lead_used bigint not null default 0 check (lead_used >= 0),
  lead_reserved bigint not null default 0 check (lead_reserved >= 0),
  -- The period of the plan, only in the live row. Null if nothing is renewed or expires.
  period_start timestamptz,
  period_end timestamptz,
  primary key (account_id, environment)
);
comment on table credit_balances is 'credits: The credits of an account in an environment. The balance is the sum of the ledger.';
-- Balances whose period has ended.
create index credit_balances_period on credit_balances (period_end) where period_end is not null;

create table credit_ledger (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  -- Assigned under the lock of the balance, so the order of an account's entries is the order of their commits.
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
comment on table credit_ledger is 'credits: A movement of credits. Rows are added and never changed.';
-- The entry of an id, which cursors of pages name.
create unique index credit_ledger_id on credit_ledger (account_id, environment, id);
-- A payment is booked once, however often its webhook arrives.
create unique index credit_ledger_purchase on credit_ledger (account_id, environment, reference) where type = 'purchase';

-- Entries may be deleted only after their account.
create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if not exists (select 1 from accounts a where a.account_id = old.account_id) then
      return old;
    end if;
  end if;
  raise exception 'the credit ledger is append-only';
end $$;
comment on function refuse_ledger_change is 'credits: Refuses to change the ledger while its account exists.';
create trigger credit_ledger_append_only before update or delete on credit_ledger
  for each row execute function refuse_ledger_change();
create trigger credit_ledger_kept before truncate on credit_ledger
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
comment on table credit_reservations is 'credits: Credits that are reserved for work under way.';
-- Reservations that were never settled.
create index credit_reservations_expiry on credit_reservations (expires_at);
