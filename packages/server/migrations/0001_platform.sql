-- Tables that every feature uses: stored responses, jobs, uploads, and the event log with its readers.
-- The primary key of every table with an account begins with `account_id`. Most rows also have an environment: live or test.

-- The stored response is replayed byte for byte, with its headers of limits and credits. It is sealed, because some responses
-- contain paid contacts or values that are masked elsewhere.
create table idempotency_keys (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  route text not null,
  key text not null,
  body_digest bytea not null,
  -- Null while the first request runs.
  status integer,
  locked_until timestamptz,
  expires_at timestamptz not null,
  sealed_body bytea,
  headers jsonb,
  primary key (account_id, environment, route, key)
);
comment on table idempotency_keys is 'platform: The first response to a POST with an Idempotency-Key, to be repeated.';
-- For the deletion of expired rows.
create index idempotency_keys_expiry on idempotency_keys (expires_at);

create table jobs (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id bigint generated always as identity,
  kind text not null,
  key text,
  payload jsonb not null default '{}',
  run_at timestamptz not null,
  -- The clock of `run_at`: the clock of the test environment, or real time.
  clock text not null default 'tenant' check (clock in ('tenant', 'real')),
  attempts integer not null default 0,
  lease_until timestamptz,
  lease_token uuid,
  dead_at timestamptz,
  last_error text,
  -- When a keyed job runs again that was enqueued while it was running.
  again_at timestamptz,
  -- The trace of the request that enqueued the job, if traces are written (docs/monitoring.md, "Traces").
  trace text,
  primary key (account_id, id)
);
comment on table jobs is 'platform: Work for later. A worker claims a job under a lease.';
-- Due jobs are read by kind, so that thousands of one kind delay no other kind (listDueJobsAcrossAccounts). These two indexes
-- serve real time and test clocks that were never moved.
create index jobs_due on jobs (kind, run_at) where dead_at is null and (environment = 'live' or clock = 'real');
create index jobs_due_test on jobs (kind, run_at) where dead_at is null and environment = 'test' and clock = 'tenant';
-- Jobs that are due by a moved test clock, read per account and kind (listDueTestJobs).
create index jobs_due_clock on jobs (account_id, kind, run_at) where dead_at is null and environment = 'test' and clock = 'tenant';
-- The next job of one environment while its test clock is being moved (claimNextTenantJob).
create index jobs_due_tenant on jobs (account_id, environment, run_at) where dead_at is null;
-- At most one job per key is waiting (insertJob).
create unique index jobs_key on jobs (account_id, environment, kind, key) where key is not null and dead_at is null;
-- Dead jobs are deleted by age.
create index jobs_dead on jobs (dead_at) where dead_at is not null;

-- Each server counts transactions for itself, so events of two servers have no common order. The epoch is the upper 16 of the 64 bits
-- of an event's number. It is raised above all events that came from another server by a restore or a move. So no event has to be
-- renumbered (docs/decisions/0008-order-events-by-transaction-and-epoch.md).
create table event_epochs (
  only_row boolean primary key default true check (only_row),
  epoch integer not null check (epoch between 0 and 32767)
);
comment on table event_epochs is 'platform: The epoch in which this server numbers events. Without a row it is 0.';
-- Every reader of the log computes how far the log is complete, also a database user with only the right to read.
grant select on event_epochs to public;

-- Volatile, so each statement reads the epoch again. A process that raises the epoch locks the log against writers. A writer that waited
-- for this lock gets the new epoch.
create function event_number() returns xid8 language plpgsql volatile as $$
begin
  return (coalesce((select epoch from event_epochs), 0)::bigint << 48 | pg_current_xact_id()::text::bigint)::text::xid8;
end $$;
comment on function event_number() is 'platform: Returns the number of this transaction''s events: epoch × 2^48 + transaction.';

-- A sequence, because partitioned tables have identity columns only since PostgreSQL 17.
create sequence events_position;
comment on sequence events_position is 'platform: The order of events within a transaction.';

-- Readers read events in the order of (tx_id, position), which is the order of the key (listEvents). A reader reads only events of
-- transactions that are older than every running one, so its cursor skips none.
-- One partition per month of recording: retention drops a month at once, and old months don't slow down writers.
create table events (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  position bigint not null default nextval('events_position'),
  tx_id xid8 not null default event_number(),
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
  -- The author of the request that caused the event. `system` if no request caused it.
  actor_type text check (actor_type in ('user', 'key', 'operator', 'recipient', 'system')),
  actor_id text collate "C",
  actor_name text,
  primary key (account_id, environment, tx_id, position, recorded_at)
) partition by range (recorded_at);
comment on table events is
  'platform: A fact that happened. Timelines, activity, webhooks and statistics are made from these rows.';
-- An id of a campaign or lead belongs to one account. Without account and environment, an index takes two thirds of the bytes.
-- The events of a campaign are read in the order of the log, so that a cursor skips none.
create index events_campaign on events (campaign_id, tx_id, position);
-- The quarter-hours that a range of statistics covers in part (listBreakdown). Statistics never count this type.
create index events_campaign_time on events (account_id, environment, campaign_id, occurred_at)
  where type <> 'lead.status_changed';
-- The order of the log for readers that serve all accounts.
create index events_feed on events (tx_id, position);
-- Few requests name an event by its id. Ids are ordered by time, so the range of ids of each block is enough to find one.
create index events_id on events using brin (id) with (autosummarize = on);
-- The timeline of a lead.
create index events_lead on events (lead_id, position);

-- Stores events of months without a partition, so that an event is never refused.
create table events_rest partition of events default;

-- Entries of most indexes arrive in the order of the log, and no entry is ever inserted between two others. So their pages are filled.
-- Events of a lead arrive between those of others, so that index keeps the default.
create function fill_events_month(name text) returns void language plpgsql as $$
declare
  filled regclass;
begin
  for filled in
    select i.indexrelid from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam
    where i.indrelid = to_regclass(name) and m.amname = 'btree'
      and pg_get_indexdef(i.indexrelid, 1, true) <> 'lead_id'
  loop
    execute format('alter index %s set (fillfactor = 98)', filled);
  end loop;
end $$;
comment on function fill_events_month is 'platform: Fills the index pages of a month in which entries arrive in order.';

create function create_events_month(at timestamptz) returns void language plpgsql as $$
declare
  first timestamptz := date_trunc('month', at, 'UTC');
  name text := 'events_' || to_char(first at time zone 'UTC', 'YYYY_MM');
begin
  if to_regclass(name) is not null
    or exists (select 1 from events_rest where recorded_at >= first and recorded_at < first + interval '1 month') then
    return;
  end if;
  -- Several servers accept the triggers of a partition only with this setting.
  perform set_config('citus.enable_unsafe_triggers', 'on', true);
  execute format('create table %I partition of events for values from (%L) to (%L)', name, first,
    date_trunc('month', first + interval '32 days', 'UTC'));
  perform fill_events_month(name);
end $$;
comment on function create_events_month is
  'platform: Creates the partition of the month of `at`, unless it exists or events_rest has rows of that month.';

select fill_events_month('events_rest');
select create_events_month(now() + month * interval '1 month') from generate_series(0, 3) as month;

-- All transactions below the horizon that can have written events here have ended, and the calling statement sees their events.
-- All databases of a server number transactions from one sequence. A transaction of a session of another database never writes here, so it
-- is ignored, and a long one does not hold up our readers. A transaction without a visible session is waited for: it has just ended,
-- is prepared, or is hidden from this user.
-- On a standby, a snapshot does not list the transactions that run on the primary, but its lower end respects them. There, a long
-- transaction of any database holds up readers.
-- A snapshot that sees a new epoch also sees all events of the earlier epochs.
create function events_horizon() returns xid8 language plpgsql stable as $$
declare
  horizon xid8;
begin
  if pg_is_in_recovery() then
    horizon := pg_snapshot_xmin(pg_current_snapshot());
  else
    horizon := least(
      pg_snapshot_xmax(pg_current_snapshot()),
      pg_current_xact_id_if_assigned(),
      (select x from pg_snapshot_xip(pg_current_snapshot()) x
       where not exists (select 1 from pg_stat_get_activity(null) a
         where a.backend_xid = x::xid and a.datid <> (select oid from pg_database where datname = current_database()))
       order by x limit 1));
  end if;
  return (coalesce((select epoch from event_epochs), 0)::bigint << 48 | horizon::text::bigint)::text::xid8;
end $$;
comment on function events_horizon() is 'platform: Returns the number below which the log is complete.';

create function event_horizons() returns setof xid8 language sql volatile as 'select events_horizon()';
comment on function event_horizons() is
  'platform: Returns the horizon of each server that stores events. A database of several servers replaces this function.';

create function event_floor() returns xid8 language plpgsql volatile as $$
begin
  return (coalesce((select epoch from event_epochs), 0)::bigint << 48 | pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8;
end $$;
comment on function event_floor() is 'platform: Returns the lowest number that an event can have which is not visible yet.';

-- The log of each account is read separately. So the place of a reader, the events, and the rows that the reader makes from them all
-- belong to one account (docs/decisions/0009-follow-the-log-account-by-account.md).
create table event_places (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  reader text not null,
  tx_id xid8 not null,
  position bigint not null,
  primary key (account_id, environment, reader)
);
comment on table event_places is 'platform: How far a reader has read the log of an account. Without a row it has not begun.';

-- A reader of all accounts polls the log for accounts with new events. Numbers have an order only within an epoch, so there is a row per
-- epoch. It is deleted when no more events can come in that epoch.
create table event_looks (
  reader text not null,
  epoch integer not null check (epoch between 0 and 32767),
  tx_id xid8 not null,
  position bigint not null,
  primary key (reader, epoch)
);
comment on table event_looks is 'platform: How far a reader has polled the events of an epoch, for all accounts.';
insert into event_looks (reader, epoch, tx_id, position) values ('statistics', 0, '0', 0), ('webhooks', 0, '0', 0);

-- Call it with the log locked against writers. It inserts the readers' rows for the new epoch, so that no epoch is skipped, however soon
-- the next one follows.
create function raise_event_epoch(above integer) returns void language plpgsql volatile as $$
begin
  insert into event_epochs (epoch) values (above + 1)
    on conflict (only_row) do update set epoch = greatest(event_epochs.epoch, excluded.epoch);
  -- Only one of several servers has the rows of readers.
  if to_regclass('event_looks') is not null then
    insert into event_looks (reader, epoch, tx_id, position)
      select distinct l.reader, e.epoch, (e.epoch::bigint << 48)::text::xid8, 0 from event_looks l, event_epochs e
      on conflict do nothing;
  end if;
end $$;
comment on function raise_event_epoch(integer) is 'platform: Numbers all further events of this server above an epoch.';

-- A restored dump of another server can contain transaction numbers that this server has yet to reach. Readers would wait for these
-- numbers and see no new event until then. Events and readers keep their places.
create function adopt_restored_events() returns bigint language plpgsql as $$
declare
  here bigint;
  next bigint;
  highest bigint;
  last_restored bigint;
  adopted bigint;
begin
  for tries in 1 .. 2 loop
    -- Every visible number was committed here below `next`, or comes from another server.
    here := coalesce((select epoch from event_epochs), 0)::bigint << 48;
    next := here | pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
    -- One after the other, because the tables may be on different servers.
    highest := (select tx_id::text::bigint from events order by tx_id desc limit 1);
    highest := greatest(highest, (select tx_id::text::bigint from event_looks order by tx_id desc limit 1));
    highest := greatest(highest, (select since_tx::text::bigint from webhooks order by since_tx desc limit 1));
    if highest is null or highest < next then return 0; end if;
    -- The second try checks again under the lock, because another process may have been first.
    if tries = 1 then lock table events in share row exclusive mode; end if;
  end loop;
  perform raise_event_epoch((highest >> 48)::integer);
  -- Events that were appended here since the restore come after all restored ones. The transaction of such a row is the one in its number.
  select max(position) into last_restored from events where tx_id >= next::text::xid8;
  create temporary table strayed_events on commit drop as
    select account_id, environment, id, tx_id, position from events e
    where last_restored is not null and position > last_restored and tx_id >= here::text::xid8 and tx_id < next::text::xid8
      and e.xmin::text::bigint = (e.tx_id::text::bigint & 4294967295);
  update events e set tx_id = (((highest >> 48) + 1) << 48 | (e.tx_id::text::bigint & 281474976710655))::text::xid8
    from strayed_events s where e.account_id = s.account_id and e.environment = s.environment and e.tx_id = s.tx_id
      and e.position = s.position;
  update webhook_deliveries d set tx_id = e.tx_id from strayed_events s, events e
    where d.account_id = s.account_id and d.environment = s.environment and d.event_id = s.id
      and e.account_id = d.account_id and e.environment = d.environment and e.position = s.position and e.id = s.id;
  -- In two statements, because one of the tables may be on other servers.
  adopted := (select count(*) from events);
  adopted := adopted - (select count(*) from strayed_events);
  drop table strayed_events;
  return adopted;
end $$;
comment on function adopt_restored_events() is
  'platform: Numbers further events above all events of a restored dump. Returns the number of restored events, 0 if none is ahead.';

-- Another cluster, another database or another timeline may lack transactions that were committed before, or may end with others.
create function database_history() returns text language sql volatile as $$
  select (select system_identifier from pg_control_system()) || ' '
    || (select oid from pg_database where datname = current_database()) || ' '
    || case when pg_is_in_recovery() then null else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end
$$;
comment on function database_history is 'platform: Returns cluster, database and timeline, or null on a standby.';

-- The first statement of every new connection. After a failover or a restore, the database does not know all messages that were sent since.
-- So sending is held until an operator resumes it (docs/decisions/0012-hold-sending-after-a-restore.md).
create function note_database_history() returns boolean language plpgsql as $$
declare
  here text;
  known text := (select value #>> '{}' from settings where name = 'database_history');
begin
  -- Without the right to read the cluster's identity, no change can be noticed.
  begin
    here := database_history();
  exception when insufficient_privilege then
    return false;
  end;
  if here is null or here = known then return false; end if;
  if known is null then
    insert into settings (name, value) values ('database_history', to_jsonb(here)) on conflict do nothing;
    return false;
  end if;
  insert into settings (name, value)
    values ('sending_held', jsonb_build_object('since', now(), 'was', known, 'is', here)) on conflict do nothing;
  update settings set value = to_jsonb(here) where name = 'database_history';
  return true;
end $$;
comment on function note_database_history is
  'platform: Holds sending if the database has another history than the known one. Returns whether it has.';

create table imports (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  -- An import of leads has a campaign, and an import of suppressions has a list.
  campaign_id text collate "C",
  on_duplicate text check (on_duplicate in ('skip', 'update')),
  -- Whether the addresses are verified after an import of leads.
  verify boolean not null default false,
  -- Whether an import of leads skips people who are a lead of another campaign.
  skip_if_in_other_campaign boolean not null default false,
  list text collate "C",
  mode text check (mode in ('add', 'replace')),
  header text[] not null,
  -- The field of each column, if the request named it.
  columns text[],
  -- uploading, abandoned: an upload that is still arriving or was given up. It is no import yet.
  status text not null check (status in ('uploading', 'abandoned', 'pending', 'running', 'completed', 'failed')),
  rows_total integer not null default 0,
  rows_read integer not null default 0,
  added integer not null default 0,
  updated integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  -- Entries that `replace` removed from the list.
  removed integer not null default 0,
  -- {reason: number of rows}
  skipped_reasons jsonb not null default '{}',
  error text,
  created_at timestamptz not null,
  completed_at timestamptz,
  -- The key that uploads, and the end of its lease.
  upload_key_id text collate "C",
  upload_until timestamptz,
  -- The list of people that an import adds to.
  person_list_id text collate "C",
  primary key (account_id, environment, id),
  constraint imports_target check (num_nonnulls(campaign_id, list, person_list_id) >= 1)
);
comment on table imports is 'platform: An upload of leads or of a suppression list, and its progress.';
-- The newest first (listImports).
create index imports_recent on imports (account_id, environment, id desc);
-- One upload per key at a time (insertUpload).
create unique index imports_uploading on imports (account_id, upload_key_id) where status = 'uploading';

create table import_rows (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  import_id text collate "C" not null,
  row_number integer not null,
  fields text[] not null,
  reason text,
  primary key (account_id, environment, import_id, row_number)
);
comment on table import_rows is 'platform: A row of an upload that waits to be imported, or was refused with a reason.';
