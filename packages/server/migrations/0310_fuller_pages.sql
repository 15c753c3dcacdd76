-- Pages are as full as what comes to them later allows (docs/decisions/0310-fuller-pages.md). What lies there stays as it is.

-- Room for one in three second versions: others go where an older one made room, at two more entries of an index each.
alter table message_heads set (fillfactor = 90);
-- No second version keeps its index entries here, so that room beside the first saves nothing.
alter table lead_progress set (fillfactor = 95);

-- Keys that come in order, each once: nothing is ever put between two of them.
alter index message_contents_pkey set (fillfactor = 98);
alter index people_pkey set (fillfactor = 98);
alter index lead_profiles_pkey set (fillfactor = 98);
alter index lead_profiles_by_id set (fillfactor = 98);

-- The log comes in order in each of its indexes but that by lead, whose events come between those of others.
create function fill_events_month(name text) returns void language plpgsql as $$
declare
  filled regclass;
begin
  for filled in
    select i.indexrelid from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam
    where i.indrelid = to_regclass(name) and m.amname = 'btree'
      and pg_get_indexdef(i.indexrelid, 1, true) <> 'lead_id'
  loop
    execute format('alter index %s set (fillfactor = 98)', filled);
  end loop;
end $$;
comment on function fill_events_month is 'platform: Fills the pages of a month''s indexes in which the log comes in order.';

create or replace function create_events_month(at timestamptz) returns void language plpgsql as $$
declare
  first timestamptz := date_trunc('month', at, 'UTC');
  name text := 'events_' || to_char(first at time zone 'UTC', 'YYYY_MM');
begin
  if to_regclass(name) is not null
    or exists (select 1 from events_rest where recorded_at >= first and recorded_at < first + interval '1 month') then
    return;
  end if;
  execute format('create table %I partition of events for values from (%L) to (%L)', name, first,
    date_trunc('month', first + interval '32 days', 'UTC'));
  perform fill_events_month(name);
end $$;

select fill_events_month(inhrelid::regclass::text) from pg_inherits where inhparent = 'events'::regclass;
