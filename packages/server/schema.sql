-- platform

-- The order of events within a transaction.
create sequence events_position;

-- The first response to a POST with an Idempotency-Key, to be repeated.
create table idempotency_keys (
  account_id text collate "C" not null,
  environment text not null,
  route text not null,
  key text not null,
  body_digest bytea not null,
  status integer,
  locked_until timestamptz,
  expires_at timestamptz not null,
  sealed_body bytea,
  headers jsonb,
  primary key (account_id, environment, route, key),
  check (environment in ('live', 'test'))
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);

-- Work for later. A worker claims a job under a lease.
create table jobs (
  account_id text collate "C" not null,
  environment text not null,
  id bigint not null generated always as identity,
  kind text not null,
  key text,
  payload jsonb not null default '{}',
  run_at timestamptz not null,
  clock text not null default 'tenant',
  attempts integer not null default 0,
  lease_until timestamptz,
  lease_token uuid,
  dead_at timestamptz,
  last_error text,
  again_at timestamptz,
  trace text,
  primary key (account_id, id),
  check (clock in ('tenant', 'real')),
  check (environment in ('live', 'test'))
);
create index jobs_dead on jobs (dead_at) where (dead_at is not null);
create index jobs_due on jobs (kind, run_at) where ((dead_at is null) and ((environment = 'live') or (clock = 'real')));
create index jobs_due_clock on jobs (account_id, kind, run_at) where ((dead_at is null) and (environment = 'test') and (clock = 'tenant'));
create index jobs_due_tenant on jobs (account_id, environment, run_at) where (dead_at is null);
create index jobs_due_test on jobs (kind, run_at) where ((dead_at is null) and (environment = 'test') and (clock = 'tenant'));
create unique index jobs_key on jobs (account_id, environment, kind, key) where ((key is not null) and (dead_at is null));

-- The epoch in which this server numbers events. Without a row it is 0.
create table event_epochs (
  only_row boolean not null default true,
  epoch integer not null,
  primary key (only_row),
  check ((epoch >= 0) and (epoch <= 32767)),
  check (only_row)
);

-- A fact that happened. Timelines, activity, webhooks and statistics are made from these rows.
create table events (
  account_id text collate "C" not null,
  environment text not null,
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
  actor_type text,
  actor_id text collate "C",
  actor_name text,
  primary key (account_id, environment, tx_id, position, recorded_at),
  check (actor_type in ('user', 'key', 'operator', 'recipient', 'system')),
  check (environment in ('live', 'test'))
) partition by range (recorded_at);
create index events_campaign on events (campaign_id, tx_id, position);
create index events_campaign_time on events (account_id, environment, campaign_id, occurred_at) where (type <> 'lead.status_changed');
create index events_feed on events (tx_id, position);
create index events_id on events using brin (id) with (autosummarize='on');
create index events_lead on events (lead_id, position);

-- How far a reader has read the log of an account. Without a row it has not begun.
create table event_places (
  account_id text collate "C" not null,
  environment text not null,
  reader text not null,
  tx_id xid8 not null,
  position bigint not null,
  primary key (account_id, environment, reader),
  check (environment in ('live', 'test'))
);

-- How far a reader has polled the events of an epoch, for all accounts.
create table event_looks (
  reader text not null,
  epoch integer not null,
  tx_id xid8 not null,
  position bigint not null,
  primary key (reader, epoch),
  check ((epoch >= 0) and (epoch <= 32767))
);

-- An upload of leads or of a suppression list, and its progress.
create table imports (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  campaign_id text collate "C",
  on_duplicate text,
  verify boolean not null default false,
  skip_if_in_other_campaign boolean not null default false,
  list text collate "C",
  mode text,
  header text[] not null,
  columns text[],
  status text not null,
  rows_total integer not null default 0,
  rows_read integer not null default 0,
  added integer not null default 0,
  updated integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  removed integer not null default 0,
  skipped_reasons jsonb not null default '{}',
  error text,
  created_at timestamptz not null,
  completed_at timestamptz,
  upload_key_id text collate "C",
  upload_until timestamptz,
  person_list_id text collate "C",
  primary key (account_id, environment, id),
  check (environment in ('live', 'test')),
  check (mode in ('add', 'replace')),
  check (on_duplicate in ('skip', 'update')),
  check (status in ('uploading', 'abandoned', 'pending', 'running', 'completed', 'failed')),
  check (num_nonnulls(campaign_id, list, person_list_id) >= 1)
);
create index imports_recent on imports (account_id, environment, id desc);
create unique index imports_uploading on imports (account_id, upload_key_id) where (status = 'uploading');

-- A row of an upload that waits to be imported, or was refused with a reason.
create table import_rows (
  account_id text collate "C" not null,
  environment text not null,
  import_id text collate "C" not null,
  row_number integer not null,
  fields text[] not null,
  reason text,
  primary key (account_id, environment, import_id, row_number),
  check (environment in ('live', 'test'))
);

-- Returns the number of this transaction's events: epoch × 2^48 + transaction.
create or replace function event_number()
 returns xid8
 language plpgsql
AS $function$
begin
  return (coalesce((select epoch from event_epochs), 0)::bigint << 48 | pg_current_xact_id()::text::bigint)::text::xid8;
end $function$;

-- Fills the index pages of a month in which entries arrive in order.
create or replace function fill_events_month(name text)
 returns void
 language plpgsql
AS $function$
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
end $function$;

-- Creates the partition of the month of `at`, unless it exists or events_rest has rows of that month.
create or replace function create_events_month(at timestamptz)
 returns void
 language plpgsql
AS $function$
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
end $function$;

-- Returns the number below which the log is complete.
create or replace function events_horizon()
 returns xid8
 language plpgsql
 stable
AS $function$
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
end $function$;

-- Returns the horizon of each server that stores events. A database of several servers replaces this function.
create or replace function event_horizons()
 returns SETOF xid8
 language sql
AS $function$select events_horizon()$function$;

-- Returns the lowest number that an event can have which is not visible yet.
create or replace function event_floor()
 returns xid8
 language plpgsql
AS $function$
begin
  return (coalesce((select epoch from event_epochs), 0)::bigint << 48 | pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8;
end $function$;

-- Numbers all further events of this server above an epoch.
create or replace function raise_event_epoch(above integer)
 returns void
 language plpgsql
AS $function$
begin
  insert into event_epochs (epoch) values (above + 1)
    on conflict (only_row) do update set epoch = greatest(event_epochs.epoch, excluded.epoch);
  -- Only one of several servers has the rows of readers.
  if to_regclass('event_looks') is not null then
    insert into event_looks (reader, epoch, tx_id, position)
      select distinct l.reader, e.epoch, (e.epoch::bigint << 48)::text::xid8, 0 from event_looks l, event_epochs e
      on conflict do nothing;
  end if;
end $function$;

-- Numbers further events above all events of a restored dump. Returns the number of restored events, 0 if none is ahead.
create or replace function adopt_restored_events()
 returns bigint
 language plpgsql
AS $function$
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
end $function$;

-- Returns cluster, database and timeline, or null on a standby.
create or replace function database_history()
 returns text
 language sql
AS $function$
  select (select system_identifier from pg_control_system()) || ' '
    || (select oid from pg_database where datname = current_database()) || ' '
    || case when pg_is_in_recovery() then null else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end
$function$;

-- Holds sending if the database has another history than the known one. Returns whether it has.
create or replace function note_database_history()
 returns boolean
 language plpgsql
AS $function$
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
end $function$;


-- audit

-- The order of entries.
create sequence audit_position;

-- An action of a user, a key or the operator. Rows are added and never changed.
create table audit_entries (
  account_id text collate "C" not null,
  position bigint not null default nextval('audit_position'),
  id text collate "C" not null,
  at timestamptz not null,
  environment text,
  actor_type text not null,
  actor_id text collate "C",
  actor_name text,
  action text collate "C" not null,
  target_type text,
  target_id text collate "C",
  outcome text not null,
  ip text,
  user_agent text,
  request_id text collate "C",
  changes jsonb not null default '[]',
  primary key (account_id, position, at),
  check (actor_type in ('user', 'key', 'operator', 'recipient', 'system')),
  check (environment in ('live', 'test')),
  check (outcome in ('success', 'denied'))
) partition by range (at);
create index audit_entries_actor on audit_entries (account_id, actor_id, position);
create index audit_entries_id on audit_entries (account_id, id);
create index audit_entries_target on audit_entries (account_id, target_id, position);
create trigger audit_entries_fixed before delete or update on audit_entries for each ROW execute function refuse_audit_change();
create trigger audit_entries_kept before truncate on audit_entries for each statement execute function refuse_audit_change();

-- An entry that waits for its seal.
create table audit_unsealed (
  account_id text collate "C" not null,
  position bigint not null,
  id text collate "C" not null,
  primary key (account_id, position)
);

-- A link of the chain that shows whether an entry was changed.
create table audit_seals (
  account_id text collate "C" not null,
  number integer not null,
  sealed_at timestamptz not null,
  ids text[] not null,
  digests bytea not null,
  dropped_before timestamptz,
  previous bytea not null,
  hash bytea not null,
  primary key (account_id, number)
);
create trigger audit_seals_fixed before delete or update on audit_seals for each ROW execute function refuse_audit_change();
create trigger audit_seals_kept before truncate on audit_seals for each statement execute function refuse_audit_change();

-- Refuses to change the audit log of an account while the account exists.
create or replace function refuse_audit_change()
 returns trigger
 language plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    if old.account_id <> '' and not exists (select 1 from accounts a where a.account_id = old.account_id) then
      return old;
    end if;
  end if;
  raise exception 'The audit log is not changed.' using errcode = 'insufficient_privilege';
end $function$;

-- Creates the partition of the month of `at`, unless it exists or audit_entries_rest has rows of that month.
create or replace function create_audit_month(at timestamptz)
 returns void
 language plpgsql
AS $function$
declare
  first timestamptz := date_trunc('month', at, 'UTC');
  name text := 'audit_entries_' || to_char(first at time zone 'UTC', 'YYYY_MM');
begin
  if to_regclass(name) is not null
    or exists (select 1 from audit_entries_rest r where r.at >= first and r.at < first + interval '1 month') then
    return;
  end if;
  -- Several servers accept the triggers of a partition only with this setting.
  perform set_config('citus.enable_unsafe_triggers', 'on', true);
  execute format('create table %I partition of audit_entries for values from (%L) to (%L)', name, first,
    date_trunc('month', first + interval '32 days', 'UTC'));
  execute format('create trigger audit_entries_kept before truncate on %I
    for each statement execute function refuse_audit_change()', name);
end $function$;


-- accounts

-- A customer with a plan and limits.
create table accounts (
  account_id text collate "C" not null,
  name text not null,
  plan text not null,
  default_timezone text not null default 'UTC',
  postal_address text,
  privacy_contact text,
  privacy_url text,
  api_access_enabled boolean not null default true,
  requests_per_minute integer,
  burst_per_second integer,
  monthly_requests integer,
  max_api_keys integer,
  trial_ends_at timestamptz,
  created_at timestamptz not null,
  reply_knowledge text,
  primary key (account_id),
  check (plan in ('trial', 'starter', 'growth', 'scale', 'self_hosted')),
  check (length(reply_knowledge) <= 20000)
);


-- api-keys

-- A key of the API. The key itself is not stored, only its digest.
create table api_keys (
  account_id text collate "C" not null,
  id text collate "C" not null,
  environment text not null,
  name text not null,
  prefix text not null,
  digest bytea not null,
  scopes text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  parent_id text collate "C",
  user_id text collate "C",
  grant_id text collate "C",
  primary key (account_id, id),
  foreign key (account_id) references accounts(account_id) on delete cascade,
  check (environment in ('live', 'test'))
);
create unique index api_keys_digest on api_keys (digest);
create index api_keys_parent on api_keys (account_id, parent_id) where (parent_id is not null);
create index api_keys_user on api_keys (account_id, user_id) where (user_id is not null);

-- The number of requests of an account in a calendar month (UTC).
create table monthly_usage (
  account_id text collate "C" not null,
  month date not null,
  requests bigint not null,
  primary key (account_id, month)
);

-- A node that serves requests now.
create unlogged table api_nodes (
  node_id text collate "C" not null,
  seen_at timestamptz not null,
  sole_until timestamptz,
  primary key (node_id)
);

-- The requests of a key, a session or an account in the last minute, where several nodes count together.
create unlogged table rate_windows (
  account_id text collate "C" not null,
  key_id text collate "C" not null,
  request_log bigint[] not null,
  primary key (account_id, key_id)
) with (fillfactor=50);

-- Reserves a block of the month's quota for a node, never past the limit. Blocks shrink as the limit comes near.
create or replace function reserve_requests(p_account_id text, p_month date, p_block bigint, p_limit bigint)
 returns table(granted bigint, total bigint)
 language plpgsql
AS $function$
declare
  v_requests bigint;
  v_granted bigint;
begin
  insert into monthly_usage (account_id, month, requests) values (p_account_id, p_month, 0)
  on conflict (account_id, month) do nothing;
  select u.requests into v_requests from monthly_usage u
  where u.account_id = p_account_id and u.month = p_month for update;
  v_granted := least(p_block, greatest(1, (p_limit - v_requests) / 10), greatest(0, p_limit - v_requests));
  if v_granted > 0 then
    update monthly_usage u set requests = u.requests + v_granted
    where u.account_id = p_account_id and u.month = p_month;
  end if;
  return query select v_granted, v_requests + v_granted;
end $function$;

-- Counts a request in the rolling minute and second of a key, a session, or an account (with an empty key id).
create or replace function count_request(p_account_id text, p_key_id text, p_per_minute integer, p_per_second integer, p_now timestamptz, OUT limited boolean, OUT remaining integer, OUT wait_ms bigint, OUT retry_after_ms bigint)
 returns record
 language plpgsql
AS $function$
#variable_conflict use_column
declare
  v_log bigint[];
  v_length integer;
  v_now_ms bigint;
  v_first integer;
begin
  select w.request_log into v_log from rate_windows w
  where w.account_id = p_account_id and w.key_id = p_key_id for update;
  if not found then
    insert into rate_windows (account_id, key_id, request_log) values (p_account_id, p_key_id, '{}')
    on conflict (account_id, key_id) do nothing;
    select w.request_log into v_log from rate_windows w
    where w.account_id = p_account_id and w.key_id = p_key_id for update;
  end if;
  v_length := cardinality(v_log);
  v_now_ms := floor(extract(epoch from coalesce(p_now, clock_timestamp())) * 1000);
  if v_length > 0 then v_now_ms := greatest(v_now_ms, v_log[v_length]); end if;
  limited := (v_length >= p_per_minute and v_log[v_length - p_per_minute + 1] > v_now_ms - 60000)
    or (v_length >= p_per_second and v_log[v_length - p_per_second + 1] > v_now_ms - 1000);

  v_log := v_log || v_now_ms;
  v_length := v_length + 1;
  v_first := greatest(1, v_length - greatest(p_per_minute, p_per_second, 256) + 1);
  while v_log[v_first] <= v_now_ms - 60000 loop v_first := v_first + 1; end loop;
  if v_first > 1 then v_log := v_log[v_first:]; end if;
  v_length := cardinality(v_log);
  update rate_windows w set request_log = v_log
  where w.account_id = p_account_id and w.key_id = p_key_id;

  wait_ms := 0;
  if v_length >= p_per_minute then
    wait_ms := v_log[v_length - p_per_minute + 1] + 60000 - v_now_ms;
  end if;
  if v_length >= p_per_second then
    wait_ms := greatest(wait_ms, v_log[v_length - p_per_second + 1] + 1000 - v_now_ms);
  end if;
  retry_after_ms := case when limited then wait_ms else 0 end;
  remaining := case when limited then 0 else greatest(0, p_per_minute - v_length) end;
end $function$;

-- Checks key, role, API access, rate windows and quota of a request in one call, where several nodes count together.
create or replace function admit_request(p_digest bytea, p_now timestamptz default null::timestamptz)
 returns table(outcome text, account_id text, key_id text, key_name text, user_id text, role text, environment text, scopes text[], minute_limit integer, remaining integer, retry_after_ms bigint)
 language plpgsql
AS $function$
#variable_conflict use_column
declare
  v_account_id text;
  v_key record;
  v_count record;
  v_shared record;
  v_outcome text := 'admitted';
begin
  select k.account_id into v_account_id from api_keys k where k.digest = p_digest;
  select k.account_id, k.id, k.name, k.user_id, k.environment, k.scopes, k.expires_at, u.role, u.status,
    a.api_access_enabled, coalesce(a.requests_per_minute, 60) as per_minute, coalesce(a.burst_per_second, 10) as per_second,
    coalesce(a.monthly_requests, 50000) as per_month,
    greatest(1, coalesce(a.max_api_keys, 3)) as keys
  into v_key
  from api_keys k join accounts a on a.account_id = v_account_id
    left join users u on u.account_id = v_account_id and u.id = k.user_id
  where k.account_id = v_account_id and k.digest = p_digest and k.revoked_at is null;
  if not found or v_key.expires_at <= coalesce(p_now, clock_timestamp())
    or (v_key.user_id is not null and v_key.status is distinct from 'active') then
    return query select 'unknown_key', null::text, null::text, null::text, null::text, null::text, null::text,
      null::text[], 0, 0, 0::bigint;
    return;
  end if;

  select * into v_count from count_request(v_key.account_id, v_key.id, v_key.per_minute, v_key.per_second, p_now);
  if v_count.limited then v_outcome := 'limited'; end if;
  if not v_key.api_access_enabled then v_outcome := 'access_disabled'; end if;
  -- A request that the key's own window refuses uses nothing of the account's window.
  if v_outcome = 'admitted' then
    select * into v_shared from count_request(v_key.account_id, '', least(v_key.keys * v_key.per_minute::bigint, 2147483647)::integer,
      least(v_key.keys * v_key.per_second::bigint, 2147483647)::integer, p_now);
    v_count.remaining := least(v_count.remaining, v_shared.remaining);
    if v_shared.limited then
      v_outcome := 'limited';
      v_count.retry_after_ms := greatest(v_count.wait_ms, v_shared.wait_ms);
    end if;
  end if;
  if v_outcome = 'admitted' then
    if v_key.per_month <= 0 then
      v_outcome := 'over_quota';
    else
      insert into monthly_usage as u (account_id, month, requests)
      values (v_key.account_id,
        date_trunc('month', coalesce(p_now, clock_timestamp()) at time zone 'UTC')::date, 1)
      on conflict (account_id, month) do update set requests = u.requests + 1 where u.requests < v_key.per_month;
      if not found then v_outcome := 'over_quota'; end if;
    end if;
  end if;

  return query select v_outcome, v_key.account_id, v_key.id, v_key.name, v_key.user_id, coalesce(v_key.role, 'owner'),
    v_key.environment, v_key.scopes, v_key.per_minute, v_count.remaining, v_count.retry_after_ms;
end $function$;


-- credits

-- The credits of an account in an environment. The balance is the sum of the ledger.
create table credit_balances (
  account_id text collate "C" not null,
  environment text not null,
  balance bigint not null,
  expiring bigint not null default 0,
  reserved bigint not null default 0,
  lead_used bigint not null default 0,
  lead_reserved bigint not null default 0,
  period_start timestamptz,
  period_end timestamptz,
  primary key (account_id, environment),
  foreign key (account_id) references accounts(account_id) on delete cascade,
  check (balance >= 0),
  check ((expiring >= 0) and (expiring <= balance)),
  check (environment in ('live', 'test')),
  check (lead_reserved >= 0),
  check (lead_used >= 0),
  check (reserved >= 0)
);
create index credit_balances_period on credit_balances (period_end) where (period_end is not null);

-- A movement of credits. Rows are added and never changed.
create table credit_ledger (
  account_id text collate "C" not null,
  environment text not null,
  position bigint not null generated always as identity,
  id text collate "C" not null,
  type text not null,
  amount bigint not null,
  balance_after bigint not null,
  reason text not null,
  reference text,
  lead_credits boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (account_id, environment, position),
  check (balance_after >= 0),
  check (environment in ('live', 'test')),
  check (type in ('grant', 'purchase', 'charge', 'refund', 'expiry'))
);
create unique index credit_ledger_id on credit_ledger (account_id, environment, id);
create unique index credit_ledger_purchase on credit_ledger (account_id, environment, reference) where (type = 'purchase');
create trigger credit_ledger_append_only before delete or update on credit_ledger for each ROW execute function refuse_ledger_change();
create trigger credit_ledger_kept before truncate on credit_ledger for each statement execute function refuse_ledger_change();

-- Credits that are reserved for work under way.
create table credit_reservations (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  amount bigint not null,
  lead_credits boolean not null,
  reason text not null,
  reference text,
  expires_at timestamptz not null,
  primary key (account_id, environment, id),
  foreign key (account_id, environment) references credit_balances(account_id, environment) on delete cascade,
  check (amount > 0),
  check (environment in ('live', 'test'))
);
create index credit_reservations_expiry on credit_reservations (expires_at);

-- Refuses to change the ledger while its account exists.
create or replace function refuse_ledger_change()
 returns trigger
 language plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    if not exists (select 1 from accounts a where a.account_id = old.account_id) then
      return old;
    end if;
  end if;
  raise exception 'the credit ledger is append-only';
end $function$;


-- billing

-- An event of Stripe that was handled, so that it is handled once.
create table stripe_events (
  id text collate "C" not null,
  type text not null,
  received_at timestamptz not null default now(),
  primary key (id)
);

-- The customer and the subscription of an account at Stripe.
create table billing_customers (
  account_id text collate "C" not null,
  customer_id text not null,
  subscription_id text,
  primary key (account_id),
  foreign key (account_id) references accounts(account_id) on delete cascade
);
create unique index billing_customers_subscription on billing_customers (subscription_id) where (subscription_id is not null);

-- A checkout that was fulfilled, so that it is fulfilled once.
create table stripe_sessions (
  id text collate "C" not null,
  account_id text collate "C" not null,
  fulfilled_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id) references accounts(account_id) on delete cascade
);

-- A subscription that ended. A late event does not revive it.
create table stripe_ended_subscriptions (
  id text collate "C" not null,
  ended_at timestamptz not null,
  primary key (id)
);


-- people

-- An address across campaigns, once per environment.
create table people (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  email text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id),
  check (environment in ('live', 'test'))
);
create unique index people_email on people (account_id, environment, email);

-- A deleted lead of an address.
create table former_leads (
  account_id text collate "C" not null,
  environment text not null,
  address_hash bytea not null,
  lead_id text collate "C" not null,
  person_id text collate "C",
  primary key (account_id, environment, address_hash, lead_id),
  check (environment in ('live', 'test'))
);

-- The proof of a person's erasure.
create table erasures (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  at timestamptz not null,
  completed_at timestamptz,
  actor_type text not null,
  actor_id text,
  actor_name text,
  subject_hash bytea not null,
  removed jsonb not null,
  kept jsonb not null,
  seal text,
  primary key (account_id, environment, id),
  check (environment in ('live', 'test'))
);

-- Replaces an address in all texts of an account's rows of a table. Returns how many values changed.
create or replace function forget_mentions(account text, env text, relation regclass, spellings text[])
 returns bigint
 language plpgsql
AS $function$
declare
  address text := spellings[1];
  instead constant text := 'erased@erased.invalid';
  -- Does not match the beginning or the end of another address.
  pattern text := '(?<![[:alnum:]_.+-])' || regexp_replace(address, '([][\\.^$*+?(){}|])', '\\\1', 'g')
    || '(?![[:alnum:]_-]|\.[[:alnum:]])';
  place record;
  found text;
  changed text;
  spelling text;
  touched bigint := 0;
  count bigint;
begin
  for place in
    select quote_ident(a.attname) as name, format_type(a.atttypid, null) as type from pg_attribute a
    where a.attrelid = relation and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and format_type(a.atttypid, null) in ('text', 'jsonb', 'text[]', 'bytea')
      and not exists (select 1 from pg_index i where i.indrelid = relation and i.indisunique and a.attnum = any(i.indkey::smallint[]))
      and not exists (select 1 from pg_constraint f where f.conrelid = relation and f.contype = 'f' and a.attnum = any(f.conkey))
  loop
    case place.type
      when 'text' then
        found := format('position($3 in lower(%s)) > 0', place.name);
        changed := format('regexp_replace(%s, $4, $5, ''gi'')', place.name);
      when 'jsonb' then
        found := format('position($3 in lower(%s::text)) > 0', place.name);
        changed := format('regexp_replace(%s::text, $4, $5, ''gi'')::jsonb', place.name);
      when 'text[]' then
        found := format('position($3 in lower(array_to_string(%s, '' ''))) > 0', place.name);
        changed := format(
          'array(select regexp_replace(o.v, $4, $5, ''gi'') from unnest(%s) with ordinality o (v, n) order by o.n)',
          place.name);
      else
        -- Bytes of mail are replaced as text, or byte by byte if they contain a NUL.
        found := format('exists (select 1 from unnest($6) s where position(convert_to(s, ''UTF8'') in %s) > 0)', place.name);
        changed := format('encode(%s, ''hex'')', place.name);
        foreach spelling in array spellings loop
          changed := format('replace(%s, %L, %L)', changed, encode(convert_to(spelling, 'UTF8'), 'hex'),
            encode(convert_to(instead, 'UTF8'), 'hex'));
        end loop;
        changed := format(
          'case when position(''\x00''::bytea in %1$s) = 0
             then convert_to(regexp_replace(convert_from(%1$s, ''LATIN1''), $4, $5, ''gi''), ''LATIN1'')
             else decode(%2$s, ''hex'') end',
          place.name, changed);
    end case;
    execute format('update %s set %s = %s where account_id = $1 and environment = $2 and %s', relation, place.name, changed, found)
      using account, env, address, pattern, instead, spellings;
    get diagnostics count = row_count;
    touched := touched + count;
  end loop;
  return touched;
end $function$;


-- suppressions

-- An address or a domain that gets no mail.
create table suppressions (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  email text,
  domain text,
  address_hash bytea,
  sha256 text collate "C",
  list text collate "C",
  import_id text collate "C",
  source text not null,
  reason text,
  expires_at timestamptz,
  created_at timestamptz not null,
  asked_at timestamptz not null default now(),
  primary key (account_id, environment, id),
  foreign key (account_id) references accounts(account_id) on delete cascade,
  check (environment in ('live', 'test')),
  check (source in ('recipient', 'bounce', 'complaint', 'manual', 'customer', 'import', 'unproven'))
) with (fillfactor=50);
create unique index suppressions_domain on suppressions (account_id, environment, domain, list) nulls not distinct where (domain is not null);
create unique index suppressions_email on suppressions (account_id, environment, address_hash, list) nulls not distinct where (address_hash is not null);
create index suppressions_expiry on suppressions (account_id, environment, expires_at) where (expires_at is not null);
create index suppressions_list on suppressions (account_id, environment, list, id) where (list is not null);

-- The recipient of a deleted message.
create table former_messages (
  account_id text collate "C" not null,
  environment text not null,
  rfc_message_id text collate "C" not null,
  address_hash bytea not null,
  primary key (account_id, environment, rfc_message_id),
  check (environment in ('live', 'test'))
);
create index former_messages_address on former_messages (account_id, environment, address_hash);


-- templates

-- A stored subject and body to start a step from.
create table templates (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  name text not null,
  subject text not null,
  body text not null,
  tags text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id),
  foreign key (account_id) references accounts(account_id) on delete cascade,
  check (environment in ('live', 'test'))
);


-- sending-accounts

-- A mailbox that sends, with its servers, limits, state and sealed secrets.
create table sending_accounts (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  email text not null,
  from_name text not null,
  provider text not null,
  smtp jsonb,
  imap jsonb,
  secrets bytea,
  status text not null,
  status_reason text,
  last_error text,
  daily_limit integer not null,
  min_gap_seconds integer not null,
  max_gap_seconds integer not null,
  timezone text not null,
  signature text,
  reply_to text,
  tracking_domain text,
  ramp_up jsonb,
  ramp_started_at timestamptz,
  pace jsonb,
  require_authentication boolean not null default false,
  authentication_wrong_since timestamptz,
  health jsonb,
  next_send_at timestamptz,
  send_sequence bigint not null default 0,
  held_until timestamptz,
  hold_count integer not null default 0,
  retry_at timestamptz,
  retry_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  connection_version integer not null default 0,
  status_advice text,
  tenant_connection_id text collate "C",
  organization text,
  connected_at timestamptz,
  reserved_per_day integer not null default 0,
  ignore_mail jsonb not null default '[]',
  primary key (account_id, environment, id),
  foreign key (account_id) references accounts(account_id) on delete cascade,
  check (environment in ('live', 'test')),
  check (provider in ('smtp', 'google', 'microsoft', 'sandbox')),
  check (status in ('active', 'paused', 'connection_error', 'auth_required', 'blocked'))
);
create unique index sending_accounts_email on sending_accounts (account_id, environment, lower(email));
create index sending_accounts_retry on sending_accounts (retry_at) where (status = 'connection_error');
create index sending_accounts_tenant_connection on sending_accounts (account_id, environment, tenant_connection_id) where (tenant_connection_id is not null);

-- A link from a provider that has connected a mailbox.
create table oauth_states_used (
  account_id text collate "C" not null,
  nonce text not null,
  expires_at timestamptz not null,
  primary key (account_id, nonce)
);

-- An organization at Google or Microsoft that its administrator connected as a whole.
create table tenant_connections (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  provider text not null,
  access text not null,
  organization text not null,
  domain text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  client_id text not null default '',
  admin_email text,
  secrets bytea,
  version integer not null default 0,
  primary key (account_id, environment, id),
  foreign key (account_id) references accounts(account_id) on delete cascade,
  check (access in ('consent', 'application')),
  check (environment in ('live', 'test')),
  check (provider in ('google', 'microsoft'))
);
create unique index tenant_connections_organization on tenant_connections (account_id, environment, provider, access, organization, client_id);

-- The number of recipients per day that several sending accounts share.
create table recipient_budgets (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  name text not null,
  daily_external_recipients integer not null,
  primary key (account_id, environment, id),
  check (daily_external_recipients > 0),
  check (environment in ('live', 'test'))
);

-- The number of recipients that a budget had on a day. A claim that is given up is subtracted.
create table budget_days (
  account_id text collate "C" not null,
  environment text not null,
  budget_id text collate "C" not null,
  day date not null,
  claimed integer not null,
  primary key (account_id, environment, budget_id, day),
  check (environment in ('live', 'test'))
);


-- campaigns

-- A sequence of messages to a list of leads, with its schedule and settings.
create table campaigns (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  name text not null,
  status text not null,
  status_reason text,
  schedule jsonb not null,
  settings jsonb not null,
  sending_account_ids text[] not null,
  lead_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  launched_at timestamptz,
  completed_at timestamptz,
  deleted_at timestamptz,
  hold_reason text,
  hold_until timestamptz,
  owner_id text collate "C",
  entry jsonb,
  sequence_version integer not null default 0,
  primary key (account_id, environment, id),
  foreign key (account_id) references accounts(account_id) on delete cascade,
  check (environment in ('live', 'test')),
  check (hold_reason in ('suppressed', 'delivery_uncertain', 'returned', 'in_conversation', 'missing_variable', 'address_check', 'awaiting_approval', 'waiting_for_task', 'campaign_not_active', 'sender_unavailable', 'inbox_not_read', 'provider_mismatch', 'wait_not_over', 'outside_window', 'other_campaign', 'person_limit', 'company_limit', 'daily_limit', 'new_lead_limit', 'sender_daily_limit', 'recipient_domain_limit', 'sender_gap')),
  check (status in ('draft', 'scheduled', 'active', 'paused', 'completed'))
);
create index campaigns_active on campaigns (account_id, environment, status) where (deleted_at is null);
create index campaigns_entry on campaigns (account_id, environment) where ((entry is not null) and (deleted_at is null));
create index campaigns_following on campaigns (account_id, environment, ((settings ->> 'followsListId'))) where ((settings ->> 'followsListId') is not null);
create index campaigns_owner on campaigns (account_id, owner_id) where (owner_id is not null);

-- A step of a sequence: an email, a branch or a task, after a wait.
create table steps (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  id text collate "C" not null,
  position integer not null,
  wait_value integer not null,
  wait_unit text not null,
  same_thread boolean not null,
  variant_selection text not null default 'weighted',
  type text not null default 'email',
  key text,
  leads_to text collate "C",
  branches jsonb,
  task jsonb,
  by_hand boolean not null default false,
  primary key (account_id, environment, campaign_id, id),
  foreign key (account_id, environment, campaign_id) references campaigns(account_id, environment, id) on delete cascade,
  check (environment in ('live', 'test')),
  check (type in ('email', 'branch', 'task')),
  check (variant_selection in ('weighted', 'auto')),
  check (wait_unit in ('minutes', 'hours', 'days', 'business_days'))
);

-- A text of a step, with its weight.
create table variants (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  step_id text collate "C" not null,
  id text collate "C" not null,
  position integer not null,
  label text not null,
  subject text not null,
  body text not null,
  weight integer not null,
  enabled boolean not null,
  ai jsonb,
  primary key (account_id, environment, campaign_id, step_id, id),
  foreign key (account_id, environment, campaign_id, step_id) references steps(account_id, environment, campaign_id, id) on delete cascade,
  check (environment in ('live', 'test'))
);

-- The data of a lead. It is written when data about the lead arrives.
create table lead_profiles (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  id text collate "C" not null,
  email text not null,
  email_given text not null,
  email_domain text not null,
  first_name text,
  last_name text,
  job_title text,
  company text,
  company_domain text,
  linkedin_url text,
  mobile text,
  country text,
  city text,
  timezone text,
  person_id text collate "C",
  lawful_basis text,
  data_source text,
  basis_note text,
  tracking_consent boolean,
  extra jsonb,
  custom_variables jsonb not null default '{}',
  interest text,
  interest_source text,
  machine_interest text,
  open_count integer not null default 0,
  click_count integer not null default 0,
  reply_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, campaign_id, id),
  check (environment in ('live', 'test')),
  check (interest in ('interested', 'meeting_booked', 'meeting_completed', 'won', 'not_interested', 'wrong_person', 'out_of_office', 'lost', 'no_show')),
  check (interest_source in ('person', 'machine', 'system')),
  check (lawful_basis in ('consent', 'contract', 'legal_obligation', 'vital_interests', 'public_task', 'legitimate_interests')),
  check (machine_interest in ('interested', 'meeting_booked', 'meeting_completed', 'won', 'not_interested', 'wrong_person', 'out_of_office', 'lost', 'no_show'))
) with (fillfactor=95);
create index lead_profiles_by_id on lead_profiles (id) with (fillfactor='98');
create index lead_profiles_company on lead_profiles (account_id, environment, coalesce(company_domain, email_domain));
create unique index lead_profiles_email on lead_profiles (account_id, environment, email, campaign_id);

-- The place of a lead in its sequence. The row is narrow, because each message writes it twice.
create table lead_progress (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  lead_id text collate "C" not null,
  status text not null,
  blocked_reason text,
  current_step integer not null default 0,
  current_step_id text collate "C",
  due_at timestamptz,
  attempt_at timestamptz,
  next_send_at timestamptz,
  last_contacted_at timestamptz,
  sending_account_id text collate "C",
  thread_id text collate "C",
  stopped_by jsonb,
  ooo_until timestamptz,
  updated_at timestamptz not null,
  status_before text,
  contacted_before boolean,
  resume_at timestamptz,
  next_step integer,
  deciding boolean not null default false,
  origin_campaign_id text collate "C",
  origin_lead_id text collate "C",
  handed_to_campaign_id text collate "C",
  handed_to_lead_id text collate "C",
  enters_campaign_id text collate "C",
  enters_at timestamptz,
  primary key (account_id, environment, campaign_id, lead_id),
  check (blocked_reason in ('suppressed', 'delivery_uncertain', 'returned', 'in_conversation', 'missing_variable', 'address_check', 'awaiting_approval', 'waiting_for_task', 'campaign_not_active', 'sender_unavailable', 'inbox_not_read', 'provider_mismatch', 'wait_not_over', 'outside_window', 'other_campaign', 'person_limit', 'company_limit', 'daily_limit', 'new_lead_limit', 'sender_daily_limit', 'recipient_domain_limit', 'sender_gap')),
  check (environment in ('live', 'test')),
  check (status_before in ('pending', 'active', 'completed', 'paused', 'replied', 'bounced', 'unsubscribed', 'stopped', 'failed')),
  check (status in ('pending', 'active', 'completed', 'paused', 'replied', 'bounced', 'unsubscribed', 'stopped', 'failed'))
) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_vacuum_insert_threshold=5000, fillfactor=95);
create index lead_progress_address_check on lead_progress (account_id, environment, campaign_id) where (blocked_reason = 'address_check');
create index lead_progress_deciding on lead_progress (account_id, environment, campaign_id, attempt_at, lead_id) where (deciding and (status in ('pending', 'active')) and (attempt_at is not null));
create index lead_progress_due on lead_progress (campaign_id, sending_account_id, attempt_at, lead_id) where ((status in ('pending', 'active')) and (attempt_at is not null));
create index lead_progress_enters on lead_progress (account_id, environment, enters_campaign_id, lead_id) where (enters_campaign_id is not null);
create index lead_progress_missing_variable on lead_progress (account_id, environment, campaign_id) where (blocked_reason = 'missing_variable');
create index lead_progress_open on lead_progress (account_id, environment, campaign_id) where ((status in ('pending', 'active', 'paused')) and (coalesce(blocked_reason, '') not in ('missing_variable', 'suppressed', 'address_check')));
create index lead_progress_policy_holds on lead_progress (account_id, environment) where (blocked_reason in ('in_conversation', 'other_campaign', 'person_limit', 'company_limit'));
create index lead_progress_provider_mismatch on lead_progress (account_id, environment) where (blocked_reason = 'provider_mismatch');
create index lead_progress_returned on lead_progress (account_id, environment, campaign_id) where (blocked_reason = 'returned');
create index lead_progress_suppressed on lead_progress (account_id, environment, campaign_id, lead_id) where (blocked_reason = 'suppressed');
create index lead_progress_unsent on lead_progress (account_id, environment, campaign_id, status, blocked_reason, attempt_at) where (current_step = 0);

-- The decision for a lead at a branch. It is made once.
create table decisions (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  lead_id text collate "C" not null,
  step_id text collate "C" not null,
  branch_id text collate "C",
  goes_to text collate "C",
  evidence text not null,
  decided_at timestamptz not null,
  primary key (account_id, environment, campaign_id, lead_id, step_id),
  check (environment in ('live', 'test'))
);

-- A lead for readers: its profile and its progress.
create view leads with (security_invoker=true) as
 SELECT p.account_id,
    p.environment,
    p.campaign_id,
    p.lead_id AS id,
    l.email,
    l.email_given,
    l.email_domain,
    l.first_name,
    l.last_name,
    l.job_title,
    l.company,
    l.company_domain,
    l.linkedin_url,
    l.mobile,
    l.country,
    l.city,
    l.timezone,
    l.person_id,
    l.extra,
    l.custom_variables,
    p.status,
    p.blocked_reason,
    l.interest,
    l.interest_source,
    l.machine_interest,
    p.current_step,
    p.current_step_id,
    p.due_at,
    p.attempt_at,
    p.next_send_at,
    p.last_contacted_at,
    p.sending_account_id,
    p.thread_id,
    l.open_count,
    l.click_count,
    l.reply_count,
    p.stopped_by,
    p.ooo_until,
    l.created_at,
    GREATEST(p.updated_at, l.updated_at) AS updated_at,
    p.resume_at,
    p.next_step,
    p.deciding,
    p.origin_lead_id,
    l.lawful_basis,
    l.data_source,
    l.basis_note,
    l.tracking_consent
   FROM (lead_progress p
     JOIN lead_profiles l ON (((l.account_id = p.account_id) AND (l.environment = p.environment) AND (l.campaign_id = p.campaign_id) AND (l.id = p.lead_id))));


-- delivery

-- The number of messages that a sending account claimed on a day of its zone.
create table sender_days (
  account_id text collate "C" not null,
  environment text not null,
  sending_account_id text collate "C" not null,
  day date not null,
  claimed integer not null,
  complaints integer not null default 0,
  primary key (account_id, environment, sending_account_id, day),
  check (environment in ('live', 'test'))
);

-- The number of messages that a campaign claimed on a day of its zone.
create table campaign_days (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  day date not null,
  claimed integer not null,
  claimed_first integer not null,
  primary key (account_id, environment, campaign_id, day),
  check (environment in ('live', 'test'))
);

-- The number of messages to a recipient domain that a campaign claimed on a day.
create table campaign_domain_days (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  day date not null,
  domain text not null,
  claimed integer not null,
  primary key (account_id, environment, campaign_id, day, domain),
  check (environment in ('live', 'test'))
);

-- A tenant with something to plan: the time of the next plan, and the planner's lease.
create table planning (
  account_id text collate "C" not null,
  environment text not null,
  next_plan_at timestamptz,
  lease_token uuid,
  lease_until timestamptz,
  trace text,
  primary key (account_id, environment),
  check (environment in ('live', 'test'))
);
create index planning_due on planning (next_plan_at) where (next_plan_at is not null);

-- A sent or received message, with its outcome.
create table message_heads (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  campaign_id text collate "C",
  lead_id text collate "C",
  step_id text collate "C",
  variant_id text collate "C",
  thread_id text collate "C",
  sending_account_id text collate "C" not null,
  direction text not null,
  kind text not null,
  rfc_message_id text collate "C",
  in_reply_to text,
  refs text[],
  from_address jsonb,
  to_addresses jsonb,
  cc_addresses jsonb,
  bcc_addresses jsonb,
  to_stranger boolean,
  subject text not null default '',
  raw_sha256 bytea,
  queued_at timestamptz not null,
  received_at timestamptz,
  classification jsonb,
  attachments jsonb,
  status text not null,
  attempts integer not null default 0,
  first_attempt_at timestamptz,
  attempt_at timestamptz,
  gated_at timestamptz,
  sent_at timestamptz,
  opened_at timestamptz,
  smtp_answer text,
  failure jsonb,
  delivered_message_id text collate "C",
  claimed_at timestamptz,
  send_at timestamptz,
  held_at timestamptz,
  refused_by_policy boolean,
  primary key (account_id, environment, id),
  check (direction in ('outbound', 'inbound')),
  check (environment in ('live', 'test')),
  check (kind in ('campaign', 'reply', 'manual', 'auto_reply', 'bounce', 'unsubscribe', 'other', 'notification', 'test')),
  check (status in ('queued', 'sent', 'bounced', 'failed', 'uncertain', 'received', 'returned'))
) with (fillfactor=70);
create index message_heads_delivered on message_heads (account_id, environment, delivered_message_id) where (delivered_message_id is not null);
create index message_heads_direct on message_heads (account_id, environment, attempt_at) where (attempt_at is not null);
create index message_heads_direct_day on message_heads (account_id, environment, sending_account_id, claimed_at) where (claimed_at is not null);
create index message_heads_inbound_hash on message_heads (account_id, environment, sending_account_id, raw_sha256) where (direction = 'inbound');
create unique index message_heads_inbound_rfc on message_heads (account_id, environment, rfc_message_id, sending_account_id) where (direction = 'inbound');
create index message_heads_scheduled on message_heads (account_id, environment, thread_id) where ((send_at is not null) and ((attempt_at is not null) or (held_at is not null)));
create index message_heads_sender on message_heads (account_id, environment, sending_account_id, queued_at) where (direction = 'outbound');
create unique index message_heads_step on message_heads (account_id, environment, campaign_id, lead_id, step_id);
create index message_heads_thread on message_heads (thread_id);

-- The bytes and texts of a message.
create table message_contents (
  account_id text collate "C" not null,
  environment text not null,
  message_id text collate "C" not null,
  raw bytea,
  text text,
  html text,
  quoted_text text,
  signature text,
  attachments jsonb,
  subject text,
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, message_id),
  check (environment in ('live', 'test'))
);
create index message_contents_age on message_contents using brin (recorded_at) with (autosummarize='on');
create index message_contents_search on message_contents using gin (to_tsvector('simple', "left"(((subject || ' ') || coalesce(text, '')), 100000))) where (subject is not null);

-- A message under way, with the lease of the worker that sends it.
create table claims (
  account_id text collate "C" not null,
  environment text not null,
  message_id text collate "C" not null,
  kind text not null,
  campaign_id text collate "C",
  lead_id text collate "C",
  step_id text collate "C",
  sending_account_id text collate "C" not null,
  lead_email text,
  sender_day date,
  campaign_day date,
  first boolean,
  domain text,
  claimed_at timestamptz not null,
  lease_token uuid not null,
  lease_until timestamptz,
  gated_at timestamptz,
  address_hash bytea,
  budgets text[],
  primary key (account_id, environment, message_id),
  check (environment in ('live', 'test')),
  check (kind in ('campaign', 'manual', 'notification', 'test'))
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.0, autovacuum_vacuum_threshold=2000);
create unique index claims_step on claims (account_id, environment, lead_id, step_id) where (step_id is not null);

-- A conversation: messages that their headers connect, from the first message of a person on.
create table threads (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  campaign_id text collate "C",
  lead_id text collate "C",
  sending_account_id text collate "C" not null,
  subject text not null,
  snippet text not null default '',
  unread boolean not null default false,
  archived boolean not null default false,
  is_conversation boolean not null default false,
  last_message_at timestamptz not null,
  created_at timestamptz not null,
  awaiting boolean not null default false,
  owner_id text collate "C",
  snoozed_until timestamptz,
  primary key (account_id, environment, id),
  check (environment in ('live', 'test'))
);
create index threads_awaiting on threads (account_id, environment, last_message_at desc, id) where (awaiting and is_conversation);
create index threads_lead on threads (account_id, environment, campaign_id, lead_id);
create index threads_owner on threads (account_id, owner_id) where (owner_id is not null);
create index threads_recent on threads (account_id, environment, last_message_at desc, id) where is_conversation;
create index threads_search on threads using gin (to_tsvector('simple', subject)) where is_conversation;
create index threads_sender on threads (account_id, environment, sending_account_id) where (is_conversation and (not archived));
create index threads_snoozed on threads (account_id, environment, last_message_at desc, id) where ((snoozed_until is not null) and is_conversation);

-- A message of a campaign that a user sent to their own address.
create table test_messages (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  campaign_id text collate "C" not null,
  lead_id text collate "C" not null,
  step_id text collate "C" not null,
  variant_id text collate "C" not null,
  created_at timestamptz not null,
  asked_at timestamptz not null,
  placement_test_id text collate "C",
  primary key (account_id, environment, id),
  check (environment in ('live', 'test'))
);
create index test_messages_asked on test_messages (account_id, environment, asked_at);
create index test_messages_campaign on test_messages (account_id, environment, campaign_id, id);
create index test_messages_lead on test_messages (account_id, environment, lead_id);

-- A message of a conversation that a user forwarded to other people.
create table forwards (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  thread_id text collate "C" not null,
  message_id text collate "C" not null,
  author_type text not null,
  author_id text collate "C",
  author_name text,
  text text,
  created_at timestamptz not null,
  primary key (account_id, environment, id),
  check (author_type in ('user', 'key')),
  check (environment in ('live', 'test'))
);
create index forwards_thread on forwards (account_id, environment, thread_id, id);

-- A message for readers: its three rows.
create view messages with (security_invoker=true) as
 SELECT m.account_id,
    m.environment,
    m.id,
    m.campaign_id,
    m.lead_id,
    m.step_id,
    m.variant_id,
    m.thread_id,
    m.sending_account_id,
    m.direction,
    m.kind,
        CASE
            WHEN ((m.status = 'queued'::text) AND (c.gated_at IS NOT NULL)) THEN 'sending'::text
            ELSE m.status
        END AS status,
    (c.lease_token IS NOT NULL) AS claimed,
    m.attempts,
    m.first_attempt_at,
    m.attempt_at,
    m.rfc_message_id,
    m.in_reply_to,
    COALESCE(m.refs, '{}'::text[]) AS refs,
    m.from_address,
    COALESCE(m.to_addresses, '[]'::jsonb) AS to_addresses,
    COALESCE(m.cc_addresses, '[]'::jsonb) AS cc_addresses,
    COALESCE(m.bcc_addresses, '[]'::jsonb) AS bcc_addresses,
    COALESCE(m.to_stranger, false) AS to_stranger,
    m.subject,
    k.raw,
    k.text,
    k.quoted_text,
    k.signature,
    k.html,
    m.queued_at,
    COALESCE(m.gated_at, c.gated_at) AS gated_at,
    m.sent_at,
    m.received_at,
    m.opened_at,
    m.classification,
    m.smtp_answer,
    m.failure,
    m.attachments,
    m.delivered_message_id,
    m.send_at,
    m.held_at
   FROM ((message_heads m
     LEFT JOIN claims c ON (((c.account_id = m.account_id) AND (c.environment = m.environment) AND (c.message_id = m.id))))
     LEFT JOIN message_contents k ON (((k.account_id = m.account_id) AND (k.environment = m.environment) AND (k.message_id = m.id))));


-- inbox

-- A worker that reads mailboxes now. Each takes its share of them.
create table inbox_workers (
  token uuid not null,
  lease_until timestamptz not null,
  leaving boolean not null default false,
  primary key (token)
);
create index inbox_workers_lease on inbox_workers (lease_until);

-- The mailbox of a sending account, and the worker that reads it.
create table mailboxes (
  account_id text collate "C" not null,
  environment text not null,
  sending_account_id text collate "C" not null,
  since timestamptz not null,
  lease_token uuid,
  retry_at timestamptz,
  retry_count integer not null default 0,
  read_at timestamptz,
  primary key (account_id, environment, sending_account_id),
  foreign key (account_id, environment, sending_account_id) references sending_accounts(account_id, environment, id) on delete cascade,
  foreign key (lease_token) references inbox_workers(token) on delete set null,
  check (environment in ('live', 'test'))
);
create index mailboxes_free on mailboxes (retry_at nulls first) where (lease_token is null);
create index mailboxes_held on mailboxes (lease_token) where (lease_token is not null);

-- A folder of a mailbox, and how far it was read.
create table mailbox_folders (
  account_id text collate "C" not null,
  environment text not null,
  sending_account_id text collate "C" not null,
  folder text not null,
  uid_validity text,
  last_uid bigint not null default 0,
  trying_uid bigint,
  tries smallint not null default 0,
  breaks smallint not null default 0,
  primary key (account_id, environment, sending_account_id, folder),
  foreign key (account_id, environment, sending_account_id) references mailboxes(account_id, environment, sending_account_id) on delete cascade,
  check (environment in ('live', 'test'))
);

-- A message that was skipped, with the reason. Its content stays in the mailbox.
create table set_aside_messages (
  account_id text collate "C" not null,
  environment text not null,
  sending_account_id text collate "C" not null,
  folder text not null,
  uid_validity text not null,
  uid bigint not null,
  id text collate "C" not null,
  reason text not null,
  size_bytes bigint,
  set_aside_at timestamptz not null,
  tries smallint not null default 1,
  retry_asked_at timestamptz,
  primary key (account_id, environment, sending_account_id, folder, uid_validity, uid),
  unique (account_id, id),
  foreign key (account_id, environment, sending_account_id) references mailboxes(account_id, environment, sending_account_id) on delete cascade,
  check (environment in ('live', 'test'))
);
create index set_aside_messages_age on set_aside_messages (set_aside_at);
create index set_aside_messages_retry on set_aside_messages (sending_account_id) where (retry_asked_at is not null);

-- The number of mailboxes, and of those that were not read for long.
create table mailbox_counts (
  only_row boolean not null default true,
  mailboxes integer not null default 0,
  unread integer not null default 0,
  next_count_at timestamptz not null,
  primary key (only_row),
  check (only_row)
);

-- What a user wrote for colleagues in a conversation. It is never sent.
create table conversation_notes (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  thread_id text collate "C" not null,
  author_type text not null,
  author_id text collate "C",
  author_name text,
  text text not null,
  mentions text[] not null default '{}',
  created_at timestamptz not null,
  primary key (account_id, environment, id),
  foreign key (account_id, environment, thread_id) references threads(account_id, environment, id) on delete cascade,
  check (author_type in ('user', 'key')),
  check (environment in ('live', 'test'))
);
create index conversation_notes_thread on conversation_notes (account_id, environment, thread_id, created_at, id);


-- meetings

-- The times at which meetings can be booked, and the name of the booking page.
create table meeting_availability (
  account_id text collate "C" not null,
  environment text not null,
  slug text not null,
  settings jsonb not null,
  integrations bytea,
  busy_times jsonb not null default '[]',
  busy_read_at timestamptz,
  busy_error text,
  updated_at timestamptz,
  primary key (account_id, environment),
  foreign key (account_id) references accounts(account_id) on delete cascade,
  check (environment in ('live', 'test'))
);
create unique index meeting_availability_slug on meeting_availability (slug);

-- A meeting from the booking page, a calendar or another service.
create table meetings (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  lead_id text collate "C",
  campaign_id text collate "C",
  status text not null,
  source text not null,
  title text not null,
  start_at timestamptz not null,
  end_at timestamptz not null,
  timezone text not null,
  join_url text,
  attendees jsonb not null default '[]',
  calendar_uid text not null,
  calendar_sequence integer not null default 0,
  invited boolean not null default false,
  sending_account_id text collate "C",
  created_at timestamptz not null,
  updated_at timestamptz not null,
  page_moves integer not null default 0,
  primary key (account_id, environment, id),
  foreign key (account_id) references accounts(account_id) on delete cascade,
  check (start_at < end_at),
  check (environment in ('live', 'test')),
  check (source in ('booking_page', 'calendar_invite', 'cal_com', 'calendly', 'manual')),
  check (status in ('booked', 'rescheduled', 'completed', 'canceled', 'no_show'))
);
create unique index meetings_booked_start on meetings (account_id, environment, start_at) where ((source = 'booking_page') and (status in ('booked', 'rescheduled')));
create unique index meetings_calendar on meetings (account_id, environment, calendar_uid);
create index meetings_lead on meetings (account_id, environment, lead_id, created_at desc);
create index meetings_start on meetings (account_id, environment, start_at desc, id desc);

-- A mail about a meeting to an address.
create table meeting_notices (
  account_id text collate "C" not null,
  environment text not null,
  key text not null,
  kind text not null,
  address_hash bytea not null,
  queued_at timestamptz not null,
  primary key (account_id, environment, key, address_hash),
  check (environment in ('live', 'test')),
  check (kind in ('confirmation', 'booked', 'rescheduled', 'canceled', 'reminder'))
);
create index meeting_notices_address on meeting_notices (account_id, environment, address_hash, queued_at);
create index meeting_notices_age on meeting_notices (account_id, environment, queued_at);


-- ai

-- A stored instruction for a model.
create table prompt_presets (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  name text not null,
  description text,
  category text,
  prompt text not null,
  model_id text,
  variables text[] not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id),
  foreign key (account_id) references accounts(account_id) on delete cascade,
  check (environment in ('live', 'test'))
);

-- A text that a model wrote, and its price.
create table generations (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  model_id text not null,
  preset_id text collate "C",
  preset_version integer,
  campaign_id text collate "C",
  lead_id text collate "C",
  kind text not null,
  subject text not null,
  body text not null,
  subject_options text[] not null,
  prompt_tokens integer not null,
  completion_tokens integer not null,
  credits_charged integer not null,
  created_at timestamptz not null,
  step_id text collate "C",
  message_id text collate "C",
  primary key (account_id, environment, id),
  foreign key (account_id) references accounts(account_id) on delete cascade,
  check (environment in ('live', 'test')),
  check (kind in ('email', 'subject', 'opening', 'step', 'triage', 'reply'))
);
create index generations_age on generations (created_at);
create index generations_of_campaign on generations (account_id, environment, campaign_id, id);
create index generations_of_lead on generations (account_id, environment, lead_id) where (lead_id is not null);

-- A text of an AI step for one lead, written ahead, with a person's decision about it.
create table step_drafts (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  campaign_id text collate "C" not null,
  lead_id text collate "C" not null,
  step_id text collate "C" not null,
  variant_id text collate "C" not null,
  preset_id text collate "C",
  model_id text,
  status text not null,
  subject text,
  body text,
  error text,
  edited boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  preset_version integer,
  facts_digest text,
  revision integer not null default 0,
  generation_id text collate "C",
  spent boolean not null default false,
  primary key (account_id, environment, id),
  foreign key (account_id) references accounts(account_id) on delete cascade,
  check (environment in ('live', 'test')),
  check (status in ('requested', 'waiting', 'approved', 'rejected', 'failed'))
);
create unique index step_drafts_step on step_drafts (account_id, environment, campaign_id, lead_id, step_id, variant_id);
create index step_drafts_unspent on step_drafts (account_id, environment, campaign_id, step_id) where (not spent);
create index step_drafts_waiting on step_drafts (account_id, environment, campaign_id, id) where (status = 'waiting');

-- The reply to a conversation that a model drafted. It is never sent without a person.
create table reply_drafts (
  account_id text collate "C" not null,
  environment text not null,
  thread_id text collate "C" not null,
  id text collate "C" not null,
  campaign_id text collate "C" not null,
  lead_id text collate "C" not null,
  message_id text collate "C" not null,
  model_id text not null,
  status text not null,
  text text,
  error text,
  reply_id text collate "C",
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, thread_id),
  foreign key (account_id, environment, thread_id) references threads(account_id, environment, id) on delete cascade,
  check (environment in ('live', 'test')),
  check (status in ('requested', 'ready', 'failed', 'dismissed', 'sent'))
);
create unique index reply_drafts_id on reply_drafts (account_id, environment, id);


-- lead-finder

-- A set of people to search, and its version.
create table finder_datasets (
  dataset text not null,
  generation uuid not null default gen_random_uuid(),
  version bigint not null,
  people bigint not null default 0,
  companies bigint not null default 0,
  primary key (dataset),
  check (dataset in ('demo', 'live'))
);

-- A company to search.
create table finder_companies (
  dataset text not null,
  number integer not null generated by default as identity,
  id text collate "C" not null,
  name text not null,
  domain text,
  website text,
  logo_url text,
  industry text,
  employee_count integer,
  country text,
  state text,
  city text,
  linkedin_url text,
  founded integer,
  revenue bigint,
  type text,
  technologies text[] not null default '{}',
  funding_stage text,
  job_postings integer,
  hiring_titles text[] not null default '{}',
  version bigint not null,
  primary key (dataset, id)
);
create unique index finder_companies_number on finder_companies (dataset, number);
create index finder_companies_version on finder_companies (dataset, version);

-- A person to search.
create table finder_people (
  dataset text not null,
  number integer not null generated by default as identity,
  id text collate "C" not null,
  first_name text,
  last_name text,
  job_title text,
  seniority text,
  department text,
  linkedin_url text,
  country text,
  state text,
  city text,
  company_id text collate "C",
  email text,
  mobile text,
  years_experience real,
  role_started date,
  company_started date,
  rank integer not null,
  version bigint not null,
  erased_at timestamptz,
  primary key (dataset, id)
);
create index finder_people_company on finder_people (dataset, company_id) where (company_id is not null);
create unique index finder_people_number on finder_people (dataset, number);
create index finder_people_version on finder_people (dataset, version);

-- A charged page of a search. The same page is free for 24 hours.
create table finder_searches (
  account_id text collate "C" not null,
  environment text not null,
  digest bytea not null,
  charged_at timestamptz not null,
  primary key (account_id, environment, digest),
  foreign key (account_id) references accounts(account_id) on delete cascade,
  check (environment in ('live', 'test'))
);
create index finder_searches_age on finder_searches (charged_at);

-- A charged contact of a person. It stays free permanently.
create table finder_reveals (
  account_id text collate "C" not null,
  environment text not null,
  person_id text collate "C" not null,
  field text not null,
  value bytea,
  credits_charged integer not null,
  revealed_at timestamptz not null,
  primary key (account_id, environment, person_id, field),
  foreign key (account_id) references accounts(account_id) on delete cascade,
  check (environment in ('live', 'test')),
  check (field in ('email', 'mobile'))
);

-- The calls to a licensed provider in a calendar month (UTC), for its budget.
create table finder_provider_usage (
  provider text not null,
  month date not null,
  units bigint not null,
  primary key (provider, month)
);

-- The token of a page of a search, for a provider that pages by tokens.
create table finder_scroll_tokens (
  provider text not null,
  digest bytea not null,
  page integer not null,
  token text not null,
  created_at timestamptz not null,
  primary key (provider, digest, page)
);
create index finder_scroll_tokens_age on finder_scroll_tokens (created_at);


-- webhooks

-- An endpoint that gets events.
create table webhooks (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  url text not null,
  events text[] not null,
  enabled boolean not null,
  status text not null,
  status_reason text,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  failing_since timestamptz,
  since_tx xid8 not null default event_number(),
  next_attempt_at timestamptz,
  lease_token uuid,
  lease_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  campaign_ids text[] not null default '{}',
  created_by text collate "C",
  primary key (account_id, environment, id),
  foreign key (account_id) references accounts(account_id) on delete cascade,
  check (environment in ('live', 'test')),
  check (status in ('active', 'failing', 'disabled'))
);
create index webhooks_due on webhooks (next_attempt_at) where ((next_attempt_at is not null) and enabled);

-- The delivery of an event to an endpoint, with its attempts.
create table webhook_deliveries (
  account_id text collate "C" not null,
  environment text not null,
  webhook_id text collate "C" not null,
  id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text not null,
  tx_id xid8 not null,
  position bigint not null,
  test_body jsonb,
  status text not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  last_attempt_at timestamptz,
  delivered_at timestamptz,
  response_status integer,
  response_excerpt text,
  error text,
  duration_ms integer,
  attempt_log jsonb not null default '[]',
  created_at timestamptz not null,
  primary key (account_id, environment, webhook_id, id),
  foreign key (account_id, environment, webhook_id) references webhooks(account_id, environment, id) on delete cascade,
  check (environment in ('live', 'test')),
  check (status in ('pending', 'succeeded', 'failed'))
);
create index webhook_deliveries_age on webhook_deliveries (created_at);
create index webhook_deliveries_event on webhook_deliveries (account_id, environment, event_id);
create index webhook_deliveries_first_retry on webhook_deliveries (account_id, environment, webhook_id, tx_id, position) where ((status = 'pending') and (attempts = 1));
create index webhook_deliveries_pending on webhook_deliveries (account_id, environment, webhook_id, tx_id, position) where (status = 'pending');
create index webhook_deliveries_recent on webhook_deliveries (account_id, environment, webhook_id, created_at desc, id desc);


-- analytics

-- The numbers of events in a quarter of an hour.
create table stat_quarter_hours (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  quarter timestamptz not null,
  step_id text collate "C" not null,
  variant_id text collate "C" not null,
  sending_account_id text collate "C" not null,
  leads integer not null,
  contacted integer not null,
  sent integer not null,
  opened integer not null,
  unique_opened integer not null,
  machine_opened integer not null,
  clicked integer not null,
  unique_clicked integer not null,
  machine_clicked integer not null,
  replied integer not null,
  unique_replied integer not null,
  auto_replied integer not null,
  bounced integer not null,
  unsubscribed integer not null,
  interested integer not null,
  meetings_booked integer not null,
  failed integer not null,
  uncertain integer not null,
  handed_over integer not null default 0,
  returned integer not null default 0,
  verified_bounced integer not null default 0,
  primary key (account_id, environment, campaign_id, quarter, step_id, variant_id, sending_account_id),
  check (environment in ('live', 'test'))
);

-- The numbers of a campaign's events of all time.
create table stat_totals (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  leads bigint not null,
  contacted bigint not null,
  sent bigint not null,
  opened bigint not null,
  unique_opened bigint not null,
  machine_opened bigint not null,
  clicked bigint not null,
  unique_clicked bigint not null,
  machine_clicked bigint not null,
  replied bigint not null,
  unique_replied bigint not null,
  auto_replied bigint not null,
  bounced bigint not null,
  unsubscribed bigint not null,
  interested bigint not null,
  meetings_booked bigint not null,
  failed bigint not null,
  uncertain bigint not null,
  handed_over bigint not null default 0,
  returned bigint not null default 0,
  verified_bounced bigint not null default 0,
  primary key (account_id, environment, campaign_id),
  check (environment in ('live', 'test'))
);

-- The results of a variant, by which variants are chosen.
create table stat_variants (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  step_id text collate "C" not null,
  variant_id text collate "C" not null,
  sent bigint not null,
  bounced bigint not null,
  unique_replied bigint not null,
  primary key (account_id, environment, campaign_id, step_id, variant_id),
  check (environment in ('live', 'test'))
);


-- sandbox

-- The clock of an account's test environment.
create table sandbox_clocks (
  account_id text collate "C" not null,
  offset_ms bigint not null default 0,
  frozen_at timestamptz,
  tasks_complete_after text,
  tasks_outcome text,
  primary key (account_id),
  foreign key (account_id) references accounts(account_id) on delete cascade,
  check (tasks_outcome in ('connected', 'no_answer', 'voicemail', 'wrong_number', 'not_interested', 'done'))
);

-- A message in the simulated mailbox of a prospect.
create table sandbox_messages (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  position bigint not null generated always as identity,
  direction text not null,
  message_id text collate "C",
  campaign_id text collate "C",
  lead_id text collate "C",
  step_id text collate "C",
  sending_account_id text collate "C" not null,
  from_email text not null,
  to_emails text[] not null,
  subject text not null,
  rfc_message_id text collate "C",
  raw bytea not null,
  at timestamptz not null,
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, id),
  foreign key (account_id) references accounts(account_id) on delete cascade,
  check (direction in ('to_prospect', 'from_prospect')),
  check (environment in ('live', 'test'))
);
create index sandbox_messages_age on sandbox_messages using brin (recorded_at) with (autosummarize='on');
create index sandbox_messages_lead on sandbox_messages (account_id, environment, lead_id, position);
create index sandbox_messages_rfc on sandbox_messages (account_id, environment, rfc_message_id);

-- A test clock that is being moved.
create table sandbox_runs (
  account_id text collate "C" not null,
  from_at timestamptz not null,
  target_at timestamptz not null,
  was_frozen boolean not null,
  events_after bigint not null,
  lease_token uuid not null,
  lease_until timestamptz not null,
  events_tx xid8 not null default event_floor(),
  primary key (account_id),
  foreign key (account_id) references accounts(account_id) on delete cascade
);


-- team

-- A person who signs in to an account.
create table users (
  account_id text collate "C" not null,
  id text collate "C" not null,
  email text collate "C" not null,
  name text not null,
  role text not null,
  status text not null,
  password_hash text,
  oidc_issuer text,
  oidc_subject text,
  totp_secret bytea,
  totp_confirmed_at timestamptz,
  totp_last_step bigint,
  recovery_digests bytea[] not null default '{}'::bytea[],
  preferences jsonb not null default '{}',
  last_seen_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id) references accounts(account_id) on delete cascade,
  check (role in ('viewer', 'member', 'admin', 'owner')),
  check (status in ('active', 'disabled'))
);
create index users_by_email on users (email);
create unique index users_email on users (account_id, email);
create unique index users_oidc on users (oidc_issuer, oidc_subject, account_id) where (oidc_subject is not null);

-- A browser in which a user is signed in.
create table sessions (
  account_id text collate "C" not null,
  id text collate "C" not null,
  user_id text collate "C" not null,
  digest bytea not null,
  method text not null,
  ip text,
  user_agent text,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, user_id) references users(account_id, id) on delete cascade,
  check (method in ('password', 'oidc'))
);
create unique index sessions_digest on sessions (digest);
create index sessions_expiry on sessions (expires_at);
create index sessions_user on sessions (account_id, user_id);

-- A link with which a person joins an account or sets a new password.
create table user_links (
  account_id text collate "C" not null,
  id text collate "C" not null,
  kind text not null,
  digest bytea not null,
  email text collate "C",
  role text,
  user_id text collate "C",
  invited_by text collate "C",
  invited_by_key text collate "C",
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  mailed_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id) references accounts(account_id) on delete cascade,
  check (kind in ('setup', 'invitation', 'password')),
  check (role in ('viewer', 'member', 'admin', 'owner'))
);
create unique index user_links_digest on user_links (digest);
create index user_links_expiry on user_links (expires_at);

-- A try to sign in, in the last quarter of an hour.
create table sign_in_attempts (
  id bigint not null generated always as identity,
  address_hash bytea not null,
  ip text not null,
  at timestamptz not null,
  primary key (id)
);
create index sign_in_attempts_address on sign_in_attempts (address_hash, at);
create index sign_in_attempts_at on sign_in_attempts (at);
create index sign_in_attempts_ip on sign_in_attempts (ip, at);

-- Checks session, user and rate window of a request in one call.
create or replace function admit_session(p_digest bytea, p_per_minute integer, p_per_second integer, p_now timestamptz default null::timestamptz)
 returns table(outcome text, account_id text, session_id text, user_id text, user_name text, role text, remaining integer, retry_after_ms bigint)
 language plpgsql
AS $function$
#variable_conflict use_column
declare
  v_account_id text;
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_session record;
  v_count record;
begin
  select s.account_id into v_account_id from sessions s where s.digest = p_digest;
  select s.account_id, s.id, s.user_id, s.last_seen_at, u.name, u.role into v_session
  from sessions s join users u on u.account_id = v_account_id and u.id = s.user_id
  where s.account_id = v_account_id and s.digest = p_digest and s.expires_at > v_now and s.last_seen_at > v_now - interval '12 hours'
    and u.status = 'active';
  if not found then
    return query select 'unknown_session', null::text, null::text, null::text, null::text, null::text, 0, 0::bigint;
    return;
  end if;
  select * into v_count from count_request(v_session.account_id, v_session.id, p_per_minute, p_per_second, p_now);
  if v_session.last_seen_at < v_now - interval '1 minute' then
    update sessions s set last_seen_at = v_now where s.account_id = v_session.account_id and s.id = v_session.id;
    update users u set last_seen_at = v_now where u.account_id = v_session.account_id and u.id = v_session.user_id;
  end if;
  return query select case when v_count.limited then 'limited' else 'admitted' end, v_session.account_id, v_session.id,
    v_session.user_id, v_session.name, v_session.role, v_count.remaining, v_count.retry_after_ms;
end $function$;


-- composition

-- A value that all nodes share and that is not part of the configuration.
create table settings (
  name text not null,
  value jsonb not null,
  primary key (name)
);

-- Deletes up to `rows_max` rows of an account from a table. Returns how many it deleted.
create or replace function delete_rows_of_account(account text, relation regclass, rows_max integer)
 returns integer
 language plpgsql
 set enable_seqscan TO 'off'
AS $function$
declare
  key text;
  gone integer;
begin
  select string_agg(quote_ident(a.attname), ', ' order by k.place) into key
    from pg_index i cross join unnest(i.indkey::smallint[]) with ordinality k (attnum, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indrelid = relation and i.indisprimary;
  execute format('delete from %1$s where account_id = $1 and (%2$s) in (select %2$s from %1$s where account_id = $1 limit $2)',
    relation, key) using account, rows_max;
  get diagnostics gone = row_count;
  return gone;
end $function$;


-- signals

-- A fact about leads that another system reported.
create table signals (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  name text collate "C" not null,
  email text,
  domain text,
  lead_id text collate "C",
  value jsonb,
  occurred_at timestamptz not null,
  dedupe_key text,
  created_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, id),
  check (environment in ('live', 'test'))
);
create index signals_age on signals using brin (recorded_at) with (autosummarize='on');
create unique index signals_dedupe on signals (account_id, environment, dedupe_key) where (dedupe_key is not null);
create index signals_domain on signals (account_id, environment, domain, name, occurred_at desc) where (domain is not null);
create index signals_email on signals (account_id, environment, email, name, occurred_at desc) where (email is not null);


-- contact-policy

-- The limits of an account over all its campaigns.
create table contact_policies (
  account_id text collate "C" not null,
  environment text not null,
  policy jsonb not null,
  updated_at timestamptz not null,
  primary key (account_id, environment),
  check (environment in ('live', 'test'))
);

-- A message of a campaign that a person got or is about to get.
create table contacts (
  account_id text collate "C" not null,
  environment text not null,
  address_hash bytea not null,
  message_id text collate "C" not null,
  campaign_id text collate "C" not null,
  lead_id text collate "C" not null,
  company text,
  first boolean not null,
  at timestamptz not null,
  primary key (account_id, environment, address_hash, message_id),
  check (environment in ('live', 'test'))
);
create index contacts_at on contacts using brin (at) with (autosummarize='on');
create index contacts_company on contacts (account_id, environment, company, at) where (first and (company is not null));

-- When a mailbox and a person last exchanged mail. No text is kept.
create table exchanges (
  account_id text collate "C" not null,
  environment text not null,
  address_hash bytea not null,
  sending_account_id text collate "C" not null,
  direction text not null,
  of_campaign boolean not null,
  company text,
  at timestamptz not null,
  primary key (account_id, environment, address_hash, sending_account_id, direction, of_campaign),
  check (direction in ('inbound', 'outbound')),
  check (environment in ('live', 'test'))
);
create index exchanges_at on exchanges using brin (at) with (autosummarize='on');
create index exchanges_company on exchanges (account_id, environment, company, at) where ((company is not null) and (not of_campaign));


-- verification

-- A request to verify addresses, with the counts of its results.
create table verifications (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  status text not null,
  campaign_id text collate "C",
  listed_after text collate "C",
  total integer not null,
  deliverable integer not null default 0,
  risky integer not null default 0,
  undeliverable integer not null default 0,
  unknown integer not null default 0,
  credits_charged integer not null default 0,
  created_at timestamptz not null,
  completed_at timestamptz,
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, id),
  check (environment in ('live', 'test')),
  check (status in ('running', 'completed'))
);
create index verifications_age on verifications using brin (recorded_at) with (autosummarize='on');

-- An address of a verification, and its result.
create table verification_addresses (
  account_id text collate "C" not null,
  environment text not null,
  verification_id text collate "C" not null,
  email text not null,
  result text,
  reasons text[] not null default '{}',
  suggestion text,
  source text,
  checked_at timestamptz,
  credits_charged integer not null default 0,
  attempts integer not null default 0,
  due_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, verification_id, email),
  check (environment in ('live', 'test')),
  check (result in ('deliverable', 'risky', 'undeliverable', 'unknown')),
  check (source in ('rules', 'history', 'zerobounce', 'neverbounce', 'bouncer', 'simulation'))
);
create index verification_addresses_age on verification_addresses using brin (recorded_at) with (autosummarize='on');
create index verification_addresses_due on verification_addresses (account_id, environment, verification_id, due_at) where (result is null);
create index verification_addresses_email on verification_addresses (account_id, environment, email);

-- The last result of an address. A result of a provider is not paid for again.
create table address_checks (
  account_id text collate "C" not null,
  environment text not null,
  email text not null,
  result text not null,
  reasons text[] not null,
  suggestion text,
  source text not null,
  checked_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, email),
  check (environment in ('live', 'test')),
  check (result in ('deliverable', 'risky', 'undeliverable', 'unknown')),
  check (source in ('rules', 'history', 'zerobounce', 'neverbounce', 'bouncer', 'simulation'))
);
create index address_checks_age on address_checks using brin (recorded_at) with (autosummarize='on');


-- tasks

-- Something that a person does for a lead, mostly a step of a campaign.
create table tasks (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  campaign_id text collate "C",
  lead_id text collate "C",
  step_id text collate "C",
  approval_id text collate "C",
  channel text not null,
  title text not null,
  instructions text not null,
  status text not null,
  outcome text,
  note text,
  assignee_id text collate "C",
  blocks boolean not null default false,
  due_at timestamptz not null,
  snoozed_until timestamptz,
  expires_at timestamptz,
  overdue boolean not null default false,
  created_at timestamptz not null,
  closed_at timestamptz,
  closed_by text collate "C",
  primary key (account_id, environment, id),
  check (channel in ('call', 'linkedin_visit', 'linkedin_connect', 'linkedin_message', 'other', 'email')),
  check (environment in ('live', 'test')),
  check (outcome in ('connected', 'no_answer', 'voicemail', 'wrong_number', 'not_interested', 'done')),
  check (status in ('open', 'done', 'skipped', 'canceled'))
);
create index tasks_approval on tasks (account_id, environment, approval_id) where (approval_id is not null);
create index tasks_assignee on tasks (account_id, assignee_id) where (assignee_id is not null);
create index tasks_expiring on tasks (account_id, environment, expires_at) where ((status = 'open') and (expires_at is not null));
create index tasks_lead on tasks (account_id, environment, lead_id) where (lead_id is not null);
create index tasks_not_overdue on tasks (account_id, environment, due_at) where ((status = 'open') and (not overdue));
create index tasks_open on tasks (account_id, environment, due_at, id) where (status = 'open');
create unique index tasks_step on tasks (account_id, environment, campaign_id, lead_id, step_id);


-- deliverability

-- An aggregate report that was read. The row keeps a second copy from being counted.
create table dmarc_reports (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  policy_domain text not null,
  org_name text not null,
  report_id text not null,
  policy text not null,
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  messages bigint not null,
  spf_aligned bigint not null,
  dkim_aligned bigint not null,
  received_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, id),
  check (environment in ('live', 'test')),
  check (policy in ('none', 'quarantine', 'reject'))
);
create index dmarc_reports_age on dmarc_reports using brin (recorded_at) with (autosummarize='on');
create index dmarc_reports_domain on dmarc_reports (account_id, environment, policy_domain, received_at);
create unique index dmarc_reports_once on dmarc_reports (account_id, environment, policy_domain, org_name, report_id);

-- Messages per day, sending address and result, as receivers reported them.
create table dmarc_sources (
  account_id text collate "C" not null,
  environment text not null,
  domain text not null,
  day date not null,
  source_ip text not null,
  disposition text not null,
  spf_aligned boolean not null,
  dkim_aligned boolean not null,
  messages bigint not null,
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, domain, day, source_ip, disposition, spf_aligned, dkim_aligned),
  check (disposition in ('none', 'quarantine', 'reject')),
  check (environment in ('live', 'test'))
);
create index dmarc_sources_age on dmarc_sources using brin (recorded_at) with (autosummarize='on');

-- The provider that accepts the mail of a domain, by its MX records.
create table recipient_domains (
  account_id text collate "C" not null,
  environment text not null,
  domain text not null,
  provider text not null,
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, domain),
  check (environment in ('live', 'test')),
  check (provider in ('google', 'microsoft', 'yahoo', 'apple', 'gateway', 'other', 'unknown'))
);
create index recipient_domains_age on recipient_domains using brin (recorded_at) with (autosummarize='on');


-- placement

-- A mailbox of the user that receives placement tests and is only read.
create table seed_mailboxes (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  email text not null,
  imap jsonb,
  secrets bytea,
  status text not null,
  last_error text,
  checked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id),
  check (environment in ('live', 'test')),
  check (status in ('unverified', 'working', 'failing'))
);
create unique index seed_mailboxes_email on seed_mailboxes (account_id, environment, lower(email));

-- A text that is sent to seed mailboxes, once or weekly.
create table placement_tests (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  status text not null,
  campaign_id text collate "C",
  step_id text collate "C",
  variant_id text collate "C",
  template_id text collate "C",
  lead_id text collate "C",
  sending_account_ids text[] not null,
  seed_mailbox_ids text[] not null,
  repeat text not null,
  next_run_at timestamptz,
  repeat_ended_because text,
  created_at timestamptz not null,
  completed_at timestamptz,
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, id),
  check (environment in ('live', 'test')),
  check (repeat in ('none', 'weekly')),
  check (repeat_ended_because in ('user', 'sender_deleted', 'seeds_deleted', 'text_deleted', 'text_not_written')),
  check (status in ('running', 'completed'))
);
create index placement_tests_age on placement_tests using brin (recorded_at) with (autosummarize='on');
create index placement_tests_campaign on placement_tests (account_id, environment, campaign_id, id) where (campaign_id is not null);
create index placement_tests_created on placement_tests (account_id, environment, created_at);

-- A message of a placement test, and where it arrived.
create table placement_results (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  placement_test_id text collate "C" not null,
  sending_account_id text collate "C" not null,
  from_email text not null,
  seed_mailbox_id text collate "C" not null,
  to_email text not null,
  ref text not null,
  placement text not null,
  problem text,
  folder text,
  spf text,
  dkim text,
  dmarc text,
  opt_out_signed boolean,
  received_message_id text,
  sent_at timestamptz,
  seconds integer,
  decided_at timestamptz,
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, id),
  check (environment in ('live', 'test')),
  check (placement in ('pending', 'inbox', 'tab', 'spam', 'missing')),
  check (problem in ('not_sent', 'seed_unreadable', 'seed_deleted'))
);
create index placement_results_age on placement_results using brin (recorded_at) with (autosummarize='on');
create index placement_results_sender on placement_results (account_id, environment, sending_account_id, decided_at);
create index placement_results_test on placement_results (account_id, environment, placement_test_id, id);


-- tags

-- A word that campaigns, people and sending accounts are found by.
create table tags (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  name text collate "C" not null,
  name_key text collate "C" not null,
  created_at timestamptz not null,
  primary key (account_id, environment, id),
  check (environment in ('live', 'test'))
);
create unique index tags_name on tags (account_id, environment, name_key);

-- A tag of a campaign, of a person or of a sending account.
create table taggings (
  account_id text collate "C" not null,
  environment text not null,
  tag_id text collate "C" not null,
  object_id text collate "C" not null,
  campaign_id text collate "C",
  person_id text collate "C",
  sending_account_id text collate "C",
  primary key (account_id, environment, object_id, tag_id),
  foreign key (account_id, environment, campaign_id) references campaigns(account_id, environment, id) on delete cascade,
  foreign key (account_id, environment, person_id) references people(account_id, environment, id) on delete cascade,
  foreign key (account_id, environment, sending_account_id) references sending_accounts(account_id, environment, id) on delete cascade,
  foreign key (account_id, environment, tag_id) references tags(account_id, environment, id) on delete cascade,
  check (num_nonnulls(campaign_id, person_id, sending_account_id) >= 1),
  check (environment in ('live', 'test'))
);
create index taggings_campaign on taggings (account_id, environment, campaign_id) where (campaign_id is not null);
create index taggings_person on taggings (account_id, environment, person_id) where (person_id is not null);
create index taggings_sender on taggings (account_id, environment, sending_account_id) where (sending_account_id is not null);
create index taggings_tag on taggings (account_id, environment, tag_id, object_id);


-- lists

-- A list of people outside of campaigns.
create table lists (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  name text not null,
  description text not null default '',
  member_count integer not null default 0,
  last_position bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id),
  check (environment in ('live', 'test'))
);

-- A person in a list.
create table list_members (
  account_id text collate "C" not null,
  environment text not null,
  list_id text collate "C" not null,
  email text collate "C" not null,
  email_given text not null,
  position bigint not null,
  fields jsonb not null,
  added_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, list_id, email),
  foreign key (account_id, environment, list_id) references lists(account_id, environment, id) on delete cascade,
  check (environment in ('live', 'test'))
);
create index list_members_email on list_members (account_id, environment, email);
create index list_members_position on list_members (account_id, environment, list_id, position);

-- How far a campaign has followed its list.
create table list_follows (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  list_id text collate "C" not null,
  position bigint not null default 0,
  added integer not null default 0,
  skipped integer not null default 0,
  primary key (account_id, environment, campaign_id),
  foreign key (account_id, environment, campaign_id) references campaigns(account_id, environment, id) on delete cascade,
  foreign key (account_id, environment, list_id) references lists(account_id, environment, id) on delete cascade,
  check (environment in ('live', 'test'))
);
create index list_follows_list on list_follows (account_id, environment, list_id);


-- exports

-- A request for the data of an environment as files.
create table exports (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  status text not null,
  format text not null,
  from_at timestamptz,
  to_at timestamptz,
  run integer not null default 0,
  error text,
  created_at timestamptz not null,
  completed_at timestamptz,
  expires_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, id),
  check (environment in ('live', 'test')),
  check (format in ('csv', 'ndjson')),
  check (status in ('pending', 'running', 'completed', 'failed', 'removed'))
);
create index exports_age on exports using brin (recorded_at) with (autosummarize='on');
create unique index exports_running on exports (account_id, environment) where (status in ('pending', 'running'));

-- A file of an export, and how far it is written.
create table export_files (
  account_id text collate "C" not null,
  environment text not null,
  export_id text collate "C" not null,
  content text collate "C" not null,
  position integer not null,
  rows bigint not null default 0,
  bytes bigint not null default 0,
  sha256 bytea,
  primary key (account_id, environment, export_id, content),
  foreign key (account_id, environment, export_id) references exports(account_id, environment, id) on delete cascade,
  check (content in ('campaigns', 'templates', 'sending_accounts', 'tags', 'lists', 'list_members', 'people', 'leads', 'suppressions', 'conversations', 'messages', 'meetings', 'tasks', 'events')),
  check (environment in ('live', 'test'))
);

-- A part of a file of an export.
create table export_chunks (
  account_id text collate "C" not null,
  environment text not null,
  export_id text collate "C" not null,
  content text collate "C" not null,
  position integer not null,
  packed bytea not null,
  primary key (account_id, environment, export_id, content, position),
  foreign key (account_id, environment, export_id, content) references export_files(account_id, environment, export_id, content) on delete cascade,
  check (environment in ('live', 'test'))
);


-- assistants

-- What a user allowed an assistant to do at /mcp.
create table assistant_grants (
  account_id text collate "C" not null,
  id text collate "C" not null,
  key_id text collate "C" not null,
  sealed_key bytea not null,
  client_id text not null,
  client_name text not null,
  client_host text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, key_id) references api_keys(account_id, id) on delete cascade
);
create index assistant_grants_client on assistant_grants (client_id);
create unique index assistant_grants_id on assistant_grants (id);
create index assistant_grants_key on assistant_grants (account_id, key_id);

-- Tokens, codes, requests and registered clients of the authorization server.
create table assistant_records (
  kind text not null,
  digest bytea not null,
  grant_id text collate "C",
  payload jsonb not null,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  primary key (kind, digest)
);
create index assistant_records_expiry on assistant_records (expires_at);
create index assistant_records_grant on assistant_records (grant_id) where (grant_id is not null);


-- reports

-- A question about the statistics that is mailed to users by a schedule.
create table reports (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  name text not null,
  active boolean not null,
  query jsonb not null,
  every text not null,
  on_day integer,
  at_time text not null,
  timezone text not null,
  recipients text[] not null,
  next_run_at timestamptz,
  last_run_id text collate "C",
  created_at timestamptz not null,
  primary key (account_id, environment, id),
  check ((every = 'day') or (on_day is not null)),
  check ((not active) or (next_run_at is not null)),
  check (environment in ('live', 'test')),
  check (every in ('day', 'week', 'month')),
  check ((on_day >= 1) and (on_day <= 31))
);

-- A run of a report, and what became of it.
create table report_runs (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  report_id text collate "C" not null,
  period text collate "C",
  from_text text not null,
  to_text text not null,
  status text not null,
  error text,
  created_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, id),
  foreign key (account_id, environment, report_id) references reports(account_id, environment, id) on delete cascade,
  check (environment in ('live', 'test')),
  check (status in ('running', 'sent', 'announced', 'failed'))
);
create index report_runs_age on report_runs using brin (recorded_at) with (autosummarize='on');
create unique index report_runs_period on report_runs (account_id, environment, report_id, period);

-- The mail of a run to one recipient.
create table report_deliveries (
  account_id text collate "C" not null,
  environment text not null,
  run_id text collate "C" not null,
  user_id text collate "C" not null,
  status text not null,
  reason text,
  primary key (account_id, environment, run_id, user_id),
  foreign key (account_id, environment, run_id) references report_runs(account_id, environment, id) on delete cascade,
  check ((status <> 'skipped') or (reason is not null)),
  check (environment in ('live', 'test')),
  check (reason in ('disabled', 'removed', 'role', 'mail_failed', 'mail_uncertain')),
  check (status in ('claimed', 'sent', 'skipped'))
);
