-- Who follows the log of all accounts looks through it for accounts that have something new. Numbers of different servers have no
-- order among each other, those of one epoch have: up to where a reader looked is told for each epoch.
create table event_looks (
  reader text not null,
  epoch integer not null check (epoch between 0 and 32767),
  tx_id xid8 not null,
  position bigint not null,
  primary key (reader, epoch)
);
comment on table event_looks is
  'platform: Up to where each reader has looked through what is numbered in an epoch, of all accounts; gone when nothing more can come.';

-- What lies above the place of before is still to be looked through, in every epoch since.
lock table event_cursors in exclusive mode;
insert into event_looks (reader, epoch, tx_id, position)
  select replace(c.name, ' of accounts', ''), e.epoch,
    case when e.epoch = c.tx_id::text::bigint >> 48 then c.tx_id else (e.epoch::bigint << 48)::text::xid8 end,
    case when e.epoch = c.tx_id::text::bigint >> 48 then c.position else 0 end
  from event_cursors c, generate_series((c.tx_id::text::bigint >> 48)::integer,
    greatest((c.tx_id::text::bigint >> 48)::integer, (select epoch from event_epochs))) e (epoch)
  where c.name like '% of accounts';

-- A process of the release before finds no place of its own there, and leaves everything to those of this one. To it, all months
-- are unread: it drops none.
update event_cursors set name = replace(name, ' of accounts', ' by epoch'), tx_id = '0', position = 0;
comment on table event_cursors is 'platform: Of the release before, which finds nothing to read here.';

-- Below which number the log is complete, in the epoch of each server that stores some of it: this one alone.
create or replace function event_horizons() returns setof xid8 language sql volatile as 'select events_horizon()';
comment on function event_horizons() is
  'platform: Of each server, below which number of its epoch the log is complete; where accounts are spread over several, it is replaced.';

-- Readers are told of the epoch with it, so that none is passed by, however soon the next one follows.
create or replace function raise_event_epoch(above integer) returns void language plpgsql volatile as $$
begin
  insert into event_epochs (epoch) values (above + 1)
    on conflict (only_row) do update set epoch = greatest(event_epochs.epoch, excluded.epoch);
  -- Of several servers, one has the readers.
  if to_regclass('event_looks') is not null then
    insert into event_looks (reader, epoch, tx_id, position)
      select distinct l.reader, e.epoch, (e.epoch::bigint << 48)::text::xid8, 0 from event_looks l, event_epochs e
      on conflict do nothing;
  end if;
end $$;

-- As before, but for where readers' places are.
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
      (select tx_id::text::bigint from event_looks order by tx_id desc limit 1),
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

-- Which events are of a run of the test environment's clock is told from where the log stood when it began: in the numbers that
-- events have, epoch and all.
create or replace function event_floor() returns xid8 language plpgsql volatile as $$
begin
  return (coalesce((select epoch from event_epochs), 0)::bigint << 48 | pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8;
end $$;
comment on function event_floor() is 'platform: Events that are still to be seen have this number or a higher one.';
alter table sandbox_runs alter column events_tx set default event_floor();
