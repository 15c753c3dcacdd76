-- Stripe promises neither the order of events nor one event per session. These tables record the received events, the fulfilled
-- sessions and the ended subscriptions.

create table stripe_events (
  id text collate "C" primary key,
  type text not null,
  received_at timestamptz not null default now()
);
comment on table stripe_events is 'billing: An event of Stripe that was handled, so that it is handled once.';

create table billing_customers (
  account_id text collate "C" primary key references accounts on delete cascade,
  customer_id text not null,
  subscription_id text
);
comment on table billing_customers is 'billing: The customer and the subscription of an account at Stripe.';
create unique index billing_customers_subscription on billing_customers (subscription_id) where subscription_id is not null;

create table stripe_sessions (
  id text collate "C" not null,
  account_id text collate "C" not null references accounts on delete cascade,
  fulfilled_at timestamptz not null,
  primary key (account_id, id)
);
comment on table stripe_sessions is 'billing: A checkout that was fulfilled, so that it is fulfilled once.';

create table stripe_ended_subscriptions (
  id text collate "C" primary key,
  ended_at timestamptz not null
);
comment on table stripe_ended_subscriptions is 'billing: A subscription that ended. A late event does not revive it.';
