-- Answers are replayed byte for byte, with the headers that say what they cost.
alter table idempotency_keys alter column body type text using body::text;
alter table idempotency_keys add column headers jsonb;

-- The last requests of a key, milliseconds since 1970, oldest first: what a rolling window needs. Losing it in a crash
-- opens the windows of one minute, so it is not worth a log record a request.
create unlogged table rate_windows (
  account_id text collate "C" not null,
  key_id text collate "C" not null,
  request_log bigint[] not null,
  primary key (account_id, key_id)
) with (fillfactor = 50);

-- Takes a block of the month's quota for one node, never past the limit; the block shrinks as the limit comes near.
create function reserve_requests(p_account_id text, p_month date, p_block bigint, p_limit bigint)
returns table (granted bigint, total bigint) language plpgsql as $$
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
end $$;

-- Key, API access, both windows and the quota of one request in one call, for several API nodes: the row of the key is
-- the lock, the database's clock the only clock. p_now is for tests. A refused request is logged like any other, so the
-- last max(limit, burst) entries decide: the limit-th last must be older than the window.
create function admit_request(p_digest bytea, p_now timestamptz default null)
returns table (outcome text, account_id text, key_id text, environment text, scopes text[], minute_limit integer,
  remaining integer, retry_after_ms bigint)
language plpgsql as $$
#variable_conflict use_column
declare
  v_key record;
  v_log bigint[];
  v_length integer;
  v_now_ms bigint;
  v_first integer;
  v_outcome text := 'admitted';
  v_wait_ms bigint := 0;
begin
  select k.account_id, k.id, k.environment, k.scopes, k.expires_at, a.api_access_enabled,
    coalesce(a.requests_per_minute, 60) as per_minute, coalesce(a.burst_per_second, 10) as per_second,
    coalesce(a.monthly_requests, 50000) as per_month
  into v_key
  from api_keys k join accounts a on a.account_id = k.account_id
  where k.digest = p_digest and k.revoked_at is null;
  if not found or v_key.expires_at <= coalesce(p_now, clock_timestamp()) then
    return query select 'unknown_key', null::text, null::text, null::text, null::text[], 0, 0, 0::bigint;
    return;
  end if;

  select w.request_log into v_log from rate_windows w
  where w.account_id = v_key.account_id and w.key_id = v_key.id for update;
  if not found then
    insert into rate_windows (account_id, key_id, request_log) values (v_key.account_id, v_key.id, '{}')
    on conflict (account_id, key_id) do nothing;
    select w.request_log into v_log from rate_windows w
    where w.account_id = v_key.account_id and w.key_id = v_key.id for update;
  end if;
  v_length := cardinality(v_log);
  v_now_ms := floor(extract(epoch from coalesce(p_now, clock_timestamp())) * 1000);
  if v_length > 0 then v_now_ms := greatest(v_now_ms, v_log[v_length]); end if;

  if (v_length >= v_key.per_minute and v_log[v_length - v_key.per_minute + 1] > v_now_ms - 60000)
    or (v_length >= v_key.per_second and v_log[v_length - v_key.per_second + 1] > v_now_ms - 1000)
  then v_outcome := 'limited'; end if;

  v_log := v_log || v_now_ms;
  v_length := v_length + 1;
  v_first := greatest(1, v_length - greatest(v_key.per_minute, v_key.per_second, 256) + 1);
  while v_log[v_first] <= v_now_ms - 60000 loop v_first := v_first + 1; end loop;
  if v_first > 1 then v_log := v_log[v_first:]; end if;
  v_length := cardinality(v_log);
  update rate_windows w set request_log = v_log
  where w.account_id = v_key.account_id and w.key_id = v_key.id;

  if v_outcome = 'limited' then
    if v_length >= v_key.per_minute then
      v_wait_ms := v_log[v_length - v_key.per_minute + 1] + 60000 - v_now_ms;
    end if;
    if v_length >= v_key.per_second then
      v_wait_ms := greatest(v_wait_ms, v_log[v_length - v_key.per_second + 1] + 1000 - v_now_ms);
    end if;
  end if;

  if not v_key.api_access_enabled then v_outcome := 'access_disabled'; end if;
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

  return query select v_outcome, v_key.account_id, v_key.id, v_key.environment, v_key.scopes, v_key.per_minute,
    case when v_wait_ms > 0 then 0 else greatest(0, v_key.per_minute - v_length) end, v_wait_ms;
end $$;
