-- Below which transaction the log is complete: every older one that can have written here has ended, and this statement
-- sees what it wrote. Transactions of other databases of the same server have numbers from the same sequence, and a long
-- one of theirs must not hold our readers up: one that a session of another database has now belongs to that database for
-- good, so leaving it out is safe. Whatever cannot be told (just ended, prepared, hidden) is waited for, or is over next time.
create function events_horizon() returns xid8 language sql stable as $$
  select least(
    pg_snapshot_xmax(pg_current_snapshot()),
    pg_current_xact_id_if_assigned(),
    (select x from pg_snapshot_xip(pg_current_snapshot()) x
     where not exists (select 1 from pg_stat_get_activity(null) a
       where a.backend_xid = x::xid and a.datid <> (select oid from pg_database where datname = current_database()))
     order by x limit 1))
$$;
