-- All keys of an account together get the rate of as many as it may have at once. What they ask is counted in a window of its
-- own, under an empty name, beside those of its keys.
comment on table rate_windows is 'api-keys: Requests of the last minute per key, and per account, where several nodes count together.';

drop function count_request(text, text, integer, integer, timestamptz);
-- The row of the window is the lock. A refused request is counted like any other, so the last max(minute, second) entries
-- decide. `wait_ms`: after how long one more request passes.
create function count_request(p_account_id text, p_key_id text, p_per_minute integer, p_per_second integer,
  p_now timestamptz, out limited boolean, out remaining integer,
  out wait_ms bigint, out retry_after_ms bigint)
language plpgsql as $$
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
end $$;
comment on function count_request is 'api-keys: Counts one request in the rolling minute and second of a key, a session or an account (an empty name).';

-- The row of the window is the lock, the database's clock the only clock. p_now is for tests.
create or replace function admit_request(p_digest bytea, p_now timestamptz default null)
returns table (outcome text, account_id text, key_id text, key_name text, user_id text, role text, environment text,
  scopes text[], minute_limit integer, remaining integer, retry_after_ms bigint)
language plpgsql as $$
#variable_conflict use_column
declare
  v_key record;
  v_count record;
  v_shared record;
  v_outcome text := 'admitted';
begin
  select k.account_id, k.id, k.name, k.user_id, k.environment, k.scopes, k.expires_at, u.role, u.status,
    a.api_access_enabled, coalesce(a.requests_per_minute, 60) as per_minute, coalesce(a.burst_per_second, 10) as per_second,
    coalesce(a.monthly_requests, 50000) as per_month,
    greatest(1, coalesce(a.max_api_keys, 3)) as keys
  into v_key
  from api_keys k join accounts a on a.account_id = k.account_id
    left join users u on u.account_id = k.account_id and u.id = k.user_id
  where k.digest = p_digest and k.revoked_at is null;
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
end $$;
comment on function admit_request is
  'api-keys: Key, its user''s role, API access, the windows of key and account, and the quota of one request in one call, for several nodes.';
