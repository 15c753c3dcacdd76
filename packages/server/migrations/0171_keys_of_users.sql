-- Keys belong to people, and a third scope stands apart from writing: keys, exports, erasure, webhooks, mailboxes.

alter table api_keys add column user_id text collate "C";
create index api_keys_user on api_keys (account_id, user_id) where user_id is not null;

-- What existing keys could do, they can do.
update api_keys set scopes = scopes || '{admin}' where 'write' = any(scopes) and not 'admin' = any(scopes);

-- Key, its user's role, API access, both windows and the quota of one request in one call, for several API nodes: the row
-- of the window is the lock, the database's clock the only clock. p_now is for tests.
drop function admit_request(bytea, timestamptz);
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
