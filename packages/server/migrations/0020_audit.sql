-- An entry is written in the transaction of the change that it records, and never changed. One partition per month of writing.

create sequence audit_position;
comment on sequence audit_position is 'audit: The order of entries.';

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
comment on table audit_entries is 'audit: An action of a user, a key or the operator. Rows are added and never changed.';
create index audit_entries_id on audit_entries (account_id, id);
create index audit_entries_target on audit_entries (account_id, target_id, position);
create index audit_entries_actor on audit_entries (account_id, actor_id, position);

-- Transactions commit in another order than their positions. Every committed entry is here until it is sealed.
create table audit_unsealed (
  account_id text collate "C" not null,
  position bigint not null,
  id text collate "C" not null,
  primary key (account_id, position)
);
comment on table audit_unsealed is 'audit: An entry that waits for its seal.';

-- A seal names its entries with their digests, and the hash of the seal before it.
create table audit_seals (
  account_id text collate "C" not null,
  number integer not null,
  sealed_at timestamptz not null,
  ids text[] not null,
  digests bytea not null,
  -- All entries from before this time were deleted by age.
  dropped_before timestamptz,
  previous bytea not null,
  hash bytea not null,
  primary key (account_id, number)
);
comment on table audit_seals is 'audit: A link of the chain that shows whether an entry was changed.';

-- Entries may be deleted only after their account. Entries without an account stay.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.account_id <> '' and not exists (select 1 from accounts a where a.account_id = old.account_id) then
      return old;
    end if;
  end if;
  raise exception 'The audit log is not changed.' using errcode = 'insufficient_privilege';
end $$;
comment on function refuse_audit_change is 'audit: Refuses to change the audit log of an account while the account exists.';

create trigger audit_entries_fixed before update or delete on audit_entries
  for each row execute function refuse_audit_change();
create trigger audit_entries_kept before truncate on audit_entries
  for each statement execute function refuse_audit_change();
create trigger audit_seals_fixed before update or delete on audit_seals
  for each row execute function refuse_audit_change();
create trigger audit_seals_kept before truncate on audit_seals
  for each statement execute function refuse_audit_change();

-- Stores entries of months without a partition, so that an entry is never refused.
create table audit_entries_rest partition of audit_entries default;
-- A partition inherits the triggers for each row, but not those for each statement.
create trigger audit_entries_kept before truncate on audit_entries_rest
  for each statement execute function refuse_audit_change();

create function create_audit_month(at timestamptz) returns void language plpgsql as $$
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
end $$;
comment on function create_audit_month is
  'audit: Creates the partition of the month of `at`, unless it exists or audit_entries_rest has rows of that month.';

select create_audit_month(now() + month * interval '1 month') from generate_series(0, 3) as month;
