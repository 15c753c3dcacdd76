-- What knows no domain word: settings, answers to be repeated, jobs, and the log of events with its readers.
-- The key of every table of a tenant begins with account_id, and nearly every one has a row's environment: live or test.

create table idempotency_keys (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  route text not null,
  key text not null,
  body_digest bytea not null,
  status integer,
  locked_until timestamptz,
  expires_at timestamptz not null,
  -- Replayed byte for byte, with the headers that say what it cost. Sealed: some answers hold what was paid for, or what is
  -- masked elsewhere.
  sealed_body bytea,
  headers jsonb,
  primary key (account_id, environment, route, key)
);
comment on table idempotency_keys is
  'platform: The first answer to a POST with an Idempotency-Key, sealed, to be given again.';
-- What may be forgotten.
create index idempotency_keys_expiry on idempotency_keys (expires_at);

create table jobs (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id bigint generated always as identity,
  kind text not null,
  key text,
  payload jsonb not null default '{}',
  run_at timestamptz not null,
  -- Whose time run_at is: the test environment's own, or the machine's.
  clock text not null default 'tenant' check (clock in ('tenant', 'real')),
  attempts integer not null default 0,
  lease_until timestamptz,
  lease_token uuid,
  dead_at timestamptz,
  last_error text,
  -- A keyed job that is enqueued again while it runs, runs again at that time.
  again_at timestamptz,
  primary key (account_id, id)
);
comment on table jobs is 'platform: Work for later, claimed by workers under a lease.';
-- Kinds have places of their own: what is due is read by kind, and thousands of one lie in front of no other
-- (claimDueJobsAcrossAccounts). By real time, and by a test environment's clock that was never moved.
create index jobs_due on jobs (kind, run_at) where dead_at is null and (environment = 'live' or clock = 'real');
create index jobs_due_test on jobs (kind, run_at) where dead_at is null and environment = 'test' and clock = 'tenant';
-- Those of one environment, whose clock was moved (claimNextTenantJob).
create index jobs_due_tenant on jobs (account_id, environment, run_at) where dead_at is null;
-- A keyed job waits once (insertJob).
create unique index jobs_key on jobs (account_id, environment, kind, key) where key is not null and dead_at is null;

create table settings (
  name text primary key,
  value jsonb not null
);
comment on table settings is 'composition: What all nodes share and no configuration holds: one value per name.';

create table event_cursors (
  name text primary key,
  tx_id xid8 not null default '0',
  position bigint not null default 0
);
comment on table event_cursors is 'platform: How far each reader of the log has come.';

-- A sequence instead of an identity column, which partitioned tables have only since PostgreSQL 17.
create sequence events_position;
comment on sequence events_position is 'platform: The order of the log within a transaction.';

-- tx_id orders readers: a reader sees only events of transactions older than every running one, so a cursor skips none; the
-- key is that order (listEvents). By month of recording, so that retention drops a month at once instead of deleting row by
-- row, and old months stay out of the way of writers.
create table events (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  position bigint not null default nextval('events_position'),
  tx_id xid8 not null default pg_current_xact_id(),
  recorded_at timestamptz not null default now(),
  id text collate "C" not null,
  type text not null,
  occurred_at timestamptz not null,
  campaign_id text collate "C",
  lead_id text collate "C",
  lead_email text,
  message_id text collate "C",
  step_id text collate "C",
  variant_id text collate "C",
  sending_account_id text collate "C",
  data jsonb not null default '{}',
  primary key (account_id, environment, tx_id, position, recorded_at)
) partition by range (recorded_at);
comment on table events is
  'platform: What happened, in order: timeline, activity, webhooks and statistics all read it. One partition per month.';
-- A campaign's feed walks in the same order as the log, so that its cursor skips nothing either.
create index events_campaign on events (account_id, environment, campaign_id, tx_id, position);
-- The quarters of an hour that a range of statistics cuts (listBreakdown); they never count this type.
create index events_campaign_time on events (account_id, environment, campaign_id, occurred_at)
  where type <> 'lead.status_changed';
-- The same order for readers that serve every account.
create index events_feed on events (tx_id, position);
-- An id is looked up where a reader names an event instead of a place, which is rare, and ids lie in the order of time: the
-- smallest and largest of each stretch of the table are enough to find one.
create index events_id on events using brin (id) with (autosummarize = on);
-- The timeline of a lead.
create index events_lead on events (account_id, environment, lead_id, position);

-- Takes what no month is there for, so that an event is never refused.
create table events_rest partition of events default;

create function create_events_month(at timestamptz) returns void language plpgsql as $$
declare
  first timestamptz := date_trunc('month', at, 'UTC');
  name text := 'events_' || to_char(first at time zone 'UTC', 'YYYY_MM');
begin
  if to_regclass(name) is not null
    or exists (select 1 from events_rest where recorded_at >= first and recorded_at < first + interval '1 month') then
    return;
  end if;
  execute format('create table %I partition of events for values from (%L) to (%L)', name, first,
    date_trunc('month', first + interval '32 days', 'UTC'));
end $$;
comment on function create_events_month is
  'platform: Makes the partition of the month that `at` lies in, unless it is there or the rest holds rows of it.';

select create_events_month(now() + month * interval '1 month') from generate_series(0, 3) as month;

-- Every older transaction that can have written here has ended, and this statement sees what it wrote. Transactions of other
-- databases of the same server have numbers from the same sequence, and a long one of theirs must not hold our readers up:
-- one that a session of another database has now belongs to that database for good, so leaving it out is safe. Whatever
-- cannot be told (just ended, prepared, hidden) is waited for, or is over next time.
create function events_horizon() returns xid8 language sql stable as $$
  select least(
    pg_snapshot_xmax(pg_current_snapshot()),
    pg_current_xact_id_if_assigned(),
    (select x from pg_snapshot_xip(pg_current_snapshot()) x
     where not exists (select 1 from pg_stat_get_activity(null) a
       where a.backend_xid = x::xid and a.datid <> (select oid from pg_database where datname = current_database()))
     order by x limit 1))
$$;
comment on function events_horizon is 'platform: Below which transaction the log is complete.';

-- A stable function: PostgreSQL's planner looks at its value, and sees that few events lie behind it.
-- Of a joined cursor it only knows that it is some value, expects a third of the log, and may read all of it.
create function statistics_cursor() returns xid8 language sql stable as $$
  select tx_id from event_cursors where name = 'statistics'
$$;
comment on function statistics_cursor is 'platform: How far the rollup of statistics has come.';

insert into event_cursors (name) values ('statistics'), ('webhooks');

-- A dump restored on another server brings numbers of transactions that this one has yet to reach: its readers would wait
-- for them, and see nothing new until then. Answers how many events were given a place below everything that is to come:
-- in the order that they had, where every reader stood, and none when nothing was restored. A delivery finds its event by
-- its place, so all are told the new one, also those that may be delivered again.
create function adopt_restored_events() returns bigint language plpgsql as $$
declare
  next xid8 := pg_snapshot_xmax(pg_current_snapshot());
  adopted bigint;
begin
  -- What can be seen was committed here below `next`, or elsewhere.
  if not exists (select 1 from events where tx_id >= next) and not exists (select 1 from event_cursors where tx_id >= next) then
    return 0;
  end if;
  lock table events in share row exclusive mode;
  perform 1 from event_cursors for update;
  next := pg_snapshot_xmax(pg_current_snapshot());
  -- Events appended since the restore have their own numbers already, and positions above all that was restored.
  create temporary table adopted_events on commit drop as
    select account_id, environment, id, tx_id, position, (select least(min(position), 0) from events) - 1
      - count(*) over () + row_number() over (order by tx_id, position) as place
    from events
    where tx_id >= next or position <= (select coalesce(max(position), 0) from events where tx_id >= next);
  update event_cursors c set tx_id = '3', position = coalesce(
    (select max(a.place) from adopted_events a where (a.tx_id, a.position) <= (c.tx_id, c.position)),
    (select min(a.place) from adopted_events a) - 1, 0);
  update webhook_deliveries d set tx_id = '3', position = a.place from adopted_events a
    where d.account_id = a.account_id and d.environment = a.environment and d.event_id = a.id;
  update webhooks set since_tx = '0' where since_tx >= next;
  update events e set tx_id = '3', position = a.place from adopted_events a
    where e.account_id = a.account_id and e.environment = a.environment and e.tx_id = a.tx_id and e.position = a.position;
  get diagnostics adopted = row_count;
  drop table adopted_events;
  return adopted;
end $$;
comment on function adopt_restored_events is
  'platform: Gives the events of a restored dump places below everything that is to come, and answers how many there were.';
