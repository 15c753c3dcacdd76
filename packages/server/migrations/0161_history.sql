-- Which history of which database this is: another cluster, another database of it, or another timeline has not seen
-- all that was committed here, or not as the last. Null on a standby, which is asked for nothing.
create function database_history() returns text language sql volatile as $$
  select (select system_identifier from pg_control_system()) || ' '
    || (select oid from pg_database where datname = current_database()) || ' '
    || case when pg_is_in_recovery() then null else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end
$$;

-- Asked on every new connection, before anything else. After a failover or a restore, what has left since is not known
-- here: nothing leaves any more until somebody says so.
create function note_database_history() returns boolean language plpgsql as $$
declare
  here text;
  known text := (select value #>> '{}' from settings where name = 'database_history');
begin
  -- Where the server tells nobody, nothing can be known.
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
end $$;
comment on function database_history is 'platform: Which history of which database this is.';
comment on function note_database_history is 'platform: Holds sending where the history is another than the one that was known.';
