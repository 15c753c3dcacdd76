-- Webhooks run on real time in both environments.

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
  -- For 24 hours after a rotation, deliveries are also signed with the previous secret.
  previous_secret bytea,
  previous_secret_until timestamptz,
  failing_since timestamptz,
  -- Only events with a higher number are delivered, so none from before the endpoint existed.
  since_tx xid8 not null default event_number(),
  -- When the earliest waiting delivery is due. The lease allows one worker at a time, which keeps the endpoint's order.
  next_attempt_at timestamptz,
  lease_token uuid,
  lease_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The campaigns whose events are delivered. Empty: all events of the environment.
  campaign_ids text[] not null default '{}',
  -- The user who created the endpoint. Null: a key without a user created it. The endpoint stays when the user is deleted, and the
  -- person who deletes the user is shown it.
  created_by text collate "C",
  primary key (account_id, environment, id)
);
comment on table webhooks is 'webhooks: An endpoint that gets events.';
-- Endpoints that are due (claimDueWebhook).
create index webhooks_due on webhooks (next_attempt_at) where next_attempt_at is not null and enabled;

-- One row per event and endpoint. Its id is made of their ids, so the second try to insert it inserts nothing.
create table webhook_deliveries (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  webhook_id text collate "C" not null,
  id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text not null,
  tx_id xid8 not null,
  position bigint not null,
  -- The body of a test delivery, which has no event in the log.
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
comment on table webhook_deliveries is 'webhooks: The delivery of an event to an endpoint, with its attempts.';
-- Rows are deleted by age (deleteOldDeliveries).
create index webhook_deliveries_age on webhook_deliveries (created_at);
-- The deliveries of an event, for lists and for `adopt_restored_events`.
create index webhook_deliveries_event on webhook_deliveries (account_id, environment, event_id);
-- The delivery that waits for its first retry. It holds back the later ones, which need not be read.
create index webhook_deliveries_first_retry on webhook_deliveries (account_id, environment, webhook_id, tx_id, position)
  where status = 'pending' and attempts = 1;
-- The next deliveries of an endpoint, in order (listDueDeliveries).
create index webhook_deliveries_pending on webhook_deliveries (account_id, environment, webhook_id, tx_id, position)
  where status = 'pending';
-- The list (listDeliveries).
create index webhook_deliveries_recent on webhook_deliveries (account_id, environment, webhook_id, created_at desc, id desc);
