create table api_keys (
  account_id text collate "C" not null references accounts on delete cascade,
  id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  name text not null,
  prefix text not null,
  digest bytea not null,
  scopes text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- A key ends with the key that made it; null: made by the operator.
  parent_id text collate "C",
  -- Keys belong to people, and end with them; null: made by the operator.
  user_id text collate "C",
  primary key (account_id, id)
);
comment on table api_keys is 'api-keys: Keys of the API; of the key itself only a digest is kept.';
-- Whose key a request brings (findKeyByDigestAcrossAccounts): the one look that knows no account yet.
create unique index api_keys_digest on api_keys (digest);
-- What ends with a key.
create index api_keys_parent on api_keys (account_id, parent_id) where parent_id is not null;
-- What ends with a person.
create index api_keys_user on api_keys (account_id, user_id) where user_id is not null;

create table monthly_usage (
  account_id text collate "C" not null,
  month date not null,
  requests bigint not null,
  primary key (account_id, month)
);
comment on table monthly_usage is 'api-keys: Requests per account and calendar month (UTC).';

-- `sole_until`: how long at most a node may count rate windows in memory, because it is alone.
create unlogged table api_nodes (
  node_id text collate "C" primary key,
  seen_at timestamptz not null,
  sole_until timestamptz
);
comment on table api_nodes is 'api-keys: The nodes that answer requests now.';

-- The last requests of a key, milliseconds since 1970, oldest first: what a rolling window needs. Losing it in a crash opens
-- the windows of one minute, so it is not worth a log record a request.
create unlogged table rate_windows (
  account_id text collate "C" not null,
  key_id text collate "C" not null,
  request_log bigint[] not null,
  primary key (account_id, key_id)
) with (fillfactor = 50);
comment on table rate_windows is 'api-keys: Requests of the last minute per key, where several nodes count together.';

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
comment on function reserve_requests is
  'api-keys: Takes a block of the month''s quota for one node, never past the limit; the block shrinks as the limit comes near.';

-- The row of the window is the lock. A refused request is counted like any other, so the last max(minute, second) entries
-- decide.
create function count_request(p_account_id text, p_key_id text, p_per_minute integer, p_per_second integer,
  p_now timestamptz, out limited boolean, out remaining integer, out retry_after_ms bigint)
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

  retry_after_ms := 0;
  if limited then
    if v_length >= p_per_minute then
      retry_after_ms := v_log[v_length - p_per_minute + 1] + 60000 - v_now_ms;
    end if;
    if v_length >= p_per_second then
      retry_after_ms := greatest(retry_after_ms, v_log[v_length - p_per_second + 1] + 1000 - v_now_ms);
    end if;
  end if;
  remaining := case when retry_after_ms > 0 then 0 else greatest(0, p_per_minute - v_length) end;
end $$;
comment on function count_request is 'api-keys: Counts one request in the rolling minute and second of a key or a session.';

-- The row of the window is the lock, the database's clock the only clock. p_now is for tests.
create function admit_request(p_digest bytea, p_now timestamptz default null)
returns table (outcome text, account_id text, key_id text, key_name text, user_id text, role text, environment text,
  scopes text[], minute_limit integer, remaining integer, retry_after_ms bigint)
language plpgsql as $$
#variable_conflict use_column
declare
  v_key record;
  v_count record;
  v_outcome text := 'admitted';
begin
  select k.account_id, k.id, k.name, k.user_id, k.environment, k.scopes, k.expires_at, u.role, u.status,
    a.api_access_enabled, coalesce(a.requests_per_minute, 60) as per_minute, coalesce(a.burst_per_second, 10) as per_second,
    coalesce(a.monthly_requests, 50000) as per_month
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
  'api-keys: Key, its user''s role, API access, both windows and the quota of one request in one call, for several nodes.';
