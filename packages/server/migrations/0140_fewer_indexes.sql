-- Every index is written with every row: each that stays names what needs it.

-- The log. Its key is the order that its readers follow (listEvents), so that no other index repeats it.
alter table events drop constraint events_pkey1;
alter table events add constraint events_pkey primary key (account_id, environment, tx_id, position, recorded_at);
drop index events_log;
-- An id is looked up where a reader names an event instead of a place, which is rare, and ids lie in the order of time: the
-- smallest and largest of each stretch of the table are enough to find one.
drop index events_id;
create index events_id on events using brin (id) with (autosummarize = on);
-- The quarters of an hour that a range of statistics cuts (listBreakdown); they never count this type.
drop index events_campaign_time;
create index events_campaign_time on events (account_id, environment, campaign_id, occurred_at)
  where type <> 'lead.status_changed';

-- A delivery finds its event by its place: after a restore all are told the new one, also those that may be delivered again.
create or replace function adopt_restored_events() returns bigint language plpgsql as $$
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
    where d.account_id = a.account_id and d.environment = a.environment and d.event_id = a.id;
  update webhooks set since_tx = '0' where since_tx >= next;
  update events e set tx_id = '3', position = a.place from adopted_events a
    where e.account_id = a.account_id and e.environment = a.environment and e.tx_id = a.tx_id and e.position = a.position;
  get diagnostics adopted = row_count;
  drop table adopted_events;
  return adopted;
end $$;

-- What a run of the test clock counts lies above both: the position alone is no index's order.
alter table sandbox_runs add column events_tx xid8 not null default pg_snapshot_xmin(pg_current_snapshot());

-- Left over: nothing reads these.
drop index messages_settle, messages_manual_due, jobs_leased;
alter table messages drop column settle_at;
alter table idempotency_keys drop column body;
