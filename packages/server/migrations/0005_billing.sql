-- Stripe promises neither order nor one event per session: what was heard, what was fulfilled and which subscriptions are over.

create table stripe_events (
  id text collate "C" primary key,
  type text not null,
  received_at timestamptz not null default now()
);
comment on table stripe_events is 'billing: Notices of the payment provider that were acted on, so that none acts twice.';

create table billing_customers (
  account_id text collate "C" primary key references accounts on delete cascade,
  customer_id text not null,
  subscription_id text
);
comment on table billing_customers is 'billing: Accounts as the payment provider knows them.';
create unique index billing_customers_subscription on billing_customers (subscription_id) where subscription_id is not null;

create table stripe_sessions (
  id text collate "C" not null,
  account_id text collate "C" not null references accounts on delete cascade,
  fulfilled_at timestamptz not null,
  primary key (account_id, id)
);
comment on table stripe_sessions is 'billing: Checkouts that were fulfilled, so that none is twice.';

create table stripe_ended_subscriptions (
  id text collate "C" primary key,
  ended_at timestamptz not null
);
comment on table stripe_ended_subscriptions is
  'billing: Subscriptions that have ended: a late notice does not bring them back.';
