-- What people, keys and the operator did: written in the transaction of the write, never changed, by month of writing.

create sequence audit_position;

create table audit_entries (
  account_id text collate "C" not null,
  position bigint not null default nextval('audit_position'),
  id text collate "C" not null,
  at timestamptz not null,
  environment text check (environment in ('live', 'test')),
  actor_type text not null check (actor_type in ('user', 'key', 'operator', 'recipient', 'system')),
  actor_id text collate "C",
  actor_name text,
  action text collate "C" not null,
  target_type text,
  target_id text collate "C",
  outcome text not null check (outcome in ('success', 'denied')),
  ip text,
  user_agent text,
  request_id text collate "C",
  changes jsonb not null default '[]',
  primary key (account_id, position, at)
) partition by range (at);
create index audit_entries_id on audit_entries (account_id, id);
create index audit_entries_target on audit_entries (account_id, target_id, position);
create index audit_entries_actor on audit_entries (account_id, actor_id, position);

-- Not yet in a seal: whatever is committed stands here, in whichever order it was.
create table audit_unsealed (
  account_id text collate "C" not null,
  position bigint not null,
  id text collate "C" not null,
  primary key (account_id, position)
);

-- Each names its entries with their digests, and the seal before it. Of `dropped`: everything before that time is gone.
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

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'The audit log is not changed.' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_entries_fixed before update or delete on audit_entries
  for each row execute function refuse_audit_change();
create trigger audit_entries_kept before truncate on audit_entries
  for each statement execute function refuse_audit_change();
create trigger audit_seals_fixed before update or delete on audit_seals
  for each row execute function refuse_audit_change();
create trigger audit_seals_kept before truncate on audit_seals
  for each statement execute function refuse_audit_change();

-- Takes what no month is there for, so that an entry is never refused.
create table audit_entries_rest partition of audit_entries default;
create trigger audit_entries_kept before truncate on audit_entries_rest
  for each statement execute function refuse_audit_change();

-- Makes the partition of the month that `at` lies in, unless it is there or the rest holds rows of it.
create function create_audit_month(at timestamptz) returns void language plpgsql as $$
declare
  first timestamptz := date_trunc('month', at, 'UTC');
  name text := 'audit_entries_' || to_char(first at time zone 'UTC', 'YYYY_MM');
begin
  if to_regclass(name) is not null
    or exists (select 1 from audit_entries_rest r where r.at >= first and r.at < first + interval '1 month') then
    return;
  end if;
  execute format('create table %I partition of audit_entries for values from (%L) to (%L)', name, first,
    date_trunc('month', first + interval '32 days', 'UTC'));
  execute format('create trigger audit_entries_kept before truncate on %I
    for each statement execute function refuse_audit_change()', name);
end $$;

select create_audit_month(now() + month * interval '1 month') from generate_series(0, 3) as month;

comment on table audit_entries is 'audit: What people, keys and the operator did; never changed.';
comment on table audit_unsealed is 'audit: Entries that wait for their seal.';
comment on table audit_seals is 'audit: The chain by which a change of an entry is found.';
comment on sequence audit_position is 'audit: The order of entries.';
comment on function refuse_audit_change is 'audit: Keeps the audit log as it is.';
comment on function create_audit_month is
  'audit: Makes the partition of the month that `at` lies in, unless it is there or the rest holds rows of it.';
