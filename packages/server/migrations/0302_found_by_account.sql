-- Where accounts are spread over several servers, a key or a session says where its account is, and what is asked then names it:
-- such a statement goes to one server. Rows are named by their keys, which mean the same on each.

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
  -- Whatever the key's own window refuses takes nothing from the account's other keys.
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
