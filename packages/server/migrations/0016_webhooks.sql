-- Everything here runs on real time, in both environments.

create table webhooks (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  url text not null,
  -- Empty: every type.
  events text[] not null,
  enabled boolean not null,
  status text not null check (status in ('active', 'failing', 'disabled')),
  status_reason text,
  secret bytea not null,
  -- Signs too for 24 h after a rotation.
  previous_secret bytea,
  previous_secret_until timestamptz,
  failing_since timestamptz,
  -- Events of this transaction and later are delivered: none from before the endpoint existed.
  since_tx xid8 not null default pg_current_xact_id(),
  -- When its earliest waiting delivery is due. The lease makes one worker at a time, which keeps an endpoint's order.
  next_attempt_at timestamptz,
  lease_token uuid,
  lease_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The campaigns whose events it gets; empty: whatever happens in the environment.
  campaign_ids text[] not null default '{}',
  primary key (account_id, environment, id)
);
comment on table webhooks is 'webhooks: Where events are posted.';
-- Which endpoints are to be posted to (claimDueWebhookAcrossAccounts).
create index webhooks_due on webhooks (next_attempt_at) where next_attempt_at is not null and enabled;

-- A row per event and endpoint; its id is made of theirs, so that fanning out twice delivers once.
create table webhook_deliveries (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  webhook_id text collate "C" not null,
  id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text not null,
  tx_id xid8 not null,
  position bigint not null,
  -- Of a test delivery, which has no event in the log.
  test_body jsonb,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  last_attempt_at timestamptz,
  delivered_at timestamptz,
  response_status integer,
  response_excerpt text,
  error text,
  duration_ms integer,
  -- The last attempts: [{at, responseStatus, durationMs, error}].
  attempt_log jsonb not null default '[]',
  created_at timestamptz not null,
  primary key (account_id, environment, webhook_id, id),
  foreign key (account_id, environment, webhook_id) references webhooks on delete cascade
);
comment on table webhook_deliveries is 'webhooks: Each post, its tries and their answers.';
-- What may be forgotten (deleteOldDeliveriesAcrossAccounts).
create index webhook_deliveries_age on webhook_deliveries (created_at);
-- The deliveries of an event: lists, and adopt_restored_events.
create index webhook_deliveries_event on webhook_deliveries (account_id, environment, event_id);
-- Finds the delivery that waits for its first retry, and holds back what comes after it, without looking at the others.
create index webhook_deliveries_first_retry on webhook_deliveries (account_id, environment, webhook_id, tx_id, position)
  where status = 'pending' and attempts = 1;
-- What an endpoint gets next, in order (listDueDeliveries).
create index webhook_deliveries_pending on webhook_deliveries (account_id, environment, webhook_id, tx_id, position)
  where status = 'pending';
-- The list (listDeliveries).
create index webhook_deliveries_recent on webhook_deliveries (account_id, environment, webhook_id, created_at desc, id desc);
