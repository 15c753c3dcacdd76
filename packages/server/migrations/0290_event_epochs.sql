-- A place in the log is told by numbers of transactions, which each server counts for itself. What was written on another one, and
-- restored or moved here, would stand in between what is written here, or after all of it. Each server therefore has an epoch
-- in the upper 16 of the number's 64 bits; it is raised above all that came from elsewhere, and no event has to be renumbered for it.
create table event_epochs (
  only_row boolean primary key default true check (only_row),
  epoch integer not null check (epoch between 0 and 32767)
);
comment on table event_epochs is 'platform: Of this server, where accounts are spread over several: what its events are numbered above.';
-- Whoever may read the log asks how far it is complete.
grant select on event_epochs to public;

-- The number that an event of this transaction has. Read again by each statement: whoever raises the epoch holds the log's lock,
-- and who waited for that has the new one.
create function event_number() returns xid8 language plpgsql volatile as $$
begin
  return (coalesce((select epoch from event_epochs), 0)::bigint << 48 | pg_current_xact_id()::text::bigint)::text::xid8;
end $$;

-- Below which number the log is complete. A snapshot that sees the new epoch sees all that was written in those before.
-- On a server that follows another one, what is still running there is not among the transactions that a snapshot lists; its
-- lower end knows of them. Nothing of another database can be left out there, so that a long one anywhere holds readers up.
create or replace function events_horizon() returns xid8 language plpgsql stable as $$
declare
  horizon xid8;
begin
  if pg_is_in_recovery() then
    horizon := pg_snapshot_xmin(pg_current_snapshot());
  else
    horizon := least(
      pg_snapshot_xmax(pg_current_snapshot()),
      pg_current_xact_id_if_assigned(),
      (select x from pg_snapshot_xip(pg_current_snapshot()) x
       where not exists (select 1 from pg_stat_get_activity(null) a
         where a.backend_xid = x::xid and a.datid <> (select oid from pg_database where datname = current_database()))
       order by x limit 1));
  end if;
  return (coalesce((select epoch from event_epochs), 0)::bigint << 48 | horizon::text::bigint)::text::xid8;
end $$;

-- Events and what is compared with their numbers.
alter table events alter column tx_id set default event_number();
alter table webhooks alter column since_tx set default event_number();

-- Numbers what this server writes from now on above all of an epoch. Call with the log locked against writers.
create function raise_event_epoch(above integer) returns void language sql volatile as $$
  insert into event_epochs (epoch) values (above + 1)
  on conflict (only_row) do update set epoch = greatest(event_epochs.epoch, excluded.epoch)
$$;

-- After a restore from another server, whose numbers were ahead: raises the epoch above all that came with it. Events and
-- readers keep their places. Answers how many events those are; 0 where nothing is ahead.
create or replace function adopt_restored_events() returns bigint language plpgsql as $$
declare
  here bigint;
  next bigint;
  highest bigint;
  last_restored bigint;
  adopted bigint;
begin
  for tries in 1 .. 2 loop
    -- What can be seen was committed here below `next`, or elsewhere.
    here := coalesce((select epoch from event_epochs), 0)::bigint << 48;
    next := here | pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
    highest := greatest(
      (select tx_id::text::bigint from events order by tx_id desc limit 1),
      (select tx_id::text::bigint from event_cursors order by tx_id desc limit 1),
      (select since_tx::text::bigint from webhooks order by since_tx desc limit 1));
    if highest is null or highest < next then return 0; end if;
    -- Looked at again behind the lock: whoever came first has done it.
    if tries = 1 then lock table events in share row exclusive mode; end if;
  end loop;
  perform raise_event_epoch((highest >> 48)::integer);
  -- Events appended here since the restore come after all that was restored: their rows are of the transaction that they tell.
  select max(position) into last_restored from events where tx_id >= next::text::xid8;
  create temporary table strayed_events on commit drop as
    select account_id, environment, id, tx_id, position from events e
    where last_restored is not null and position > last_restored and tx_id >= here::text::xid8 and tx_id < next::text::xid8
      and e.xmin::text::bigint = (e.tx_id::text::bigint & 4294967295);
  update events e set tx_id = (((highest >> 48) + 1) << 48 | (e.tx_id::text::bigint & 281474976710655))::text::xid8
    from strayed_events s where e.account_id = s.account_id and e.environment = s.environment and e.tx_id = s.tx_id
      and e.position = s.position;
  update webhook_deliveries d set tx_id = e.tx_id from strayed_events s, events e
    where d.account_id = s.account_id and d.environment = s.environment and d.event_id = s.id
      and e.account_id = s.account_id and e.environment = s.environment and e.position = s.position and e.id = s.id;
  select count(*) - (select count(*) from strayed_events) into adopted from events;
  drop table strayed_events;
  return adopted;
end $$;

comment on function event_number() is 'platform: The number that events of this transaction have: the epoch of their server, then the transaction.';
comment on function raise_event_epoch(integer) is 'platform: Numbers what this server writes from now on above an epoch.';
comment on function events_horizon() is 'platform: Below which number the log is complete.';
comment on function adopt_restored_events() is
  'platform: Numbers what is to come above the events of a restored dump, and answers how many those were.';
