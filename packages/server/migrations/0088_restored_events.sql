-- A dump restored on another server brings numbers of transactions that this one has yet to reach: its readers would wait
-- for them, and see nothing new until then. Answers how many events were given a place below everything that is to come:
-- in the order that they had, where every reader stood, and none when nothing was restored.
create function adopt_restored_events() returns bigint language plpgsql as $$
declare
  next xid8 := pg_snapshot_xmax(pg_current_snapshot());
  adopted bigint;
begin
  -- What can be seen was committed here below `next`, or elsewhere.
  if not exists (select 1 from events where tx_id >= next) and not exists (select 1 from event_cursors where tx_id >= next) then
    return 0;
  end if;
  lock table events in share row exclusive mode;
  perform 1 from event_cursors for update;
  next := pg_snapshot_xmax(pg_current_snapshot());
  -- Events appended since the restore have their own numbers already, and positions above all that was restored.
  create temporary table adopted_events on commit drop as
    select account_id, environment, id, tx_id, position, (select least(min(position), 0) from events) - 1
      - count(*) over () + row_number() over (order by tx_id, position) as place
    from events
    where tx_id >= next or position <= (select coalesce(max(position), 0) from events where tx_id >= next);
  update event_cursors c set tx_id = '3', position = coalesce(
    (select max(a.place) from adopted_events a where (a.tx_id, a.position) <= (c.tx_id, c.position)),
    (select min(a.place) from adopted_events a) - 1, 0);
  update webhook_deliveries d set tx_id = '3', position = a.place from adopted_events a
    where d.status = 'pending' and d.account_id = a.account_id and d.environment = a.environment and d.event_id = a.id;
  update webhooks set since_tx = '0' where since_tx >= next;
  update events e set tx_id = '3', position = a.place from adopted_events a
    where e.account_id = a.account_id and e.environment = a.environment and e.id = a.id;
  get diagnostics adopted = row_count;
  drop table adopted_events;
  return adopted;
end $$;
