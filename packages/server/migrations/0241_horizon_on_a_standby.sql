-- On a server that follows another one, what is still running there is not among the transactions that a snapshot lists; its
-- lower end knows of them. Nothing of another database can be left out there, so that a long one anywhere holds readers up.
create or replace function events_horizon() returns xid8 language sql stable as $$
  select case when pg_is_in_recovery() then pg_snapshot_xmin(pg_current_snapshot())
  else least(
    pg_snapshot_xmax(pg_current_snapshot()),
    pg_current_xact_id_if_assigned(),
    (select x from pg_snapshot_xip(pg_current_snapshot()) x
     where not exists (select 1 from pg_stat_get_activity(null) a
       where a.backend_xid = x::xid and a.datid <> (select oid from pg_database where datname = current_database()))
     order by x limit 1)) end
$$;
