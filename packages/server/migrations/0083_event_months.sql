-- The log by month of recording: retention drops a month at once instead of deleting row by row, and old months stay
-- out of the way of writers. A sequence instead of an identity column, which partitioned tables have only since 17.

alter table events rename to events_unpartitioned;
drop index events_log, events_campaign, events_lead, events_feed, events_id, events_recorded, events_campaign_time;
create sequence events_position;
select setval('events_position', coalesce((select max(position) from events_unpartitioned), 0) + 1, false);

create table events (
  account_id text collate "C" not null,
  environment text not null,
  position bigint not null default nextval('events_position'),
  tx_id xid8 not null default pg_current_xact_id(),
  recorded_at timestamptz not null default now(),
  id text collate "C" not null,
  type text not null,
  occurred_at timestamptz not null,
  campaign_id text collate "C",
  lead_id text collate "C",
  lead_email text,
  message_id text collate "C",
  step_id text collate "C",
  variant_id text collate "C",
  sending_account_id text collate "C",
  data jsonb not null default '{}',
  primary key (account_id, position, recorded_at)
) partition by range (recorded_at);

create index events_log on events (account_id, environment, tx_id, position);
create index events_campaign on events (account_id, environment, campaign_id, tx_id, position);
create index events_campaign_time on events (account_id, environment, campaign_id, occurred_at);
create index events_lead on events (account_id, environment, lead_id, position);
create index events_feed on events (tx_id, position);
create index events_id on events (account_id, environment, id);

-- Takes what no month is there for, so that an event is never refused.
create table events_rest partition of events default;

-- Makes the partition of the month that `at` lies in, unless it is there or the rest holds rows of it.
create function create_events_month(at timestamptz) returns void language plpgsql as $$
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
end $$;

select create_events_month(now() + month * interval '1 month') from generate_series(0, 3) as month;

insert into events (account_id, environment, position, tx_id, recorded_at, id, type, occurred_at, campaign_id, lead_id,
  lead_email, message_id, step_id, variant_id, sending_account_id, data)
select account_id, environment, position, tx_id, recorded_at, id, type, occurred_at, campaign_id, lead_id, lead_email,
  message_id, step_id, variant_id, sending_account_id, data from events_unpartitioned;
drop table events_unpartitioned;
