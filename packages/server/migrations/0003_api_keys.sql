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
  -- The key that created this one. Revoking it revokes this one too. Null: an operator or a person created it.
  parent_id text collate "C",
  -- The user whose key it is. It ends with the user. Null: an operator created it.
  user_id text collate "C",
  -- The grant of an assistant that uses this key. The key of a grant is never shown. Null: a key that a user or the operator made.
  grant_id text collate "C",
  primary key (account_id, id)
);
comment on table api_keys is 'api-keys: A key of the API. The key itself is not stored, only its digest.';
-- The key of a request, read before the account is known (findKeyByDigestAcrossAccounts).
create unique index api_keys_digest on api_keys (digest);
-- The keys that end with a key.
create index api_keys_parent on api_keys (account_id, parent_id) where parent_id is not null;
-- The keys that end with a user.
create index api_keys_user on api_keys (account_id, user_id) where user_id is not null;

create table monthly_usage (
  account_id text collate "C" not null,
  month date not null,
  requests bigint not null,
  primary key (account_id, month)
);
comment on table monthly_usage is 'api-keys: The number of requests of an account in a calendar month (UTC).';

create unlogged table api_nodes (
  node_id text collate "C" primary key,
  seen_at timestamptz not null,
  -- Until then, the node may count rate windows in memory, because it is the only one.
  sole_until timestamptz
);
comment on table api_nodes is 'api-keys: A node that serves requests now.';

-- `request_log` has the times of the last requests in milliseconds since 1970, oldest first, as a rolling window needs them.
-- All keys of an account together get the rate of as many keys as the account may have. The row with an empty `key_id` counts them.
-- Unlogged: a crash of the database reopens windows of one minute, which is not worth a log record per request.
create unlogged table rate_windows (
  account_id text collate "C" not null,
  key_id text collate "C" not null,
  request_log bigint[] not null,
  primary key (account_id, key_id)
) with (fillfactor = 50);
comment on table rate_windows is
  'api-keys: The requests of a key, a session or an account in the last minute, where several nodes count together.';

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
  'api-keys: Reserves a block of the month''s quota for a node, never past the limit. Blocks shrink as the limit comes near.';

-- The row of the window is the lock. A refused request counts too, so the last max(minute, second) entries decide.
-- After `wait_ms`, one more request is admitted.
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
comment on function count_request is
  'api-keys: Counts a request in the rolling minute and second of a key, a session, or an account (with an empty key id).';

-- The row of the window is the lock, and the database's clock is the only clock. Only tests give `p_now`.
-- The key tells the account, and all other statements name it. So each of them runs on one server where accounts are spread over several.
create function admit_request(p_digest bytea, p_now timestamptz default null)
returns table (outcome text, account_id text, key_id text, key_name text, user_id text, role text, environment text,
  scopes text[], minute_limit integer, remaining integer, retry_after_ms bigint)
language plpgsql as $$
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
end $$;
comment on function admit_request is
  'api-keys: Checks key, role, API access, rate windows and quota of a request in one call, where several nodes count together.';
