create table users (
  account_id text collate "C" not null references accounts on delete cascade,
  id text collate "C" not null,
  email text collate "C" not null,
  name text not null,
  role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
  status text not null check (status in ('active', 'disabled')),
  password_hash text,
  oidc_issuer text,
  oidc_subject text,
  -- Sealed. It is asked for after it was confirmed. The step of the last code is stored, because a code is valid once.
  totp_secret bytea,
  totp_confirmed_at timestamptz,
  totp_last_step bigint,
  recovery_digests bytea[] not null default '{}',
  preferences jsonb not null default '{}',
  last_seen_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, id)
);
comment on table users is 'team: A person who signs in to an account.';
create unique index users_email on users (account_id, email);
-- The users of an address in any account, because a sign-in names no account.
create index users_by_email on users (email);
create unique index users_oidc on users (oidc_issuer, oidc_subject, account_id) where oidc_subject is not null;

create table sessions (
  account_id text collate "C" not null,
  id text collate "C" not null,
  user_id text collate "C" not null,
  digest bytea not null,
  method text not null check (method in ('password', 'oidc')),
  ip text,
  user_agent text,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, user_id) references users on delete cascade
);
comment on table sessions is 'team: A browser in which a user is signed in.';
create unique index sessions_digest on sessions (digest);
create index sessions_user on sessions (account_id, user_id);
create index sessions_expiry on sessions (expires_at);

-- Only the digest of a link is stored. An invitation is listed by its id, and a link for a password names its user.
create table user_links (
  account_id text collate "C" not null references accounts on delete cascade,
  id text collate "C" not null,
  kind text not null check (kind in ('setup', 'invitation', 'password')),
  digest bytea not null,
  email text collate "C",
  role text check (role in ('viewer', 'member', 'admin', 'owner')),
  user_id text collate "C",
  invited_by text collate "C",
  -- The key that made the invitation, which ends with the key.
  invited_by_key text collate "C",
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- When the mail with the link was started; it is sent once. Null: it was not sent, or certainly failed.
  mailed_at timestamptz,
  primary key (account_id, id)
);
comment on table user_links is 'team: A link with which a person joins an account or sets a new password.';
create unique index user_links_digest on user_links (digest);
create index user_links_expiry on user_links (expires_at);

-- The address is stored only as a keyed hash. A row belongs to no account, because the address may have none.
create table sign_in_attempts (
  id bigint generated always as identity primary key,
  address_hash bytea not null,
  ip text not null,
  at timestamptz not null
);
comment on table sign_in_attempts is 'team: A try to sign in, in the last quarter of an hour.';
create index sign_in_attempts_address on sign_in_attempts (address_hash, at);
create index sign_in_attempts_ip on sign_in_attempts (ip, at);
create index sign_in_attempts_at on sign_in_attempts (at);

-- A session ends after twelve hours without a request. Only tests give `p_now`. As in `admit_request`, all statements but the first name
-- the account.
create function admit_session(p_digest bytea, p_per_minute integer, p_per_second integer, p_now timestamptz default null)
returns table (outcome text, account_id text, session_id text, user_id text, user_name text, role text,
  remaining integer, retry_after_ms bigint)
language plpgsql as $$
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
end $$;
comment on function admit_session is 'team: Checks session, user and rate window of a request in one call.';
