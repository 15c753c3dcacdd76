-- Stripe promises neither order nor one event a session: what was fulfilled, and which subscriptions are over.

create table stripe_sessions (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts on delete cascade,
  fulfilled_at timestamptz not null
);

create table stripe_ended_subscriptions (
  id text collate "C" primary key,
  ended_at timestamptz not null
);
